/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json.c - one JSON document (RFC 8259) for the whole run: an array of records, one per line. First
 * the facts, then slices as they are booked and rows as they close, each with its histogram, so
 * that other plots need no new measurement.
 *
 * Records are flushed one by one, so that memory does not grow with the run, and the output of a
 * killed run is readable up to its last line. Unknown values are null, and text is valid UTF-8 for
 * any bytes in file names. Engine options of free text are omitted: they may contain secrets. */
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
#include "base/text.h"
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

/* Flushes the records written, unless more follow at once. Returns 0 or -1. */
static int unlock_stream(struct json *json, bool more, struct error *err)
{
    const int code = more ? 0 : print_flush(&json->state, err);

    pthread_mutex_unlock(&json->lock);
    return code;
}

static void put_choices(struct json *json, const char *key, const struct option_row *row,
                        const struct option_choices *chosen)
{
    open_group(json, key, '[');
    for (unsigned i = 0; i < chosen->count; i++)
        put_text(json, NULL, row->choices[chosen->index[i]]);
    close_group(json, ']');
}

static void put_list(struct json *json, const char *key, const struct units_list *list)
{
    open_group(json, key, '[');
    for (size_t i = 0; i < list->count; i++)
        put_count(json, NULL, list->value[i]);
    close_group(json, ']');
}

/* Writes the value of a field, except free text; limits: 0 means "no limit" or "chosen per row". */
static void put_option(struct json *json, const char *key, const struct option_row *row,
                       const void *block, bool limits)
{
    const void *field = (const char *)block + row->offset;
    char end[40];

    switch (row->type) {
    case OPTION_FLAG:
        put_bool(json, key, *(const bool *)field);
        break;
    case OPTION_COUNT:
    case OPTION_SIZE:
    case OPTION_DURATION:
        put_known(json, key, !limits || *(const uint64_t *)field, *(const uint64_t *)field);
        break;
    case OPTION_PERCENT:
        put_real(json, key, *(const double *)field, 6);
        break;
    case OPTION_CHOICE:
        put_text(json, key, row->choices[*(const unsigned *)field]);
        break;
    case OPTION_CHOICES:
        put_choices(json, key, row, field);
        break;
    case OPTION_SIZE_LIST:
    case OPTION_COUNT_LIST:
        put_list(json, key, field);
        break;
    case OPTION_WORD:
        put_text(json, key, *(const char *const *)field);
        break;
    case OPTION_RANGE:
        for (unsigned i = 0; i < 2; i++) {
            snprintf(end, sizeof(end), "%s_%s", key, i ? "max" : "min");
            put_count(json, end, ((const uint64_t *)field)[i]);
        }
        break;
    case OPTION_CHAR:
    case OPTION_STRING: /* free text */
    case OPTION_CALL:
        break;
    }
}

/* Omits secrets. */
static void put_rows(struct json *json, const struct option_row *row, const void *block)
{
    for (; row && row->name; row++)
        if (!(row->needs & OPTION_SECRET))
            put_option(json, row->name, row, block, false);
}

/* Takes options that not all stores accept from the first target that does; omits those of no
 * target. */
static void put_family_rows(struct json *json, const struct run_info *info,
                            const struct target_family *family, const struct option_row *row)
{
    for (; row && row->name; row++)
        for (unsigned i = 0; !(row->needs & OPTION_SECRET) && i < info->settings->target_count; i++)
            if (info->targets[i]->driver->family == family &&
                (!row->needs || target_can(info->targets[i], row->needs))) {
                put_option(json, row->name, row,
                           settings_of_driver(info->settings, info->targets[i]->driver), false);
                break;
            }
}

/* Writes the options of each driver that has any, and once those of its family. */
static void put_target_options(struct json *json, const struct run_info *info)
{
    const struct target_family *family = NULL;

    for (const struct storage_driver *const *driver = storage_driver_table; *driver; driver++) {
        const void *block = settings_of_driver(info->settings, *driver);
        unsigned i = 0;

        while (i < info->settings->target_count && info->targets[i]->driver != *driver)
            i++;
        if (i == info->settings->target_count || !block || !(*driver)->family)
            continue;
        if (!family) {
            family = (*driver)->family;
            open_group(json, family->options_key, '{');
            put_family_rows(json, info, family, family->reach_options);
            put_family_rows(json, info, family, family->options);
        }
        put_rows(json, (*driver)->reach_options, block);
        put_rows(json, (*driver)->options, block);
    }
    if (family)
        close_group(json, '}');
}

