/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_servers.c - rules on opening and the calls of an NFS client, the requests to an object
 * store, and the hosts of a team of ranks.
 *
 * Times of requests cover those answered successfully; an engine that cannot measure them reports 0
 * `complete` requests. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"
#include "run/team.h"

#define OPENING_SHARE  0.333 /* of the time of an operation */
#define REQUESTS_LEAST 20    /* fewer say nothing */
#define HELD_NS_LEAST  20e6  /* a delayed acknowledgement: 40 ms on Linux, up to 200 ms elsewhere */
#define HELD_NS_MOST   250e6
#define HELD_BYTES     16384. /* of a body: a larger one may be slow because of the network */
#define HELD_RATIO     4.     /* time of the body relative to the first byte */
#define BUSY_SHARE     0.85   /* of the time of the threads */

/* ---- NFS ---- */

bool findings_flushed(const struct result *row)
{
    const uint64_t done = tally_done(&row->sum.tally);

    return row->cell->work.test == TEST_WRITE && findings_calls(row, true).count * 2 >= done &&
           done > 0;
}

/* ---- opening and closing ---- */

/* Whether closing includes the flush of what an operation wrote, through the page cache. */
static bool closing_flushes(const struct result *row)
{
    const struct workload *work = &row->cell->work;
    const uint64_t data_calls = findings_calls(row, true).count;

    return work->cache != CACHE_DIRECT && work->test != TEST_READ && data_calls > 0 &&
           data_calls * 2 >= tally_done(&row->sum.tally);
}

/* If the page cache is bypassed, an operation costs a device access, and opening a file should cost
 * little in comparison. An NFS server is contacted by opening and closing in any cache mode, unless
 * it granted a delegation. */
WEIGH(opening)
{
    const struct workload *work = &row->cell->work;
    const struct tally *tally = &row->sum.tally;
    const bool bypassed = work->cache == CACHE_DIRECT || work->cache == CACHE_UNCACHED;
    const uint64_t calls = findings_calls(row, false).count - findings_calls(row, true).count;
    double share;

    if (tally->operations == 0 || tally->sum_ns == 0 || findings_virtual(row) ||
        !(row->cell->engine->phases & 1u << PHASE_OPEN) || work->keep_open ||
        findings_target(f, row)->in_memory || !(bypassed || calls >= tally_done(tally)) ||
        work->sync == SYNC_END || closing_flushes(row) ||
        row->notes & NOTE_CACHE_HITS) /* the cache was not bypassed */
        return UNCONCERNED;
    share = (double)(tally->phase_ns[PHASE_OPEN] + tally->phase_ns[PHASE_CLOSE]) /
            (double)tally->sum_ns;
    return share >= OPENING_SHARE ? share : UNCONCERNED;
}

/* ---- both ---- */

/* Calls and requests that needed more than one attempt. */
WEIGH(again)
{
    const struct engine_requests *sum = &row->sum.requests;
    const struct target_rpc all = findings_calls(row, false);
    const uint64_t again = all.retransmissions + all.timeouts +
                           (sum->slow_downs > sum->retries ? sum->slow_downs : sum->retries);

    return again > 0 ? (double)again : UNCONCERNED;
}

FILL(again)
{
    const struct result *worst = rows->worst;
    uint64_t sent = 0;

    for (size_t i = 0; i < f->count; i++)
        if (f->rows[i]->state != RESULT_SKIPPED && weigh_again(f, f->rows[i]) > 0)
            sent += f->rows[i]->sum.requests.count + findings_calls(f->rows[i], false).count;
    text_copy(terms[0], TERM_TEXT,
              worst->sum.requests.slow_downs > 0 ? "the server throttled " : "");
    snprintf(terms[1], TERM_TEXT, "%" PRIu64, sent);
    text_copy(
        terms[2], TERM_TEXT,
        findings_calls(worst, false).count > 0
            ? "calls to the NFS server were retransmitted or timed out: the network or the "
              "server drops calls; check both, then repeat the rows with --sizes"
        : worst->sum.requests.slow_downs > 0
            ? "requests (SlowDown): the rows show its limit; use a lower --depth, fewer "
              "--threads, or --rate"
            : "requests were retried; latencies include the failed attempts; use --retries 0 to "
              "count such operations as errors");
    return true;
}

