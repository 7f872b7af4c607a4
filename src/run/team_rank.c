/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_rank.c - what each rank of a team does in a sweep: its own share of a slice, stored, and
 * sent in a report; and the loop of the ranks other than 0, which execute its orders on their own
 * targets, with their own threads. They decide nothing. */
#include "base/compat.h"

#include "run/team_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/number.h"

_Static_assert(offsetof(struct team_slice_report, sums) == sizeof(struct team_report),
               "the sums follow the report");
_Static_assert(sizeof(struct slice_sum) - SLICE_SUM_HEAD_BYTES == TEAM_HIST_VALUES * 8,
               "the histograms come last");

struct row_team *team_row_make(void)
{
    struct row_team *team = mem_calloc(1, sizeof(*team));

    slice_sum_reset(&team->own);
    return team;
}

void team_row_free(struct row_team *team)
{
    if (team)
        free(team->skew_ns);
    free(team);
}

/* --- reports --- */

static void report_state(const struct measure *m, struct team_report *report)
{
    report->signum = flag_read(m->sweep->stop);
    report->flags |= m->broken || error_is_set(m->err) ? REPORT_BROKEN : 0;
    report->flags |= m->exhausted ? REPORT_EXHAUSTED : 0;
}

void team_prepared(const struct run *run, struct team_report *report)
{
    *report = (struct team_report){.flags = run->part_late      ? REPORT_LATE
                                            : run->part_unready ? REPORT_UNREADY
                                                                : 0};
    report_state(&run->m, report);
}

void team_add_pace(struct row_pace *into, const struct row_pace *from)
{
    into->sum_ns += from->sum_ns;
    into->count += from->count;
    into->reach_ns = number_most(into->reach_ns, from->reach_ns);
    into->p99_ns = number_most(into->p99_ns, from->p99_ns);
}

/* --- the share of a slice --- */

/* The cycles of this rank that the slices kept so far lack; 0: unlimited. */
static uint64_t own_missing(const struct row *row)
{
    const struct cell_stop *stop = &row->result.cell->stop;
    const uint64_t done = row->team->own.cycles + (row->mate ? row->mate->team->own.cycles : 0);

    return stop->cycles > done && !stop->idle ? stop->cycles - done : 0;
}

/* Limits the cycles per rank of a slice to those. */
static uint64_t own_share(const struct row *row, uint64_t cycles)
{
    const struct cell_stop *stop = &row->result.cell->stop;
    const uint64_t missing = own_missing(row);

    return (stop->cycles || stop->idle) && missing < cycles ? missing : cycles;
}

static void report_slice(struct measure *m, struct row *row, const struct slice *what,
                         struct team_report *report)
{
    const struct slice_times *times = what->times;
    const uint64_t offset_ns = (uint64_t)m->team->offset_ns; /* after the clock of rank 0 */
    const bool timed = row->result.cell->stop.time_ns > 0;

    report->flags |=
        target_exhausted(row->result.cell->work.target, NULL, 0) ? REPORT_EXHAUSTED : 0;
    report->flags |= row->dry ? REPORT_DRY : 0;
    report->flags |= times->missed ? REPORT_MISSED : 0;
    report->flags |= what->plan.cycles ? 0 : REPORT_IDLE;
    report->began_ns = times->began_ns - offset_ns;
    report->ended_ns = times->ended_ns - offset_ns;
    report->late_ns = times->began_ns > times->at_ns ? times->began_ns - times->at_ns : 0;
    report->left = row_left(row->result.cell);
    for (unsigned kind = 0; kind < row_kinds(row); kind++) {
        struct row *one = row_of(row, kind);
        const struct slice_sum *sum = row_slice_sum(m, row, kind);
        struct row_pace pace;

        if (what->plan.counts)
            slice_sum_merge(&one->team->own, sum, SLICE_AFTER);
        if (row_pace(what->plan.counts ? &one->team->own.tally : &sum->tally, timed, &pace))
            team_add_pace(&report->pace, &pace);
    }
    report->missing = own_missing(row);
}

void team_own_slice(struct measure *m, struct row *row, struct slice *what,
                    struct team_slice_report *out)
{
    const bool looks = what->plan.counts && m->team->rank; /* rank 0: as without a team */
    struct team_report *report = &out->report;
    int status;

    *report = (struct team_report){0};
    what->plan.cycles = own_share(row, what->plan.cycles);
    row_cap(row, what);
    if (looks)
        row_see_resident(m, row->result.cell, &report->before);
    status = row_carry_out(m, row, what);
    report_state(m, report);
    if (status == 0)
        report_slice(m, row, what, report);
    if (looks)
        row_see_resident(m, row->result.cell, &report->after);
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        memcpy(out->sums + kind * SLICE_SUM_HEAD_BYTES, row_slice_sum(m, row, kind),
               SLICE_SUM_HEAD_BYTES);
}

