/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* summaries_print.c - prints summaries: a heading for each test and cache mode, a line for each
 * group, with the throughput, or the rate if a test moves no data. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"
#include "report/summaries/summaries.h"

#define LINE_BYTES 256

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

static void put_heading(const struct summaries *summaries, const struct summary *summary,
                        const struct summaries_lines *lines)
{
    const struct settings *settings = summaries->info->settings;
    const char *dot = lines->utf8 ? " \xc2\xb7 " : " - ";
    char line[LINE_BYTES] = "summary", place[COLUMNS_PLACE_TEXT];
    struct settings once = *settings; /* loops and repeats are merged */

    once.loops = once.repeats = 1;
    text_add(line, sizeof(line), dot, "%s", test_names[cell_test(summary->cell)]);
    if (columns_place(&once, summary->cell, dot, place)[0] != '\0')
        text_add(line, sizeof(line), dot, "%s", place);
    text_add(line, sizeof(line), dot, "%s", cache_names[summary->cell->work.cache]);
    if (settings->loops > 1)
        text_add(line, sizeof(line), dot, "%" PRIu64 " loops", settings->loops);
    if (settings->repeats > 1)
        text_add(line, sizeof(line), dot, "%" PRIu64 " repeats", settings->repeats);
    lines->put(lines->arg, line);
    snprintf(line, sizeof(line), "%8s %4s %9s %9s %9s %6s %9s %9s %9s", "size", "rows", "mean",
             "median", "stddev", "cv", "min", "max", "overall");
    lines->put(lines->arg, line);
}

/* Prints `rest` after the figures or, if the line would be too long for a terminal, on a separate
 * line before them; `before`: the last such line under this heading. */
static void put_line(char *line, size_t room, const char *rest, char *before,
                     const struct summaries_lines *lines)
{
    const bool fits = rest[0] == '\0' || strlen(line) + 2 + strlen(rest) <= lines->columns;

    if (fits && rest[0] != '\0')
        text_add(line, room, "  ", "%s", rest);
    if (!fits && strcmp(rest, before) != 0) {
        char heading[LINE_BYTES + 1];

        snprintf(heading, sizeof(heading), "%s:", rest);
        lines->put(lines->arg, heading);
    }
    text_copy(before, LINE_BYTES, fits ? "" : rest);
    lines->put(lines->arg, line);
}

static void put_group(const struct summaries *summaries, const struct summary *summary,
                      char *before, const struct summaries_lines *lines)
{
    const bool moves = test_moves_data(summary->cell->work.test);
    const struct summary_figure figure =
        summary_figure(summary, moves ? SUMMARY_THROUGHPUT : SUMMARY_RATE);
    char *(*const format)(double, char *) = moves ? units_format_throughput : units_format_rate;
    const double overall =
        moves ? summary_overall_throughput(summary) : summary_overall_rate(summary);
    char size[UNITS_TEXT], text[6][UNITS_TEXT] = {"-", "-", "-", "-", "-", "-"}, cv[16] = "-";
    char line[LINE_BYTES + 10 * UNITS_TEXT], rest[LINE_BYTES] = "";

    if (figure.count > 0) {
        format(figure.mean, text[0]);
        format(figure.median, text[1]);
        format(figure.min, text[3]);
        format(figure.max, text[4]);
    }
    if (figure.count > 0 && figure.stddev >= 0)
        format(figure.stddev, text[2]);
    if (figure.count > 0 && figure.cv >= 0)
        snprintf(cv, sizeof(cv), "%.1f%%", figure.cv * 100);
    if (overall >= 0)
        format(overall, text[5]);
    add_axes(summaries->info, summary->cell, rest);
    if (summary->cold)
        text_add(rest, sizeof(rest), ", ", "%u cold", summary->cold);
    if (summary->left_out)
        text_add(rest, sizeof(rest), ", ", "%u left out", summary->left_out);
    snprintf(line, sizeof(line), "%8s %4u %9s %9s %9s %6s %9s %9s %9s",
             units_format_size(summary->cell->work.size_bytes, size), summary->rows, text[0],
             text[1], text[2], cv, text[3], text[4], text[5]);
    put_line(line, sizeof(line), rest, before, lines);
}

void summaries_print(const struct summaries *summaries, const struct summaries_lines *lines)
{
    const struct summary *before = NULL;
    char rest[LINE_BYTES] = "";

    for (size_t i = 0; i < summaries->count; i++) {
        const struct summary *summary = &summaries->all[i];
        if (!summary->rows && !summary->left_out) /* the run ended before these rows */
            continue;
        if (!before || !same_heading(before->cell, summary->cell))
            put_heading(summaries, summary, lines);
        if (!before || !same_heading(before->cell, summary->cell))
            rest[0] = '\0';
        put_group(summaries, summary, rest, lines);
        before = summary;
    }
}
