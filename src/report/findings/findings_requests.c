/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_requests.c - findings about rows of object stores, from what the engine counted of its
 * requests: servers that ask for fewer, small answers that are held back on their way, connections
 * that are not kept, failures that retries hide, a client that is the limit, and what a request
 * costs whatever it moves.
 *
 * Times are those of the requests that were answered as asked; an engine that cannot tell them says
 * that none are `complete`. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/findings/findings.h"

#define REQUESTS_LEAST 20   /* fewer say nothing */
#define HELD_NS_LEAST  20e6 /* a delayed acknowledgement: 40 ms on Linux, up to 200 ms elsewhere */
#define HELD_NS_MOST   250e6
#define HELD_BYTES     16384. /* of a body: what is slower than this is a slow network */
#define HELD_RATIO     4.     /* the body takes that many times as long as the first byte */
/* of the requests on a new connection, though kept ones were asked for */
#define NEW_SHARE   0.5
#define BUSY_SHARE  0.85 /* of the time of the threads */
#define FIRST_SHARE 0.5  /* of a request: before the first byte of the answer */

void findings_see_requests(const struct result *result, struct seen_requests *requests)
{
    const double threads_ns =
        (double)result->sum.time_ns * result->cell->threads * (1 + (double)result->cell->peers);
    /* CPU time is that of all operations, also of those outside of the windows. */
    const double done = (double)tally_done(&result->sum.tally);
    const double inside = done > 0 ? (double)result->sum.tally.operations / done : 1;

    if (!result->sum.has_requests)
        return;
    requests->sum = result->sum.requests;
    requests->kept =
        strcmp(result->sum.connection, "new") != 0 && strcmp(result->sum.connection, "server") != 0;
    if (threads_ns > 0)
        requests->busy_fraction =
            (double)(result->sum.cpu_ns - result->sum.library_cpu_ns) * inside / threads_ns;
}

static bool counts(const struct seen *row)
{
    return row->requests.sum.complete >= REQUESTS_LEAST;
}

static double mean_ns(const struct seen *row, uint64_t sum_ns)
{
    return (double)sum_ns / (double)row->requests.sum.complete;
}

static double connecting_ns(const struct seen *row)
{
    const struct engine_requests *sum = &row->requests.sum;
    return mean_ns(row, sum->lookup_ns + sum->connect_ns + sum->tls_ns);
}

/* From the moment that the connection stands. */
static double answering_ns(const struct seen *row)
{
    return mean_ns(row, row->requests.sum.first_byte_ns + row->requests.sum.body_ns);
}

/* Rows in which a counter, at that offset of the requests, is not 0.  Returns how many requests
 * they made. */
static double gather_counted(const struct findings *f, struct gathered *rows, size_t offset)
{
    double sent = 0;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++) {
        const char *requests = (const char *)&row->requests.sum;
        const uint64_t count = *(const uint64_t *)(const void *)(requests + offset);

        if (count == 0)
            continue;
        findings_gather(f, rows, row, (double)count);
        sent += (double)row->requests.sum.count;
    }
    return sent;
}

bool findings_slow_down(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const double sent = gather_counted(f, &rows, offsetof(struct engine_requests, slow_downs));

    if (rows.count == 0)
        return false;
    snprintf(
        text, FINDING_TEXT,
        "the server throttled requests (SlowDown): %.0f of %.0f replies (%.1f %%) in %zu row%s, "
        "which show its limit: try lower --depth or --threads, or --rate",
        rows.sum, sent, rows.sum / sent * 100, rows.count, findings_plural(rows.count));
    return true;
}

/* Small answers, the body of which comes one delayed acknowledgement after their headers. */
static bool is_held_back(const struct seen *row)
{
    double first_ns, body_ns;

    if (!counts(row) || row->cell->work.test != TEST_READ ||
        mean_ns(row, row->requests.sum.received_bytes) > HELD_BYTES)
        return false;
    first_ns = mean_ns(row, row->requests.sum.first_byte_ns);
    body_ns = mean_ns(row, row->requests.sum.body_ns);
    return body_ns >= HELD_NS_LEAST && body_ns <= HELD_NS_MOST && first_ns * HELD_RATIO < body_ns;
}

