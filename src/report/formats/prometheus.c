/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* prometheus.c - the run as metrics in Prometheus' text exposition format 0.0.4, as the textfile
 * collector of node_exporter takes them: base units, one HELP and TYPE per metric, no time stamps.
 *
 * All samples of a metric have to stand together, so rows are kept, as the few numbers that are
 * printed, and written at the end; also after an interruption.  Which columns are metrics, their
 * table says; what is not known there is no sample here. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "os/facts.h"
#include "report/formats/print.h"

struct number {
    enum value_kind kind;
    uint64_t count;
    double real;
};

/* What tells a row from all others: its axes, and the text of --label. */
#define LABELS                                                                         \
    "test,target,engine,cache,threads,depth,size_bytes,label,step,loop,repeat,access," \
    "mix,filled_bytes,hosts,ranks"

struct kept { /* a row */
    char **label, *notes;
    enum result_state state;
    struct number *number;    /* of each column; NULL: the row was skipped */
    struct number sum, count; /* of all latencies */
};

struct prometheus {
    struct print_state state;
    struct columns_context context;
    unsigned *label, label_count; /* columns of LABELS */
    struct kept *rows;
    unsigned count, room;
    unsigned headed; /* the last metric whose head was written, by its place */
    bool begun;
};

/* --- text --- */

/* Backslash, quote and newline are escaped; bytes that are no character, which the format does not
 * take, are shown as \xNN. */
static void put_label_value(FILE *stream, const char *text)
{
    fputc('"', stream);
    while (*text != '\0') {
        const unsigned length = utf8_printable_length(text);
        if (*text == '\n')
            fputs("\\n", stream);
        else if (length == 0)
            fprintf(stream, "\\\\x%02x", (unsigned)(unsigned char)*text);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else
            fwrite(text, 1, length, stream);
        text += length > 0 ? length : 1;
    }
    fputc('"', stream);
}

/* Runs that do each test once need no number of a step to tell rows apart; those of random places no
 * access; those of one process no number of them. */
static bool is_needed(const struct prometheus *p, const struct cell *cell, const char *name)
{
    char place[COLUMNS_PLACE_TEXT];

    if (strcmp(name, "access") == 0)
        return cell->work.access != ACCESS_RANDOM;
    if (strcmp(name, "hosts") == 0 || strcmp(name, "ranks") == 0)
        return columns_ranks(p->context.info->settings) > 1;
    return (strcmp(name, "step") != 0 && strcmp(name, "loop") != 0 &&
            strcmp(name, "repeat") != 0) ||
           strstr(columns_place(p->context.info->settings, cell, ",", place), name);
}

static char *copy_label(const struct value *value)
{
    char digits[PRINT_NUMBER_TEXT];
    return mem_strdup(value->kind == VALUE_TEXT ? value->text : print_number(value, '.', digits));
}

/* An empty label is the same as none. */
static void put_labels(const struct prometheus *p, const struct kept *row)
{
    FILE *stream = p->state.stream;
    const char *comma = "";

    for (unsigned i = 0; i < p->label_count; i++) {
        if (row->label[i][0] == '\0')
            continue;
        fprintf(stream, "%s%s=", comma, columns_table[p->label[i]].name);
        put_label_value(stream, row->label[i]);
        comma = ",";
    }
}

static void put_number(FILE *stream, const struct number *number, double divisor)
{
    if (number->kind == VALUE_REAL)
        fprintf(stream, " %.15g\n", number->real / divisor);
    else if (divisor > 1)
        fprintf(stream, " %.15g\n", (double)number->count / divisor);
    else
        fprintf(stream, " %" PRIu64 "\n", number->count);
}

static void put_head(FILE *stream, const char *name, const char *type, const char *help)
{
    fprintf(stream, "# HELP iosweep_%s %s\n# TYPE iosweep_%s %s\n", name, help, name, type);
}

/* --- metrics --- */

/* The first column of a metric, which has its help; NULL: there are no more metrics. */
static const struct column *first_of(unsigned place)
{
    const struct column *column = columns_table;

    while (column->name && column->metric.place != place)
        column++;
    return column->name ? column : NULL;
}

static bool is_summary(const struct column *column)
{
    return column->metric.label && strncmp(column->metric.label, "quantile=", 9) == 0;
}

static void put_sample(struct prometheus *p, const struct kept *row, const struct column *column,
                       const char *suffix, const struct number *number)
{
    const struct column_metric *metric = &column->metric;
    FILE *stream = p->state.stream;

    if (number->kind == VALUE_EMPTY ||
        (metric->of_team && columns_ranks(p->context.info->settings) == 1))
        return;
    if (p->headed != metric->place)
        put_head(stream, metric->name, is_summary(column) ? "summary" : "gauge",
                 first_of(metric->place)->metric.help);
    p->headed = metric->place;
    fprintf(stream, "iosweep_%s%s{", metric->name, suffix);
    put_labels(p, row);
    if (metric->label && suffix[0] == '\0')
        fprintf(stream, ",%s", metric->label);
    fputc('}', stream);
    put_number(stream, number, column->unit == UNIT_NS && strcmp(suffix, "_count") != 0 ? 1e9 : 1);
}

/* All samples of a place, row by row; quantiles have a sum and a count beside them. */
static void put_metric(struct prometheus *p, const struct column *first)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct kept *row = &p->rows[i];
        if (!row->number)
            continue;
        for (const struct column *column = first; column->name; column++)
            if (column->metric.place == first->metric.place)
                put_sample(p, row, column, "", &row->number[column - columns_table]);
        if (is_summary(first)) {
            put_sample(p, row, first, "_sum", &row->sum);
            put_sample(p, row, first, "_count", &row->count);
        }
    }
}

