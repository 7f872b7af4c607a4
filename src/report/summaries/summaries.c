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

const char *const summary_names[SUMMARY_WHATS] = {
    [SUMMARY_TIME] = "time_s",
    [SUMMARY_RATE] = "rate_per_s",
    [SUMMARY_THROUGHPUT] = "throughput_bytes_per_s",
};

static struct summary_figure figure_of(double *values, unsigned n)
{
    struct summary_figure figure = {
        .count = n, .mean = -1, .median = -1, .min = -1, .max = -1, .stddev = -1, .cv = -1};

    if (n == 0)
        return figure;
    figure.mean = stats_mean(values, n);
    if (n > 1)
        figure.stddev = stats_stddev(values, n);
    if (n > 1 && figure.mean > 0)
        figure.cv = figure.stddev / figure.mean;
    stats_sort(values, n);
    figure.median = stats_median(values, n);
    figure.min = values[0];
    figure.max = values[n - 1];
    return figure;
}

/* The first row of the group of row i. */
static unsigned first_of_group(const struct run_info *info, unsigned i)
{
    unsigned first = 0;

    while (!cell_alike(info->rows[first]->cell, info->rows[i]->cell, 0))
        first++;
    return first;
}

bool summary_next(const struct run_info *info, unsigned *next, struct summary *summary)
{
    const unsigned count = *info->row_count;
    double *values[SUMMARY_WHATS];

    while (*next < count && first_of_group(info, *next) < *next)
        ++*next;
    if (*next == count || (info->settings->loops <= 1 && info->settings->repeats <= 1))
        return false;
    *summary = (struct summary){.cell = info->rows[*next]->cell};
    for (int what = 0; what < SUMMARY_WHATS; what++)
        values[what] = mem_calloc(count, sizeof(double));
    for (unsigned i = *next; i < count; i++) {
        const struct result *row = info->rows[i];
        const struct slice_sum *sum = &row->sum;
        const double columns[] = {(double)sum->time_ns / 1e9, columns_rate(row),
                                  columns_throughput(row)};

        if (!cell_alike(row->cell, summary->cell, 0))
            continue;
        if (row->state != RESULT_CLOSED || !sum->tally.operations) {
            summary->left_out++;
            continue;
        }
        summary->rows++;
        summary->cold += (row->notes & NOTE_COLD) != 0;
        summary->operations += sum->tally.operations;
        summary->time_ns += sum->time_ns;
        if (columns[SUMMARY_THROUGHPUT] >= 0)
            summary->bytes += sum->tally.operations * row->cell->work.size_bytes;
        for (int what = 0; what < SUMMARY_WHATS; what++)
            if (columns[what] >= 0)
                values[what][summary->figures[what].count++] = columns[what];
    }
    for (int what = 0; what < SUMMARY_WHATS; what++) {
        summary->figures[what] = figure_of(values[what], summary->figures[what].count);
        free(values[what]);
    }
    summary->rate = columns_per_second(summary->operations, summary->time_ns);
    summary->throughput = test_moves_data(summary->cell->work.test)
                              ? columns_per_second(summary->bytes, summary->time_ns)
                              : -1;
    ++*next;
    return true;
}

/* --- lines --- */

struct summaries_sink {
    struct print_state state; /* stream NULL: standard error */
    const struct run_info *info;
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
    const struct settings *settings = sink->info->settings;
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

/* Prints the figures of the group, and after them what distinguishes it. */
static void put_group(const struct summaries_sink *sink, const struct summary *summary)
{
    const bool moves = test_moves_data(summary->cell->work.test);
    const struct summary_figure figure =
        summary->figures[moves ? SUMMARY_THROUGHPUT : SUMMARY_RATE];
    char *(*const format)(double, char *) = moves ? units_format_throughput : units_format_rate;
    const double figures[] = {figure.mean,   figure.median,
                              figure.stddev, figure.min,
                              figure.max,    moves ? summary->throughput : summary->rate};
    char size[UNITS_TEXT], text[COUNT_OF(figures)][UNITS_TEXT], cv[16] = "-";
    char line[LINE_BYTES + 10 * UNITS_TEXT], rest[LINE_BYTES] = "";

    for (size_t i = 0; i < COUNT_OF(figures); i++)
        if (figures[i] >= 0)
            format(figures[i], text[i]);
        else
            text_copy(text[i], UNITS_TEXT, "-");
    if (figure.cv >= 0)
        snprintf(cv, sizeof(cv), "%.1f%%", figure.cv * 100);
    add_axes(sink->info, summary->cell, rest);
    if (summary->cold)
        text_add(rest, LINE_BYTES, ", ", "%u cold", summary->cold);
    if (summary->left_out)
        text_add(rest, LINE_BYTES, ", ", "%u left out", summary->left_out);
    snprintf(line, sizeof(line), "%8s %4u %9s %9s %9s %6s %9s %9s %9s",
             units_format_size(summary->cell->work.size_bytes, size), summary->rows, text[0],
             text[1], text[2], cv, text[3], text[4], text[5]);
    if (rest[0] != '\0')
        text_add(line, sizeof(line), "  ", "%s", rest);
    put_line(sink, line);
}

static int sink_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct summaries_sink *sink = arg;

    (void)err;
    sink->info = info;
    return 0;
}

static int sink_end(void *arg, struct error *err)
{
    struct summaries_sink *sink = arg;
    const struct cell *last = NULL;
    struct summary summary;

    for (unsigned next = 0; summary_next(sink->info, &next, &summary); last = summary.cell) {
        if (!last || !same_heading(last, summary.cell))
            put_heading(sink, &summary);
        put_group(sink, &summary);
    }
    return sink->state.stream ? print_flush(&sink->state, err) : 0;
}

void format_make_summaries(FILE *stream, const struct format_options *options, struct sink *sink)
{
    struct summaries_sink *state = mem_calloc(1, sizeof(*state));

    state->state.release = free;
    state->state.stream = stream;
    state->state.name = options->name ? options->name : "standard output";
    state->utf8 = options->utf8;
    *sink = (struct sink){.begin = sink_begin, .end = sink_end, .arg = state};
}
