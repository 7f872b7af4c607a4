/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traffic.c - books what crossed the network under the row that was being measured.
 *
 * The counters are those of the whole mount.  Rows are measured one at a time, so what this run
 * does there belongs to the row under way, with the opening of kept files and what is done between
 * operations to keep the cache state; other processes on the same mount are counted as well. */
#include "base/compat.h"

#include "run/traffic.h"

#include "base/mem.h"

static bool read_counters(const struct result *result, struct target_traffic *traffic)
{
    const struct target *target = result->cell->work.target;

    return target && target->driver && target->driver->traffic &&
           target->driver->traffic(target, traffic);
}

bool traffic_begin(const struct result *result, struct target_traffic *before)
{
    return read_counters(result, before);
}

void traffic_end(struct result *result, const struct target_traffic *before)
{
    struct target_traffic after;

    if (!read_counters(result, &after))
        return;
    if (!result->rpc)
        result->rpc = mem_calloc(1, sizeof *result->rpc);
    target_traffic_add(result->rpc, before, &after);
}

void traffic_close(struct result *result)
{
    if (!result->rpc || result->device_known || !result->rounds)
        return;
    result->sum.device_bytes = result->rpc->server_read_bytes;
    if (result->cell->work.test == TEST_WRITE)
        result->sum.device_bytes += result->rpc->server_write_bytes;
    result->device_known = true;
}
