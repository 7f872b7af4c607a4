/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* raw.c - what the rows were made of, in long form: every figure of a row, every round and every
 * bucket of the latency histogram is one CSV record.  `compare` tests rounds, so they must survive
 * the run, and with them what tells whether a row is bound by the processor; histograms of several
 * runs are merged by adding the counts of equal keys. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/formats/print.h"
#include "report/summaries/summaries.h"
#include "run/team.h"

#define RAW_SHARED "size_bytes,test,target,engine,cache,threads,depth,notes,label"
#define RAW_AFTER  "access,mix,filled_bytes" /* the same, behind what was there before it */
#define RAW_HOST   "host"                    /* of a rank, behind these; else empty */

struct words { /* what records of a row begin and end with */
    char *prefix, *suffix;
};

struct raw {
    struct print_state state;
    struct columns_context context;
    char *label;                    /* of the context */
    unsigned *column, column_count; /* RAW_SHARED */
    unsigned *after, after_count;   /* RAW_AFTER */
    struct summaries summaries;
    struct words *first; /* of the first row of each of them that was printed; NULL: none was */
};

static int raw_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct raw *raw = arg;
    raw->context.info = info;
    summaries_begin(&raw->summaries, info);
    raw->first = mem_calloc(raw->summaries.count, sizeof(*raw->first));
    fputs("row," RAW_SHARED ",kind,key,value," RAW_AFTER "," RAW_HOST "\n", raw->state.stream);
    return print_flush(&raw->state, err);
}

/* Columns of a row as a text to free, NULL without memory: with its number before them and a comma
 * behind each, or with a comma before each, and one before the host. */