static void put_engines(struct json *json, const struct run_info *info)
{
    const struct cell *cells[SETTINGS_ENGINES_MAX];
    const unsigned count = columns_engines(info, cells);

    open_group(json, "engines", '[');
    for (unsigned i = 0; i < count; i++)
        put_text(json, NULL, cells[i]->engine->name);
    close_group(json, ']');
    put_target_options(json, info);
    open_group(json, "engine_options", '{');
    for (unsigned i = 0; i < count; i++) {
        if (cells[i]->work.options)
            put_rows(json, cells[i]->engine->options, cells[i]->work.options);
    }
    close_group(json, '}');
}

static void put_steps(struct json *json, const struct steps *steps)
{
    char text[COLUMNS_STEP_TEXT];

    open_group(json, "tests", '[');
    for (unsigned i = 0; i < steps->count; i++)
        put_text(json, NULL, columns_step(&steps->step[i], text));
    close_group(json, ']');
}

/* Whether a value of 0 was given. */
static bool is_given(const struct option_row *row, const struct settings *settings)
{
    return row->given_offset && row->given_offset < sizeof(*settings) &&
           *(const bool *)((const char *)settings + row->given_offset);
}

/* Writes settings composed of several fields, and a member for each row that has one. */
static void put_settings(struct json *json, const struct run_info *info)
{
    const struct settings *settings = info->settings;

    open_group(json, "settings", '{');
    put_steps(json, &settings->tests);
    put_engines(json, info);
    for (const struct option_row *row = json->settings; row && row->name; row++)
        if (row->member && (!row->needs || print_any_can(info, row->needs)) &&
            !print_is_left_out(row, settings))
            put_option(json, row->member, row, settings, !is_given(row, settings));
    if (settings->per_thread)
        put_bool(json, "per_thread", true);
    if (settings->step_errors)
        put_count(json, "step_errors", settings->step_errors);
    if (settings->error_share > 0)
        put_real(json, "error_share", settings->error_share, 6);
    close_group(json, '}');
}

/* Writes option files, line by line. */
static void put_files(struct json *json, const struct settings *settings)
{
    open_group(json, "option_files", '[');
    for (unsigned f = 0; f < settings->file_count; f++) {
        const struct option_file *file = &settings->files[f];
        open_group(json, NULL, '{');
        put_text(json, "name", file->name);
        put_text(json, "about", file->about);
        open_group(json, "lines", '[');
        for (unsigned i = 0; i < file->count; i++) {
            open_group(json, NULL, '{');
            put_count(json, "line", file->line[i].number);
            put_text(json, "options", file->line[i].text);
            close_group(json, '}');
        }
        close_group(json, ']');
        close_group(json, '}');
    }
    close_group(json, ']');
    if (settings->unused)
        put_text(json, "unused_options", settings->unused);
}

static int json_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct json *json = arg;
    json->context.info = info;
    json->named = mem_calloc(info->cell_count + 1, sizeof(*json->named));
    facts_ensure(json->facts, info->targets, info->settings->target_count);
    summaries_begin(&json->summaries, info);
    if (lock_stream(json, err) < 0)
        return -1;
    fputs("[\n{\"record\":\"head\"", json->state.stream);
    json->comma = true;
    put_text(json, "document", SCHEMA_RESULTS);
    put_text(json, "schema_version", SCHEMA_VERSION);
    put_text(json, "iosweep", PACKAGE_VERSION);
    json_put_host(json, &json->facts->host);
    put_text(json, "label", json->context.label);
    if (json->command)
        put_text(json, "command", json->command);
    open_group(json, "targets", '[');
    for (unsigned i = 0; i < info->settings->target_count; i++)
        json_put_target(json, info->targets[i], &json->facts->targets[i]);
    close_group(json, ']');
    json_put_team(json);
    put_settings(json, info);
    if (info->settings->file_count > 0)
        put_files(json, info->settings);
    put_count(json, "seed", info->settings->seed);
    put_real(json, "clock_cost_ns", info->clock.cost_ns, 2);
    put_count(json, "clock_step_ns", info->clock.step_ns);
    put_real(json, "loop_ns", info->loop_ns, 2);
    if (info->reference_ns > 0)
        put_real(json, "reference_ns", info->reference_ns, 2);
    close_record(json);
    return unlock_stream(json, false, err);
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
void json_put_names(struct json *json, const struct cell *cell, bool all)
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

