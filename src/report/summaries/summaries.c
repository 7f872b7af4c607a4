/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* summaries.c - see summaries.h. Printed are a heading for each test and cache mode, and a line for
 * each group, with the throughput, or the rate if a test moves no data. */
#include "base/compat.h"

#include "report/summaries/summaries.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"
#include "report/formats/print.h"

#define LINE_BYTES 256
#define WIDTH_MOST 98 /* of lines: in a terminal of 100, standard error prefixes two */

const char *const summary_names[SUMMARY_WHATS] = {
    [SUMMARY_TIME] = "time_s",
    [SUMMARY_RATE] = "rate_per_s",
    [SUMMARY_THROUGHPUT] = "throughput_bytes_per_s",
};

struct summary_figure summary_figure(const struct summary *summary, enum summary_what what)
{
    const double *values = summary->values[what];
    const size_t n = summary->counts[what];
    struct summary_figure figure = {
        .count = n, .mean = -1, .median = -1, .min = -1, .max = -1, .stddev = -1, .cv = -1};
    double *sorted;

    if (n == 0)
        return figure;
    sorted = mem_calloc(n, sizeof(*sorted));
    memcpy(sorted, values, n * sizeof(*sorted));
    stats_sort(sorted, n);
    figure.mean = stats_mean(values, n);
    figure.median = stats_median(sorted, n);
    figure.min = sorted[0];
    figure.max = sorted[n - 1];
    free(sorted);
    if (n > 1)
        figure.stddev = stats_stddev(values, n);
    if (n > 1 && figure.mean > 0)
        figure.cv = figure.stddev / figure.mean;
    return figure;
}

double summary_overall(const struct summary *summary, enum summary_what what)
{
    if (what == SUMMARY_THROUGHPUT && !test_moves_data(summary->cell->work.test))
        return -1;
    return columns_per_second(
        (long double)(what == SUMMARY_THROUGHPUT ? summary->bytes : summary->operations),
        summary->time_ns);
}

/* --- groups --- */

void summaries_begin(struct summaries *summaries, const struct run_info *info)
{
    summaries->info = info;
    if (info->settings->loops <= 1 && info->settings->repeats <= 1)
        return;
    summaries->group = mem_calloc(info->cell_count, sizeof(*summaries->group));
    summaries->all = mem_calloc(info->cell_count, sizeof(*summaries->all));
    for (unsigned i = 0; i < info->cell_count; i++) {
        unsigned group = 0;

        while (group < summaries->count &&
               !cell_alike(summaries->all[group].cell, &info->cells[i], 0))
            group++;
        summaries->group[i] = group;
        if (group == summaries->count)
            summaries->all[summaries->count++].cell = &info->cells[i];
    }
}

static void add_value(struct summary *summary, enum summary_what what, double value)
{
    const size_t n = summary->counts[what];

    if (value < 0)
        return;
    if ((n & (n - 1)) == 0) /* 0 or a power of two: double the room */
        summary->values[what] =
            mem_realloc_array(summary->values[what], n ? 2 * n : 1, sizeof(double));
    summary->values[what][summary->counts[what]++] = value;
}

void summaries_add(struct summaries *summaries, const struct result *result)
{
    const struct slice_sum *sum = &result->sum;
    struct summary *summary;
    double throughput;

    if (!summaries->count)
        return;
    summary = &summaries->all[summaries->group[result->cell->index]];
    if (result->state != RESULT_CLOSED || !sum->tally.operations) {
        summary->left_out++;
        return;
    }
    throughput = columns_throughput(result);
    summary->rows++;
    summary->cold += (result->notes & NOTE_COLD) != 0;
    summary->operations += sum->tally.operations;
    summary->time_ns += sum->time_ns;
    if (throughput >= 0)
        summary->bytes += sum->tally.operations * result->cell->work.size_bytes;
    add_value(summary, SUMMARY_TIME, (double)sum->time_ns / 1e9);
    add_value(summary, SUMMARY_RATE, columns_rate(result));
    add_value(summary, SUMMARY_THROUGHPUT, throughput);
}

void summaries_free(struct summaries *summaries)
{
    for (size_t i = 0; i < summaries->count; i++)
        for (unsigned what = 0; what < SUMMARY_WHATS; what++)
            free(summaries->all[i].values[what]);
    free(summaries->all);
    free(summaries->group);
    *summaries = (struct summaries){.count = 0};
}

/* --- lines --- */

struct summaries_sink {
    struct print_state state; /* stream NULL: standard error */
    struct summaries summaries;
    unsigned width; /* of lines; figures are never dropped */
    bool utf8;
};

static void put_line(const struct summaries_sink *sink, const char *line)
{
    if (sink->state.stream)
        fprintf(sink->state.stream, "%s\n", line);
    else
        log_info("# %s", line);
}

/* Adds what distinguishes lines under one heading, except the size. */
static void add_axes(const struct run_info *info, const struct cell *cell, char *text)
{
    unsigned axes = AXIS_MIXED;
    bool accesses = false;
    char size[UNITS_TEXT];

    for (unsigned i = 0; i < info->cell_count; i++) {
        const struct cell *other = &info->cells[i];
        axes |= cell_unlike(other, cell) & (AXIS_TARGET | AXIS_ENGINE | AXIS_THREADS | AXIS_DEPTH);
        accesses = accesses || (!other->fills && other->work.access != ACCESS_RANDOM);
    }
    if (cell->fills)
        text_add(text, LINE_BYTES, ", ", "%s filled",
                 units_format_bytes(
                     (double)((cell->place_first + cell->places) * cell->work.io_bytes), size));
    else if (accesses && test_ordered(cell->work.test))
        axes |= AXIS_ACCESS;
    columns_add_axes(info, cell, axes, text, LINE_BYTES);
}

