/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_lead.c - rank 0 of a sweep of several ranks: sends each step to the others, and combines
 * their reports into one slice. */
#include "base/compat.h"

#include "run/team_work.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/stats.h"

#define CLOCKS_EVERY_NS UINT64_C(30000000000) /* clocks drift apart by some 10 us in that time */
#define CLOCKS_SHARE    20                    /* measuring them takes at most 1/20 of the time */
#define SLICE_TRIPS     50                    /* minimum length of a slice in round trips */
#define START_TRIPS     4                     /* round trips until it begins ... */
#define START_NS        UINT64_C(1000000)     /* ... and the time for processes to wake up */
#define START_MOST_NS   UINT64_C(50000000)
#define SKEW_QUANTILE   0.99

struct team_lead {
    char *reports;          /* of all ranks in their order, with room for the sums of both kinds */
    size_t report_bytes;    /* size of the last ones, with their sums */
    uint64_t in_ns;         /* until the next slice begins */
    uint64_t clocks_due_ns; /* time of the next clock measurement */
    bool lost;              /* no more orders */
    /* Times of the last slice: from the first start to the last end; with all ranks working;
     * between the first and the last start. */
    uint64_t whole_ns, common_ns, skew_ns;
};

static const struct team_report *report_of(const struct measure *m, uint32_t rank)
{
    return (const void *)(m->lead->reports + m->lead->report_bytes * rank);
}

void team_lead_begin(struct measure *m)
{
    m->lead = mem_calloc(1, sizeof(*m->lead));
    m->lead->reports = mem_calloc(m->team->size, sizeof(struct team_slice_report));
    m->lead->clocks_due_ns = clock_now(m->clock) + CLOCKS_EVERY_NS;
}

static uint64_t worst_trip_ns(const struct team *team)
{
    uint64_t worst_ns = 0;

    for (uint32_t r = 0; r < team->size; r++)
        worst_ns = number_most(worst_ns, team->member[r].rtt_ns);
    return worst_ns;
}

uint64_t team_lead_slice_ns(const struct measure *m)
{
    return m->lead ? SLICE_TRIPS * worst_trip_ns(m->team) : 0;
}

/* No more orders can be sent. Results measured so far are kept. */
static int lose(struct measure *m, int code)
{
    m->lead->lost = true;
    m->broken = m->broken || code != -EINTR;
    return team_explain(m->team, code, m->err);
}

static int send(struct measure *m, struct team_order *order)
{
    int code;

    if (m->lead->lost)
        return -1;
    code = m->team->broadcast(m->team, order, sizeof(*order));
    return code < 0 ? lose(m, code) : 0;
}

static int send_kind(struct measure *m, enum team_order_kind kind, uint32_t index)
{
    struct team_order order = {.kind = kind, .index = index};

    return send(m, &order);
}

/* Gathers the reports of all ranks, and the flags of any of them in *flags. A signal of one rank
 * ends the run as one sent to all, which other ranks may receive some ms later. Returns 0 or -1:
 * the team is lost. */
static int gather(struct measure *m, const void *mine, size_t bytes, unsigned *flags)
{
    const int code = m->team->gather(m->team, mine, bytes, m->lead->reports);

    m->lead->report_bytes = bytes;
    *flags = 0;
    for (uint32_t r = 0; code == 0 && r < m->team->size; r++) {
        const struct team_report *report = report_of(m, r);

        *flags |= report->flags;
        if (report->signum && !flag_read(m->team->stop))
            flag_set(m->team->stop, report->signum);
    }
    m->exhausted = m->exhausted || *flags & REPORT_EXHAUSTED;
    return code < 0 ? lose(m, code) : 0;
}

/* All ranks report their errors; that of rank 0 is in err. */
static void ask_why(struct measure *m, struct error *err)
{
    if (send_kind(m, ORDER_AGREE, 0) == 0)
        (void)team_agree(m->team, err);
}

static void keep_clocks(struct measure *m)
{
    const uint64_t now_ns = clock_now(m->clock);
    uint64_t pause_ns;
    int code;

    if (now_ns < m->lead->clocks_due_ns || send_kind(m, ORDER_CLOCKS, 0) < 0)
        return;
    code = m->team->synchronise(m->team);
    pause_ns = CLOCKS_SHARE * (clock_now(m->clock) - now_ns);
    m->lead->clocks_due_ns = now_ns + (pause_ns > CLOCKS_EVERY_NS ? pause_ns : CLOCKS_EVERY_NS);
    if (code < 0)
        (void)lose(m, code);
}

