/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_beside.c - what is looked at beside the operations of a row: the page cache, the speed of the
 * machine, what crossed the network.
 *
 * The counters are those of the whole mount.  Rows are measured one at a time, so what this run
 * does there belongs to the row under way, with the opening of kept files and what is done between
 * operations to keep the cache state; other processes on the same mount are counted as well. */
#include "base/compat.h"

#include "run/row.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"
#include "run/reference.h"
#include "run/slice_length.h"

#define LOOK_SHARE 20 /* looking at the page cache may take 1/20 of the time */

/* How much of the target is in the page cache right now.  Of large files in memory this takes time:
 * then not every slice is looked at. */
void row_see_resident(struct measure *m, const struct cell *cell, struct row_resident *seen)
{
    const struct target *target = cell->work.target;
    const uint64_t begin_ns = clock_now(m->clock);
    double share;

    if (!target->driver->resident || (cell->engine->capabilities & ENGINE_VIRTUAL) ||
        (seen->count && m->looked_ns > (begin_ns - m->begin_ns) / LOOK_SHARE))
        return;
    share = target->driver->resident(measure_target(m, cell));
    m->looked_ns += clock_now(m->clock) - begin_ns;
    if (share < 0)
        return;
    seen->sum += share;
    seen->count++;
}

static void settle_resident(struct row *row)
{
    struct result *result = &row->result;

    if (row->before.count)
        result->resident_fraction_before = row->before.sum / row->before.count;
    if (row->after.count)
        result->resident_fraction = row->after.sum / row->after.count;
}

double row_see_reference(struct measure *m, const struct row *row, const struct slice *what)
{
    const uint64_t slice_ns = what->clocks        ? what->duration_ns
                              : what->duration_ns ? what->duration_ns / SLICE_OVERRUN
                                                  : row->slice_expect_ns;
    const uint64_t share_ns = slice_ns / REFERENCE_SHARE;

    if (!m->sweep->reference)
        return -1;
    return reference_measure(m->sweep->reference, m->clock,
                             share_ns < REFERENCE_LEAST_NS  ? REFERENCE_LEAST_NS
                             : share_ns > REFERENCE_MOST_NS ? REFERENCE_MOST_NS
                                                            : share_ns);
}

bool row_traffic_read(const struct result *result, struct target_traffic *traffic)
{
    const struct target *target = result->cell->work.target;

    return target && target->driver && target->driver->traffic &&
           target->driver->traffic(target, traffic);
}

void row_traffic_end(struct result *result, const struct target_traffic *before)
{
    struct target_traffic after;

    if (!row_traffic_read(result, &after))
        return;
    if (!result->rpc)
        result->rpc = mem_calloc(1, sizeof(*result->rpc));
    target_traffic_add(result->rpc, before, &after);
}

static void settle_traffic(struct result *result)
{
    if (!result->rpc || result->device_known || !result->rounds)
        return;
    result->sum.device_bytes = result->rpc->server_read_bytes;
    if (result->cell->work.test == TEST_WRITE)
        result->sum.device_bytes += result->rpc->server_write_bytes;
    result->device_known = true;
}

void row_settle(struct row *row)
{
    struct result *result = &row->result;

    settle_resident(row);
    result->device_known = result->device_known && result->sum.io_known && result->rounds;
    settle_traffic(result);
}
