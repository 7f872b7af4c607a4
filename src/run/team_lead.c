/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_lead.c - rank 0 of a sweep of several: hands each step to the others, and makes one slice of
 * what all of them tell. */
#include "base/compat.h"

#include "run/team_work.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/stats.h"
#include "run/team_sum.h"

#define CLOCKS_EVERY_NS UINT64_C(30000000000) /* clocks drift apart by some 10 us in that time */
#define SLICE_TRIPS     50                    /* round trips that a slice lasts at least */
#define START_TRIPS     4                     /* round trips until it begins ... */
#define START_NS        UINT64_C(1000000)     /* ... and as long as it takes processes to wake up */
#define START_MOST_NS   UINT64_C(50000000)
#define SIGNAL_NS       UINT64_C(300000000) /* what one rank has got, all get within this time */
#define SIGNAL_STEP_NS  UINT64_C(5000000)
#define SKEW_QUANTILE   0.99

struct team_lead {
    struct team *team;
    char *gathered;              /* of each rank a report, and TEAM_REPORT_SUMS sums behind it */
    char *mine;                  /* the same of this rank */
    struct team_told *told;      /* of each rank, of one kind of operations */
    uint64_t *values;            /* TEAM_HIST_VALUES */
    uint64_t in_ns;              /* until the next slice begins */
    uint64_t clocks_ns;          /* when clocks were asked */
    struct team_overlap overlap; /* of the last slice */
    bool lost;                   /* nothing more is ordered */
};

#define SUMS_BYTES   (TEAM_REPORT_SUMS * SLICE_SUM_HEAD_BYTES)
#define STRIDE_BYTES (sizeof(struct team_report) + SUMS_BYTES)

void team_lead_begin(struct measure *m)
{
    const uint32_t size = m->team->size;
    struct team_lead *lead = mem_calloc(1, sizeof(*lead));

    lead->team = m->team;
    lead->gathered = mem_calloc(size, STRIDE_BYTES);
    lead->mine = mem_calloc(1, STRIDE_BYTES);
    lead->told = mem_calloc(size, sizeof(*lead->told));
    lead->values = mem_calloc(TEAM_HIST_VALUES, sizeof(*lead->values));
    lead->clocks_ns = clock_now(m->clock);
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

/* Nothing can be ordered any more.  What was measured is kept. */
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

static size_t stride_of(const struct row *row)
{
    return row ? sizeof(struct team_report) + (row->mate ? 2 : 1) * SLICE_SUM_HEAD_BYTES
               : sizeof(struct team_report);
}

static const struct team_report *report_of(const struct team_lead *lead, size_t stride,
                                           uint32_t rank)
{
    return (const struct team_report *)(const void *)(lead->gathered + stride * rank);
}

/* A signal is for all ranks, and those that have got it are some ms ahead: wait for it, so that the
 * run ends as one that was stopped. */
static void await_signal(struct measure *m, uint32_t rank, int signum)
{
    for (uint64_t ns = 0; ns < SIGNAL_NS && !flag_read(m->sweep->stop); ns += SIGNAL_STEP_NS)
        clock_rest(SIGNAL_STEP_NS);
    if (flag_read(m->sweep->stop))
        return;
    m->broken = true;
    error_refuse(m->err, STATUS_PARTIAL,
                 "a rank was stopped by a signal:", m->team->member[rank].host,
                 "rank %u has got signal %d, and ends the run", rank, signum);
}

/* What is wrong on any rank is so for the run. */
static unsigned look_at(struct measure *m, size_t stride)
{
    unsigned flags = 0;

    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = report_of(m->lead, stride, r);
        flags |= report->flags;
        if (report->signum && r)
            await_signal(m, r, report->signum);
    }
    return flags;
}

/* All say what is wrong; that of rank 0 is in err. */
static void ask_why(struct measure *m, struct error *err)
{
    if (send_kind(m, ORDER_AGREE, 0) == 0)
        (void)team_agree(m->team, err);
}

static void keep_clocks(struct measure *m)
{
    const uint64_t now_ns = clock_now(m->clock);
    int code;

    if (now_ns - m->lead->clocks_ns < CLOCKS_EVERY_NS || send_kind(m, ORDER_CLOCKS, 0) < 0)
        return;
    code = m->team->synchronise(m->team);
    m->lead->clocks_ns = clock_now(m->clock);
    if (code < 0)
        (void)lose(m, code);
}