static void put_notes(const struct prometheus *p)
{
    FILE *stream = p->state.stream;
    bool headed = false;

    for (unsigned i = 0; i < p->count; i++)
        for (const char *note = p->rows[i].notes; *note != '\0';) {
            const size_t length = strcspn(note, ";");
            if (!headed)
                put_head(stream, "note", "gauge", "1 for each note that qualifies the row.");
            headed = true;
            fputs("iosweep_note{", stream);
            put_labels(p, &p->rows[i]);
            fprintf(stream, ",note=\"%.*s\"} 1\n", (int)length, note);
            note += length + (note[length] == ';');
        }
}

static void put_rows(const struct prometheus *p)
{
    static const struct {
        enum result_state state;
        const char *word;
    } states[] = {{RESULT_CLOSED, "complete"},
                  {RESULT_INCOMPLETE, "incomplete"},
                  {RESULT_SKIPPED, "skipped"}};

    put_head(p->state.stream, "rows", "gauge", "Rows of the run by what came of them.");
    for (size_t s = 0; s < sizeof(states) / sizeof(*states); s++) {
        unsigned count = 0;
        for (unsigned i = 0; i < p->count; i++)
            count += p->rows[i].state == states[s].state;
        fprintf(p->state.stream, "iosweep_rows{state=\"%s\"} %u\n", states[s].word, count);
    }
}

/* The time stands in a metric, not at the samples: the collector refuses files with time stamps. */
static void put_run(const struct prometheus *p)
{
    FILE *stream = p->state.stream;
    struct hostinfo host;

    hostinfo_read("", &host);
    put_head(stream, "info", "gauge", "Always 1; the labels tell program and system.");
    fputs("iosweep_info{version=", stream);
    put_label_value(stream, PACKAGE_VERSION);
    fputs(",kernel=", stream);
    put_label_value(stream, host.kernel);
    fputs(",machine=", stream);
    put_label_value(stream, host.machine);
    fputs("} 1\n", stream);
    put_head(stream, "end_timestamp_seconds", "gauge", "When the run ended, in Unix time.");
    fprintf(stream, "iosweep_end_timestamp_seconds %" PRId64 "\n", (int64_t)time(NULL));
}

/* --- the sink --- */

static int prometheus_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct prometheus *p = arg;
    (void)err;
    p->context.info = info;
    p->begun = true;
    return 0;
}

static struct number *keep_numbers(const struct prometheus *p, const struct result *result)
{
    struct number *numbers = mem_calloc(columns_count(), sizeof(*numbers));
    struct value value;

    for (unsigned i = 0; i < columns_count(); i++)
        if (columns_table[i].metric.place > 0) {
            columns_get(&columns_table[i], &p->context, result, &value);
            numbers[i].kind = value.kind;
            numbers[i].count = value.count;
            numbers[i].real = value.real;
        }
    return numbers;
}

static int prometheus_row(void *arg, const struct result *result, struct error *err)
{
    const struct tally *tally = &result->sum.tally;
    struct prometheus *p = arg;
    struct kept *row;
    struct value value;
    char notes[COLUMNS_NOTES_TEXT];

    (void)err;
    if (p->count == p->room) {
        p->room = p->room > 0 ? 2 * p->room : 64;
        p->rows = mem_realloc_array(p->rows, p->room, sizeof(*p->rows));
    }
    row = &p->rows[p->count++];
    *row = (struct kept){.state = result->state,
                         .label = mem_calloc(p->label_count, sizeof(*row->label)),
                         .sum = {.kind = VALUE_COUNT, .count = tally->sum_ns},
                         .count = {.kind = VALUE_COUNT, .count = tally->operations}};
    for (unsigned i = 0; i < p->label_count; i++) {
        columns_get(&columns_table[p->label[i]], &p->context, result, &value);
        row->label[i] = is_needed(p, result->cell, columns_table[p->label[i]].name)
                            ? copy_label(&value)
                            : mem_strdup("");
    }
    row->notes = mem_strdup(columns_notes(result, p->context.info, notes));
    /* Of a skipped row there is its note, and nothing that could be taken for a measurement. */
    if (result->state != RESULT_SKIPPED)
        row->number = keep_numbers(p, result);
    return 0;
}

static int prometheus_end(void *arg, struct error *err)
{
    struct prometheus *p = arg;

    log_progress_clear();
    if (p->begun) {
        put_run(p);
        put_rows(p);
        for (unsigned place = 1; first_of(place); place++) {
            put_metric(p, first_of(place));
            if (print_flush(&p->state, err) < 0) /* thousands of rows do not fit into a buffer */
                return -1;
        }
        put_notes(p);
    }
    return print_flush(&p->state, err);
}

static void prometheus_release(void *state)
{
    struct prometheus *p = state;

    for (unsigned i = 0; i < p->count; i++) {
        for (unsigned k = 0; k < p->label_count; k++)
            free(p->rows[i].label[k]);
        free(p->rows[i].label);
        free(p->rows[i].notes);
        free(p->rows[i].number);
    }
    free(p->rows);
    free(p->label);
    free(p);
}

int print_make_prometheus(FILE *stream, const struct format_options *options, struct sink *sink,
                          struct error *err)
{
    unsigned count, *label = columns_select(LABELS, &count, err);
    struct prometheus *p;

    if (!label)
        return -1;
    p = mem_calloc(1, sizeof(*p));
    p->label = label;
    p->label_count = count;
    p->state.release = prometheus_release;
    p->state.stream = stream;
    p->state.name = print_stream_name(stream, options->name);
    p->context.label = options->label ? options->label : "";
    *sink = (struct sink){
        .begin = prometheus_begin, .row = prometheus_row, .end = prometheus_end, .arg = p};
    return 0;
}
