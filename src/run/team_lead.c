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
#define SIGNAL_NS       UINT64_C(300000000) /* after one rank, all get a signal within this */
#define SIGNAL_STEP_NS  UINT64_C(5000000)
#define SKEW_QUANTILE   0.99

struct team_lead {
    struct team *team;
    struct team_reports all;     /* each with room for TEAM_REPORT_SUMS sums */
    char *mine;                  /* the same for this rank */
    uint64_t *values;            /* TEAM_HIST_VALUES */
    uint64_t in_ns;              /* until the next slice begins */
    uint64_t clocks_due_ns;      /* time of the next clock measurement */
    struct team_overlap overlap; /* of the last slice */
    bool lost;                   /* no more orders */
};

#define SUMS_BYTES   (TEAM_REPORT_SUMS * SLICE_SUM_HEAD_BYTES)
#define STRIDE_BYTES (sizeof(struct team_report) + SUMS_BYTES)

void team_lead_begin(struct measure *m)
{
    const uint32_t size = m->team->size;
    struct team_lead *lead = mem_calloc(1, sizeof(*lead));

    lead->team = m->team;
    lead->all = (struct team_reports){.data = mem_calloc(size, STRIDE_BYTES), .count = size};
    lead->mine = mem_calloc(1, STRIDE_BYTES);
    lead->values = mem_calloc(TEAM_HIST_VALUES, sizeof(*lead->values));
    lead->clocks_due_ns = clock_now(m->clock) + CLOCKS_EVERY_NS;
    m->lead = lead;
}

static uint64_t worst_trip_ns(const struct team *team)
{
    uint64_t worst_ns = 0;

    for (uint32_t r = 0; r < team->size; r++)
        if (team->member[r].rtt_ns > worst_ns)
            worst_ns = team->member[r].rtt_ns;
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

/* Gathers the reports of all ranks. Returns 0 or -1: the team is lost. */
static int gather(struct measure *m, const void *mine, size_t bytes)
{
    const int code = m->team->gather(m->team, mine, bytes, m->lead->all.data);

    m->lead->all.stride_bytes = bytes;
    return code < 0 ? lose(m, code) : 0;
}

/* A signal is sent to all ranks, and some receive it some ms earlier: waits for it, so that the run
 * ends as stopped. */
static void await_signal(struct measure *m, uint32_t rank, int signum)
{
    for (uint64_t ns = 0; ns < SIGNAL_NS && !flag_read(m->sweep->stop); ns += SIGNAL_STEP_NS)
        clock_rest(SIGNAL_STEP_NS);
    if (flag_read(m->sweep->stop))
        return;
    m->broken = true;
    error_refuse(m->err, STATUS_PARTIAL,
                 "a rank was stopped by a signal:", m->team->member[rank].host,
                 "rank %u received signal %d, which ends the run", rank, signum);
}

/* An error on any rank is an error of the run. */
static unsigned look_at(struct measure *m)
{
    unsigned flags = 0;

    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = team_report_at(&m->lead->all, r);
        flags |= report->flags;
        if (report->signum && r)
            await_signal(m, r, report->signum);
    }
    return flags;
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

static struct team_overlap overlap_of(const struct team_reports *reports)
{
    uint64_t first_ns = UINT64_MAX, last_ns = 0, early_ns = UINT64_MAX, end_ns = 0;

    for (uint32_t i = 0; i < reports->count; i++) {
        const struct team_report *report = team_report_at(reports, i);
        if (report->flags & REPORT_IDLE)
            continue;
        first_ns = report->began_ns < first_ns ? report->began_ns : first_ns;
        last_ns = report->began_ns > last_ns ? report->began_ns : last_ns;
        early_ns = report->ended_ns < early_ns ? report->ended_ns : early_ns;
        end_ns = report->ended_ns > end_ns ? report->ended_ns : end_ns;
    }
    return (struct team_overlap){.whole_ns = number_minus(end_ns, first_ns),
                                 .common_ns = number_minus(early_ns, last_ns),
                                 .skew_ns = number_minus(last_ns, first_ns)};
}

struct team_overlap team_sum_join(const struct team_reports *reports, unsigned kind,
                                  struct slice_sum *joint)
{
    slice_sum_reset(joint);
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct team_report *report = team_report_at(reports, i);

        if (!(report->flags & REPORT_IDLE))
            slice_sum_merge_head(joint, team_report_sum(report, kind), SLICE_BESIDE);
    }
    return overlap_of(reports);
}

