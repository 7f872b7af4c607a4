/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - what is in a row: one getter per column, all in one table.
 *
 * A getter answers EMPTY when the value is not known here and never 0 instead.  The first five
 * columns are identities: throughput and rate are quotients of the very integers printed beside
 * them.  Sums are divided once; rates are never averaged. */
#include "base/compat.h"

#include "report/columns/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/columns/columns_requests.h"
#include "report/columns/columns_rpc.h"
#include "run/judge.h"
#include "run/payload.h"

#define NS_DECIMALS 2 /* of durations that are means or medians */

static void put_count(struct value *value, bool known, uint64_t count)
{
    value->kind = known ? VALUE_COUNT : VALUE_EMPTY;
    value->count = count;
}

/* Infinite or undefined is as good as unknown. */
static void put_real(struct value *value, bool known, double real, unsigned decimals)
{
    value->kind = known && isfinite(real) ? VALUE_REAL : VALUE_EMPTY;
    value->real = real;
    value->decimals = decimals;
}

static void put_text(struct value *value, const char *text)
{
    value->kind = VALUE_TEXT;
    value->text = text != NULL ? text : "";
}

static bool is_measured(const struct result *result)
{
    return result->state != RESULT_SKIPPED;
}

static bool has_operations(const struct result *result)
{
    return is_measured(result) && result->sum.tally.operations > 0;
}

static bool has_rate(const struct result *result)
{
    return has_operations(result) && result->sum.time_ns > 0;
}

/* long double keeps the product of two 64-bit integers as exact as this machine can. */
static double per_second(uint64_t count, uint64_t factor, uint64_t time_ns)
{
    if (time_ns == 0)
        return NAN;
    return (double)((long double)count * (long double)factor * 1e9L / (long double)time_ns);
}

static double per(uint64_t sum, uint64_t count)
{
    return count == 0 ? NAN : (double)((long double)sum / (long double)count);
}

/* Of the operations whose latencies are known. */
static double per_operation(const struct result *result, uint64_t sum)
{
    return per(sum, tally_sampled(&result->sum.tally));
}

double columns_throughput(const struct result *result)
{
    if (!has_rate(result) || !test_moves_data(result->cell->work.test))
        return -1;
    return per_second(result->sum.tally.operations, result->cell->work.size_bytes, result->sum.time_ns);
}

double columns_rate(const struct result *result)
{
    return has_rate(result) ? per_second(result->sum.tally.operations, 1, result->sum.time_ns) : -1;
}

/* How many values a percentile is known from. */
static uint64_t least_values(const struct run_info *info, unsigned permille)
{
    return info->settings->percentiles == PERCENTILES_ALL ? 1
                                                          : UINT64_C(10000) / (1000 - permille);
}

