/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - what is in a row: one line of the table per column.
 *
 * A value that is not known here is EMPTY, never 0.  The first five columns are identities:
 * throughput and rate are quotients of the very integers printed beside them.  Sums are divided
 * once; rates are never averaged. */
#include "base/compat.h"

#include "report/columns/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/judge.h"

/* --- what is known of a row --- */

static bool is_measured(const struct result *result)
{
    return result->state != RESULT_SKIPPED;
}

static bool has_operations(const struct result *result)
{
    return is_measured(result) && result->sum.tally.operations > 0;
}

/* Whether that phase was timed in each operation of the row. */
static bool has_phase(const struct result *result, enum phase phase)
{
    const struct workload *work = &result->cell->work;
    if (!has_operations(result) || !(result->cell->engine->phases & (1u << phase)))
        return false;
    if (!work->keep_open || phase == PHASE_SEEK || phase == PHASE_TRANSFER)
        return true;
    /* Kept open: only the flush that --sync end asks for is timed, in the place of close. */
    return phase == PHASE_CLOSE && work->sync == SYNC_END && work->test == TEST_WRITE &&
           result->sum.tally.phase_ns[PHASE_CLOSE] > 0;
}

static bool is_known(unsigned when, const struct result *result)
{
    const struct tally *tally = &result->sum.tally;

    return !(when & ~(unsigned)NOT_ZERO) ||
           (is_measured(result) && (!(when & OPERATIONS) || tally->operations > 0) &&
            (!(when & ROUNDS) || result->rounds > 0) && (!(when & SPREAD) || result->rounds > 1) &&
            (!(when & INTERVAL) || result->interval_known) &&
            (!(when & OPEN) || has_phase(result, PHASE_OPEN)) &&
            (!(when & SEEK) || has_phase(result, PHASE_SEEK)) &&
            (!(when & TRANSFER) || has_phase(result, PHASE_TRANSFER)) &&
            (!(when & CLOSE) || has_phase(result, PHASE_CLOSE)) &&
            (!(when & EACH_OPEN) || hist_total(&tally->open) > 0) &&
            (!(when & EACH_CLOSE) || hist_total(&tally->close) > 0) &&
            (!(when & DEVICE) || result->device_known) &&
            (!(when & VERIFIED) || result->cell->verified) && (!(when & CALLS) || result->rpc) &&
            (!(when & REQUESTS) || result->sum.has_requests));
}

/* --- figures that are computed --- */

/* long double keeps the product of two 64-bit integers as exact as this machine can. */
static double per_second(const struct result *result, uint64_t factor)
{
    const struct slice_sum *sum = &result->sum;
    if (!has_operations(result) || sum->time_ns == 0)
        return -1;
    return (double)((long double)sum->tally.operations * (long double)factor * 1e9L /
                    (long double)sum->time_ns);
}

double columns_throughput(const struct result *result)
{
    const struct workload *work = &result->cell->work;
    return test_moves_data(work->test) ? per_second(result, work->size_bytes) : -1;
}

double columns_rate(const struct result *result)
{
    return per_second(result, 1);
}

double columns_submit_fraction(const struct result *result)
{
    return is_measured(result) ? judge_submit_share(result) : -1;
}

double columns_helper_fraction(const struct result *result)
{
    if (!is_measured(result) || !result->cell->engine->report || result->sum.cpu_ns == 0)
        return -1;
    return (double)result->sum.helper_cpu_ns / (double)result->sum.cpu_ns;
}

