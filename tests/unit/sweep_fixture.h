/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep_fixture.h - a sink that notes what a sweep hands over, and checks that it is handed over
 * once. */
#ifndef TESTS_SWEEP_FIXTURE_H
#define TESTS_SWEEP_FIXTURE_H

#include "unit/cmocka_all.h"

#include <errno.h>

#include "run/sweep.h"

#define ROWS_MAX 64

static struct plan plan; /* of the sweep */

struct seen { /* what the sink was given */
    unsigned rows, part_ends, begins, ends;
    unsigned finished[ROWS_MAX], finished_count; /* rows in the order in which they were done */
    unsigned index[ROWS_MAX], rounds[ROWS_MAX], notes[ROWS_MAX];
    enum result_state state[ROWS_MAX];
    uint64_t operations[ROWS_MAX], time_ns[ROWS_MAX], failed[ROWS_MAX];
    double median[ROWS_MAX], resident[ROWS_MAX];
    int fail_at; /* row at which writing fails, -1: never */
    enum result_stop stop[ROWS_MAX];
};

static struct seen seen;
static unsigned plan_part[ROWS_MAX]; /* of each row */

static int see_begin(void *arg, const struct run_info *info, struct error *e)
{
    (void)arg;
    (void)e;
    assert_int_equal(info->cell_count, plan.cell_count);
    seen.begins++;
    return 0;
}

static int see_row(void *arg, const struct result *result, struct error *e)
{
    const unsigned i = seen.rows++;
    (void)arg;
    assert_true(i < ROWS_MAX);
    seen.index[i] = result->cell->index;
    plan_part[i] = result->cell->part;
    seen.state[i] = result->state;
    seen.rounds[i] = result->rounds;
    seen.notes[i] = result->notes;
    seen.stop[i] = result->stop;
    seen.operations[i] = result->sum.tally.operations;
    seen.failed[i] = result->sum.tally.failed;
    seen.time_ns[i] = result->sum.time_ns;
    seen.median[i] = result->op_ns_median;
    seen.resident[i] = result->resident_fraction;
    if (seen.fail_at == (int)i)
        return error_set(e, STATUS_PARTIAL, ENOSPC, "cannot write the results to", "there");
    return 0;
}

/* Of a row nobody hears twice, and not once it was handed over. */
static void see_finished(void *arg, const struct result *result)
{
    (void)arg;
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
    (void)arg;
    (void)e;
    seen.part_ends++;
    return 0;
}

static int see_end(void *arg, struct error *e)
{
    (void)arg;
    (void)e;
    seen.ends++;
    return 0;
}

#endif
