/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_server.c - findings from the calls of an NFS client and the requests to an object store.
 * Calls are judged only in rows where operations made all of them: not with --cache uncached, which
 * opens files between operations to drop what was read.
 *
 * Times of requests cover those answered successfully; an engine that cannot measure them reports 0
 * `complete` requests. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"

#define OPENS_SHARE    0.3 /* share of the time waiting for the server in calls that move no data */
#define REQUESTS_LEAST 20  /* fewer say nothing */
#define HELD_NS_LEAST  20e6 /* a delayed acknowledgement: 40 ms on Linux, up to 200 ms elsewhere */
#define HELD_NS_MOST   250e6
#define HELD_BYTES     16384. /* of a body: a larger one may be slow because of the network */
#define HELD_RATIO     4.     /* time of the body relative to the first byte */
#define BUSY_SHARE     0.85   /* of the time of the threads */

static void see_rpc(const struct result *result, struct seen_rpc *rpc)
{
    size_t used = 0;
    if (!result->rpc)
        return;
    rpc->all = target_traffic_total(result->rpc, false);
    rpc->data = target_traffic_total(result->rpc, true);
    for (uint32_t i = 0; i < result->rpc->rpc_count; i++) {
        const struct target_rpc *one = &result->rpc->rpc[i];
        const size_t length = strlen(one->name);
        if (one->count * 2 < tally_done(&result->sum.tally) ||
            used + length + 3 > sizeof(rpc->names))
            continue;
        used += (size_t)snprintf(rpc->names + used, sizeof(rpc->names) - used, "%s%s",
                                 used > 0 ? ", " : "", one->name);
    }
}

static void see_requests(const struct result *result, struct seen_requests *requests)
{
    const double threads_ns =
        (double)result->sum.time_ns * result->cell->threads * (1 + (double)result->cell->peers);
    /* CPU time covers all operations, including those outside the windows. */
    const double done = (double)tally_done(&result->sum.tally);
    const double inside = done > 0 ? (double)result->sum.tally.operations / done : 1;

    if (!result->sum.has_requests)
        return;
    requests->sum = result->sum.requests;
    if (threads_ns > 0)
        requests->busy_fraction =
            (double)(result->sum.cpu_ns - result->sum.library_cpu_ns) * inside / threads_ns;
}

void findings_see_server(const struct result *result, struct seen *row)
{
    see_rpc(result, &row->rpc);
    see_requests(result, &row->requests);
}

/* ---- NFS ---- */

bool findings_flushed(const struct seen *row)
{
    return row->cell->work.test == TEST_WRITE && row->rpc.data.count * 2 >= row->done &&
           row->done > 0;
}

static bool counts_calls(const struct seen *row)
{
    return row->done > 0 && row->rpc.all.count > 0 && row->rpc.all.round_trip_ms > 0 &&
           row->cell->work.cache != CACHE_UNCACHED;
}

/* Opening and closing contacts the server each time, unless it granted a delegation. */
double findings_opening_calls(const struct seen *row)
{
    const struct target_rpc *all = &row->rpc.all, *data = &row->rpc.data;
    double idle;

    if (!counts_calls(row) || row->cell->work.keep_open || all->count - data->count < row->done)
        return UNCONCERNED;
    idle = 1 - (double)data->round_trip_ms / (double)all->round_trip_ms;
    return idle >= OPENS_SHARE ? idle : UNCONCERNED;
}

/* ---- both ---- */

/* Calls and requests that needed more than one attempt. */
WEIGH(again)
{
    const struct engine_requests *sum = &row->requests.sum;
    const uint64_t again = row->rpc.all.retransmissions + row->rpc.all.timeouts +
                           (sum->slow_downs > sum->retries ? sum->slow_downs : sum->retries);

    return again > 0 ? (double)again : UNCONCERNED;
}

FILL(again)
{
    const struct seen *worst = rows->worst;
    uint64_t sent = 0;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        sent += weigh_again(f, row) > 0 ? row->requests.sum.count + row->rpc.all.count : 0;
    text_copy(terms[0], TERM_TEXT,
              worst->requests.sum.slow_downs > 0 ? "the server throttled " : "");
    snprintf(terms[1], TERM_TEXT, "%" PRIu64, sent);
    text_copy(
        terms[2], TERM_TEXT,
        worst->rpc.all.count > 0
            ? "calls to the NFS server were retransmitted or timed out: the network or the "
              "server drops calls; check both, then repeat the rows with --sizes"
        : worst->requests.sum.slow_downs > 0
            ? "requests (SlowDown): the rows show its limit; use a lower --depth, fewer "
              "--threads, or --rate"
            : "requests were retried; latencies include the failed attempts; use --retries 0 to "
              "count such operations as errors");
    return true;
}

/* ---- object stores ---- */

static bool counts_requests(const struct seen *row)
{
    return row->requests.sum.complete >= REQUESTS_LEAST;
}

static double mean_ns(const struct seen *row, uint64_t sum_ns)
{
    return (double)sum_ns / (double)row->requests.sum.complete;
}

/* Small responses whose body arrives one delayed acknowledgement after the headers. */
WEIGH(held_back)
{
    const struct engine_requests *sum = &row->requests.sum;
    double body_ns;

    if (!counts_requests(row) || row->cell->work.test != TEST_READ ||
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
    units_format_time(mean_ns(rows->worst, rows->worst->requests.sum.first_byte_ns), terms[0]);
    units_format_time(mean_ns(rows->worst, rows->worst->requests.sum.body_ns), terms[1]);
    return true;
}

WEIGH(client)
{
    return row->requests.sum.count >= REQUESTS_LEAST &&
                   row->failed == 0 && /* failed operations use processors, too */
                   row->requests.busy_fraction >= BUSY_SHARE
               ? row->requests.busy_fraction
               : UNCONCERNED;
}

FILL(client)
{
    const unsigned threads = rows->worst->cell->threads;

    snprintf(terms[0], TERM_TEXT, "%u thread%s", threads, findings_plural(threads));
    snprintf(terms[1], TERM_TEXT, "%.0f",
             rows->most < 1 ? rows->most * 100 : 100.0); /* in short rows the share may exceed 1 */
    text_copy(terms[2], TERM_TEXT,
              f->busy.cpus > 0 && threads >= f->busy.cpus ? "try a machine with more processors"
                                                          : "try more --threads");
    return true;
}

const struct rule findings_of_server[] = {
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
    {.sentence = NULL}};