static double amplification(const struct result *result)
{
    const double asked =
        (double)tally_done(&result->sum.tally) * (double)result->cell->work.size_bytes;
    return asked > 0 ? (double)result->sum.device_bytes / asked : -1;
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

/* What sums are divided by: processor time and bytes are of all operations, times of those whose
 * latencies are known, phases of a request of those that were answered as asked. */
static uint64_t done(const struct result *result)
{
    return tally_done(&result->sum.tally);
}

static uint64_t sampled(const struct result *result)
{
    return tally_sampled(&result->sum.tally);
}

static uint64_t answered(const struct result *result)
{
    return result->sum.requests.complete;
}

/* From 10 values above it on a percentile is known. */
static bool percentile(const struct run_info *info, const struct result *result,
                       const struct hist *hist, unsigned permille, uint64_t *ns)
{
    const bool all = info->settings->percentiles == PERCENTILES_ALL;
    const struct tally *tally = &result->sum.tally;

    if (hist_total(hist) < (all ? 1 : UINT64_C(10000) / (1000 - permille)))
        return false;
    *ns = hist_quantile_ns(hist, permille / 1000.0);
    /* Buckets answer with their middle, which can lie outside what was seen. */
    if (hist == &tally->latency && *ns < tally->min_ns)
        *ns = tally->min_ns;
    if (hist == &tally->latency && *ns > tally->max_ns)
        *ns = tally->max_ns;
    return true;
}

bool columns_percentile(const struct run_info *info, const struct result *result, unsigned permille,
                        uint64_t *ns)
{
    return has_operations(result) && permille < 1000 &&
           percentile(info, result, &result->sum.tally.latency, permille, ns);
}

/* The kernel gives sums in whole milliseconds. */
static double round_trip_ns(const struct target_rpc *rpc)
{
    return rpc->count > 0 ? (double)rpc->round_trip_ms * 1e6 / (double)rpc->count : -1;
}

static double rpc_round_trip_ns(const struct result *result)
{
    const struct target_rpc all = target_traffic_total(result->rpc, false);
    return round_trip_ns(&all);
}

/* --- texts, and what is no field of a result --- */

static void put_count(struct value *value, uint64_t count)
{
    value->kind = VALUE_COUNT;
    value->count = count;
}

static void put_text(struct value *value, const char *text)
{
    value->kind = VALUE_TEXT;
    value->text = text;
}

#define GETTER(name)                                                                      \
    static void get_##name(__attribute__((unused)) const struct columns_context *context, \
                           __attribute__((unused)) const struct result *result,           \
                           struct value *value)

GETTER(test)
{
    put_text(value, test_names[result->cell->work.test]);
}

/* A name goes to terminals and log files: no control characters. */
GETTER(target)
{
    const char *label = context->info->targets[result->cell->target]->label;
    put_text(value, error_printable(label ? label : "", value->buffer, sizeof(value->buffer)));
}

GETTER(engine)
{
    put_text(value, result->cell->engine->name);
}

GETTER(cache)
{
    put_text(value, cache_names[result->cell->work.cache]);
}

GETTER(operations)
{
    put_count(value, is_measured(result) ? result->sum.tally.operations : 0);
}

GETTER(notes)
{
    put_text(value, columns_notes(result, context->info, value->buffer));
}

GETTER(label)
{
    put_text(value, context->label);
}

GETTER(target_rate)
{
    if (context->info->settings->rate > 0)
        put_count(value, context->info->settings->rate);
}

GETTER(stop)
{
    static const char *const names[STOP_KINDS] = {"",          "count",  "time",  "precision",
                                                  "exhausted", "errors", "signal"};
    put_text(value, is_measured(result) ? names[result->stop] : "");
}

GETTER(rpc_data_count)
{
    put_count(value, target_traffic_total(result->rpc, true).count);
}