static bool same_heading(const struct cell *a, const struct cell *b)
{
    return a->step == b->step && a->work.test == b->work.test && a->work.cache == b->work.cache;
}

static void put_heading(const struct summaries_sink *sink, const struct summary *summary)
{
    const struct settings *settings = sink->summaries.info->settings;
    const char *dot = sink->utf8 ? " \xc2\xb7 " : " - ";
    char line[LINE_BYTES] = "summary", place[COLUMNS_PLACE_TEXT];

    text_add(line, sizeof(line), dot, "%s", test_names[cell_test(summary->cell)]);
    if (columns_place(settings, summary->cell, true, dot, place)[0] != '\0')
        text_add(line, sizeof(line), dot, "%s", place);
    text_add(line, sizeof(line), dot, "%s", cache_names[summary->cell->work.cache]);
    if (settings->loops > 1)
        text_add(line, sizeof(line), dot, "%" PRIu64 " loops", settings->loops);
    if (settings->repeats > 1)
        text_add(line, sizeof(line), dot, "%" PRIu64 " repeats", settings->repeats);
    if (sink->state.stream)
        fputc('\n', sink->state.stream);
    put_line(sink, line);
    snprintf(line, sizeof(line), "%8s %4s %9s %9s %9s %6s %9s %9s %9s", "size", "rows", "mean",
             "median", "stddev", "cv", "min", "max", "overall");
    put_line(sink, line);
}

/* Prints what distinguishes the group after its figures or, if the line would be too long, on a
 * separate line before them; `before`: the last such line under this heading. */
static void put_group(const struct summaries_sink *sink, const struct summary *summary,
                      char *before)
{
    const bool moves = test_moves_data(summary->cell->work.test);
    const enum summary_what what = moves ? SUMMARY_THROUGHPUT : SUMMARY_RATE;
    const struct summary_figure figure = summary_figure(summary, what);
    char *(*const format)(double, char *) = moves ? units_format_throughput : units_format_rate;
    const double figures[] = {figure.mean, figure.median, figure.stddev,
                              figure.min,  figure.max,    summary_overall(summary, what)};
    char size[UNITS_TEXT], text[COUNT_OF(figures)][UNITS_TEXT], cv[16] = "-";
    char line[LINE_BYTES + 10 * UNITS_TEXT], rest[LINE_BYTES + 1] = "";
    bool fits;

    for (size_t i = 0; i < COUNT_OF(figures); i++)
        if (figures[i] >= 0)
            format(figures[i], text[i]);
        else
            text_copy(text[i], UNITS_TEXT, "-");
    if (figure.cv >= 0)
        snprintf(cv, sizeof(cv), "%.1f%%", figure.cv * 100);
    add_axes(sink->summaries.info, summary->cell, rest);
    if (summary->cold)
        text_add(rest, LINE_BYTES, ", ", "%u cold", summary->cold);
    if (summary->left_out)
        text_add(rest, LINE_BYTES, ", ", "%u left out", summary->left_out);
    snprintf(line, sizeof(line), "%8s %4u %9s %9s %9s %6s %9s %9s %9s",
             units_format_size(summary->cell->work.size_bytes, size), summary->rows, text[0],
             text[1], text[2], cv, text[3], text[4], text[5]);
    fits = rest[0] == '\0' || strlen(line) + 2 + strlen(rest) <= sink->width;
    if (fits && rest[0] != '\0')
        text_add(line, sizeof(line), "  ", "%s", rest);
    strcat(rest, ":");
    if (!fits && strcmp(rest, before) != 0)
        put_line(sink, rest);
    text_copy(before, LINE_BYTES, fits ? "" : rest);
    put_line(sink, line);
}

static int sink_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct summaries_sink *sink = arg;

    (void)err;
    summaries_begin(&sink->summaries, info);
    return 0;
}

static int sink_row(void *arg, const struct result *result, struct error *err)
{
    struct summaries_sink *sink = arg;

    (void)err;
    summaries_add(&sink->summaries, result);
    return 0;
}

static int sink_end(void *arg, struct error *err)
{
    struct summaries_sink *sink = arg;
    const struct summary *last = NULL;
    char before[LINE_BYTES + 1] = "";

    for (size_t i = 0; i < sink->summaries.count; i++) {
        const struct summary *summary = &sink->summaries.all[i];
        if (!summary->rows && !summary->left_out) /* the run ended before these rows */
            continue;
        if (!last || !same_heading(last->cell, summary->cell)) {
            put_heading(sink, summary);
            before[0] = '\0';
        }
        put_group(sink, summary, before);
        last = summary;
    }
    return sink->state.stream ? print_flush(&sink->state, err) : 0;
}

static void sink_release(void *state)
{
    struct summaries_sink *sink = state;

    summaries_free(&sink->summaries);
    free(sink);
}

void format_make_summaries(FILE *stream, const struct format_options *options, struct sink *sink)
{
    struct summaries_sink *state = mem_calloc(1, sizeof(*state));

    state->state.release = sink_release;
    state->state.stream = stream;
    state->state.name = options->name ? options->name : "standard output";
    state->utf8 = options->utf8;
    state->width = options->width > 0 && options->width < WIDTH_MOST ? options->width : WIDTH_MOST;
    *sink = (struct sink){.begin = sink_begin, .row = sink_row, .end = sink_end, .arg = state};
}