/* ---- object stores ---- */

static double mean_ns(const struct result *row, uint64_t sum_ns)
{
    return (double)sum_ns / (double)row->sum.requests.complete;
}

/* Small responses whose body arrives one delayed acknowledgement after the headers. */
WEIGH(held_back)
{
    const struct engine_requests *sum = &row->sum.requests;
    double body_ns;

    if (sum->complete < REQUESTS_LEAST || row->cell->work.test != TEST_READ ||
        mean_ns(row, sum->received_bytes) > HELD_BYTES)
        return UNCONCERNED;
    body_ns = mean_ns(row, sum->body_ns);
    return body_ns >= HELD_NS_LEAST && body_ns <= HELD_NS_MOST &&
                   mean_ns(row, sum->first_byte_ns) * HELD_RATIO < body_ns
               ? 0
               : UNCONCERNED;
}

FILL(held_back)
{
    units_format_time(mean_ns(rows->worst, rows->worst->sum.requests.first_byte_ns), terms[0]);
    units_format_time(mean_ns(rows->worst, rows->worst->sum.requests.body_ns), terms[1]);
    return true;
}

/* The share of their time that the threads were on a processor. */
WEIGH(client)
{
    const struct slice_sum *sum = &row->sum;
    const double threads_ns =
        (double)sum->time_ns * row->cell->threads * (1 + (double)row->cell->peers);
    /* CPU time covers all operations, including those outside the windows. */
    const double done = (double)tally_done(&sum->tally);
    const double inside = done > 0 ? (double)sum->tally.operations / done : 1;
    double busy;

    if (!sum->has_requests || sum->requests.count < REQUESTS_LEAST || threads_ns <= 0 ||
        sum->tally.failed > 0) /* failed operations use processors, too */
        return UNCONCERNED;
    busy = (double)(sum->cpu_ns - sum->library_cpu_ns) * inside / threads_ns;
    return busy >= BUSY_SHARE ? busy : UNCONCERNED;
}

FILL(client)
{
    const unsigned threads = rows->worst->cell->threads;

    snprintf(terms[0], TERM_TEXT, "%u thread%s", threads, findings_plural(threads));
    snprintf(terms[1], TERM_TEXT, "%.0f",
             rows->most < 1 ? rows->most * 100 : 100.0); /* in short rows the share may exceed 1 */
    text_copy(terms[2], TERM_TEXT,
              f->info->use->shares.count > 0 && threads >= f->info->use->shares.count
                  ? "try a machine with more processors"
                  : "try more --threads");
    return true;
}

/* ---- slow hosts, or on one host slow ranks: rates are compared row by row, relative to the mean
 * rank, and then their means over the rows, since otherwise rows of small operations would
 * dominate. A host is the mean of its ranks, regardless of their number. ---- */

#define SLOW_RATIO 1.2 /* of the fastest to the slowest */
#define RANK_OPERATIONS \
    100 /* of the mean rank in a row; with fewer, chance dominates a difference */
#define NAME_BYTES (4 * TEAM_HOST_BYTES)

struct group {    /* a host or, in a team on one host, a rank */
    double share; /* of the rate of the mean rank: sum over rows and ranks, then the mean rank */
    uint32_t ranks, last;
};

static const char *host_name(const struct team *team, const struct group *group, char *text)
{
    return error_printable(team->member[group->last].host, text, NAME_BYTES);
}