/* Those that took no time by number. */
static int compare_rpc(const void *a, const void *b)
{
    const struct target_rpc *x = a, *y = b;
    if (x->round_trip_ms != y->round_trip_ms)
        return x->round_trip_ms < y->round_trip_ms ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* "READ=100/1210000;OPEN=100/80000": calls and mean ns of each name, most time first. */
GETTER(rpc_operations)
{
    struct target_rpc sorted[TARGET_RPC_MOST];
    const uint32_t count = result->rpc->rpc_count;
    size_t used = 0;

    value->buffer[0] = '\0';
    memcpy(sorted, result->rpc->rpc, count * sizeof(sorted[0]));
    qsort(sorted, count, sizeof(sorted[0]), compare_rpc);
    for (uint32_t i = 0; i < count && used < sizeof(value->buffer); i++)
        used += (size_t)snprintf(value->buffer + used, sizeof(value->buffer) - used,
                                 "%s%s=%" PRIu64 "/%.0f", used > 0 ? ";" : "", sorted[i].name,
                                 sorted[i].count, fmax(round_trip_ns(&sorted[i]), 0));
    put_text(value, value->buffer);
}

/* An engine whose library does not tell has none, and no complete request. */
GETTER(connections)
{
    const struct engine_requests *requests = &result->sum.requests;
    if (requests->connections > 0 || requests->complete > 0)
        put_count(value, requests->connections);
}

/* --- the table --- */

/* Fields by their place, with their type; a type that no column can show does not compile. */
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
#define MEAN(field, divisor) .source = {AT(BASE_RESULT, result, field), .per = divisor}
#define PERCENTILE(field, permille_) \
    .source = {AT(BASE_RESULT, result, field), .permille = permille_}
#define REAL(function) .source = {.real = function}
#define GET(name)      .source = {.get = get_##name}
/* Place, name and help; and of a metric with several samples their labels. */
#define METRIC(place_, name_, help_) .metric = {.place = place_, .name = name_, .help = help_}
#define SAMPLE(place_, name_, label_, help_) \
    .metric = {.place = place_, .name = name_, .help = help_, .label = label_}

const struct column columns_table[] = {
    {"size_bytes", UNIT_BYTES, OF_ROW, "asked for by one operation", ALWAYS, CELL(work.size_bytes)},
    {"operations", UNIT_NUMBER, OF_RESULT, "complete operations in all measured rounds", ALWAYS,
     GET(operations), METRIC(11, "operations", "Complete operations.")},
    {"time_s", UNIT_S, OF_RESULT, "sum of the slices, failed operations included",
     MEASURED | NOT_ZERO, FIELD(sum.time_ns),
     METRIC(10, "measured_seconds", "Time that the operations took in all.")},
    {"throughput_bytes_per_s", UNIT_BYTES_PER_S, OF_RESULT, "size_bytes * operations / time_s",
     MEASURED, REAL(columns_throughput),
     METRIC(1, "throughput_bytes_per_second", "Bytes moved by complete operations per second.")},
    {"rate_per_s", UNIT_PER_S, OF_RESULT, "operations / time_s", MEASURED, REAL(columns_rate),
     METRIC(2, "operations_per_second", "Complete operations per second.")},
    {"test", UNIT_TEXT, OF_ROW, "write, read; of object stores also list ...", ALWAYS, GET(test)},
    {"target", UNIT_TEXT, OF_ROW, "as given, control characters as \\xNN", ALWAYS, GET(target)},
    {"engine", UNIT_TEXT, OF_ROW, "way of doing I/O", ALWAYS, GET(engine)},
    {"cache", UNIT_TEXT, OF_ROW, "cached, asis, uncached or direct", ALWAYS, GET(cache)},
    {"threads", UNIT_NUMBER, OF_ROW, "threads working at the same time", ALWAYS, CELL(threads)},
    {"depth", UNIT_NUMBER, OF_ROW, "operations in flight per thread", ALWAYS, CELL(work.depth)},
    {"rounds", UNIT_NUMBER, OF_RESULT, "measured rounds", MEASURED, FIELD(rounds)},
    {"op_ns_median", UNIT_NS, OF_ROUNDS, "median of the rounds' time per operation", ROUNDS,
     FIELD(op_ns_median),
     METRIC(3, "operation_median_seconds",
            "Median over the rounds of the time per operation, of all threads together.")},
    {"op_ns_low", UNIT_NS, OF_ROUNDS, "lower end of the 95 % interval of the median",
     ROUNDS | INTERVAL, FIELD(op_ns_low),
     METRIC(4, "operation_low_seconds", "Lower end of the 95 % interval of that median.")},
    {"op_ns_high", UNIT_NS, OF_ROUNDS, "upper end of the 95 % interval of the median",
     ROUNDS | INTERVAL, FIELD(op_ns_high),
     METRIC(5, "operation_high_seconds", "Upper end of the 95 % interval of that median.")},
    {"op_ns_best", UNIT_NS, OF_ROUNDS, "least of the rounds", ROUNDS, FIELD(op_ns_best)},
    {"latency_ns_p50", UNIT_NS, OF_LATENCY, "50 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 500),
     SAMPLE(6, "latency_seconds", "quantile=\"0.5\"",
            "Time that a complete operation took, as its thread saw it.")},
    {"latency_ns_p90", UNIT_NS, OF_LATENCY, "90 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 900), SAMPLE(6, "latency_seconds", "quantile=\"0.9\"", NULL)},
    {"latency_ns_p99", UNIT_NS, OF_LATENCY, "99 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 990), SAMPLE(6, "latency_seconds", "quantile=\"0.99\"", NULL)},
    {"latency_ns_p999", UNIT_NS, OF_LATENCY, "99.9 % of the operations took no longer", OPERATIONS,
     PERCENTILE(sum.tally.latency, 999), SAMPLE(6, "latency_seconds", "quantile=\"0.999\"", NULL)},
    {"latency_ns_max", UNIT_NS, OF_LATENCY, "longest operation", OPERATIONS,
     FIELD(sum.tally.max_ns), METRIC(8, "latency_max_seconds", "Longest operation.")},
    {"open_ns_mean", UNIT_NS, OF_PHASES, "mean time of open", OPEN,
     MEAN(sum.tally.phase_ns[PHASE_OPEN], sampled)},
    {"transfer_ns_mean", UNIT_NS, OF_PHASES, "mean time of the transfer", TRANSFER,
     MEAN(sum.tally.phase_ns[PHASE_TRANSFER], sampled)},
    {"close_ns_mean", UNIT_NS, OF_PHASES, "mean time of close, flushing included", CLOSE,
     MEAN(sum.tally.phase_ns[PHASE_CLOSE], sampled)},
    {"cpu_ns_per_op", UNIT_NS, OF_PROCESSOR, "CPU time, kernel threads included, per operation",
     OPERATIONS | NOT_ZERO, MEAN(sum.cpu_ns, done),
     METRIC(9, "cpu_seconds_per_operation", "Processor time of all threads per operation.")},
    {"device_bytes", UNIT_BYTES, OF_STORAGE, "moved to or from storage in the slices", DEVICE,
     FIELD(sum.device_bytes), METRIC(15, "device_bytes", "Bytes moved to or from storage.")},
    {"resident_fraction", UNIT_RATIO, OF_STORAGE, "share in the page cache, after the slices",
     MEASURED, FIELD(resident_fraction),
     METRIC(16, "resident_ratio", "Share of the objects in the page cache.")},
    {"errors", UNIT_NUMBER, OF_FAILURES, "failed operations, in no other figure", MEASURED,
     FIELD(sum.tally.failed), METRIC(12, "errors", "Failed operations, not in any other figure.")},
    {"notes", UNIT_TEXT, OF_RESULT, "words joined by ';' that qualify the row", ALWAYS, GET(notes)},
    {"label", UNIT_TEXT, OF_ROW, "given with --label", ALWAYS, GET(label)},
    {"seek_ns_mean", UNIT_NS, OF_PHASES, "mean time of seek", SEEK,
     MEAN(sum.tally.phase_ns[PHASE_SEEK], sampled)},
    {"op_ns_stddev", UNIT_NS, OF_ROUNDS, "standard deviation of the rounds (n - 1)", SPREAD,
     FIELD(op_ns_stddev)},
    {"short_operations", UNIT_NUMBER, OF_FAILURES, "operations that moved less than asked",
     MEASURED, FIELD(sum.tally.short_count),
     METRIC(13, "short_operations",
            "Operations that moved less than asked, not in any other figure.")},
    {"align_bytes", UNIT_BYTES, OF_ROW, "offsets are multiples of it", MEASURED | NOT_ZERO,
     CELL(align_bytes)},
    {"latency_ns_min", UNIT_NS, OF_LATENCY, "shortest operation", OPERATIONS,
     FIELD(sum.tally.min_ns), METRIC(7, "latency_min_seconds", "Shortest operation.")},
    {"submit_fraction", UNIT_RATIO, OF_PROCESSOR, "share of the time in the submitting call",
     MEASURED, REAL(columns_submit_fraction)},
    {"helper_cpu_fraction", UNIT_RATIO, OF_PROCESSOR, "share of CPU time in kernel threads",
     MEASURED, REAL(columns_helper_fraction)},
    {"target_rate_per_s", UNIT_PER_S, OF_ROW, "asked for with --rate", ALWAYS, GET(target_rate)},
    {"wrong_operations", UNIT_NUMBER, OF_FAILURES, "operations with wrong data, by --verify",
     VERIFIED, FIELD(sum.tally.wrong),
     METRIC(14, "wrong_operations", "Operations that found wrong data.")},
    {"resident_before_fraction", UNIT_RATIO, OF_STORAGE,
     "share in the page cache, before the slices", MEASURED, FIELD(resident_before_fraction)},
    {"cache_hit_fraction", UNIT_RATIO, OF_STORAGE, "share of operations that memory answered",
     MEASURED, REAL(judge_hit_share),
     METRIC(17, "cache_hit_ratio",
            "Share of the operations that memory answered instead of the device.")},
    {"amplification", UNIT_RATIO, OF_STORAGE, "device_bytes / bytes asked for", DEVICE,
     REAL(amplification),
     METRIC(18, "amplification_ratio", "Bytes moved to or from storage for each byte asked for.")},
    {"rpc_count", UNIT_NUMBER, OF_NFS, "calls to the server, by anybody", CALLS, RPC(count),
     METRIC(19, "rpc_calls", "Calls to the NFS server.")},
    {"rpc_data_count", UNIT_NUMBER, OF_NFS, "calls of READ and WRITE among them", CALLS,
     GET(rpc_data_count)},
    {"rpc_sent_bytes", UNIT_BYTES, OF_NFS, "of the calls", CALLS, RPC(sent_bytes)},
    {"rpc_received_bytes", UNIT_BYTES, OF_NFS, "of the answers", CALLS, RPC(received_bytes)},
    {"rpc_rtt_ns_mean", UNIT_NS, OF_NFS, "from sending a call to its answer, mean", CALLS,
     REAL(rpc_round_trip_ns),
     METRIC(20, "rpc_round_trip_seconds",
            "Mean time between a call to the NFS server and its answer.")},
    {"rpc_retransmissions", UNIT_NUMBER, OF_NFS, "times that a call was sent again", CALLS,
     RPC(retransmissions),
     METRIC(21, "rpc_retransmissions", "Calls that were sent to the NFS server again.")},
    {"rpc_operations", UNIT_TEXT, OF_NFS, "NAME=calls/mean ns joined by ';'", CALLS,
     GET(rpc_operations)},
    {"requests", UNIT_NUMBER, OF_OBJECTS, "requests in the slices, with failed ones", REQUESTS,
     FIELD(sum.requests.count),
     METRIC(22, "requests", "Requests to the object store, failed ones among them.")},
    {"connections", UNIT_NUMBER, OF_OBJECTS, "connections opened for them", REQUESTS,
     GET(connections),
     METRIC(23, "connections", "Connections to the object store that were opened.")},
    {"lookup_ns_mean", UNIT_NS, OF_OBJECTS, "to find the address of the host, mean", REQUESTS,
     MEAN(sum.requests.lookup_ns, answered)},
    {"connect_ns_mean", UNIT_NS, OF_OBJECTS, "to connect (TCP), mean", REQUESTS,
     MEAN(sum.requests.connect_ns, answered)},
    {"tls_ns_mean", UNIT_NS, OF_OBJECTS, "to agree on TLS, mean", REQUESTS,
     MEAN(sum.requests.tls_ns, answered)},
    {"first_byte_ns_mean", UNIT_NS, OF_OBJECTS, "from sending to the first byte back, mean",
     REQUESTS, MEAN(sum.requests.first_byte_ns, answered),
     METRIC(24, "first_byte_seconds",
            "Mean time between sending a request and the first byte of its answer.")},
    {"body_ns_mean", UNIT_NS, OF_OBJECTS, "from the first byte back to the last, mean", REQUESTS,
     MEAN(sum.requests.body_ns, answered),
     METRIC(25, "body_seconds", "Mean time between the first byte of an answer and its last.")},
    {"retries", UNIT_NUMBER, OF_OBJECTS, "requests sent again after a failure", REQUESTS,
     FIELD(sum.requests.retries), METRIC(26, "retries", "Requests sent again after a failure.")},
    {"slow_downs", UNIT_NUMBER, OF_OBJECTS, "answers that asked for fewer requests", REQUESTS,
     FIELD(sum.requests.slow_downs),
     METRIC(27, "slow_downs", "Answers that asked for fewer requests.")},
    {"errors_client", UNIT_NUMBER, OF_OBJECTS, "other answers 4xx", REQUESTS,
     FIELD(sum.requests.client_errors),
     SAMPLE(28, "request_errors", "class=\"client\"",
            "Requests that failed otherwise, by what was wrong.")},
    {"errors_server", UNIT_NUMBER, OF_OBJECTS, "other answers 5xx", REQUESTS,
     FIELD(sum.requests.server_errors), SAMPLE(28, "request_errors", "class=\"server\"", NULL)},
    {"errors_network", UNIT_NUMBER, OF_OBJECTS, "requests without a complete answer", REQUESTS,
     FIELD(sum.requests.network_errors), SAMPLE(28, "request_errors", "class=\"network\"", NULL)},
    {"errors_protocol", UNIT_NUMBER, OF_OBJECTS, "answers that were not what was asked for",
     REQUESTS, FIELD(sum.requests.protocol_errors),
     SAMPLE(28, "request_errors", "class=\"protocol\"", NULL)},
    {"protocol", UNIT_TEXT, OF_OBJECTS, "http/1.1 or http/2", REQUESTS, FIELD(sum.protocol)},
    {"connection", UNIT_TEXT, OF_OBJECTS, "keep, or new for each request", REQUESTS,
     FIELD(sum.connection)},
    {"payload", UNIT_TEXT, OF_OBJECTS, "how bodies were signed, with +checksum", REQUESTS,
     FIELD(sum.payload)},
    {"in_flight_mean", UNIT_NUMBER, OF_RESULT, "operations in flight, mean over time_s", OPERATIONS,
     REAL(judge_in_flight)},
    {"elapsed_s", UNIT_S, OF_RESULT, "time_s with what was done between operations",
     MEASURED | NOT_ZERO, FIELD(sum.elapsed_ns)},
    {"failed_s", UNIT_S, OF_FAILURES, "of elapsed_s, in failed and short operations", MEASURED,
     REAL(failed_s)},
    {"latency_ns_mean", UNIT_NS, OF_LATENCY, "mean of all operations", OPERATIONS,
     MEAN(sum.tally.sum_ns, sampled)},
    {"latency_ns_stddev", UNIT_NS, OF_LATENCY, "standard deviation of all operations (n - 1)",
     OPERATIONS, REAL(latency_stddev)},
    {"open_ns_p50", UNIT_NS, OF_PHASES, "50 % of the opens took no longer", OPEN,
     PERCENTILE(sum.tally.open, 500)},
    {"open_ns_p99", UNIT_NS, OF_PHASES, "99 % of the opens took no longer", OPEN,
     PERCENTILE(sum.tally.open, 990)},
    {"open_ns_max", UNIT_NS, OF_PHASES, "longest open", OPEN | EACH_OPEN,
     FIELD(sum.tally.open_max_ns)},
    {"close_ns_p50", UNIT_NS, OF_PHASES, "50 % of the closes took no longer", CLOSE,
     PERCENTILE(sum.tally.close, 500)},
    {"close_ns_p99", UNIT_NS, OF_PHASES, "99 % of the closes took no longer", CLOSE,
     PERCENTILE(sum.tally.close, 990)},
    {"close_ns_max", UNIT_NS, OF_PHASES, "longest close", CLOSE | EACH_CLOSE,
     FIELD(sum.tally.close_max_ns)},
    {"stop", UNIT_TEXT, OF_RESULT, "why the row ended: count, time, precision ...", ALWAYS,
     GET(stop)},
    {"queued_ns_per_op", UNIT_NS, OF_PROCESSOR, "time waited for a processor, per operation",
     OPERATIONS | NOT_ZERO, MEAN(sum.queued_ns, done)},
    {"reference_ns", UNIT_NS, OF_ROUNDS, "cycle on a file in memory, beside the rounds",
     MEASURED | NOT_ZERO, FIELD(reference_ns)},
    {.name = NULL},
};

