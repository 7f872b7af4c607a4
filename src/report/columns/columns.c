/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns.c - the contents of a row: one line of the table per column. An unknown value is EMPTY,
 * never 0.
 *
 * The first five columns are consistent: throughput and rate are quotients of the integers printed
 * beside them. Sums are divided once; rates are never averaged. */
#include "base/compat.h"

#include "report/columns/columns.h"

#include <inttypes.h>
#include <math.h>

#include "run/judge.h"
#include "run/order.h"

/* --- computed figures --- */

/* long double keeps the product of two 64-bit integers as exact as the machine allows. */
double columns_per_second(long double amount, uint64_t time_ns)
{
    return time_ns ? (double)(amount * 1e9L / (long double)time_ns) : -1;
}

double columns_throughput(const struct result *result)
{
    const struct workload *work = &result->cell->work;

    if (!columns_has_operations(result) || !test_moves_data(work->test))
        return -1;
    return columns_per_second((long double)result->sum.tally.operations *
                                  (long double)work->size_bytes,
                              result->sum.time_ns);
}

double columns_rate(const struct result *result)
{
    return columns_has_operations(result)
               ? columns_per_second((long double)result->sum.tally.operations, result->sum.time_ns)
               : -1;
}

static double submit_fraction(const struct result *result)
{
    return columns_is_measured(result) ? judge_submit_share(result) : -1;
}

static double helper_fraction(const struct result *result)
{
    if (!columns_is_measured(result) || !result->cell->engine->report || result->sum.cpu_ns == 0)
        return -1;
    return (double)result->sum.helper_cpu_ns / (double)result->sum.cpu_ns;
}

static double failed_s(const struct result *result)
{
    const double elapsed_ns = (double)result->sum.elapsed_ns;
    return elapsed_ns > 0 ? judge_failed_share(result) * elapsed_ns / 1e9 : -1;
}

static double latency_stddev(const struct result *result)
{
    const struct hist *latency = &result->sum.tally.latency;
    return hist_total(latency) > 1 ? hist_stddev_ns(latency) : -1;
}

/* --- divisors of sums: all operations for processor time and bytes, those with known latencies for
 * times, successfully answered requests for their phases --- */

static uint64_t ops_done(const struct result *result)
{
    return tally_done(&result->sum.tally);
}

static uint64_t ops_sampled(const struct result *result)
{
    return result->sum.tally.operations;
}

static uint64_t ops_answered(const struct result *result)
{
    return result->sum.requests.complete;
}

/* --- the processor --- */

/* After this time even accounting by a 10 ms clock has sampled both modes. */
#define MODES_LEAST_NS UINT64_C(100000000)

/* Per operation: time of our threads, divided between the modes by the kernel's accounting; that of
 * kernel threads is all system time. */
static double cpu_user_ns(const struct result *result)
{
    const struct slice_sum *sum = &result->sum;
    const uint64_t done = ops_done(result), made_ns = sum->made_cpu_ns;
    const double user_ns = sum->user_ns > made_ns ? (double)(sum->user_ns - made_ns) : 0;
    const double all_ns = user_ns + (double)sum->system_ns;
    const double own_ns = (double)sum->cpu_ns - (double)sum->helper_cpu_ns;

    if (all_ns < (double)MODES_LEAST_NS || !sum->cpu_ns || !done)
        return -1;
    return own_ns * user_ns / all_ns / (double)done;
}

/* --- threads and ranks --- */

double columns_rank_rate(const struct result_rank *rank)
{
    return columns_per_second((long double)rank->operations, rank->time_ns);
}

/* The lowest or the highest rate of threads or ranks; a single rank is both. */
static double outer_rate(const struct result *result, bool ranks, bool fastest)
{
    const uint32_t count = ranks ? result->rank_count : result->threads ? result->cell->threads : 0;
    double found = ranks && count == 0 ? columns_rate(result) : -1;

    for (uint32_t i = 0; i < count; i++) {
        const double rate = ranks ? columns_rank_rate(&result->ranks[i])
                                  : columns_per_second((long double)result->threads[i].operations,
                                                       result->threads[i].time_ns);
        if (rate >= 0 && (found < 0 || (fastest ? rate > found : rate < found)))
            found = rate;
    }
    return found;
}