bool columns_percentile(const struct run_info *info, const struct result *result,
                        unsigned permille, uint64_t *ns)
{
    const struct tally *tally = &result->sum.tally;
    uint64_t total, value;
    if (!has_operations(result) || permille >= 1000)
        return false;
    total = hist_total(&tally->latency);
    if (total < least_values(info, permille))
        return false;
    value = hist_quantile_ns(&tally->latency, permille / 1000.0);
    /* Buckets answer with their middle, which can lie outside what was seen. */
    if (value < tally->min_ns)
        value = tally->min_ns;
    if (value > tally->max_ns)
        value = tally->max_ns;
    *ns = value;
    return true;
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

static void add_note(char *text, const char *prefix, const char *note)
{
    size_t used = strlen(text);
    snprintf(text + used, COLUMNS_NOTES_TEXT - used, "%s%s%s", used > 0 ? ";" : "", prefix, note);
}

char *columns_notes(const struct result *result, const struct run_info *info, char *text)
{
    static const char *const names[NOTE_COUNT] = {
        "wide",   "drift",         "correlated",    "outliers",    "timer",      "covered",
        "rmw",    "cache_hits",    "not_cached",    "unfair",      "short",      "incomplete",
        "punted", "submit_blocks", "plain_buffers", "rate_missed", "wrong_data",
        "drained", "unsteady",     "failed_time",
    };
    const struct target *target = info->targets[result->cell->target];
    unsigned notes = result->notes;
    char own[64];
    text[0] = '\0';
    if (result->state == RESULT_INCOMPLETE)
        notes |= NOTE_INCOMPLETE;
    for (unsigned bit = 0; bit < NOTE_COUNT; bit++) {
        if (notes & (1u << bit))
            add_note(text, "", names[bit]);
    }
    if (info->settings->payload != PAYLOAD_RANDOM && test_writes(result->cell->work.test))
        add_note(text, "payload:", payload_names[info->settings->payload]);
    if (result->state == RESULT_SKIPPED)
        add_note(text, "skipped:", result->cell->skip != NULL ? result->cell->skip : "unknown");
    if (target->notes[0] != '\0')
        add_note(text, "", target->notes);
    if (target->driver != NULL && target->driver->note != NULL) {
        const struct workload *work = &result->cell->work;
        target->driver->note(target, work->test, work->size_bytes, own, sizeof(own));
        if (own[0] != '\0')
            add_note(text, "", own);
    }
    return text;
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

static void put_phase(struct value *value, const struct result *result, enum phase phase)
{
    put_real(value, has_phase(result, phase), per_operation(result, result->sum.tally.phase_ns[phase]),
             NS_DECIMALS);
}

/* p50 and p99 of a phase, under the same rule as those of whole operations. */
static void put_phase_percentile(struct value *value, const struct columns_context *context,
                                 const struct result *result, enum phase phase, unsigned permille)
{
    const struct hist *hist = phase == PHASE_OPEN ? &result->sum.tally.open : &result->sum.tally.close;

    put_count(value,
              has_phase(result, phase) &&
                  hist_total(hist) >= least_values(context->info, permille),
              hist_quantile_ns(hist, permille / 1000.0));
}

/* A phase that is timed, but not in each operation by itself, has a mean only. */
static void put_phase_max(struct value *value, const struct result *result, enum phase phase)
{
    const bool open = phase == PHASE_OPEN;

    put_count(value,
              has_phase(result, phase) &&
                  hist_total(open ? &result->sum.tally.open : &result->sum.tally.close) > 0,
              open ? result->sum.tally.open_max_ns : result->sum.tally.close_max_ns);
}

static void put_percentile(struct value *value, const struct columns_context *context,
                           const struct result *result, unsigned permille)
{
    uint64_t ns = 0;
    bool known = columns_percentile(context->info, result, permille, &ns);
    put_count(value, known, ns);
}

static bool has_rounds(const struct result *result)
{
    return is_measured(result) && result->rounds > 0;
}

#define GETTER(name)                                                                      \
    static void get_##name(__attribute__((unused)) const struct columns_context *context, \
                           const struct result *result, struct value *value)

GETTER(size_bytes)
{
    put_count(value, true, result->cell->work.size_bytes);
}

GETTER(operations)
{
    put_count(value, true, is_measured(result) ? result->sum.tally.operations : 0);
}

GETTER(time_s)
{
    put_real(value, is_measured(result) && result->sum.time_ns > 0,
             (double)((long double)result->sum.time_ns / 1e9L), 9);
}

GETTER(throughput_bytes_per_s)
{
    const double throughput = columns_throughput(result);
    put_real(value, throughput >= 0, throughput, 6);
}

GETTER(rate_per_s)
{
    const double rate = columns_rate(result);
    put_real(value, rate >= 0, rate, 6);
}

GETTER(test)
{
    put_text(value, test_names[result->cell->work.test]);
}

/* A name goes to terminals and log files: no control characters. */
GETTER(target)
{
    const char *label = context->info->targets[result->cell->target]->label;
    put_text(value,
             error_printable(label != NULL ? label : "", value->buffer, sizeof(value->buffer)));
}

GETTER(engine)
{
    put_text(value, result->cell->engine->name);
}

GETTER(cache)
{
    put_text(value, cache_names[result->cell->work.cache]);
}

GETTER(threads)
{
    put_count(value, true, result->cell->threads);
}

GETTER(depth)
{
    put_count(value, true, result->cell->work.depth);
}

GETTER(rounds)
{
    put_count(value, is_measured(result), result->rounds);
}

GETTER(op_ns_median)
{
    put_real(value, has_rounds(result), result->op_ns_median, NS_DECIMALS);
}

GETTER(op_ns_low)
{
    put_real(value, has_rounds(result) && result->interval_known, result->op_ns_low, NS_DECIMALS);
}

GETTER(op_ns_high)
{
    put_real(value, has_rounds(result) && result->interval_known, result->op_ns_high, NS_DECIMALS);
}

GETTER(op_ns_best)
{
    put_real(value, has_rounds(result), result->op_ns_best, NS_DECIMALS);
}

GETTER(op_ns_stddev)
{
    put_real(value, has_rounds(result) && result->rounds > 1, result->op_ns_stddev, NS_DECIMALS);
}

GETTER(latency_ns_p50)
{
    put_percentile(value, context, result, 500);
}

GETTER(latency_ns_p90)
{
    put_percentile(value, context, result, 900);
}

GETTER(latency_ns_p99)
{
    put_percentile(value, context, result, 990);
}

GETTER(latency_ns_p999)
{
    put_percentile(value, context, result, 999);
}

GETTER(latency_ns_max)
{
    put_count(value, has_operations(result), result->sum.tally.max_ns);
}

GETTER(latency_ns_min)
{
    put_count(value, has_operations(result), result->sum.tally.min_ns);
}

GETTER(open_ns_mean)
{
    put_phase(value, result, PHASE_OPEN);
}

GETTER(seek_ns_mean)
{
    put_phase(value, result, PHASE_SEEK);
}

GETTER(transfer_ns_mean)
{
    put_phase(value, result, PHASE_TRANSFER);
}

GETTER(close_ns_mean)
{
    put_phase(value, result, PHASE_CLOSE);
}

/* No operation is free: 0 means that the system did not tell. */
GETTER(cpu_ns_per_op)
{
    put_real(value, has_operations(result) && result->sum.cpu_ns > 0,
             per(result->sum.cpu_ns, tally_done(&result->sum.tally)), NS_DECIMALS);
}

GETTER(device_bytes)
{
    put_count(value, is_measured(result) && result->device_known, result->sum.device_bytes);
}

GETTER(resident_fraction)
{
    put_real(value, is_measured(result) && result->resident_fraction >= 0,
             result->resident_fraction, 4);
}

GETTER(resident_before_fraction)
{
    put_real(value, is_measured(result) && result->resident_before_fraction >= 0,
             result->resident_before_fraction, 4);
}

GETTER(cache_hit_fraction)
{
    const double share = judge_hit_share(result);
    put_real(value, is_measured(result) && share >= 0, share, 4);
}

GETTER(amplification)
{
    const double asked =
        (double)tally_done(&result->sum.tally) * (double)result->cell->work.size_bytes;
    const bool known = is_measured(result) && result->device_known && asked > 0;
    put_real(value, known, known ? (double)result->sum.device_bytes / asked : 0, 4);
}

GETTER(errors)
{
    put_count(value, is_measured(result), result->sum.tally.failed);
}

GETTER(short_operations)
{
    put_count(value, is_measured(result), result->sum.tally.short_count);
}

GETTER(align_bytes)
{
    put_count(value, is_measured(result) && result->cell->align_bytes > 0,
              result->cell->align_bytes);
}

GETTER(notes)
{
    put_text(value, columns_notes(result, context->info, value->buffer));
}

GETTER(label)
{
    (void)result;
    put_text(value, context->label);
}

GETTER(submit_fraction)
{
    double fraction = columns_submit_fraction(result);
    put_real(value, fraction >= 0, fraction, 4);
}

GETTER(helper_cpu_fraction)
{
    double fraction = columns_helper_fraction(result);
    put_real(value, fraction >= 0, fraction, 4);
}

GETTER(target_rate_per_s)
{
    (void)result;
    put_count(value, context->info->settings->rate > 0, context->info->settings->rate);
}

/* Where nobody looked, 0 would be a promise: reads of a file that is only known once written. */
GETTER(wrong_operations)
{
    put_count(value, is_measured(result) && result->cell->verified, result->sum.tally.wrong);
}

GETTER(in_flight_mean)
{
    const double mean = judge_in_flight(result);
    put_real(value, has_operations(result) && mean >= 0, mean, 3);
}

GETTER(elapsed_s)
{
    put_real(value, is_measured(result) && result->sum.elapsed_ns > 0,
             (double)((long double)result->sum.elapsed_ns / 1e9L), 9);
}

GETTER(failed_s)
{
    const double share = judge_failed_share(result);
    put_real(value, is_measured(result) && result->sum.elapsed_ns > 0,
             share * (double)result->sum.elapsed_ns / 1e9, 9);
}

GETTER(latency_ns_mean)
{
    put_real(value, has_operations(result), per_operation(result, result->sum.tally.sum_ns),
             NS_DECIMALS);
}

GETTER(latency_ns_stddev)
{
    put_real(value, has_operations(result) && hist_total(&result->sum.tally.latency) > 1,
             hist_stddev_ns(&result->sum.tally.latency), NS_DECIMALS);
}

GETTER(open_ns_p50)
{
    put_phase_percentile(value, context, result, PHASE_OPEN, 500);
}

GETTER(open_ns_p99)
{
    put_phase_percentile(value, context, result, PHASE_OPEN, 990);
}

GETTER(open_ns_max)
{
    put_phase_max(value, result, PHASE_OPEN);
}

GETTER(close_ns_p50)
{
    put_phase_percentile(value, context, result, PHASE_CLOSE, 500);
}

GETTER(close_ns_p99)
{
    put_phase_percentile(value, context, result, PHASE_CLOSE, 990);
}

GETTER(close_ns_max)
{
    put_phase_max(value, result, PHASE_CLOSE);
}

/* 0 can be true, but then the system has counted something. */
GETTER(queued_ns_per_op)
{
    put_real(value, has_operations(result) && result->sum.queued_ns > 0,
             per(result->sum.queued_ns, tally_done(&result->sum.tally)), NS_DECIMALS);
}

/* Empty where none was measured beside each round. */
GETTER(reference_ns)
{
    put_real(value, is_measured(result) && result->reference_ns > 0, result->reference_ns,
             NS_DECIMALS);
}

GETTER(stop)
{
    static const char *const names[STOP_KINDS] = {"",          "count",     "time",  "precision",
                                                  "exhausted", "errors", "signal"};
    put_text(value, is_measured(result) ? names[result->stop] : "");
}

#define COLUMN(name, meaning)      \
    {                              \
#name, meaning, get_##name \
    }

#define COLUMN_RPC(name, meaning)      \
    {                                  \
#name, meaning, columns_##name \
    }

const struct column columns_table[] = {
    COLUMN(size_bytes, "bytes asked for by one operation"),
    COLUMN(operations, "complete operations in all measured rounds"),
    COLUMN(time_s, "seconds they took: sum of the slices, failed operations among them"),
    COLUMN(throughput_bytes_per_s, "bytes/s: size_bytes * operations / time_s"),
    COLUMN(rate_per_s, "1/s: operations / time_s"),
    COLUMN(test, "write, read; of object stores also multipart, append, head, list ..."),
    COLUMN(target, "target as given, control characters as \\xNN"),
    COLUMN(engine, "way of doing I/O"),
    COLUMN(cache, "cached, asis, uncached or direct"),
    COLUMN(threads, "threads working at the same time"),
    COLUMN(depth, "operations in flight per thread"),
    COLUMN(rounds, "measured rounds"),
    COLUMN(op_ns_median, "ns: median over the rounds of slice time per operation"),
    COLUMN(op_ns_low, "ns: lower end of the 95 % interval of that median"),
    COLUMN(op_ns_high, "ns: upper end of the 95 % interval of that median"),
    COLUMN(op_ns_best, "ns: least round"),
    COLUMN(latency_ns_p50, "ns: 50 % of the operations took no longer"),
    COLUMN(latency_ns_p90, "ns: 90 % of the operations took no longer"),
    COLUMN(latency_ns_p99, "ns: 99 % of the operations took no longer"),
    COLUMN(latency_ns_p999, "ns: 99.9 % of the operations took no longer"),
    COLUMN(latency_ns_max, "ns: longest operation"),
    COLUMN(open_ns_mean, "ns: mean time of open"),
    COLUMN(transfer_ns_mean, "ns: mean time of the transfer"),
    COLUMN(close_ns_mean, "ns: mean time of close, with the flush of --sync end"),
    COLUMN(cpu_ns_per_op, "ns: CPU time of all threads and their kernel threads per operation"),
    COLUMN(device_bytes, "bytes moved to or from storage in the slices, ramps and drains included"),
    COLUMN(resident_fraction, "share of the objects in the page cache after the slices"),
    COLUMN(errors, "failed operations, not in any other figure"),
    COLUMN(notes, "words joined by ';' that qualify the row"),
    COLUMN(label, "text given with --label"),
    COLUMN(seek_ns_mean, "ns: mean time of seek"),
    COLUMN(op_ns_stddev, "ns: standard deviation of the rounds (n - 1)"),
    COLUMN(short_operations, "operations that moved less than asked, not in any other figure"),
    COLUMN(align_bytes, "bytes: offsets are multiples of it"),
    COLUMN(latency_ns_min, "ns: shortest operation"),
    COLUMN(submit_fraction, "share of the time, open and close apart, inside the submitting call"),
    COLUMN(helper_cpu_fraction, "share of the CPU time that kernel threads used for these threads"),
    COLUMN(target_rate_per_s, "1/s: rate asked for with --rate"),
    COLUMN(wrong_operations, "operations that --verify found wrong; the other figures count them"),
    COLUMN(resident_before_fraction, "share of the objects in the page cache before the slices"),
    COLUMN(cache_hit_fraction, "share of the operations that memory answered, not the device"),
    COLUMN(amplification, "device_bytes / (size_bytes * operations in all of the slices)"),
    COLUMN_RPC(rpc_count, "NFS: calls to the server in the slices of the row, by whomever"),
    COLUMN_RPC(rpc_data_count, "NFS: of these, READ and WRITE"),
    COLUMN_RPC(rpc_sent_bytes, "NFS: bytes of these calls"),
    COLUMN_RPC(rpc_received_bytes, "NFS: bytes of the answers"),
    COLUMN_RPC(rpc_rtt_ns_mean, "NFS: ns from sending a call to its answer, mean of all"),
    COLUMN_RPC(rpc_retransmissions, "NFS: times that a call was sent again"),
    COLUMN_RPC(rpc_operations, "NFS: NAME=calls/mean ns joined by ';', most time first"),
    COLUMN_RPC(requests, "S3: requests in the slices of the row, failed ones among them"),
    COLUMN_RPC(connections, "S3: connections opened for them"),
    COLUMN_RPC(lookup_ns_mean, "S3: ns to find the address of the host, mean of all requests"),
    COLUMN_RPC(connect_ns_mean, "S3: ns to connect (TCP), mean of all requests"),
    COLUMN_RPC(tls_ns_mean, "S3: ns to agree on TLS, mean of all requests"),
    COLUMN_RPC(first_byte_ns_mean, "S3: ns from sending a request to the first byte of the answer"),
    COLUMN_RPC(body_ns_mean, "S3: ns from the first byte of the answer to its last"),
    COLUMN_RPC(retries, "S3: requests sent again after a failure"),
    COLUMN_RPC(slow_downs, "S3: answers that asked for fewer requests"),
    COLUMN_RPC(errors_client, "S3: other answers 4xx"),
    COLUMN_RPC(errors_server, "S3: other answers 5xx"),
    COLUMN_RPC(errors_network, "S3: requests without a complete answer"),
    COLUMN_RPC(errors_protocol, "S3: answers that were not what was asked for"),
    COLUMN_RPC(protocol, "S3: http/1.1 or http/2"),
    COLUMN_RPC(connection, "S3: keep, or new for each request"),
    COLUMN_RPC(payload, "S3: how bodies were signed, with +checksum"),
    COLUMN(in_flight_mean, "operations in flight, mean over time_s: threads * depth if all worked"),
    COLUMN(elapsed_s, "seconds: time_s with what was done between operations (verifying, dropping)"),
    COLUMN(failed_s, "seconds of elapsed_s that failed and short operations took"),
    COLUMN(latency_ns_mean, "ns: mean of the operations that began in the slices"),
    COLUMN(latency_ns_stddev, "ns: standard deviation of these operations (n - 1)"),
    COLUMN(open_ns_p50, "ns: 50 % of the opens took no longer"),
    COLUMN(open_ns_p99, "ns: 99 % of the opens took no longer"),
    COLUMN(open_ns_max, "ns: longest open"),
    COLUMN(close_ns_p50, "ns: 50 % of the closes took no longer"),
    COLUMN(close_ns_p99, "ns: 99 % of the closes took no longer"),
    COLUMN(close_ns_max, "ns: longest close"),
    COLUMN(stop, "why the row ended: count, time, precision, exhausted, errors or signal"),
    COLUMN(queued_ns_per_op, "ns: threads waited for a processor, mean per operation"),
    COLUMN(reference_ns, "ns: a cycle on a file in memory beside the rounds, median of them"),
    {NULL, NULL, NULL},
};

unsigned columns_count(void)
{
    return (unsigned)(sizeof(columns_table) / sizeof(columns_table[0])) - 1;
}

static unsigned find_column(const char *word, size_t length)
{
    unsigned i = 0;
    while (columns_table[i].name != NULL && (strlen(columns_table[i].name) != length ||
                                             memcmp(columns_table[i].name, word, length) != 0))
        i++;
    return i;
}

/* As many names as the advice holds; the manual has them all. */
static void advise_columns(struct error *err)
{
    char names[sizeof(err->advice)] = "";
    size_t used = 0, room = sizeof(names) - 64;
    for (unsigned i = 0; i < columns_count(); i++) {
        size_t length = strlen(columns_table[i].name);
        if (used + length + 1 > room)
            break;
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used > 0 ? " " : "",
                                 columns_table[i].name);
    }
    error_advise(err, "columns are %s ... (all: iosweep-csv(5))", names);
}