unsigned columns_count(void)
{
    return (unsigned)(sizeof(columns_table) / sizeof(columns_table[0])) - 1;
}

const char *const columns_unit_names[UNIT_COUNT] = {
    "text", "number", "bytes", "s", "ns", "bytes/s", "1/s", "ratio",
};

const char *const columns_group_names[GROUP_COUNT] = {
    "Row",      "Result", "Rounds",        "Latency", "Phases", "Processor", "Storage and cache",
    "Failures", "NFS",    "Object stores",
};

/* Infinite, undefined or negative is as good as unknown. */
static void put_real(struct value *value, const struct column *column, double real)
{
    static const unsigned decimals[UNIT_COUNT] = {
        [UNIT_NUMBER] = 3,      [UNIT_S] = 9,     [UNIT_NS] = 2,
        [UNIT_BYTES_PER_S] = 6, [UNIT_PER_S] = 6, [UNIT_RATIO] = 4,
    };
    if (!isfinite(real) || real < 0 || ((column->when & NOT_ZERO) && real <= 0))
        return;
    value->kind = VALUE_REAL;
    value->real = real;
    value->decimals = decimals[column->unit];
}

/* An integer: times are in ns, whatever is printed. */
static void put_integer(struct value *value, const struct column *column,
                        const struct result *result, uint64_t integer)
{
    const uint64_t per = column->source.per ? column->source.per(result) : 0;

    if ((column->when & NOT_ZERO) && integer == 0)
        return;
    if (column->source.per)
        put_real(value, column, per > 0 ? (double)((long double)integer / (long double)per) : -1);
    else if (column->unit == UNIT_S)
        put_real(value, column, (double)((long double)integer / 1e9L));
    else
        put_count(value, integer);
}