/* --- a slice --- */

static void see_overlap(struct measure *m)
{
    uint64_t first_ns = UINT64_MAX, last_ns = 0, early_ns = UINT64_MAX, end_ns = 0;

    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = report_of(m, r);
        if (report->flags & REPORT_IDLE)
            continue;
        first_ns = number_least(first_ns, report->began_ns);
        last_ns = number_most(last_ns, report->began_ns);
        early_ns = number_least(early_ns, report->ended_ns);
        end_ns = number_most(end_ns, report->ended_ns);
    }
    m->lead->whole_ns = number_minus(end_ns, first_ns);
    m->lead->common_ns = number_minus(early_ns, last_ns);
    m->lead->skew_ns = number_minus(last_ns, first_ns);
}

/* Adds up the sums of one kind of operations over all ranks, without histograms. */
static void join_kind(struct measure *m, unsigned kind, struct slice_sum *joint)
{
    slice_sum_reset(joint);
    for (uint32_t r = 0; r < m->team->size; r++)
        if (!(report_of(m, r)->flags & REPORT_IDLE))
            slice_sum_merge_head(joint, team_report_sum(report_of(m, r), kind), SLICE_BESIDE);
}

static void join_all(struct measure *m, const struct row *row)
{
    see_overlap(m);
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        join_kind(m, kind, row_slice_sum(m, row, kind));
    if (!row->mate)
        return;
    slice_sum_reset(m->slice);
    slice_sum_merge_head(m->slice, &m->kinds[0], SLICE_BESIDE);
    slice_sum_merge_head(m->slice, &m->kinds[1], SLICE_BESIDE);
    m->slice->threads = m->kinds[0].threads;
    m->slice->slots = m->kinds[0].slots; /* both kinds have the same */
    m->slice->slot_ns = m->kinds[0].slot_ns;
}

/* Ranks that learned the moment too late get more time before the next one. */
static void space_starts(struct measure *m, bool missed)
{
    const uint64_t least_ns = START_NS + START_TRIPS * worst_trip_ns(m->team);
    struct team_lead *lead = m->lead;

    if (missed && lead->in_ns < START_MOST_NS)
        lead->in_ns *= 2;
    else
        lead->in_ns -= lead->in_ns / 16;
    lead->in_ns = number_most(lead->in_ns, least_ns);
}

/* The duration of operations on the slowest rank, for which slices must be long enough, and what
 * the other ranks have in their page caches. */
static void join_remarks(struct measure *m, struct row *row)
{
    m->pace = (struct row_pace){0};
    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = report_of(m, r);

        team_add_pace(&m->pace, &report->pace);
        row->before.sum += report->before.sum;
        row->before.count += report->before.count;
        row->after.sum += report->after.sum;
        row->after.count += report->after.count;
    }
}

int team_lead_slice(struct measure *m, struct row *row, struct slice *what)
{
    struct team_lead *lead = m->lead;
    struct team_order order = {.kind = ORDER_SLICE, .index = row->result.cell->index};
    struct team_slice_report mine;
    unsigned flags;

    keep_clocks(m);
    if (!lead->in_ns)
        lead->in_ns = 2 * START_NS + START_TRIPS * worst_trip_ns(m->team);
    if (!what->plan.deadline_ns)
        what->plan.deadline_ns =
            row_ends_by_itself(m, row->result.cell) ? UINT64_MAX : m->part_end_ns;
    what->team = m->team;
    what->plan.in_ns = lead->in_ns;
    what->plan.give_up_ns = m->give_up_ns;
    order.slice = what->plan;
    order.part_end_ns = m->part_end_ns;
    if (send(m, &order) < 0)
        return -1;
    team_own_slice(m, row, what, &mine);
    if (gather(m, &mine, team_report_bytes(row), &flags) < 0)
        return -1;
    row->dry = row->dry || flags & REPORT_DRY;
    if (flags & REPORT_BROKEN) {
        ask_why(m, m->err);
        measure_keep_results(m);
        m->broken = true;
        return -1;
    }
    if (!what->times->at_ns) /* exhausted, somewhere */
        return -1;
    join_all(m, row);
    join_remarks(m, row);
    space_starts(m, flags & REPORT_MISSED);
    return 0;
}