/* Writes the identity of a row before its first slice. */
static void name_cell(struct json *json, const struct cell *cell)
{
    if (json->named[cell->index])
        return;
    json->named[cell->index] = true;
    open_record(json, "cell");
    put_count(json, "cell", cell->index + UINT64_C(1));
    json_put_names(json, cell, true);
    close_record(json);
}

static void put_seconds(struct json *json, const char *key, uint64_t ns)
{
    put_real(json, key, (double)ns / 1e9, 9);
}

static int json_slice(void *arg, const struct slice_record *record, struct error *err)
{
    struct json *json = arg;
    const struct workload *work = &record->cell->work;

    if (lock_stream(json, err) < 0)
        return -1;
    name_cell(json, record->cell);
    open_record(json, "slice");
    put_count(json, "cell", record->cell->index + UINT64_C(1));
    put_count(json, "round", record->round);
    put_seconds(json, "began_s", record->began_ns);
    put_seconds(json, "elapsed_s", record->elapsed_ns);
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
    return unlock_stream(json, false, err);
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

/* Writes the requests of all rows to object stores, without those for filling and removing. */
static void put_requests(struct json *json)
{
    open_group(json, "requests", '{');
    put_count(json, "count", json->requests.count);
    put_count(json, "connections", json->requests.connections);
    put_count(json, "sent_bytes", json->requests.sent_bytes);
    put_count(json, "received_bytes", json->requests.received_bytes);
    close_group(json, '}');
}

/* Writes the work of each thread, in order. */
static void put_threads(struct json *json, const struct result *result)
{
    open_group(json, "thread_results", '[');
    for (uint32_t i = 0; i < result->cell->threads; i++) {
        const struct slice_thread *thread = &result->threads[i];
        uint64_t bytes;
        open_group(json, NULL, '{');
        put_count(json, "operations", thread->operations);
        if (columns_bytes(result, thread->operations, &bytes))
            put_count(json, "bytes", bytes);
        put_real(json, "time_s", (double)thread->time_ns / 1e9, 9);
        put_real(json, "rate_per_s", thread->time_ns ? columns_thread_rate(thread) : NAN, 6);
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
    summaries_add(&json->summaries, result);
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
        json_put_ranks(json, result);
    put_rpc(json, measured ? result->rpc : NULL);
    if (measured && result->sum.has_requests) {
        json->has_requests = true;
        slice_requests_add(&json->requests, &result->sum.requests);
    }
    close_record(json);
    return unlock_stream(json, false, err);
}

static int json_interval(void *arg, const struct series_record *record, struct error *err)
{
    struct json *json = arg;
    struct value value;

    if (lock_stream(json, err) < 0)
        return -1;
    open_record(json, "interval");
    for (unsigned i = 0; print_series_name(i); i++) {
        print_series_value(record, json->context.info->targets, i, &value);
        if (value.kind == VALUE_TEXT)
            put_fact(json, print_series_name(i), value.text);
        else
            put_value(json, print_series_name(i), &value);
    }
    close_record(json);
    return unlock_stream(json, false, err);
}

static int json_end(void *arg, struct error *err)
{
    struct json *json = arg;

    if (lock_stream(json, err) < 0)
        return -1;
    for (unsigned i = 0; json->findings && i < json->findings->count; i++) {
        open_record(json, "finding");
        put_bool(json, "warning", json->findings->warning[i]);
        put_text(json, "text", json->findings->text[i]);
        close_record(json);
    }
    json_put_summaries(json);
    json_put_pairs(json);
    open_record(json, "end");
    if (json->has_requests)
        put_requests(json);
    json_put_use(json);
    close_record(json);
    fputs("]\n", json->state.stream);
    return unlock_stream(json, false, err);
}

static void json_release(void *state)
{
    struct json *json = state;
    pthread_mutex_destroy(&json->lock);
    free(json->named);
    summaries_free(&json->summaries);
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
    json->settings = options->settings;
    json->command = options->command;
    json->findings = options->findings;
    json->pairs = options->pairs;
    pthread_mutex_init(&json->lock, NULL);
    *sink = (struct sink){.begin = json_begin,
                          .row = json_row,
                          .slice = json_slice,
                          .interval = json_interval,
                          .end = json_end,
                          .arg = json};
    return 0;
}
