/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_book.c - adds the results of a slice to its row; with --mix to two, those of the writes and
 * of the reads. Both have the same time, so that their rates add up to that of all operations; all
 * other figures of a row cover its own operations. */
#include "base/compat.h"

#include "run/row.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/stats.h"
#include "run/reference.h"
#include "run/slice_length.h"
#include "run/team_work.h"

#define LOOK_SHARE 20 /* examining the page cache may take 1/20 of the time */

void row_join(struct row *writes, struct row *reads)
{
    writes->mate = reads;
    writes->all = mem_calloc(1, sizeof(*writes->all));
    slice_sum_reset(writes->all);
}

void row_note_all(struct measure *m, struct row *row)
{
    struct slice_sum *const all = m->slice;

    for (unsigned kind = 0; kind < row_kinds(row); kind++) {
        m->slice = row_slice_sum(m, row, kind);
        row_note_troubles(m, row_of(row, kind)->result.cell);
        m->slice = all;
    }
}

static void keep_round(struct row *row, double ns, uint64_t operations, double reference_ns)
{
    struct result *result = &row->result;

    row_make_room(&result->round_ns, result->rounds);
    row_make_room(&result->round_operations, result->rounds);
    result->round_operations[result->rounds] = (double)operations;
    if (reference_ns > 0 && (result->reference_round_ns || result->rounds == 0)) {
        row_make_room(&result->reference_round_ns, result->rounds);
        result->reference_round_ns[result->rounds] = reference_ns;
    } else { /* for all rounds, or for none */
        free(result->reference_round_ns);
        result->reference_round_ns = NULL;
    }
    result->round_ns[result->rounds++] = ns;
}

static void tell_slice(struct measure *m, const struct slice_record *record)
{
    if (m->series)
        series_add_slice(m->series, record);
    SINKS_CALL(m->sinks, m->broken, slice, record, m->err);
}

static void end_round(struct measure *m, struct row *row, const struct slice_sum *slice,
                      double reference_ns)
{
    const struct tally *tally = &slice->tally;
    struct slice_record record = {.cell = row->result.cell,
                                  .round = row->result.rounds + 1,
                                  .part_round = row->part_round,
                                  .began_ns = row->slice_start_ns,
                                  .elapsed_ns = slice->elapsed_ns,
                                  .time_ns = slice->time_ns,
                                  .queued_ns = slice->queued_ns,
                                  .operations = tally->operations,
                                  .reference_ns = reference_ns,
                                  .failed = tally->failed + tally->short_count,
                                  .latency_ns_sum = tally->sum_ns,
                                  .latency_ns_min = tally->min_ns,
                                  .latency_ns_max = tally->max_ns};

    row->pending_ns += slice->time_ns;
    if (tally->operations) {
        record.op_ns = (double)row->pending_ns / (double)tally->operations;
        keep_round(row, record.op_ns, tally->operations, reference_ns);
        row->pending_ns = 0;
    }
    tell_slice(m, &record);
}

static void count_left(struct result *result)
{
    const struct workload *work = &result->cell->work;
    const struct storage_driver *driver = work->target->driver;
    uint64_t left;

    if (!test_consumes(work->test) || !driver->left)
        return;
    left = driver->left(work->target, TEST_DELETE, work->size_bytes); /* one by one */
    result->left_known = left != UINT64_MAX;
    result->left_objects = result->left_known ? left : 0;
}

static void book(struct measure *m, struct row *row, const struct slice_sum *slice,
                 double reference_ns)
{
    struct result *result = &row->result;

    slice_sum_merge(&result->sum, slice, SLICE_AFTER);
    if (result->threads)
        slice_threads_add(result->threads, row->threads, result->cell->threads);
    result->ended_ns = clock_wall_ns();
    if (!result->began_ns)
        result->began_ns = row->slice_began_ns;
    count_left(result);
    end_round(m, row, slice, reference_ns);
}

void row_book(struct measure *m, struct row *row, double reference_ns)
{
    if (row->mate) {
        slice_sum_merge(row->all, m->slice, SLICE_AFTER);
        row->mate->slice_began_ns = row->slice_began_ns;
        row->mate->slice_start_ns = row->slice_start_ns;
        row->mate->part_round = row->part_round;
    }
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        book(m, row_of(row, kind), row_slice_sum(m, row, kind), reference_ns);
    if (row->mate) {
        row->result.mate_flight_ns = row->mate->result.sum.flight_ns;
        row->mate->result.mate_flight_ns = row->result.sum.flight_ns;
        row->mate->before = row->before;
        row->mate->after = row->after;
    }
    if (m->lead)
        team_lead_book(m, row);
}

static void add_failures(struct tally *into, const struct tally *from)
{
    into->failed += from->failed;
    into->short_count += from->short_count;
    into->wrong += from->wrong;
    into->mixed += from->mixed;
}

void row_book_failures(const struct measure *m, struct row *row)
{
    if (row->mate)
        add_failures(&row->all->tally, &m->slice->tally);
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        add_failures(&row_of(row, kind)->result.sum.tally, &row_slice_sum(m, row, kind)->tally);
}

static void forget_failures(struct tally *tally)
{
    tally->failed = tally->short_count = tally->wrong = tally->mixed = 0;
}

/* Whether round 0 counts, too: --max-time leaves time for few operations, each longer than a slice
 * should be, so it is not a warm-up. */
static bool counts(const struct measure *m, const struct row *row)
{
    const struct slice_sum *slice = m->slice;

    return m->sweep->end_ns && !slice_concurrent(row->result.cell) && slice->tally.operations > 0 &&
           slice->time_ns / slice->tally.operations > SLICE_NS;
}

void row_book_slow(struct measure *m, struct row *row, const struct row_resident *before)
{
    if (!counts(m, row))
        return;
    row->before = *before;
    forget_failures(&m->slice->tally); /* already added to the row */
    for (int i = 0; row->mate && i < 2; i++)
        forget_failures(&m->kinds[i].tally);
    row_book(m, row, 0);
}

/* Determines the share of the target in the page cache. For large files in memory this takes time,
 * so not every slice is examined. */
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
    const uint64_t slice_ns = what->plan.clocks        ? what->plan.duration_ns
                              : what->plan.duration_ns ? what->plan.duration_ns / SLICE_OVERRUN
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
    const unsigned last = result->rounds - 1;

    /* time without further complete operations is added to the last round, so that the mean covers
     * all time of the row */
    if (result->rounds && row->pending_ns)
        result->round_ns[last] += (double)row->pending_ns / result->round_operations[last];
    row->pending_ns = 0;
    settle_resident(row);
    result->device_known = result->device_known && result->sum.io_known && result->rounds;
    settle_traffic(result);
}
