/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_curve.c - the shapes of curves: which size is large enough, which depth is deep
 * enough. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"

#define KNEE_SHARE  0.9  /* of the best throughput */
#define GROWTH      1.05 /* from the last size but one to the last: the end is not reached */
#define SIZES_LEAST 3
#define NEXT_FACTOR 16                  /* how far beyond the last size to look */
#define NEXT_MOST   (UINT64_C(1) << 30) /* more is not taken as one operation */
#define FILE_FACTOR 4 /* times that size: a file that leaves room for different offsets */
#define DEPTH_GROWTH \
    1.1              /* less than that from one depth to the best one is not worth waiting for */
#define DEPTH_NEXT 4 /* how far beyond the last depth to look */

/* ---- sizes ---- */

struct curve {
    const struct seen *knee, *best, *last, *before_last;
    bool growing;
};

char *findings_format_option(uint64_t size_bytes, char *text)
{
    static const char *const suffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    size_t i = 0;
    while (i + 1 < sizeof(suffixes) / sizeof(suffixes[0]) && size_bytes > 0 &&
           size_bytes % 1024 == 0) {
        size_bytes /= 1024;
        i++;
    }
    snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", size_bytes, suffixes[i]);
    return text;
}

/* In the same step, loop and repeat. */
static bool same_place(const struct cell *a, const struct cell *b)
{
    return a->step == b->step && a->loop == b->loop && a->repeat == b->repeat;
}

/* Rows that move no data have no throughput to speak of. */
static bool belongs_to(const struct seen *row, enum io_test test)
{
    return row->cell->work.test == test && !findings_virtual(row);
}

static bool is_point(const struct seen *row)
{
    return row->state == RESULT_CLOSED && row->throughput > 0;
}

/* All rows of a test differ in size only; those of a file that is filled differ in
 * how full it is. */
static bool is_one_series(const struct findings *f, enum io_test test)
{
    const struct cell *first = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct cell *cell = f->rows[i].cell;
        if (!belongs_to(&f->rows[i], test))
            continue;
        if (!first)
            first = cell;
        if (cell->fills || !same_place(cell, first) ||
            (cell_unlike(cell, first) & ~(unsigned)AXIS_SIZE))
            return false;
    }
    return true;
}

/* False where there are too few points. */
static bool find_curve(const struct findings *f, enum io_test test, struct curve *curve)
{
    const struct seen *end = f->rows + f->count;
    uint64_t most = 0; /* also of rows that are no points */
    unsigned points = 0;

    *curve = (struct curve){.growing = false};
    for (const struct seen *row = f->rows; row < end; row++) {
        if (!belongs_to(row, test))
            continue;
        most = findings_size(row) > most ? findings_size(row) : most;
        if (!is_point(row))
            continue;
        points++;
        if (!curve->best || row->throughput > curve->best->throughput)
            curve->best = row;
        if (!curve->last || findings_size(row) > findings_size(curve->last)) {
            curve->before_last = curve->last;
            curve->last = row;
        } else if (!curve->before_last || findings_size(row) > findings_size(curve->before_last)) {
            curve->before_last = row;
        }
    }
    if (points < SIZES_LEAST)
        return false;
    for (const struct seen *row = f->rows; row < end; row++)
        if (belongs_to(row, test) && is_point(row) &&
            row->throughput >= KNEE_SHARE * curve->best->throughput &&
            (!curve->knee || findings_size(row) < findings_size(curve->knee)))
            curve->knee = row;
    curve->growing = curve->knee == curve->last && most == findings_size(curve->last) &&
                     curve->last->throughput > GROWTH * curve->before_last->throughput;
    return true;
}

/* What to try after that row, to be put after the sentence; empty when the target ends there. */
static void advise_larger(const struct findings *f, const struct seen *last, char *text)
{
    const uint64_t next = findings_size(last) * NEXT_FACTOR;
    bool listed = f->info->settings->sizes.count > 0;
    char next_text[UNITS_TEXT], file_text[UNITS_TEXT];
    text[0] = '\0';
    if (findings_size(last) > NEXT_MOST / NEXT_FACTOR)
        return;
    findings_format_option(next, next_text);
    findings_format_option(next * FILE_FACTOR, file_text);
    if (target_can(findings_target(f, last), TARGET_SHAPED)
            ? next <= findings_target(f, last)->length_bytes[0]
            : findings_own(f, last))
        snprintf(text, TERM_TEXT, "; try %s %s", listed ? "--sizes with" : "--max-size", next_text);
    else if (findings_own(f, last))
        snprintf(text, TERM_TEXT, "; try %s %s -l %s", listed ? "--sizes with" : "-M", next_text,
                 file_text);
}

