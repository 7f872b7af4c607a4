/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json.c - one JSON document (RFC 8259) for the whole run: an array of records, one per line. First
 * the facts, then slices as they are booked and rows as they close, each with its histogram, so
 * that other plots need no new measurement.
 *
 * Records are flushed one by one, so that memory does not grow with the run, and the output of a
 * killed run is readable up to its last line. Unknown values are null, and text is valid UTF-8 for
 * any bytes in file names. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/stats.h"
#include "base/utf8.h"
#include "report/columns/columns.h"
#include "report/formats/json_write.h"
#include "run/series.h"
#include "run/stop.h"

#define LOCK_MS 1000 /* maximum wait of an ending run for a record of --interval */

void print_json_text(FILE *stream, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', stream);
    while (*s != '\0') {
        unsigned length = utf8_length((const char *)s);
        if (length == 0) {
            fputs("\\ufffd", stream);
            length = 1;
        } else if (utf8_printable_length((const char *)s) == 0) { /* at most 3 bytes */
            fprintf(stream, "\\u%04x",
                    length == 1   ? (unsigned)*s
                    : length == 2 ? (*s & 0x1fu) << 6 | (s[1] & 0x3fu)
                                  : (*s & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu));
        } else {
            if (*s == '"' || *s == '\\')
                fputc('\\', stream);
            fwrite(s, 1, length, stream);
        }
        s += length;
    }
    fputc('"', stream);
}

/* The thread of --interval holds the lock while it writes; if the reader of its output stalls, a
 * signal ends the wait. */
static int lock_stream(struct json *json, struct error *err)
{
    for (unsigned ms = 0; pthread_mutex_trylock(&json->lock) != 0;
         ms += flag_read(&stop_flag) != 0) {
        if (ms == LOCK_MS)
            return error_set(err, STATUS_PARTIAL, EINTR, "cannot write the results to",
                             json->state.name);
        clock_rest(1000000);
    }
    if (isatty(fileno(json->state.stream))) /* which may contain a progress line */
        log_progress_clear();
    return 0;
}

/* Flushes the records written. Returns 0 or -1. */
static int unlock_stream(struct json *json, struct error *err)
{
    const int code = print_flush(&json->state, err);

    pthread_mutex_unlock(&json->lock);
    return code;
}

static int json_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct json *json = arg;
    json->context.info = info;
    json->named = mem_calloc(info->cell_count + 1, sizeof(*json->named));
    facts_ensure(json->facts, info->targets, info->settings->target_count);
    if (lock_stream(json, err) < 0)
        return -1;
    fputs("[\n{\"record\":\"head\"", json->state.stream);
    json->comma = true;
    json_put_head(json);
    close_record(json);
    return unlock_stream(json, err);
}

static void put_column(struct json *json, const struct column *column, const struct result *result)
{
    struct value value;

    columns_get(column, &json->context, result, &value);
    if (value.kind == VALUE_TEXT)
        put_text(json, column->name, value.text);
    else
        put_value(json, column->name, &value);
}

/* Takes the values from the columns of a hypothetical complete row. */
static void put_names(struct json *json, const struct cell *cell, bool all)
{
    struct result *result = mem_calloc(1, sizeof(*result));

    result->cell = cell;
    result->state = RESULT_CLOSED;
    result->sum.tally.operations = cell->places * columns_ranks(json->context.info->settings);
    for (const struct column *column = columns_table; column->name; column++)
        if (column->group == OF_ROW &&
            (all || (strcmp(column->name, "loop") != 0 && strcmp(column->name, "repeat") != 0)))
            put_column(json, column, result);
    free(result);
}