struct team_first team_sum_first(const struct team_reports *reports, unsigned kind)
{
    struct team_first first = {0};

    for (uint32_t rank = reports->count; rank-- > 0;) {
        const struct tally *tally = &team_report_sum(team_report_at(reports, rank), kind)->tally;

        if (tally->failed)
            first.failed = rank;
        if (tally->short_count)
            first.cut_short = rank;
        if (tally->wrong)
            first.wrong = rank;
    }
    return first;
}

static void join_all(struct measure *m, const struct row *row)
{
    for (unsigned kind = 0; kind < row_kinds(row); kind++) {
        m->lead->overlap = team_sum_join(&m->lead->all, kind, row_slice_sum(m, row, kind));
        m->first[kind] = team_sum_first(&m->lead->all, kind);
    }
    if (!row->mate)
        return;
    slice_sum_reset(m->slice);
    slice_sum_merge_head(m->slice, &m->kinds[0], SLICE_BESIDE);
    slice_sum_merge_head(m->slice, &m->kinds[1], SLICE_BESIDE);
    m->slice->threads = m->kinds[0].threads;
    m->slice->slots = m->kinds[0].slots; /* both kinds have the same */
    m->slice->slot_ns = m->kinds[0].slot_ns;
}

/* The duration of operations on the slowest rank, for which slices must be long enough. */
static void join_pace(struct measure *m)
{
    struct row_pace *pace = &m->pace;

    *pace = (struct row_pace){0};
    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = team_report_at(&m->lead->all, r);
        pace->sum_ns += report->latency_ns_sum;
        pace->count += report->latency_count;
        if (report->reach_ns > pace->reach_ns)
            pace->reach_ns = report->reach_ns;
        if (report->p99_ns > pace->p99_ns)
            pace->p99_ns = report->p99_ns;
    }
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
    if (lead->in_ns < least_ns)
        lead->in_ns = least_ns;
}

static void see_residents(const struct measure *m, struct row *row)
{
    for (uint32_t r = 1; r < m->team->size; r++) {
        const struct team_report *report = team_report_at(&m->lead->all, r);
        if (report->resident_before >= 0) {
            row->before.sum += report->resident_before;
            row->before.count++;
        }
        if (report->resident_after >= 0) {
            row->after.sum += report->resident_after;
            row->after.count++;
        }
    }
}

static uint64_t left_of(const struct measure *m)
{
    uint64_t left = 0;

    for (uint32_t r = 0; r < m->team->size; r++) {
        const uint64_t one = team_report_at(&m->lead->all, r)->left;
        if (one == UINT64_MAX)
            return UINT64_MAX;
        left += one;
    }
    return left;
}

int team_lead_slice(struct measure *m, struct row *row, struct slice *what)
{
    struct team_lead *lead = m->lead;
    struct team_order order = {.kind = ORDER_SLICE, .index = row->result.cell->index};
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
    team_own_slice(m, row, what, (struct team_report *)(void *)lead->mine);
    if (gather(m, lead->mine, team_report_bytes(row)) < 0)
        return -1;
    flags = look_at(m);
    if (flags & REPORT_EXHAUSTED)
        m->exhausted = true;
    if (flags & REPORT_DRY)
        row->dry = true;
    if (flags & REPORT_BROKEN) {
        ask_why(m, m->err);
        if (m->measured && m->err->status == STATUS_TARGET)
            m->err->status = STATUS_PARTIAL; /* earlier results are worth printing */
        m->broken = true;
        return -1;
    }
    if (!what->times->at_ns) /* exhausted, somewhere */
        return -1;
    join_all(m, row);
    join_pace(m);
    space_starts(m, flags & REPORT_MISSED);
    see_residents(m, row);
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
    if (tally->max_ns > one->latency_ns_max)
        one->latency_ns_max = tally->max_ns;
}