/* --- a slice --- */

/* Of all ranks, for one kind of operations, into *joint. */
static void join(struct measure *m, const struct row *row, unsigned kind, struct slice_sum *joint)
{
    struct team_lead *lead = m->lead;
    const size_t stride = stride_of(row);

    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = report_of(lead, stride, r);
        const char *sums = (const char *)report + sizeof(*report);
        lead->told[r] = (struct team_told){
            report, (const struct slice_sum *)(const void *)(sums + kind * SLICE_SUM_HEAD_BYTES)};
    }
    lead->overlap = team_sum_join(lead->told, m->team->size, joint);
    m->first[kind] = team_sum_first(lead->told, m->team->size);
}

static void join_all(struct measure *m, const struct row *row)
{
    if (!row->mate) {
        join(m, row, 0, m->slice);
        return;
    }
    join(m, row, 0, &m->kinds[0]);
    join(m, row, 1, &m->kinds[1]);
    slice_sum_reset(m->slice);
    slice_sum_merge_head(m->slice, &m->kinds[0], SLICE_BESIDE);
    slice_sum_merge_head(m->slice, &m->kinds[1], SLICE_BESIDE);
    m->slice->threads = m->kinds[0].threads;
    m->slice->slots = m->kinds[0].slots; /* both kinds have the same */
    m->slice->slot_ns = m->kinds[0].slot_ns;
}