/* Adds the ranks of a row that shows their rates. Returns whether it does. */
static bool add_ranks(const struct result *row, const struct team *team, struct group *groups)
{
    double sum = 0;

    for (uint32_t rank = 0; rank < row->rank_count; rank++)
        sum += fmax(columns_rank_rate(&row->ranks[rank]), 0);
    if (row->state == RESULT_SKIPPED || sum <= 0 || row->rank_count < 2 ||
        findings_operations(row) < (uint64_t)RANK_OPERATIONS * row->rank_count)
        return false;
    for (uint32_t rank = 0; rank < row->rank_count; rank++) {
        struct group *group = &groups[team->host_count > 1 ? team->member[rank].host_index : rank];

        group->share += fmax(columns_rank_rate(&row->ranks[rank]), 0) / (sum / row->rank_count);
        group->ranks++;
        group->last = rank;
    }
    return true;
}

FILL(slow)
{
    const struct team *team = f->info->team;
    const bool hosts = team && team->host_count > 1;
    struct group *groups = mem_calloc(team ? team->size : 1, sizeof(*groups)), *slow = groups,
                 *fast = groups;
    char name[NAME_BYTES], other[NAME_BYTES];
    size_t count = 0;
    double ratio;

    for (size_t i = 0; team && i < f->count; i++)
        count += add_ranks(f->rows[i], team, groups);
    for (struct group *group = groups; count > 0 && group < groups + team->size; group++) {
        if (group->ranks == 0)
            continue;
        group->share /= group->ranks;
        slow = group->share < slow->share ? group : slow;
        fast = group->share > fast->share ? group : fast;
    }
    ratio = count > 0 ? slow->share / fast->share : 1;
    if (ratio * SLOW_RATIO < 1) {
        text_copy(terms[2], TERM_TEXT, hosts ? "per rank, in one row" : "in one row");
        if (count > 1)
            snprintf(terms[2], TERM_TEXT, "%smean of %zu rows", hosts ? "per rank, " : "", count);
        host_name(team, slow, name);
        snprintf(terms[0], TERM_TEXT, hosts ? "%.60s" : "on %.60s, rank %" PRIu32, name,
                 slow->last);
        if (hosts)
            snprintf(terms[1], TERM_TEXT, "%.0f %% of the rate of %.60s", 100 * ratio,
                     host_name(team, fast, other));
        else
            snprintf(terms[1], TERM_TEXT, "%.0f %% of the rate of rank %" PRIu32, 100 * ratio,
                     fast->last);
        if (hosts)
            snprintf(terms[3], TERM_TEXT, "run iosweep on %.60s alone to find the cause", name);
        else
            text_copy(terms[3], TERM_TEXT,
                      "use fewer ranks per host, or bind each rank to its own processors");
    }
    free(groups);
    return ratio * SLOW_RATIO < 1;
}

const struct rule findings_of_servers[] = {
    {.weight = 950,
     .serious = true,
     .warning = true,
     .fill = fill_slow,
     .sentence = "{1} reaches {2} ({3}); {4}"},
    {.weight = 890,
     .serious = true,
     .weigh = weigh_again,
     .fill = fill_again,
     .sentence = "in {rows}, {1}{sum} of {2} {3}"},
    {.weight = 880,
     .weigh = weigh_held_back,
     .fill = fill_held_back,
     .sentence =
         "{worst} get the first byte after {1} but wait {2} for the rest: the server sends "
         "headers and body separately, and Nagle's algorithm holds the body back until the "
         "client's delayed ACK; this affects all clients; set TCP_NODELAY in the server, or "
         "try larger --sizes"},
    {.weight = 730,
     .weigh = weigh_client,
     .fill = fill_client,
     .sentence = "in {rows} of an object store, the {1} of this client kept a processor busy {2} % "
                 "of the time: the client is the limit, not the server; {3}"},
    {.weight = 720,
     .weigh = weigh_opening,
     .sentence =
         "opening and closing take {most} of the time of {worst}; compare with --keep-open"},
    {.sentence = NULL}};