/* --- rows --- */

static void add_rank(struct result *result, uint32_t rank, const struct team_report *report,
                     const struct slice_sum *sum)
{
    const struct tally *tally = &sum->tally;
    struct result_rank *one = &result->ranks[rank];

    one->operations += tally->operations;
    one->failed += tally->failed + tally->short_count;
    one->time_ns += sum->time_ns;
    one->cpu_ns += sum->cpu_ns;
    one->latency_ns_sum += tally->sum_ns;
    one->late_ns_sum += report->late_ns;
    one->latency_ns_max = number_most(one->latency_ns_max, tally->max_ns);
}

static void book_ranks(struct measure *m, struct row *row, unsigned kind)
{
    struct result *result = &row->result;
    struct row_team *team = row->team;

    if (!result->ranks) {
        result->rank_count = m->team->size;
        result->ranks = mem_calloc(result->rank_count, sizeof(*result->ranks));
    }
    team->missing = 0;
    result->left_objects = 0;
    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = report_of(m, r);

        team->missing = number_most(team->missing, report->missing);
        if (result->left_known)
            result->left_objects = number_plus(result->left_objects, report->left);
        if (!(report->flags & REPORT_IDLE))
            add_rank(result, r, report, team_report_sum(report, kind));
    }
    row_make_room(&team->skew_ns, team->skews);
    team->skew_ns[team->skews++] = (double)m->lead->skew_ns;
    team->whole_ns += (double)m->lead->whole_ns;
    team->common_ns += (double)m->lead->common_ns;
}

void team_lead_book(struct measure *m, struct row *row)
{
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        book_ranks(m, row_of(row, kind), kind);
}

bool team_lead_row(struct measure *m, struct row *row)
{
    struct row_team *team = row->team;
    uint64_t *values = team_hists(&row->result.sum);
    int code;

    if (team->skews) {
        stats_sort(team->skew_ns, team->skews);
        row->result.rank_skew_ns_p99 =
            (uint64_t)team->skew_ns[(unsigned)ceil(SKEW_QUANTILE * team->skews) - 1];
        row->result.rank_common_fraction =
            team->whole_ns > 0 ? team->common_ns / team->whole_ns : 1;
    }
    if (!team->own.slices)
        return true;
    if (send_kind(m, ORDER_ROW, row->result.cell->index) < 0)
        return false;
    memcpy(values, team_hists(&team->own), TEAM_HIST_VALUES * sizeof(*values));
    code = m->team->add(m->team, values, TEAM_HIST_VALUES);
    if (code == 0)
        return true;
    memset(values, 0, TEAM_HIST_VALUES * sizeof(*values)); /* those of one rank are not the row's */
    (void)lose(m, code);
    return false;
}

/* --- parts --- */

int team_lead_prepare(struct run *run, struct part *part, enum prepare_stage stage)
{
    struct measure *m = &run->m;
    struct team_order order = {.kind = ORDER_PREPARE,
                               .index = part->first,
                               .end = part->end,
                               .stage = stage,
                               .part_end_ns = m->part_end_ns};
    const int sent = send(m, &order), status = prepare_own(run, part, stage);
    struct team_report mine;
    unsigned flags;

    if (sent < 0)
        return -1;
    team_prepared(run, &mine);
    if (gather(m, &mine, sizeof(mine), &flags) < 0)
        return -1;
    if (flags & REPORT_BROKEN) {
        ask_why(m, m->err);
        m->broken = true;
    } else if (flags & REPORT_UNREADY && !(flags & REPORT_LATE) && !run->unready_said) {
        ask_why(m, &run->unready); /* of the first such part, as without a team */
        run->unready_said = true;
    }
    run->part_unready = run->part_unready || flags & (REPORT_UNREADY | REPORT_LATE);
    run->part_late = run->part_late || flags & REPORT_LATE;
    return flags ? -1 : status;
}

void team_lead_end(struct measure *m)
{
    if (!m->lead)
        return;
    (void)send_kind(m, ORDER_END, 0);
    free(m->lead->reports);
    free(m->lead);
    m->lead = NULL;
}