static void put_field(struct value *value, const struct column *column,
                      const struct columns_context *context, const struct result *result)
{
    const struct column_source *source = &column->source;
    struct target_rpc rpc;
    const void *base = result, *field;
    uint64_t ns;

    if (source->base == BASE_CELL)
        base = result->cell;
    if (source->base == BASE_RPC) {
        rpc = target_traffic_total(result->rpc, false);
        base = &rpc;
    }
    field = (const char *)base + source->offset;
    switch (source->type) {
    case TYPE_U32:
        put_integer(value, column, result, *(const uint32_t *)field);
        break;
    case TYPE_U64:
        put_integer(value, column, result, *(const uint64_t *)field);
        break;
    case TYPE_DOUBLE:
        put_real(value, column, *(const double *)field);
        break;
    case TYPE_TEXT: /* "": nothing is known */
        if (*(const char *)field != '\0')
            put_text(value, field);
        break;
    case TYPE_HIST:
        if (percentile(context->info, result, field, source->permille, &ns))
            put_count(value, ns);
        break;
    }
}

void columns_get(const struct column *column, const struct columns_context *context,
                 const struct result *result, struct value *value)
{
    value->kind = VALUE_EMPTY;
    if (!is_known(column->when, result))
        return;
    if (column->source.get)
        column->source.get(context, result, value);
    else if (column->source.real)
        put_real(value, column, column->source.real(result));
    else
        put_field(value, column, context, result);
}