#define OUTER_RATE(name, ranks, fastest)            \
    static double name(const struct result *result) \
    {                                               \
        return outer_rate(result, ranks, fastest);  \
    }
OUTER_RATE(thread_rate_min, false, false)
OUTER_RATE(thread_rate_max, false, true)
OUTER_RATE(rank_rate_min, true, false)
OUTER_RATE(rank_rate_max, true, true)

/* --- calls to a server --- */

/* The kernel reports sums in whole milliseconds. */
static double rpc_round_trip_ns(const struct result *result)
{
    const struct target_rpc all = target_traffic_total(result->rpc, false);
    return all.count > 0 ? (double)all.round_trip_ms * 1e6 / (double)all.count : -1;
}

/* --- texts, and computed counts: each fills the value, or leaves it EMPTY --- */

#define GETTER(name)                                                                      \
    static void get_##name(__attribute__((unused)) const struct columns_context *context, \
                           __attribute__((unused)) const struct result *result,           \
                           struct value *value)

GETTER(test)
{
    columns_put_text(value, test_names[cell_test(result->cell)]);
}

/* Names are printed to terminals and log files: no control characters. */
GETTER(target)
{
    const char *label = context->info->targets[result->cell->target]->label;
    columns_put_text(value,
                     error_printable(label ? label : "", value->buffer, sizeof(value->buffer)));
}

GETTER(engine)
{
    columns_put_text(value, result->cell->engine->name);
}

GETTER(cache)
{
    columns_put_text(value, cache_names[result->cell->work.cache]);
}

GETTER(access)
{
    if (test_ordered(result->cell->work.test) && !result->cell->fills)
        columns_put_text(value, access_names[result->cell->work.access]);
}

GETTER(readahead)
{
    const struct workload *work = &result->cell->work;

    if (work->test == TEST_READ && work->cache != CACHE_DIRECT &&
        target_can(work->target, TARGET_CACHED) &&
        !(result->cell->engine->capabilities & ENGINE_VIRTUAL))
        columns_put_text(value, readahead_names[work->readahead]);
}

GETTER(filled_bytes)
{
    const struct cell *cell = result->cell;
    const uint64_t io_bytes = cell->work.io_bytes,
                   each = target_can(cell->work.target, TARGET_SHAPED)
                              ? order_step(io_bytes, cell->align_bytes)
                              : io_bytes, /* objects have no gaps */
        ranks = columns_ranks(context->info->settings);

    if (cell->fills)
        columns_put_count(value,
                          (cell->place_first + tally_done(&result->sum.tally) / ranks) * each);
}

GETTER(operations)
{
    columns_put_count(value, columns_is_measured(result) ? result->sum.tally.operations : 0);
}

GETTER(notes)
{
    columns_put_text(value, columns_notes(result, context->info, value->buffer));
}

GETTER(label)
{
    columns_put_text(value, context->label);
}

GETTER(mix)
{
    if (result->cell->mixed)
        columns_put_count(value, result->cell->read_percent);
}

GETTER(stop)
{
    static const char *const names[STOP_KINDS] = {"",          "count",  "time",   "precision",
                                                  "exhausted", "errors", "signal", "rounds"};
    columns_put_text(value, columns_is_measured(result) ? names[result->stop] : "");
}

GETTER(rpc_data_count)
{
    columns_put_count(value, target_traffic_total(result->rpc, true).count);
}

/* Per listing: unless objects are added or removed, all listings find the same number. */
GETTER(list_names)
{
    const struct engine_found *found = &result->sum.found;
    if (found->listings > 0)
        columns_put_count(value, (found->names + found->listings / 2) / found->listings);
}

GETTER(ranks)
{
    columns_put_count(value, columns_ranks(context->info->settings));
}

/* --- the table --- */

/* Fields by offset and type; an unsupported type does not compile. */
#define TYPE_OF(field) \
    _Generic((field),      \
        uint32_t: TYPE_U32, \
        uint64_t: TYPE_U64, \
        double: TYPE_DOUBLE, \
        const char *: TYPE_TEXT, \
        char *: TYPE_TEXT, \
        struct hist: TYPE_HIST)
#define AT(BASE, type_, field)                             \
    .base = BASE, .offset = offsetof(struct type_, field), \
    .type = TYPE_OF(((struct type_ *)0)->field)
