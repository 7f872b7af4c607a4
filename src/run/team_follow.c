/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_follow.c - the ranks of a sweep other than rank 0: they execute its orders on their own
 * targets, with their own threads, and report the results. They decide nothing. */
#include "base/compat.h"

#include "run/team_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"

struct follower {
    struct run *run;
    struct part part;
    char *report; /* followed by the sums */
    uint64_t *values;
};

void team_prepared(const struct run *run, struct team_report *report)
{
    team_own_trouble(&run->m, report);
    if (run->part_late)
        report->flags |= REPORT_LATE;
    else if (run->part_unready)
        report->flags |= REPORT_UNREADY;
}

/* Converts a moment of the clock of rank 0 to ours. */
static uint64_t own_ns(const struct measure *m, uint64_t ns)
{
    return ns == UINT64_MAX || !ns ? ns : ns + (uint64_t)m->team->offset_ns;
}

static int hand_in(struct follower *f, size_t bytes)
{
    return f->run->m.team->gather(f->run->m.team, f->report, bytes, NULL);
}

static int make_ready(struct follower *f, const struct team_order *order)
{
    struct run *run = f->run;

    run->part_unready = run->part_late = false;
    run->m.part_end_ns = own_ns(&run->m, order->part_end_ns);
    if (order->kind == ORDER_PART) {
        f->part = (struct part){.first = order->index, .end = order->end};
        worker_limit_errors(run->m.pool, run->sweep->plan->cells[order->index].stop.errors);
        (void)prepare_part(run, &f->part);
    } else if (order->kind == ORDER_JOINED) {
        (void)prepare_joined(run, &f->part);
    } else {
        (void)prepare_round(run, &f->part);
    }
    team_prepared(run, (struct team_report *)(void *)f->report);
    return hand_in(f, sizeof(struct team_report));
}

static void see(struct measure *m, const struct row *row, double *share)
{
    struct row_resident seen = {0};

    row_see_resident(m, row->result.cell, &seen);
    *share = seen.count ? seen.sum : -1;
}

/* This rank has no share of the slice: it only reports. Or test create has created objects
 * elsewhere, but none here: no rank begins, and rank 0 requests the reason. */
static int sit_out(struct follower *f, const struct team_order *order, const struct row *row,
                   bool idle)
{
    struct measure *m = &f->run->m;
    const size_t bytes = team_report_bytes(row);
    struct team_report *report = (struct team_report *)(void *)f->report;
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
    memset(f->report, 0, bytes);
    if (idle)
        team_own_idle(m, row, report);
    else
        team_own_trouble(m, report);
    return hand_in(f, bytes);
}

static int run_slice(struct follower *f, const struct team_order *order)
{
    struct measure *m = &f->run->m;
    struct row *row = &f->run->rows[order->index];
    struct team_report *report = (struct team_report *)(void *)f->report;
    const uint64_t share = team_own_share(row, order->slice.cycles);
    struct slice_times times = {0};
    struct slice what = {.plan = order->slice, .team = m->team, .times = &times};
    double before = -1, after = -1;

    if (!share || (row->result.cell->created && !row->result.cell->work.object_count))
        return sit_out(f, order, row, !share);
    what.plan.deadline_ns = own_ns(m, order->slice.deadline_ns);
    m->give_up_ns = own_ns(m, order->slice.give_up_ns);
    m->part_end_ns = own_ns(m, order->part_end_ns);
    if (what.plan.counts)
        see(m, row, &before);
    team_own_slice(m, row, &what, report);
    if (what.plan.counts)
        see(m, row, &after);
    report->resident_before = before;
    report->resident_after = after;
    return hand_in(f, team_report_bytes(row));
}

/* Rank 0 decides on the consequences. */
static int say(struct follower *f)
{
    struct run *run = f->run;
    struct error mine = error_is_set(run->m.err) ? *run->m.err : run->unready;

    run->unready = ERROR_INIT; /* report it once */
    if (team_agree(run->m.team, &mine) < 0 && !run->m.team->told)
        return -1;
    return 0;
}

static int carry_out(struct follower *f, const struct team_order *order)
{
    struct run *run = f->run;
    struct row *row = &run->rows[order->index];

    switch ((enum team_order_kind)order->kind) {
    case ORDER_PART:
    case ORDER_JOINED:
    case ORDER_ROUND:
        return make_ready(f, order);
    case ORDER_SLICE:
        return run_slice(f, order);
    case ORDER_ROW:
        team_hists_take(row->team->own, f->values);
        return run->m.team->add(run->m.team, f->values, TEAM_HIST_VALUES);
    case ORDER_PART_END:
        created_close(run, &f->part);
        return 0;
    case ORDER_CLOCKS:
        return run->m.team->synchronise(run->m.team);
    case ORDER_AGREE:
        return say(f);
    case ORDER_END:
        break;
    }
    return 0;
}

int team_follow(struct run *run)
{
    struct measure *m = &run->m;
    struct follower f = {.run = run};
    struct team_order order;
    int code;

    f.report = mem_calloc(1, sizeof(struct team_report) + TEAM_REPORT_SUMS * SLICE_SUM_HEAD_BYTES);
    f.values = mem_calloc(TEAM_HIST_VALUES, sizeof(*f.values));
    do {
        code = m->team->broadcast(m->team, &order, sizeof(order));
        if (code == 0)
            code = carry_out(&f, &order);
    } while (code == 0 && order.kind != ORDER_END);
    created_close(run, &f.part); /* if the run ended within a part */
    free(f.report);
    free(f.values);
    if (code == 0) {
        *m->err = ERROR_INIT;  /* rank 0 has received it ... */
        m->team->told = false; /* ... but not later errors */
        return 0;
    }
    if (!error_is_set(m->err))
        (void)team_explain(m->team, code, m->err);
    return -1;
}