/* How long operations take: of the slowest rank, for which slices must be long enough. */
static void join_pace(struct measure *m, size_t stride)
{
    struct row_pace *pace = &m->pace;

    *pace = (struct row_pace){0};
    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = report_of(m->lead, stride, r);
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

static void see_residents(const struct measure *m, struct row *row, size_t stride)
{
    for (uint32_t r = 1; r < m->team->size; r++) {
        const struct team_report *report = report_of(m->lead, stride, r);
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

static uint64_t left_of(const struct measure *m, size_t stride)
{
    uint64_t left = 0;

    for (uint32_t r = 0; r < m->team->size; r++) {
        const uint64_t one = report_of(m->lead, stride, r)->left;
        if (one == UINT64_MAX)
            return UINT64_MAX;
        left += one;
    }
    return left;
}

static struct team_order order_for(const struct measure *m, const struct row *row,
                                   const struct slice *what)
{
    return (struct team_order){.kind = ORDER_SLICE,
                               .index = row->result.cell->index,
                               .keep = what->keep,
                               .clocks = what->clocks,
                               .cycles = what->cycles,
                               .duration_ns = what->duration_ns,
                               .load_ns = what->load_ns,
                               .p99_ns = what->p99_ns,
                               .deadline_ns = what->deadline_ns,
                               .give_up_ns = m->give_up_ns,
                               .part_end_ns = m->part_end_ns,
                               .in_ns = m->lead->in_ns};
}

int team_lead_slice(struct measure *m, struct row *row, struct slice *what)
{
    struct team_lead *lead = m->lead;
    const size_t stride = stride_of(row);
    struct team_order order;
    struct slice own;
    unsigned flags;
    int code;

    keep_clocks(m);
    if (!lead->in_ns)
        lead->in_ns = 2 * START_NS + START_TRIPS * worst_trip_ns(m->team);
    if (!what->deadline_ns)
        what->deadline_ns = row_ends_by_itself(m, row->result.cell) ? UINT64_MAX : m->part_end_ns;
    order = order_for(m, row, what);
    if (send(m, &order) < 0)
        return -1;
    what->team = m->team;
    what->in_ns = lead->in_ns;
    own = *what;
    own.cycles = team_own_share(row, what->cycles);
    row_cap(row, &own);
    code = row_carry_out(m, row, &own);
    team_own_slice(m, row, &own, (enum slice_keep)what->keep, code,
                   (struct team_report *)(void *)lead->mine);
    if (!row->mate) {
        memcpy(lead->mine + sizeof(struct team_report), m->slice, SLICE_SUM_HEAD_BYTES);
    } else {
        memcpy(lead->mine + sizeof(struct team_report), &m->kinds[0], SLICE_SUM_HEAD_BYTES);
        memcpy(lead->mine + sizeof(struct team_report) + SLICE_SUM_HEAD_BYTES, &m->kinds[1],
               SLICE_SUM_HEAD_BYTES);
    }
    code = m->team->gather(m->team, lead->mine, stride, lead->gathered);
    if (code < 0)
        return lose(m, code);
    flags = look_at(m, stride);
    if (flags & REPORT_EXHAUSTED)
        m->exhausted = true;
    if (flags & REPORT_DRY)
        row->dry = true;
    if (flags & REPORT_BROKEN) {
        ask_why(m, m->err);
        if (m->measured && m->err->status == STATUS_TARGET)
            m->err->status = STATUS_PARTIAL; /* what was measured before is worth printing */
        m->broken = true;
        return -1;
    }
    if (!what->times->at_ns) /* exhausted, somewhere */
        return -1;
    join_all(m, row);
    join_pace(m, stride);
    space_starts(m, flags & REPORT_MISSED);
    see_residents(m, row, stride);
    return 0;
}

/* --- rows --- */

static void add_rank(struct result *result, uint32_t rank, const struct team_told *told)
{
    const struct tally *tally = &told->sum->tally;
    struct result_rank *one = &result->ranks[rank];

    one->operations += tally->operations;
    one->failed += tally->failed + tally->short_count;
    one->time_ns += told->sum->time_ns;
    one->cpu_ns += told->sum->cpu_ns;
    one->latency_ns_sum += tally->sum_ns;
    one->late_ns_sum += told->report->late_ns;
    if (tally->max_ns > one->latency_ns_max)
        one->latency_ns_max = tally->max_ns;
}

static uint64_t missing_of(const struct measure *m, size_t stride)
{
    uint64_t most = 0;

    for (uint32_t r = 0; r < m->team->size; r++) {
        const uint64_t one = report_of(m->lead, stride, r)->missing;
        most = one > most ? one : most;
    }
    return most;
}

static void book_ranks(struct measure *m, const struct row *of, struct row *row, unsigned kind)
{
    const size_t stride = stride_of(of);
    struct result *result = &row->result;

    if (!result->ranks) {
        result->rank_count = m->team->size;
        result->ranks = mem_calloc(result->rank_count, sizeof(*result->ranks));
    }
    for (uint32_t r = 0; r < m->team->size; r++) {
        const struct team_report *report = report_of(m->lead, stride, r);
        const char *sums = (const char *)report + sizeof(*report) + kind * SLICE_SUM_HEAD_BYTES;
        const struct team_told told = {report, (const struct slice_sum *)(const void *)sums};
        if (!(report->flags & REPORT_IDLE))
            add_rank(result, r, &told);
    }
    row_make_room(&row->team->skew_ns, row->team->skews);
    row->team->missing = missing_of(m, stride);
    row->team->skew_ns[row->team->skews++] = (double)m->lead->overlap.skew_ns;
    row->team->whole_ns += (double)m->lead->overlap.whole_ns;
    row->team->common_ns += (double)m->lead->overlap.common_ns;
    if (result->left_known)
        result->left_objects = left_of(m, stride);
}

void team_lead_book(struct measure *m, struct row *row)
{
    book_ranks(m, row, row, 0);
    if (row->mate)
        book_ranks(m, row, row->mate, 1);
}

static void forget(struct row *row)
{
    slice_sum_reset(row->team->own);
    row->team->skews = 0;
    row->team->whole_ns = row->team->common_ns = 0;
    if (row->result.ranks)
        memset(row->result.ranks, 0, row->result.rank_count * sizeof(*row->result.ranks));
}

void team_lead_forget(struct measure *m, struct row *row)
{
    (void)send_kind(m, ORDER_FORGET, row->result.cell->index);
    forget(row);
    if (row->mate)
        forget(row->mate);
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
    int code;

    if (m->lead->lost)
        return -1;
    team_prepared(run, &mine);
    code = m->team->gather(m->team, &mine, sizeof(mine), m->lead->gathered);
    if (code < 0)
        return lose(m, code);
    flags = look_at(m, sizeof(mine));
    if (flags & REPORT_BROKEN) {
        ask_why(m, m->err);
        m->broken = true;
    } else if (flags & REPORT_UNREADY && !(flags & REPORT_LATE) && !run->unready_said) {
        ask_why(m, &run->unready); /* of the first such part, as alone */
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
    free(lead->gathered);
    free(lead->mine);
    free(lead->told);
    free(lead->values);
    free(lead);
    m->lead = NULL;
}