static uint64_t missing_of(const struct measure *m)
{
    uint64_t most = 0;

    for (uint32_t r = 0; r < m->team->size; r++) {
        const uint64_t one = team_report_at(&m->lead->all, r)->missing;
        most = one > most ? one : most;
    }
    return most;
}

static void book_ranks(struct measure *m, struct row *row, unsigned kind)
{
    struct result *result = &row->result;

    if (!result->ranks) {
        result->rank_count = m->team->size;
        result->ranks = mem_calloc(result->rank_count, sizeof(*result->ranks));
    }
    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = team_report_at(&m->lead->all, r);
        if (!(report->flags & REPORT_IDLE))
            add_rank(result, r, report, team_report_sum(report, kind));
    }
    row_make_room(&row->team->skew_ns, row->team->skews);
    row->team->missing = missing_of(m);
    row->team->skew_ns[row->team->skews++] = (double)m->lead->overlap.skew_ns;
    row->team->whole_ns += (double)m->lead->overlap.whole_ns;
    row->team->common_ns += (double)m->lead->overlap.common_ns;
    if (result->left_known)
        result->left_objects = left_of(m);
}

void team_lead_book(struct measure *m, struct row *row)
{
    for (unsigned kind = 0; kind < row_kinds(row); kind++)
        book_ranks(m, row_of(row, kind), kind);
}

static void settle(struct row *row)
{
    struct row_team *team = row->team;

    if (!team->skews)
        return;
    stats_sort(team->skew_ns, team->skews);
    row->result.rank_skew_ns_p99 =
        (uint64_t)team->skew_ns[(unsigned)ceil(SKEW_QUANTILE * team->skews) - 1];
    row->result.rank_common_fraction = team->whole_ns > 0 ? team->common_ns / team->whole_ns : 1;
}

static bool add_hists(struct measure *m, struct row *row)
{
    int code;

    team_hists_take(row->team->own, m->lead->values);
    code = m->team->add(m->team, m->lead->values, TEAM_HIST_VALUES);
    if (code < 0) {
        (void)lose(m, code);
        return false;
    }
    team_hists_put(&row->result.sum, m->lead->values);
    return true;
}

bool team_lead_row(struct measure *m, struct row *row)
{
    settle(row);
    if (!row->team->own->slices)
        return true;
    if (m->lead->lost || send_kind(m, ORDER_ROW, row->result.cell->index) < 0)
        return false;
    return add_hists(m, row);
}

/* --- parts --- */

void team_lead_part(struct run *run, const struct part *part, enum team_order_kind kind)
{
    struct team_order order = {
        .kind = kind, .index = part->first, .end = part->end, .part_end_ns = run->m.part_end_ns};

    (void)send(&run->m, &order);
}

int team_lead_prepared(struct run *run, int status)
{
    struct measure *m = &run->m;
    struct team_report mine;
    unsigned flags;

    if (m->lead->lost)
        return -1;
    team_prepared(run, &mine);
    if (gather(m, &mine, sizeof(mine)) < 0)
        return -1;
    flags = look_at(m);
    if (flags & REPORT_BROKEN) {
        ask_why(m, m->err);
        m->broken = true;
    } else if (flags & REPORT_UNREADY && !(flags & REPORT_LATE) && !run->unready_said) {
        ask_why(m, &run->unready); /* of the first such part, as without a team */
        run->unready_said = true;
    }
    if (flags & REPORT_EXHAUSTED)
        m->exhausted = true;
    if (flags & (REPORT_UNREADY | REPORT_LATE))
        run->part_unready = true;
    if (flags & REPORT_LATE)
        run->part_late = true;
    return flags ? -1 : status;
}

void team_lead_part_end(struct run *run)
{
    (void)send_kind(&run->m, ORDER_PART_END, 0);
}

void team_lead_end(struct measure *m)
{
    struct team_lead *lead = m->lead;

    if (!lead)
        return;
    (void)send_kind(m, ORDER_END, 0);
    free(lead->all.data);
    free(lead->mine);
    free(lead->values);
    free(lead);
    m->lead = NULL;
}