/* --- the other ranks --- */

/* Converts a moment of the clock of rank 0 to ours. */
static uint64_t own_ns(const struct measure *m, uint64_t ns)
{
    return ns == UINT64_MAX || !ns ? ns : ns + (uint64_t)m->team->offset_ns;
}

static int prepare_ordered(struct run *run, struct part *part, const struct team_order *order)
{
    struct team_report report;

    run->part_unready = run->part_late = false;
    run->m.part_end_ns = own_ns(&run->m, order->part_end_ns);
    if (order->stage == STAGE_OWN) {
        created_close(run, part); /* of the part before */
        *part = (struct part){.first = order->index, .end = order->end};
        worker_limit_errors(run->m.pool, run->sweep->plan->cells[order->index].stop.errors);
    }
    (void)prepare_own(run, part, (enum prepare_stage)order->stage);
    team_prepared(run, &report);
    return run->m.team->gather(run->m.team, &report, sizeof(report), NULL);
}

/* This rank has no share of the slice: it only reports. Or test create has created objects
 * elsewhere, but none here: no rank begins, and rank 0 requests the reason. */
static int sit_out(struct run *run, const struct team_order *order, const struct row *row,
                   bool idle)
{
    struct measure *m = &run->m;
    struct team_slice_report out = {.report = {.flags = idle ? REPORT_IDLE : 0}};
    uint64_t at_ns;
    int code;

    if (!idle) {
        error_refuse(m->err, STATUS_PARTIAL, "test create created nothing here for test",
                     test_names[row->result.cell->work.test], "see the failures of test create");
        m->broken = true;
    }
    code = m->team->start(m->team, idle, order->slice.in_ns, &at_ns);
    if (code < 0)
        return code;
    report_state(m, &out.report);
    out.report.left = row_left(row->result.cell);
    return m->team->gather(m->team, &out, team_report_bytes(row), NULL);
}

static int slice_ordered(struct run *run, const struct team_order *order)
{
    struct measure *m = &run->m;
    struct row *row = &run->rows[order->index];
    const bool idle = !own_share(row, order->slice.cycles);
    struct slice_times times = {0};
    struct slice what = {.plan = order->slice, .team = m->team, .times = &times};
    struct team_slice_report out;

    if (idle || (row->result.cell->created && !row->result.cell->work.object_count))
        return sit_out(run, order, row, idle);
    what.plan.deadline_ns = own_ns(m, order->slice.deadline_ns);
    m->give_up_ns = own_ns(m, order->slice.give_up_ns);
    m->part_end_ns = own_ns(m, order->part_end_ns);
    team_own_slice(m, row, &what, &out);
    return m->team->gather(m->team, &out, team_report_bytes(row), NULL);
}

/* Rank 0 decides on the consequences. */
static int agree_ordered(struct run *run)
{
    struct error mine = error_is_set(run->m.err) ? *run->m.err : run->unready;

    run->unready = ERROR_INIT; /* report it once */
    return team_agree(run->m.team, &mine) < 0 && !run->m.team->told ? -1 : 0;
}

static int carry_out(struct run *run, struct part *part, const struct team_order *order)
{
    struct team *team = run->m.team;

    switch ((enum team_order_kind)order->kind) {
    case ORDER_PREPARE:
        return prepare_ordered(run, part, order);
    case ORDER_SLICE:
        return slice_ordered(run, order);
    case ORDER_ROW:
        return team->add(team, team_hists(&run->rows[order->index].team->own), TEAM_HIST_VALUES);
    case ORDER_CLOCKS:
        return team->synchronise(team);
    case ORDER_AGREE:
        return agree_ordered(run);
    case ORDER_END:
        break;
    }
    return 0;
}

int team_follow(struct run *run)
{
    struct measure *m = &run->m;
    struct part part = {0};
    struct team_order order;
    int code;

    do {
        code = m->team->broadcast(m->team, &order, sizeof(order));
        if (code == 0)
            code = carry_out(run, &part, &order);
    } while (code == 0 && order.kind != ORDER_END);
    created_close(run, &part);
    if (code == 0) {
        *m->err = ERROR_INIT;  /* rank 0 has received it ... */
        m->team->told = false; /* ... but not later errors */
        return 0;
    }
    if (!error_is_set(m->err))
        (void)team_explain(m->team, code, m->err);
    return -1;
}