FILL(knees)
{
    const struct seen *growing = NULL;

    for (int test = 0; test < TEST_COUNT; test++)
        if (!is_one_series(f, (enum io_test)test))
            return false;
    for (int test = 0; test < TEST_COUNT && strlen(terms[0]) < TERM_TEXT / 2; test++) {
        char size[UNITS_TEXT], throughput[UNITS_TEXT];
        struct curve curve;
        if (!find_curve(f, (enum io_test)test, &curve))
            continue;
        text_add(terms[0], TERM_TEXT, ", ", "%s of %s (best %s%s)", test_table[test].plural,
                 units_format_size(findings_size(curve.knee), size),
                 units_format_throughput(curve.best->throughput, throughput),
                 curve.growing ? ", still growing" : "");
        if (curve.growing && (!growing || findings_size(curve.last) > findings_size(growing)))
            growing = curve.last;
    }
    if (growing)
        advise_larger(f, growing, terms[1]);
    else
        text_copy(terms[1], TERM_TEXT, "; add nearby --sizes for a closer value");
    return terms[0][0] != '\0';
}

/* ---- depths ---- */

struct depths { /* rows that differ in depth only */
    const struct seen *one, *best, *last;
    unsigned points;
    /* the least depth that the best one exceeds by less than DEPTH_GROWTH */
    const struct seen *enough;
};

static uint32_t depth_of(const struct seen *row)
{
    return row->cell->work.depth;
}

static bool is_depth_point(const struct seen *row)
{
    return row->state == RESULT_CLOSED && row->rate > 0 && !findings_virtual(row) &&
           !(row->notes & NOTE_DRAINED);
}

static bool same_series(const struct cell *a, const struct cell *b)
{
    return same_place(a, b) && !(cell_unlike(a, b) & ~(unsigned)AXIS_DEPTH);
}

static double gain_of(const struct depths *series)
{
    return series->best->rate / series->one->rate;
}

/* The series that begins with that row of depth 1; false when nothing deeper was finished. */
static bool find_series(const struct findings *f, const struct seen *one, struct depths *series)
{
    *series = (struct depths){.one = one, .best = one, .last = one};
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!is_depth_point(row) || !same_series(row->cell, one->cell))
            continue;
        series->points++;
        if (row->rate > series->best->rate)
            series->best = row;
        if (depth_of(row) > depth_of(series->last))
            series->last = row;
    }
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (is_depth_point(row) && same_series(row->cell, one->cell) &&
            row->rate * DEPTH_GROWTH > series->best->rate &&
            (!series->enough || depth_of(row) < depth_of(series->enough)))
            series->enough = row;
    }
    return series->last != one;
}

/* Rates alone: their ratio is that of the pairs, which are compared round by round. */
static void describe_gain(const struct depths *series, char *text)
{
    const struct cell *cell = series->one->cell;
    char size[UNITS_TEXT], best[UNITS_TEXT], one[UNITS_TEXT];

    units_format_rate(series->best->rate, best);
    text_add(text, TERM_TEXT, "", "%s of %s by %s ", test_table[cell_test(cell)].plural,
             units_format_size(cell->work.size_bytes, size), cell->engine->name);
    if (series->enough == series->one) {
        text_add(text, TERM_TEXT, "", "gain nothing from depth (%s at depth 1, %s at best)",
                 units_format_rate(series->one->rate, one), best);
        return;
    }
    text_add(text, TERM_TEXT, "", "reach %s at depth %" PRIu32 ", %s at depth 1", best,
             depth_of(series->best), units_format_rate(series->one->rate, one));
    if (series->enough != series->last)
        text_add(text, TERM_TEXT, "", ", and gain less than 10 %% beyond depth %" PRIu32,
                 depth_of(series->enough));
    else if (series->points > 2)
        text_add(text, TERM_TEXT, "", ", still growing");
}

/* What to try next, by the series that gains most of all. */
static void advise_depth(const struct findings *f, const struct depths *series, char *text)
{
    const struct seen *last = series->last;
    const uint32_t most = last->cell->engine->async->depth_max;
    const uint32_t next = depth_of(last) > most / DEPTH_NEXT ? most : depth_of(last) * DEPTH_NEXT;
    if (series->enough == series->one && !findings_has_direct(f) &&
        !findings_target(f, last)->in_memory)
        snprintf(text, TERM_TEXT,
                 "use -b (--cache direct): cached operations do not wait for storage");
    else if (series->enough == last && next > depth_of(last))
        snprintf(text, TERM_TEXT, "try --depth %" PRIu32 "..%" PRIu32, depth_of(last), next);
    else
        snprintf(text, TERM_TEXT, "try --depth %" PRIu32 " with more --threads",
                 depth_of(series->enough));
}

/* At a wanted rate depth cannot raise it.  Speaks of the series that gains most. */
FILL(depth)
{
    struct depths series, most = {.one = NULL};

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (depth_of(row) == 1 && is_depth_point(row) && row->cell->engine->async &&
            find_series(f, row, &series) && (!most.one || gain_of(&series) > gain_of(&most)))
            most = series;
    if (!most.one || f->info->settings->rate > 0)
        return false;
    describe_gain(&most, terms[0]);
    advise_depth(f, &most, terms[1]);
    return true;
}

const struct rule findings_of_curve[] = {
    {.weight = 510,
     .fill = fill_knees,
     .sentence = "90 % of the best throughput is reached by {1}{2}"},
    {.weight = 500, .fill = fill_depth, .sentence = "{1}; {2}"},
    {.sentence = NULL}};