#define FIELD(field)         .source = {AT(BASE_RESULT, result, field)}
#define CELL(field)          .source = {AT(BASE_CELL, cell, field)}
#define RPC(field)           .source = {AT(BASE_RPC, target_rpc, field)}
#define MEAN(field, divisor) .source = {AT(BASE_RESULT, result, field), .per = ops_##divisor}
#define PERCENTILE(field, permille_) \
    .source = {AT(BASE_RESULT, result, field), .permille = permille_}
#define REAL(function) .source = {.real = function}
#define GET(name)      .source = {.get = get_##name}
#define DEFAULT        .by_default = BY_DEFAULT

const struct column columns_table[] = {
    {"size_bytes", UNIT_BYTES, OF_ROW, "requested by one operation", ALWAYS, CELL(work.size_bytes),
     DEFAULT},
    {"operations", UNIT_NUMBER, OF_RESULT, "complete operations in all measured rounds", ALWAYS,
     GET(operations), DEFAULT},
    {"time_s", UNIT_S, OF_RESULT, "sum of the slices, failed operations included",
     MEASURED | NOT_ZERO, FIELD(sum.time_ns), DEFAULT},
    {"throughput_bytes_per_s", UNIT_BYTES_PER_S, OF_RESULT, "size_bytes * operations / time_s",
     MEASURED, REAL(columns_throughput), DEFAULT},
    {"rate_per_s", UNIT_PER_S, OF_RESULT, "operations / time_s", MEASURED, REAL(columns_rate),
     DEFAULT},
    {"test", UNIT_TEXT, OF_ROW, "the test, as --tests and iosweep fill name it", ALWAYS, GET(test),
     DEFAULT},
    {"target", UNIT_TEXT, OF_ROW, "as given, control characters as \\xNN", ALWAYS, GET(target),
     DEFAULT},
    {"engine", UNIT_TEXT, OF_ROW, "I/O engine", ALWAYS, GET(engine), DEFAULT},
    {"cache", UNIT_TEXT, OF_ROW, "cached, asis, uncached or direct", ALWAYS, GET(cache), DEFAULT},
    {"access", UNIT_TEXT, OF_ROW, "access order: random, sequential, once", ALWAYS, GET(access),
     DEFAULT},
    {"threads", UNIT_NUMBER, OF_ROW, "threads that run concurrently", ALWAYS, CELL(threads),
     DEFAULT},
    {"depth", UNIT_NUMBER, OF_ROW, "operations in flight per thread", ALWAYS, CELL(work.depth),
     DEFAULT},
    {"loop", UNIT_NUMBER, OF_ROW, "loop number (--loops), from 1", ALWAYS, CELL(loop), DEFAULT},
    {"rounds", UNIT_NUMBER, OF_PRECISION, "measured rounds", MEASURED, FIELD(rounds), DEFAULT},
    {"op_ns_mean", UNIT_NS, OF_PRECISION, "mean time per operation, all rounds", ROUNDS,
     FIELD(op_ns_mean), DEFAULT},
    {"op_ns_low", UNIT_NS, OF_PRECISION, "lower end of the 95 % interval of the mean",
     ROUNDS | INTERVAL, FIELD(op_ns_low), DEFAULT},
    {"op_ns_high", UNIT_NS, OF_PRECISION, "upper end of the 95 % interval of the mean",
     ROUNDS | INTERVAL, FIELD(op_ns_high), DEFAULT},
    {"latency_ns_p50", UNIT_NS, OF_LATENCY, "50 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 500), DEFAULT},
    {"latency_ns_p90", UNIT_NS, OF_LATENCY, "90 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 900), DEFAULT},
    {"latency_ns_p99", UNIT_NS, OF_LATENCY, "99 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 990), DEFAULT},
    {"latency_ns_p999", UNIT_NS, OF_LATENCY, "99.9 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 999), DEFAULT},
    {"latency_ns_max", UNIT_NS, OF_LATENCY, "longest operation", OPERATIONS,
     FIELD(sum.tally.max_ns), DEFAULT},
    {"cpu_ns_per_op", UNIT_NS, OF_CPU, "CPU time, with helping threads, per operation",
     OPERATIONS | NOT_ZERO, MEAN(sum.cpu_ns, done), DEFAULT},
    {"device_bytes", UNIT_BYTES, OF_STORAGE, "moved to or from storage in the slices", DEVICE,
     FIELD(sum.device_bytes), DEFAULT},
    {"errors", UNIT_NUMBER, OF_FAILURES, "failed operations; only their time counts", MEASURED,
     FIELD(sum.tally.failed), DEFAULT},
    {"notes", UNIT_TEXT, OF_RESULT, "words joined by ';' that qualify the row", ALWAYS, GET(notes),
     DEFAULT},
    {"label", UNIT_TEXT, OF_ROW, "given with --label", ALWAYS, GET(label), DEFAULT},
    {"step", UNIT_NUMBER, OF_ROW, "step number in --tests, from 1", ALWAYS, CELL(step)},
    {"repeat", UNIT_NUMBER, OF_ROW, "repeat number (--repeat), from 1", ALWAYS, CELL(repeat)},
    {"mix", UNIT_NUMBER, OF_ROW, "percentage of reads", ALWAYS, GET(mix)},
    {"readahead", UNIT_TEXT, OF_ROW, "read-ahead: normal, none, sequential, willneed", ALWAYS,
     GET(readahead)},
    {"align_bytes", UNIT_BYTES, OF_ROW, "offsets are multiples of this", MEASURED | NOT_ZERO,
     CELL(align_bytes)},
    {"filled_bytes", UNIT_BYTES, OF_ROW, "test fill: bytes written when the row ends", MEASURED,
     GET(filled_bytes)},
    {"elapsed_s", UNIT_S, OF_RESULT, "time_s plus the time between operations", MEASURED | NOT_ZERO,
     FIELD(sum.elapsed_ns)},
    {"began_unix_s", UNIT_S, OF_RESULT, "start of the first slice, since 1970 (UTC)",
     MEASURED | NOT_ZERO, FIELD(began_ns)},
    {"ended_unix_s", UNIT_S, OF_RESULT, "end of the last slice, since 1970 (UTC)",
     MEASURED | NOT_ZERO, FIELD(ended_ns)},
    {"stop", UNIT_TEXT, OF_RESULT, "why the row ended: count, time, precision ...", ALWAYS,
     GET(stop)},
    {"in_flight_mean", UNIT_NUMBER, OF_RESULT, "operations in flight, mean over time_s", OPERATIONS,
     REAL(judge_in_flight)},
    {"thread_rate_per_s_min", UNIT_PER_S, OF_RESULT, "rate of the slowest thread", OPERATIONS,
     REAL(thread_rate_min)},
    {"thread_rate_per_s_max", UNIT_PER_S, OF_RESULT, "rate of the fastest thread", OPERATIONS,
     REAL(thread_rate_max)},
    {"stat_hits", UNIT_NUMBER, OF_RESULT, "test stat: names that existed", STATS,
     FIELD(sum.found.hits)},
    {"stat_misses", UNIT_NUMBER, OF_RESULT, "test stat: names that did not exist", STATS,
     FIELD(sum.found.misses)},
    {"list_names", UNIT_NUMBER, OF_RESULT, "test list: names found per listing", MEASURED,
     GET(list_names)},
    {"left_objects", UNIT_NUMBER, OF_RESULT, "delete of a kept run: objects left", LEFT,
     FIELD(left_objects)},
    {"op_ns_min", UNIT_NS, OF_PRECISION, "fastest round", ROUNDS, FIELD(op_ns_min)},
    {"op_ns_stddev", UNIT_NS, OF_PRECISION, "standard deviation of the rounds (n - 1)", SPREAD,
     FIELD(op_ns_stddev)},
    {"reference_ns", UNIT_NS, OF_PRECISION, "reference cycle on a file in memory",
     MEASURED | NOT_ZERO, FIELD(reference_ns)},
    {"latency_ns_min", UNIT_NS, OF_LATENCY, "shortest operation", OPERATIONS,
     FIELD(sum.tally.min_ns)},
    {"latency_ns_mean", UNIT_NS, OF_LATENCY, "mean of all operations", OPERATIONS,
     MEAN(sum.tally.sum_ns, sampled)},
    {"latency_ns_stddev", UNIT_NS, OF_LATENCY, "standard deviation of all operations (n - 1)",
     OPERATIONS, REAL(latency_stddev)},
    {"open_ns_mean", UNIT_NS, OF_PHASES, "mean time of open", OPEN,
     MEAN(sum.tally.phase_ns[PHASE_OPEN], sampled)},
    {"open_ns_p50", UNIT_NS, OF_PHASES, "50 % of the opens took no longer", OPEN,
     PERCENTILE(sum.tally.open, 500)},
    {"open_ns_p99", UNIT_NS, OF_PHASES, "99 % of the opens took no longer", OPEN,
     PERCENTILE(sum.tally.open, 990)},
    {"open_ns_max", UNIT_NS, OF_PHASES, "longest open", OPEN | EACH_OPEN,
     FIELD(sum.tally.open_max_ns)},
    {"seek_ns_mean", UNIT_NS, OF_PHASES, "mean time of seek", SEEK,
     MEAN(sum.tally.phase_ns[PHASE_SEEK], sampled)},
    {"transfer_ns_mean", UNIT_NS, OF_PHASES, "mean time of the transfer", TRANSFER,
     MEAN(sum.tally.phase_ns[PHASE_TRANSFER], sampled)},
    {"close_ns_mean", UNIT_NS, OF_PHASES, "mean time of close, flushing included", CLOSE,
     MEAN(sum.tally.phase_ns[PHASE_CLOSE], sampled)},
    {"close_ns_p50", UNIT_NS, OF_PHASES, "50 % of the closes took no longer", CLOSE,
     PERCENTILE(sum.tally.close, 500)},
    {"close_ns_p99", UNIT_NS, OF_PHASES, "99 % of the closes took no longer", CLOSE,
     PERCENTILE(sum.tally.close, 990)},
    {"close_ns_max", UNIT_NS, OF_PHASES, "longest close", CLOSE | EACH_CLOSE,
     FIELD(sum.tally.close_max_ns)},
    {"cpu_user_ns_per_op", UNIT_NS, OF_CPU, "of cpu_ns_per_op in user mode", OPERATIONS,
     REAL(cpu_user_ns)},
    {"queued_ns_per_op", UNIT_NS, OF_CPU, "time waiting for a processor, per operation",
     OPERATIONS | NOT_ZERO, MEAN(sum.queued_ns, done)},
    {"submit_fraction", UNIT_RATIO, OF_CPU, "share of the time spent in submitting", MEASURED,
     REAL(submit_fraction)},
    {"cpu_helper_fraction", UNIT_RATIO, OF_CPU, "share of CPU time used by kernel threads",
     MEASURED, REAL(helper_fraction)},
    {"resident_fraction", UNIT_RATIO, OF_STORAGE, "share in the page cache, after the slices",
     MEASURED, FIELD(resident_fraction)},
    {"resident_fraction_before", UNIT_RATIO, OF_STORAGE,
     "share in the page cache, before the slices", MEASURED, FIELD(resident_fraction_before)},
    {"cache_hit_fraction", UNIT_RATIO, OF_STORAGE, "share of operations served from memory",
     MEASURED, REAL(judge_hit_share)},
    {"errors_s", UNIT_S, OF_FAILURES, "elapsed_s of failed and short operations", MEASURED,
     REAL(failed_s)},
    {"errors_short", UNIT_NUMBER, OF_FAILURES, "operations that moved less than requested",
     MEASURED, FIELD(sum.tally.short_count)},
    {"errors_wrong", UNIT_NUMBER, OF_FAILURES, "operations with wrong data (--verify)", VERIFIED,
     FIELD(sum.tally.wrong)},
    {"rpc_count", UNIT_NUMBER, OF_NFS, "calls to the server, by any program", CALLS, RPC(count)},
    {"rpc_data_count", UNIT_NUMBER, OF_NFS, "READ and WRITE calls among them", CALLS,
     GET(rpc_data_count)},
    {"rpc_sent_bytes", UNIT_BYTES, OF_NFS, "sent with calls", CALLS, RPC(sent_bytes)},
    {"rpc_received_bytes", UNIT_BYTES, OF_NFS, "received in replies", CALLS, RPC(received_bytes)},
    {"rpc_rtt_ns_mean", UNIT_NS, OF_NFS, "from sending a call to its reply, mean", CALLS,
     REAL(rpc_round_trip_ns)},
    {"rpc_retransmissions", UNIT_NUMBER, OF_NFS, "retransmitted calls", CALLS,
     RPC(retransmissions)},
    {"requests", UNIT_NUMBER, OF_OBJECTS, "requests, including failed ones", REQUESTS,
     FIELD(sum.requests.count)},
    {"connections", UNIT_NUMBER, OF_OBJECTS, "connections opened", REQUESTS | CONNECTIONS,
     FIELD(sum.requests.connections)},
    {"lookup_ns_mean", UNIT_NS, OF_OBJECTS, "host name lookup, mean", REQUESTS,
     MEAN(sum.requests.lookup_ns, answered)},
    {"connect_ns_mean", UNIT_NS, OF_OBJECTS, "TCP connect, mean", REQUESTS,
     MEAN(sum.requests.connect_ns, answered)},
    {"tls_ns_mean", UNIT_NS, OF_OBJECTS, "TLS handshake, mean", REQUESTS,
     MEAN(sum.requests.tls_ns, answered)},
    {"first_byte_ns_mean", UNIT_NS, OF_OBJECTS, "from sending to the first byte back, mean",
     REQUESTS, MEAN(sum.requests.first_byte_ns, answered)},
    {"body_ns_mean", UNIT_NS, OF_OBJECTS, "from the first byte back to the last, mean", REQUESTS,
     MEAN(sum.requests.body_ns, answered)},
    {"retries", UNIT_NUMBER, OF_OBJECTS, "requests retried after a failure", REQUESTS,
     FIELD(sum.requests.retries)},
    {"slow_downs", UNIT_NUMBER, OF_OBJECTS, "responses asking for fewer requests", REQUESTS,
     FIELD(sum.requests.slow_downs)},
    {"errors_client", UNIT_NUMBER, OF_OBJECTS, "other 4xx responses", REQUESTS,
     FIELD(sum.requests.client_errors)},
    {"errors_server", UNIT_NUMBER, OF_OBJECTS, "other 5xx responses", REQUESTS,
     FIELD(sum.requests.server_errors)},
    {"errors_network", UNIT_NUMBER, OF_OBJECTS, "requests without a complete response", REQUESTS,
     FIELD(sum.requests.network_errors)},
    {"errors_protocol", UNIT_NUMBER, OF_OBJECTS, "unexpected responses", REQUESTS,
     FIELD(sum.requests.protocol_errors)},
    {"http_version", UNIT_TEXT, OF_OBJECTS, "http/1.1 or http/1.0", REQUESTS, FIELD(sum.protocol)},
    {"s3_signing", UNIT_TEXT, OF_OBJECTS, "how bodies were signed, with +checksum", REQUESTS,
     FIELD(sum.payload)},
    {"ranks", UNIT_NUMBER, OF_TEAM, "ranks that measure together; 1 if alone", ALWAYS, GET(ranks),
     .by_default = BY_DEFAULT_OF_TEAM},
    {"rank_rate_per_s_min", UNIT_PER_S, OF_TEAM, "rate of the slowest rank", OPERATIONS,
     REAL(rank_rate_min)},
    {"rank_rate_per_s_max", UNIT_PER_S, OF_TEAM, "rate of the fastest rank", OPERATIONS,
     REAL(rank_rate_max)},
    {"rank_skew_ns_p99", UNIT_NS, OF_TEAM, "from the first rank to begin a slice to the last",
     RANKS, FIELD(rank_skew_ns_p99)},
    {.name = NULL},
};

unsigned columns_count(void)
{
    return (unsigned)(sizeof(columns_table) / sizeof(columns_table[0])) - 1;
}

const char *const columns_unit_names[UNIT_COUNT] = {
    "text", "number", "bytes", "s", "ns", "bytes/s", "1/s", "ratio",
};

const unsigned columns_unit_decimals[UNIT_COUNT] = {
    [UNIT_NUMBER] = 3,      [UNIT_S] = 9,     [UNIT_NS] = 2,
    [UNIT_BYTES_PER_S] = 6, [UNIT_PER_S] = 6, [UNIT_RATIO] = 4,
};

const char *const columns_group_names[GROUP_COUNT] = {
    "row",     "result",   "precision", "latency", "phases", "cpu",
    "storage", "failures", "nfs",       "objects", "team",
};