static int refuse_column(struct error *err, const char *action, const char *word, size_t length)
{
    char text[64];
    snprintf(text, sizeof(text), "%.*s", (int)(length < 60 ? length : 60), word);
    error_set(err, STATUS_USAGE, 0, action, text);
    advise_columns(err);
    return -1;
}

static int add_column(const char *word, size_t length, unsigned *index, unsigned *count,
                      struct error *err)
{
    unsigned found = find_column(word, length);
    if (found == columns_count())
        return refuse_column(err, length > 0 ? "unknown column" : "empty name in --columns", word,
                             length);
    for (unsigned i = 0; i < *count; i++) {
        if (index[i] == found)
            return refuse_column(err, "column named twice:", word, length);
    }
    index[(*count)++] = found;
    return 0;
}

unsigned *columns_select(const char *list, unsigned *count, struct error *err)
{
    unsigned *index = mem_calloc(columns_count(), sizeof(*index));
    *count = 0;
    if (list == NULL) {
        for (; *count < columns_count(); ++*count)
            index[*count] = *count;
        return index;
    }
    for (;;) {
        size_t length = strcspn(list, ",");
        if (add_column(list, length, index, count, err) < 0) {
            free(index);
            *count = 0;
            return NULL;
        }
        if (list[length] == '\0')
            return index;
        list += length + 1;
    }
}

unsigned columns_engines(const struct run_info *info, const struct cell **cells)
{
    unsigned count = 0;

    for (unsigned i = 0; i < info->cell_count && count < SETTINGS_ENGINES_MAX; i++) {
        unsigned k = 0;
        while (k < count && cells[k]->engine != info->cells[i].engine)
            k++;
        if (k == count)
            cells[count++] = &info->cells[i];
    }
    return count;
}
