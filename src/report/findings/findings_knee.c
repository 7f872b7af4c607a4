/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_knee.c - the finding about the shape of the curve: from which size on a test is about as
 * fast as it gets, and whether the sweep ended too early to know.
 *
 * One sentence has room for one curve per test, so a run that compares several has none; and a
 * curve of fewer than three finished rows has no shape. */
#include "base/compat.h"

#include <inttypes.h>

#include "base/units.h"
#include "report/findings/findings.h"

#define KNEE_SHARE  0.9  /* of the best throughput */
#define GROWTH      1.05 /* from the last size but one to the last: the end is not reached */
#define SIZES_LEAST 3
#define NEXT_FACTOR 16                  /* how far beyond the last size to look */
#define NEXT_MOST   (UINT64_C(1) << 30) /* more is not taken as one operation */
#define FILE_FACTOR 4 /* times that size: a file that leaves room for different offsets */

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

/* Rows that move no data have no throughput to speak of. */
bool findings_belongs(const struct seen *row, enum io_test test)
{
    return row->cell->work.test == test && !findings_virtual(row);
}

bool findings_is_point(const struct seen *row)
{
    return row->state == RESULT_CLOSED && row->throughput > 0;
}

/* All rows of a test differ in size only; those of a file that is filled differ in
 * how full it is. */
bool findings_one_series(const struct findings *f, enum io_test test)
{
    const struct cell *first = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct cell *cell = f->rows[i].cell;
        if (!findings_belongs(&f->rows[i], test))
            continue;
        if (!first)
            first = cell;
        if (cell->fills || cell->work.access != first->work.access ||
            cell->work.cache != first->work.cache || cell->target != first->target ||
            cell->engine != first->engine || cell->threads != first->threads ||
            cell->work.depth != first->work.depth || cell->step != first->step ||
            cell->loop != first->loop || cell->repeat != first->repeat ||
            cell->mixed != first->mixed || cell->read_percent != first->read_percent)
            return false;
    }
    return true;
}

/* Best and last points; false when there are too few. */
static bool find_points(const struct findings *f, enum io_test test, struct curve *curve)
{
    unsigned points = 0;
    *curve = (struct curve){0};
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!findings_belongs(row, test) || !findings_is_point(row))
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
    return points >= SIZES_LEAST;
}

static bool find_curve(const struct findings *f, enum io_test test, struct curve *curve)
{
    bool cut = false; /* larger sizes were asked for, but are no points */
    if (!find_points(f, test, curve))
        return false;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!findings_belongs(row, test))
            continue;
        cut = cut || findings_size(row) > findings_size(curve->last);
        if (findings_is_point(row) && row->throughput >= KNEE_SHARE * curve->best->throughput &&
            (!curve->knee || findings_size(row) < findings_size(curve->knee)))
            curve->knee = row;
    }
    curve->growing = curve->knee == curve->last && !cut &&
                     curve->last->throughput > GROWTH * curve->before_last->throughput;
    return true;
}

/* What to try after that row, to be put after the sentence; empty when the target ends there. */
static void advise_larger(const struct findings *f, const struct seen *last, char *text,
                          size_t size)
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
        snprintf(text, size, "; try %s %s", listed ? "--sizes with" : "--max-size", next_text);
    else if (findings_own(f, last))
        snprintf(text, size, "; try %s %s -l %s", listed ? "--sizes with" : "-M", next_text,
                 file_text);
}

bool findings_knees(const struct findings *f, char *text)
{
    const struct seen *growing = NULL;
    char advice[128] = "";
    bool any = false;
    size_t used =
        (size_t)snprintf(text, FINDING_TEXT, "90 %% of the best throughput is reached by");
    for (int test = 0; test < TEST_COUNT; test++)
        if (!findings_one_series(f, (enum io_test)test))
            return false;
    for (int test = 0; test < TEST_COUNT && used < FINDING_TEXT / 2; test++) {
        char size[UNITS_TEXT], throughput[UNITS_TEXT];
        struct curve curve;
        if (!find_curve(f, (enum io_test)test, &curve))
            continue;
        used += (size_t)snprintf(text + used, FINDING_TEXT - used, "%s %s of %s (best %s%s)",
                                 any ? "," : "", test_table[test].plural,
                                 units_format_size(findings_size(curve.knee), size),
                                 units_format_throughput(curve.best->throughput, throughput),
                                 curve.growing ? ", still growing" : "");
        any = true;
        if (curve.growing && (!growing || findings_size(curve.last) > findings_size(growing)))
            growing = curve.last;
    }
    if (growing)
        advise_larger(f, growing, advice, sizeof(advice));
    else
        snprintf(advice, sizeof(advice), "; more --sizes around them show it closer");
    snprintf(text + used, FINDING_TEXT - used, "%s", advice);
    return any;
}
