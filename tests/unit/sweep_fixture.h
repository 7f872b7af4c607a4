/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep_fixture.h - a sink that records the output of a sweep, and checks that everything is
 * delivered once and that the slices of a row add up to the row. */
#ifndef TESTS_SWEEP_FIXTURE_H
#define TESTS_SWEEP_FIXTURE_H

#include "unit/cmocka_all.h"

#include <errno.h>

#include "run/sweep.h"

#define ROWS_MAX   64
#define SLICES_MAX 512

static struct plan plan; /* of the sweep */

struct seen { /* what the sink received */
    unsigned rows, part_ends, begins, ends;
    unsigned finished[ROWS_MAX], finished_count; /* rows in the order in which they finished */
    unsigned index[ROWS_MAX], rounds[ROWS_MAX], notes[ROWS_MAX];
    enum result_state state[ROWS_MAX];
    uint64_t operations[ROWS_MAX], time_ns[ROWS_MAX], failed[ROWS_MAX];
    double median[ROWS_MAX], low[ROWS_MAX], high[ROWS_MAX], resident[ROWS_MAX];
    double slow_ns; /* operations at least this long count as slow */
    uint64_t slow[ROWS_MAX];
    int fail_at; /* row at which writing fails, -1: none */
    enum result_stop stop[ROWS_MAX];
    struct { /* of its slices */
        uint64_t operations, time_ns, latencies, latency_ns_sum;
        uint64_t ended_ns; /* of the last one */
        unsigned rounds;
        double op_ns[SLICES_MAX];
    } slices[ROWS_MAX];
};

static struct seen seen;
static unsigned plan_part[ROWS_MAX]; /* of each row */

static int see_begin(void *arg, const struct run_info *info, struct error *e)
{
    assert_int_equal(info->cell_count, plan.cell_count);
    seen.begins++;
    return 0;
}

static int see_slice(void *arg, const struct slice_record *record, struct error *e)
{
    const unsigned i = record->cell->index;
    assert_true(i >= seen.rows);
    assert_true(record->began_ns >= seen.slices[i].ended_ns);
    seen.slices[i].ended_ns = record->began_ns + record->elapsed_ns;
    assert_int_equal(record->round, seen.slices[i].rounds + 1);
    seen.slices[i].operations += record->operations;
    seen.slices[i].time_ns += record->time_ns;
    seen.slices[i].latency_ns_sum += record->latency_ns_sum;
    if (record->op_ns > 0) {
        assert_true(seen.slices[i].rounds < SLICES_MAX);
        seen.slices[i].op_ns[seen.slices[i].rounds++] = record->op_ns;
    }
    return 0;
}

static void compare_slices(const struct result *result)
{
    const unsigned i = result->cell->index;

    assert_int_equal(seen.slices[i].operations, result->sum.tally.operations);
    assert_int_equal(seen.slices[i].time_ns, result->sum.time_ns);
    assert_int_equal(seen.slices[i].latency_ns_sum, result->sum.tally.sum_ns);
    assert_int_equal(seen.slices[i].rounds, result->rounds);
    for (unsigned k = 0; k < result->rounds; k++)
        assert_true(seen.slices[i].op_ns[k] == result->round_ns[k]);
}

static int see_row(void *arg, const struct result *result, struct error *e)
{
    const unsigned i = seen.rows++;
    assert_true(i < ROWS_MAX);
    compare_slices(result);
    seen.index[i] = result->cell->index;
    plan_part[i] = result->cell->part;
    seen.state[i] = result->state;
    seen.rounds[i] = result->rounds;
    seen.notes[i] = result->notes;
    seen.stop[i] = result->stop;
    seen.operations[i] = result->sum.tally.operations;
    seen.failed[i] = result->sum.tally.failed;
    seen.time_ns[i] = result->sum.time_ns;
    seen.median[i] = result->op_ns_mean;
    seen.low[i] = result->op_ns_low;
    seen.high[i] = result->op_ns_high;
    for (size_t k = hist_index((uint64_t)seen.slow_ns); k < HIST_BUCKETS; k++)
        seen.slow[i] += result->sum.tally.latency.count[k];
    seen.resident[i] = result->resident_fraction;
    if (seen.fail_at == (int)i)
        return error_set(e, STATUS_PARTIAL, ENOSPC, "cannot write the results to", "there");
    return 0;
}

/* A row is reported as finished once, and not after it was delivered. */
static void see_finished(void *arg, const struct result *result)
{
    assert_true(seen.finished_count < ROWS_MAX);
    assert_true(result->state == RESULT_CLOSED || result->state == RESULT_INCOMPLETE);
    for (unsigned i = 0; i < seen.finished_count; i++)
        assert_int_not_equal(seen.finished[i], result->cell->index);
    for (unsigned i = 0; i < seen.rows; i++)
        assert_int_not_equal(seen.index[i], result->cell->index);
    seen.finished[seen.finished_count++] = result->cell->index;
}

static int see_part_end(void *arg, struct error *e)
{
    seen.part_ends++;
    return 0;
}

static int see_end(void *arg, struct error *e)
{
    seen.ends++;
    return 0;
}

#endif
