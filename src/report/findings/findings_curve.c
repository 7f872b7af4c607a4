/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_curve.c - the shape of curves: which size is large enough. Pairs report the gain of
 * depth. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"

#define KNEE_SHARE 0.9 /* of the best throughput */
/* between the last two sizes: above this the curve still rises */
#define GROWTH      1.05
#define SIZES_LEAST 3
#define NEXT_FACTOR 16                  /* how far beyond the last size to look */
#define NEXT_MOST   (UINT64_C(1) << 30) /* maximum size of one operation */
#define FILE_FACTOR 4 /* file size relative to that size, so that offsets differ */

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

/* Rows that move no data have no throughput. */
static bool belongs_to(const struct seen *row, enum io_test test)
{
    return row->cell->work.test == test && !findings_virtual(row);
}

static bool is_point(const struct seen *row)
{
    return row->state == RESULT_CLOSED && row->throughput > 0;
}

/* Whether all rows of a test differ in size only; rows of test fill differ in the fill level of the
 * file. */
static bool is_one_series(const struct findings *f, enum io_test test)
{
    const struct cell *first = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct cell *cell = f->rows[i].cell;
        if (!belongs_to(&f->rows[i], test))
            continue;
        if (!first)
            first = cell;
        if (cell->fills || cell->step != first->step || cell->loop != first->loop ||
            cell->repeat != first->repeat || (cell_unlike(cell, first) & ~(unsigned)AXIS_SIZE))
            return false;
    }
    return true;
}

/* False if there are too few points. */
static bool find_curve(const struct findings *f, enum io_test test, struct curve *curve)
{
    const struct seen *end = f->rows + f->count;
    uint64_t most = 0; /* includes rows that are not points */
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

/* Advice on the next size, to append to the sentence; empty if the target has no larger one. */
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

const struct rule findings_of_curve[] = {
    {.weight = 510,
     .fill = fill_knees,
     .sentence = "90 % of the best throughput is reached by {1}{2}"},
    {.sentence = NULL}};