static int json_slice(void *arg, const struct slice_record *record, struct error *err)
{
    struct json *json = arg;
    const struct workload *work = &record->cell->work;

    if (lock_stream(json, err) < 0)
        return -1;
    if (!json->named[record->cell->index]) { /* before the first slice, the identity of the row */
        json->named[record->cell->index] = true;
        open_record(json, "cell");
        put_count(json, "cell", record->cell->index + UINT64_C(1));
        put_names(json, record->cell, true);
        close_record(json);
    }
    open_record(json, "slice");
    put_count(json, "cell", record->cell->index + UINT64_C(1));
    put_count(json, "round", record->round);
    put_real(json, "began_s", (double)record->began_ns / 1e9, 9);
    put_real(json, "elapsed_s", (double)record->elapsed_ns / 1e9, 9);
    put_count(json, "operations", record->operations);
    put_count(json, "bytes",
              test_moves_data(work->test) ? record->operations * work->size_bytes : 0);
    put_count(json, "time_ns", record->time_ns);
    put_count(json, "queued_ns", record->queued_ns);
    put_count(json, "failed", record->failed);
    put_count(json, "latency_ns_sum", record->latency_ns_sum);
    put_known(json, "latency_ns_min", record->operations, record->latency_ns_min);
    put_known(json, "latency_ns_max", record->operations, record->latency_ns_max);
    put_real(json, "op_ns", record->op_ns > 0 ? record->op_ns : NAN, 3);
    put_real(json, "reference_ns", record->reference_ns > 0 ? record->reference_ns : NAN, 3);
    close_record(json);
    return unlock_stream(json, err);
}

/* Writes counters by name, of which columns show only sums; null without counters. */
static void put_rpc(struct json *json, const struct target_traffic *traffic)
{
    if (!traffic) {
        put_fact(json, "rpc", NULL);
        return;
    }
    open_group(json, "rpc", '{');
    for (uint32_t i = 0; i < traffic->rpc_count; i++) {
        const struct target_rpc *rpc = &traffic->rpc[i];
        open_group(json, rpc->name, '{');
        put_count(json, "count", rpc->count);
        put_count(json, "retransmissions", rpc->retransmissions);
        put_count(json, "timeouts", rpc->timeouts);
        put_count(json, "sent_bytes", rpc->sent_bytes);
        put_count(json, "received_bytes", rpc->received_bytes);
        put_count(json, "queue_ms", rpc->queue_ms);
        put_count(json, "round_trip_ms", rpc->round_trip_ms);
        put_count(json, "execute_ms", rpc->execute_ms);
        close_group(json, '}');
    }
    close_group(json, '}');
}

/* Writes the work of each thread, in order. */
static void put_threads(struct json *json, const struct result *result)
{
    open_group(json, "thread_results", '[');
    for (uint32_t i = 0; i < result->cell->threads; i++) {
        const struct slice_thread *thread = &result->threads[i];
        uint64_t bytes = result->cell->work.size_bytes;
        open_group(json, NULL, '{');
        put_count(json, "operations", thread->operations);
        if (test_moves_data(result->cell->work.test) &&
            !__builtin_mul_overflow(thread->operations, bytes, &bytes))
            put_count(json, "bytes", bytes);
        put_real(json, "time_s", (double)thread->time_ns / 1e9, 9);
        put_real(json, "rate_per_s",
                 thread->time_ns
                     ? columns_per_second((long double)thread->operations, thread->time_ns)
                     : NAN,
                 6);
        close_group(json, '}');
    }
    close_group(json, ']');
}

/* Writes the work of each rank of a team. */
static void put_ranks(struct json *json, const struct result *result)
{
    const struct team *team = json->context.info->team;

    if (result->rank_count == 0)
        return;
    open_group(json, "rank_results", '[');
    for (uint32_t i = 0; i < result->rank_count; i++) {
        const struct result_rank *rank = &result->ranks[i];
        open_group(json, NULL, '{');
        put_count(json, "rank", i);
        put_fact(json, "host", team ? team->member[i].host : NULL);
        put_count(json, "operations", rank->operations);
        put_count(json, "failed", rank->failed);
        put_real(json, "time_s", (double)rank->time_ns / 1e9, 9);
        put_real(json, "rate_per_s", rank->time_ns ? columns_rank_rate(rank) : NAN, 6);
        put_real(json, "latency_ns_mean",
                 rank->operations ? (double)rank->latency_ns_sum / (double)rank->operations : NAN,
                 2);
        put_known(json, "latency_ns_max", rank->operations, rank->latency_ns_max);
        put_real(json, "late_ns",
                 result->sum.slices ? (double)rank->late_ns_sum / (double)result->sum.slices : NAN,
                 2);
        close_group(json, '}');
    }
    close_group(json, ']');
}