bool findings_held_back(const struct findings *f, char *text)
{
    const struct seen *row = NULL;
    char size[UNITS_TEXT], first[UNITS_TEXT], body[UNITS_TEXT];

    for (size_t i = 0; i < f->count && !row; i++)
        if (is_held_back(&f->rows[i]))
            row = &f->rows[i];
    if (!row)
        return false;
    snprintf(text, FINDING_TEXT,
             "reads of %s get the first byte after %s but wait %s for the rest: the server sends "
             "headers and body separately, and Nagle's algorithm holds the body back until the "
             "client's delayed ACK; every client sees this; set TCP_NODELAY in the server, or try "
             "larger --sizes",
             units_format_size(findings_size(row), size),
             units_format_time(mean_ns(row, row->requests.sum.first_byte_ns), first),
             units_format_time(mean_ns(row, row->requests.sum.body_ns), body));
    return true;
}

/* Each slot opens a connection once; that is not what is looked for. */
static bool is_not_kept(const struct seen *row)
{
    const struct engine_requests *sum = &row->requests.sum;
    const uint64_t slots = cell_slots(row->cell);

    return counts(row) && row->requests.kept && sum->count > 4 * slots &&
           (double)sum->connections > NEW_SHARE * (double)sum->count;
}

static double connecting_share(const struct seen *row)
{
    return connecting_ns(row) / (connecting_ns(row) + answering_ns(row) + 1);
}

bool findings_connections(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct seen *worst;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (is_not_kept(row))
            findings_gather(f, &rows, row, connecting_share(row));
    if (rows.count == 0)
        return false;
    worst = rows.worst;
    snprintf(
        text, FINDING_TEXT,
        "the server closes connections: %" PRIu64 " for %" PRIu64 " requests (%s), in %zu "
        "row%s; connecting took up to %.0f %% of the time; turn on keep-alive in the server or "
        "proxy%s",
        worst->requests.sum.connections, worst->requests.sum.count,
        test_names[cell_test(worst->cell)], rows.count, findings_plural(rows.count),
        rows.most * 100,
        target_can(findings_target(f, worst), TARGET_CONNECTIONS)
            ? ", or add --reconnect if you mean to measure that"
            : "");
    return true;
}

bool findings_retries(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const double sent = gather_counted(f, &rows, offsetof(struct engine_requests, retries));

    if (rows.count == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%.0f of %.0f requests %s, in %zu row%s; latencies include the failed attempts; with "
             "--retries 0 such operations are errors",
             rows.sum, sent, rows.sum > 1 ? "were retries" : "was a retry", rows.count,
             findings_plural(rows.count));
    return true;
}

bool findings_client(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct seen *worst;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->requests.sum.count >= REQUESTS_LEAST &&
            row->failed == 0 && /* failed operations use processors, too */
            row->requests.busy_fraction >= BUSY_SHARE)
            findings_gather(f, &rows, row, row->requests.busy_fraction);
    if (rows.count == 0)
        return false;
    worst = rows.worst;
    snprintf(text, FINDING_TEXT,
             "in %zu row%s of an object store the %u thread%s of this client kept a processor busy "
             "%.0f %% of the time: the client is the limit, not the server; %s",
             rows.count, findings_plural(rows.count), worst->cell->threads,
             findings_plural(worst->cell->threads),
             rows.most < 1 ? rows.most * 100 : 100.0, /* of short rows more than there is */
             f->busy.cpus > 0 && worst->cell->threads >= f->busy.cpus
                 ? "try a machine with more processors"
                 : "try more --threads");
    return true;
}

/* Of the smallest reads with the least going on at the same time. */
static const struct seen *find_smallest(const struct findings *f)
{
    const struct seen *best = NULL;

    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        const uint64_t slots = cell_slots(row->cell);
        if (!counts(row) || row->cell->work.test != TEST_READ)
            continue;
        if (!best || slots < cell_slots(best->cell) ||
            (slots == cell_slots(best->cell) && findings_size(row) < findings_size(best)))
            best = row;
    }
    return best;
}

/* Said only where nothing is wrong with the connections: that would change these figures. */
bool findings_first_byte(const struct findings *f, char *text)
{
    const struct seen *row = find_smallest(f);
    char size[UNITS_TEXT], first[UNITS_TEXT], all[UNITS_TEXT], other[FINDING_TEXT];
    double first_ns, all_ns;

    if (!row || findings_held_back(f, other) || findings_connections(f, other) ||
        findings_client(f, other))
        return false;
    first_ns = mean_ns(row, row->requests.sum.first_byte_ns);
    all_ns = connecting_ns(row) + answering_ns(row);
    if (first_ns < FIRST_SHARE * all_ns)
        return false;
    snprintf(text, FINDING_TEXT,
             "of the %s that a GET of %s takes, %s pass before the first byte, whatever the size: "
             "larger --sizes amortise them, more --depth or --threads hides them",
             units_format_time(all_ns, all), units_format_size(findings_size(row), size),
             units_format_time(first_ns, first));
    return true;
}
