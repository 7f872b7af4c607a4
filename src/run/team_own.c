/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_own.c - a rank's own share of a slice: stored, and sent in a report. */
#include "base/compat.h"

#include "run/team_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/text.h"
#include "run/slice_length.h"

struct row_team *team_row_make(void)
{
    struct row_team *team = mem_calloc(1, sizeof(*team));

    team->own = mem_calloc(1, sizeof(*team->own));
    slice_sum_reset(team->own);
    return team;
}

void team_row_free(struct row_team *team)
{
    if (!team)
        return;
    free(team->own);
    free(team->skew_ns);
    free(team);
}

uint64_t team_own_missing(const struct row *row)
{
    const struct cell_stop *stop = &row->result.cell->stop;
    const uint64_t done = row->team->own->cycles + (row->mate ? row->mate->team->own->cycles : 0);

    return stop->cycles > done && !stop->idle ? stop->cycles - done : 0;
}

uint64_t team_own_share(const struct row *row, uint64_t cycles)
{
    const struct cell_stop *stop = &row->result.cell->stop;
    const uint64_t missing = team_own_missing(row);

    return (stop->cycles || stop->idle) && missing < cycles ? missing : cycles;
}

static uint64_t left_of(const struct workload *work)
{
    return test_consumes(work->test) && work->target->driver->left
               ? work->target->driver->left(work->target, TEST_DELETE, work->size_bytes)
               : UINT64_MAX;
}

void team_own_idle(const struct measure *m, const struct row *row, struct team_report *report)
{
    team_own_trouble(m, report);
    report->flags |= REPORT_IDLE;
    report->left = left_of(&row->result.cell->work);
}

static void see_pace(const struct tally *tally, bool timed, struct team_report *report)
{
    struct row_pace pace;

    if (!row_pace(tally, timed, &pace))
        return;
    report->latency_ns_sum += pace.sum_ns;
    report->latency_count += pace.count;
    if (pace.reach_ns > report->reach_ns)
        report->reach_ns = pace.reach_ns;
    if (pace.p99_ns > report->p99_ns)
        report->p99_ns = pace.p99_ns;
}

void team_own_trouble(const struct measure *m, struct team_report *report)
{
    *report = (struct team_report){.signum = flag_read(m->sweep->stop),
                                   .resident_before = -1,
                                   .resident_after = -1,
                                   .left = UINT64_MAX};
    if (m->broken || error_is_set(m->err))
        report->flags |= REPORT_BROKEN;
    if (m->exhausted)
        report->flags |= REPORT_EXHAUSTED;
}

/* Converts a time to the clock of rank 0. */
static uint64_t common_ns(const struct measure *m, uint64_t own_ns)
{
    return own_ns - (uint64_t)m->team->offset_ns;
}

/* Described here, where the names of the opened objects are known. */
static void word_failure(const struct cell *cell, struct slice_sum *sum)
{
    char text[sizeof(sum->first_failure)];

    row_word_failure(cell, sum, text, sizeof(text));
    text_copy(sum->first_failure, sizeof(sum->first_failure), text);
}

static void tell_slice(struct measure *m, struct row *row, const struct slice *what,
                       struct team_report *report)
{
    const struct slice_times *times = what->times;
    const struct workload *work = &row->result.cell->work;
    const bool counts = what->plan.counts;
    const bool timed = row->result.cell->stop.time_ns > 0;

    report->flags |= target_exhausted(work->target, NULL, 0) ? REPORT_EXHAUSTED : 0;
    report->flags |= row->dry ? REPORT_DRY : 0;
    report->flags |= times->missed ? REPORT_MISSED : 0;
    report->flags |= what->plan.cycles ? 0 : REPORT_IDLE;
    report->began_ns = common_ns(m, times->began_ns);
    report->ended_ns = common_ns(m, times->ended_ns);
    report->late_ns = times->began_ns > times->at_ns ? times->began_ns - times->at_ns : 0;
    report->left = left_of(work);
    for (unsigned kind = 0; kind < row_kinds(row); kind++) {
        struct row *one = row_of(row, kind);
        struct slice_sum *sum = row_slice_sum(m, row, kind);

        word_failure(one->result.cell, sum);
        if (counts)
            slice_sum_merge(one->team->own, sum, SLICE_AFTER);
        see_pace(counts ? &one->team->own->tally : &sum->tally, timed, report);
    }
    report->missing = team_own_missing(row);
}

void team_own_slice(struct measure *m, struct row *row, struct slice *what,
                    struct team_report *report)
{
    char *sums = (char *)(report + 1);
    int status;

    what->plan.cycles = team_own_share(row, what->plan.cycles);
    row_cap(row, what);
    status = row_carry_out(m, row, what);
    team_own_trouble(m, report);
    if (status == 0)
        tell_slice(m, row, what, report);
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        memcpy(sums + kind * SLICE_SUM_HEAD_BYTES, row_slice_sum(m, row, kind),
               SLICE_SUM_HEAD_BYTES);
}

void team_hists_take(const struct slice_sum *sum, uint64_t *values)
{
    memcpy(values, sum->tally.latency.count, sizeof(sum->tally.latency.count));
    memcpy(values + HIST_BUCKETS, sum->tally.open.count, sizeof(sum->tally.open.count));
    memcpy(values + 2 * HIST_BUCKETS, sum->tally.close.count, sizeof(sum->tally.close.count));
}

void team_hists_put(struct slice_sum *sum, const uint64_t *values)
{
    memcpy(sum->tally.latency.count, values, sizeof(sum->tally.latency.count));
    memcpy(sum->tally.open.count, values + HIST_BUCKETS, sizeof(sum->tally.open.count));
    memcpy(sum->tally.close.count, values + 2 * HIST_BUCKETS, sizeof(sum->tally.close.count));
}