/* Writes pairs of a bucket's lower bound and its count; NULL: nothing was measured. */
static void put_histogram(struct json *json, const char *name, const struct hist *hist)
{
    open_group(json, name, '[');
    for (unsigned i = 0; hist && i < HIST_BUCKETS; i++) {
        if (hist->count[i] == 0)
            continue;
        open_group(json, NULL, '[');
        put_count(json, NULL, hist_lower_ns(i));
        put_count(json, NULL, hist->count[i]);
        close_group(json, ']');
    }
    close_group(json, ']');
}

static int json_row(void *arg, const struct result *result, struct error *err)
{
    struct json *json = arg;
    const bool measured = result->state != RESULT_SKIPPED;
    if (lock_stream(json, err) < 0)
        return -1;
    open_record(json, "row");
    put_count(json, "cell", result->cell->index + UINT64_C(1));
    for (unsigned i = 0; i < json->column_count; i++)
        put_column(json, &columns_table[json->column[i]], result);
    put_histogram(json, "latency_histogram", measured ? &result->sum.tally.latency : NULL);
    if (measured && hist_total(&result->sum.tally.open) > 0)
        put_histogram(json, "open_histogram", &result->sum.tally.open);
    if (measured && hist_total(&result->sum.tally.close) > 0)
        put_histogram(json, "close_histogram", &result->sum.tally.close);
    if (measured && result->threads)
        put_threads(json, result);
    if (measured)
        put_ranks(json, result);
    put_rpc(json, measured ? result->rpc : NULL);
    if (measured && result->sum.has_requests) {
        json->has_requests = true;
        slice_counters_add(&json->requests, &result->sum.requests, sizeof(json->requests));
    }
    close_record(json);
    return unlock_stream(json, err);
}

static void put_field(void *arg, const char *name, const struct value *value)
{
    if (value->kind == VALUE_TEXT)
        put_fact(arg, name, value->text);
    else
        put_value(arg, name, value);
}

static int json_interval(void *arg, const struct series_record *record, struct error *err)
{
    struct json *json = arg;

    if (lock_stream(json, err) < 0)
        return -1;
    open_record(json, "interval");
    print_series(record, json->context.info->targets, put_field, json);
    close_record(json);
    return unlock_stream(json, err);
}

/* --- figures of several rows together, at the end --- */

/* Writes a number with the full precision of a double; null if unknown. */
static void put_figure(struct json *json, const char *key, double value)
{
    put_key(json, key);
    if (isfinite(value) && value >= 0)
        fprintf(json->state.stream, "%.15g", value);
    else
        fputs("null", json->state.stream);
}

static void put_summaries(struct json *json)
{
    struct summary summary;

    for (unsigned next = 0; summary_next(json->context.info, &next, &summary);) {
        open_record(json, "summary");
        put_names(json, summary.cell, false);
        put_count(json, "rows", summary.rows);
        put_count(json, "rows_left_out", summary.left_out);
        put_count(json, "rows_cold", summary.cold);
        put_count(json, "operations", summary.operations);
        put_count(json, "bytes", summary.bytes);
        put_figure(json, "time_s_sum", (double)summary.time_ns / 1e9);
        put_figure(json, "rate_per_s_overall", summary.rate);
        put_figure(json, "throughput_bytes_per_s_overall", summary.throughput);
        for (int what = 0; what < SUMMARY_WHATS; what++) {
            const struct summary_figure *figure = &summary.figures[what];
            if (figure->count == 0) {
                put_fact(json, summary_names[what], NULL);
                continue;
            }
            open_group(json, summary_names[what], '{');
            put_figure(json, "mean", figure->mean);
            put_figure(json, "median", figure->median);
            put_figure(json, "stddev", figure->stddev);
            put_figure(json, "cv", figure->cv);
            put_figure(json, "min", figure->min);
            put_figure(json, "max", figure->max);
            close_group(json, '}');
        }
        close_record(json);
    }
}

static void put_pair_size(struct json *json, const struct pair_size *size)
{
    const double half = stats_t_975(size->freedom) * size->error;

    open_group(json, NULL, '{');
    put_count(json, "base_cell", size->base->index + UINT64_C(1));
    put_count(json, "cell", size->other->index + UINT64_C(1));
    put_count(json, "size_bytes", size->base->work.size_bytes);
    put_count(json, "rounds", size->rounds);
    put_figure(json, "time_ratio", exp(size->typical));
    put_figure(json, "time_ratio_low", exp(size->typical - half));
    put_figure(json, "time_ratio_high", exp(size->typical + half));
    put_figure(json, "mean_ratio", exp(size->mean));
    put_bool(json, "apart", size->apart);
    close_group(json, '}');
}