static char *raw_words(const struct raw *raw, const struct result *result, bool first)
{
    const unsigned *column = first ? raw->column : raw->after;
    const unsigned count = first ? raw->column_count : raw->after_count;
    char *text = NULL, number[PRINT_NUMBER_TEXT];
    size_t size = 0;
    struct value value;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    if (first)
        fprintf(stream, "%u,", result->cell->index + 1);
    for (unsigned i = 0; i < count; i++) {
        columns_get(&columns_table[column[i]], &raw->context, result, &value);
        if (!first)
            fputc(',', stream);
        if (value.kind == VALUE_TEXT)
            print_csv_text(stream, value.text, ',');
        else
            fputs(print_number(&value, '.', number), stream);
        if (first)
            fputc(',', stream);
    }
    if (!first)
        fputc(',', stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static bool is_shared(const struct raw *raw, unsigned column)
{
    for (unsigned i = 0; i < raw->column_count; i++)
        if (raw->column[i] == column)
            return true;
    for (unsigned i = 0; i < raw->after_count; i++)
        if (raw->after[i] == column)
            return true;
    return false;
}

/* The figures of a row that are known, by the names of their columns. */
static void raw_columns(const struct raw *raw, const struct result *result, const char *prefix,
                        const char *suffix)
{
    char number[PRINT_NUMBER_TEXT];
    struct value value;

    for (unsigned i = 0; columns_table[i].name; i++) {
        if (is_shared(raw, i))
            continue;
        columns_get(&columns_table[i], &raw->context, result, &value);
        if (value.kind == VALUE_COUNT || value.kind == VALUE_REAL)
            fprintf(raw->state.stream, "%scolumn,%s,%s%s\n", prefix, columns_table[i].name,
                    print_number(&value, '.', number), suffix);
    }
}

/* What each thread did, by its number. */
static void raw_threads(const struct raw *raw, const struct result *result, const char *prefix,
                        const char *suffix)
{
    FILE *stream = raw->state.stream;

    for (uint32_t i = 0; result->threads && i < result->cell->threads; i++) {
        const struct slice_thread *thread = &result->threads[i];
        uint64_t bytes;
        fprintf(stream, "%sthread_operations,%u,%" PRIu64 "%s\n", prefix, i + 1, thread->operations,
                suffix);
        if (columns_bytes(result, thread->operations, &bytes))
            fprintf(stream, "%sthread_bytes,%u,%" PRIu64 "%s\n", prefix, i + 1, bytes, suffix);
        fprintf(stream, "%sthread_time_s,%u,%.9f%s\n", prefix, i + 1, (double)thread->time_ns / 1e9,
                suffix);
        if (thread->time_ns)
            fprintf(stream, "%sthread_rate_per_s,%u,%.6f%s\n", prefix, i + 1,
                    columns_thread_rate(thread), suffix);
    }
}

static void raw_rank(const struct raw *raw, const struct result *result, uint32_t number,
                     const struct words *words)
{
    const struct result_rank *rank = &result->ranks[number];
    const struct team *team = raw->context.info->team;
    const struct {
        const char *name;
        double value; /* NAN: not known */
        int decimals;
    } figures[] = {
        {"operations", (double)rank->operations, 0},
        {"failed", (double)rank->failed, 0},
        {"time_s", (double)rank->time_ns / 1e9, 9},
        {"rate_per_s", rank->time_ns ? columns_rank_rate(rank) : NAN, 6},
        {"latency_ns_mean", columns_rank_latency_ns(rank), 2},
        {"latency_ns_max", rank->sampled ? (double)rank->latency_ns_max : NAN, 0},
        {"late_ns", columns_rank_late_ns(result, rank), 2},
    };
    char host[4 * TEAM_HOST_BYTES] = "";

    if (team)
        error_printable(team->member[number].host, host, sizeof(host));
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        if (isnan(figures[i].value))
            continue;
        fprintf(raw->state.stream, "%srank_%s,%" PRIu32 ",%.*f%s", words->prefix, figures[i].name,
                number, figures[i].decimals, figures[i].value, words->suffix);
        print_csv_text(raw->state.stream, host, ',');
        fputc('\n', raw->state.stream);
    }
}

/* A phase that operations do not have is empty. */
static void raw_histogram(FILE *stream, const char *kind, const struct hist *hist,
                          const char *prefix, const char *suffix)
{
    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        if (hist->count[i] > 0)
            fprintf(stream, "%s%s,%" PRIu64 ",%" PRIu64 "%s\n", prefix, kind, hist_lower_ns(i),
                    hist->count[i], suffix);
}

/* Takes the words of a row. */
static void keep_words(struct raw *raw, const struct result *result, struct words words)
{
    const bool summed = raw->summaries.count > 0;
    struct words *first = summed ? &raw->first[raw->summaries.group[result->cell->index]] : NULL;

    if (first && !first->prefix) {
        *first = words;
        return;
    }
    free(words.prefix);
    free(words.suffix);
}

static int raw_row(void *arg, const struct result *result, struct error *err)
{
    struct raw *raw = arg;
    FILE *stream = raw->state.stream;
    char *prefix, *suffix;
    if (result->state == RESULT_SKIPPED)
        return 0;
    summaries_add(&raw->summaries, result);
    prefix = raw_words(raw, result, true);
    suffix = raw_words(raw, result, false);
    if (!prefix || !suffix) {
        free(prefix);
        free(suffix);
        return error_set(err, STATUS_INTERNAL, ENOMEM, "cannot write a row to", raw->state.name);
    }
    raw_columns(raw, result, prefix, suffix);
    for (unsigned i = 0; i < result->rounds; i++)
        fprintf(stream, "%sround,%u,%.3f%s\n", prefix, i + 1, result->round_ns[i], suffix);
    for (unsigned i = 0; result->reference_round_ns && i < result->rounds; i++)
        fprintf(stream, "%sreference,%u,%.3f%s\n", prefix, i + 1, result->reference_round_ns[i],
                suffix);
    raw_histogram(stream, "latency", &result->sum.tally.latency, prefix, suffix);
    raw_histogram(stream, "open", &result->sum.tally.open, prefix, suffix);
    raw_histogram(stream, "close", &result->sum.tally.close, prefix, suffix);
    raw_threads(raw, result, prefix, suffix);
    for (uint32_t i = 0; i < result->rank_count; i++)
        raw_rank(raw, result, i, &(struct words){prefix, suffix});
    keep_words(raw, result, (struct words){prefix, suffix});
    return print_flush(&raw->state, err);
}

static void raw_figure(const struct raw *raw, const struct words *words, const char *name,
                       const char *figure, double value)
{
    if (value >= 0)
        fprintf(raw->state.stream, "%ssummary,%s%s,%.15g%s\n", words->prefix, name, figure, value,
                words->suffix);
}

/* The records of a group: those of its first row, with another kind. */
static void raw_summary(const struct raw *raw, const struct summary *summary,
                        const struct words *words)
{
    if (summary->cell->fills)
        raw_figure(raw, words, "filled_bytes", "",
                   (double)((summary->cell->place_first + summary->cell->places) *
                            summary->cell->work.io_bytes));
    raw_figure(raw, words, "rows", "", summary->rows);
    raw_figure(raw, words, "operations", "", (double)summary->operations);
    raw_figure(raw, words, "time_s", ".sum", (double)summary->time_ns / 1e9);
    raw_figure(raw, words, "rate_per_s", ".overall", summary_overall_rate(summary));
    raw_figure(raw, words, "throughput_bytes_per_s", ".overall",
               summary_overall_throughput(summary));
    for (int what = 0; what < SUMMARY_WHATS; what++) {
        const struct summary_figure figure = summary_figure(summary, (enum summary_what)what);
        const char *name = summary_names[what];
        if (figure.count == 0)
            continue;
        raw_figure(raw, words, name, ".mean", figure.mean);
        raw_figure(raw, words, name, ".median", figure.median);
        raw_figure(raw, words, name, ".stddev", figure.stddev);
        raw_figure(raw, words, name, ".cv", figure.cv);
        raw_figure(raw, words, name, ".min", figure.min);
        raw_figure(raw, words, name, ".max", figure.max);
    }
}

static int raw_end(void *arg, struct error *err)
{
    const struct raw *raw = arg;
    for (size_t i = 0; i < raw->summaries.count; i++)
        if (raw->first[i].prefix)
            raw_summary(raw, &raw->summaries.all[i], &raw->first[i]);
    return print_flush(&raw->state, err);
}

static void raw_release(void *state)
{
    struct raw *raw = state;
    for (size_t i = 0; i < raw->summaries.count; i++) {
        free(raw->first[i].prefix);
        free(raw->first[i].suffix);
    }
    free(raw->first);
    summaries_free(&raw->summaries);
    free(raw->column);
    free(raw->after);
    free(raw->label);
    free(raw);
}

int format_make_raw(FILE *stream, const char *label, struct sink *sink, struct error *err)
{
    unsigned count, after_count = 0, *column = columns_select(RAW_SHARED, &count, err);
    unsigned *after = column ? columns_select(RAW_AFTER, &after_count, err) : NULL;
    struct raw *raw;
    if (!after) {
        free(column);
        return -1;
    }
    raw = mem_calloc(1, sizeof(*raw));
    raw->state.release = raw_release;
    raw->state.stream = stream;
    raw->state.name = print_stream_name(stream, stream == stdout ? NULL : "the raw file");
    raw->context.label = raw->label = print_csv_label(label);
    raw->column = column;
    raw->column_count = count;
    raw->after = after;
    raw->after_count = after_count;
    *sink = (struct sink){.begin = raw_begin, .row = raw_row, .end = raw_end, .arg = raw};
    return 0;
}