static void put_pairs(struct json *json)
{
    const struct run_info *info = json->context.info;
    char text[PAIR_LINE_TEXT];

    for (size_t i = 0; json->options.pairs && i < json->options.pairs->count; i++) {
        const struct pair *pair = &json->options.pairs->all[i];
        open_record(json, "pair");
        put_text(json, "axis", pair_axis(pair));
        put_text(json, "base", pair_value(info, pair, pair->size[0].base, text));
        put_text(json, "value", pair_value(info, pair, pair->size[0].other, text));
        put_text(json, "test", test_names[cell_test(pair->size[0].base)]);
        put_text(json, "cache", cache_names[pair->size[0].base->work.cache]);
        put_figure(json, "time_ratio", pair->ratio);
        put_figure(json, "time_ratio_low", pair->low);
        put_figure(json, "time_ratio_high", pair->high);
        put_figure(json, "mean_ratio", pair->mean_ratio);
        put_bool(json, "mean_apart", pair->mean_apart);
        put_bool(json, "varied", pair->varied);
        pair_line(info, pair, text);
        put_text(json, "text", text);
        open_group(json, "sizes", '[');
        for (size_t k = 0; k < pair->size_count; k++)
            put_pair_size(json, &pair->size[k]);
        close_group(json, ']');
        close_record(json);
    }
}

/* Writes a share; negative: unknown. */
static void put_share(struct json *json, const char *key, double share)
{
    put_real(json, key, share >= 0 ? share * 100 : NAN, 1);
}

/* Writes processor usage while rows were measured. */
static void put_processors(struct json *json, const struct run_use *use)
{
    if (!use || use->shares.count == 0) {
        put_fact(json, "processors", NULL);
        return;
    }
    open_group(json, "processors", '{');
    put_count(json, "count", use->shares.count);
    put_share(json, "own_percent", use->shares.own);
    put_share(json, "others_percent", use->shares.others);
    put_share(json, "others_percent_most", use->others_most);
    put_share(json, "kernel_percent", use->shares.kernel);
    put_share(json, "steal_percent", use->shares.steal);
    close_group(json, '}');
}

static int json_end(void *arg, struct error *err)
{
    struct json *json = arg;

    if (lock_stream(json, err) < 0)
        return -1;
    for (unsigned i = 0; json->options.findings && i < json->options.findings->count; i++) {
        open_record(json, "finding");
        put_bool(json, "warning", json->options.findings->warning[i]);
        put_text(json, "text", json->options.findings->text[i]);
        close_record(json);
    }
    put_summaries(json);
    put_pairs(json);
    open_record(json, "end");
    if (json->has_requests) { /* of all rows, without those for filling and removing */
        open_group(json, "requests", '{');
        put_count(json, "count", json->requests.count);
        put_count(json, "connections", json->requests.connections);
        put_count(json, "sent_bytes", json->requests.sent_bytes);
        put_count(json, "received_bytes", json->requests.received_bytes);
        close_group(json, '}');
    }
    put_processors(json, json->context.info->use);
    close_record(json);
    fputs("]\n", json->state.stream);
    return unlock_stream(json, err);
}

static void json_release(void *state)
{
    struct json *json = state;
    pthread_mutex_destroy(&json->lock);
    free(json->named);
    facts_free(&json->own_facts);
    free(json->column);
    free(json);
}

int print_make_json(const struct format_options *options, struct sink *sink, struct error *err)
{
    unsigned count, *column = columns_select(options->columns ? options->columns : COLUMNS_ALL_WORD,
                                             options->team, &count, err);
    struct json *json;
    if (!column)
        return -1;
    json = mem_calloc(1, sizeof(*json));
    json->state.release = json_release;
    json->context.label = options->label ? options->label : "";
    json->column = column;
    json->facts = options->facts ? options->facts : &json->own_facts;
    json->column_count = count;
    json->options = *options;
    pthread_mutex_init(&json->lock, NULL);
    *sink = (struct sink){.begin = json_begin,
                          .row = json_row,
                          .slice = json_slice,
                          .interval = json_interval,
                          .end = json_end,
                          .arg = json};
    return 0;
}
