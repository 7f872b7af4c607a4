/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_rows.c - which rows and cells are shown, where there are more than a person can read and a
 * browser can draw.  Rows are chosen, not averaged, so that the figures of a row still belong
 * together. */
#include "base/compat.h"

#include "analysis/report/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define ROWS_LEAST  2  /* of a curve: its ends */
#define CELLS_LEAST 50 /* of a comparison */

static int compare_times(const void *a, const void *b)
{
    const double x = results_op_ns(*(const struct results_row *const *)a),
                 y = results_op_ns(*(const struct results_row *const *)b);

    return (x > y) - (x < y);
}

/* For each size the row with the median time per operation, of an even number the faster one. */
static size_t take_medians(const struct results_curve *curve, const struct results_row **rows)
{
    size_t count = 0;

    memcpy(rows, curve->rows, curve->count * sizeof(struct results_row *));
    for (size_t begin = 0, end; begin < curve->count; begin = end) {
        for (end = begin + 1;
             end < curve->count && rows[end]->size_bytes == rows[begin]->size_bytes;)
            end++;
        qsort(rows + begin, end - begin, sizeof(*rows), compare_times);
        rows[count++] = rows[begin + (end - begin - 1) / 2];
    }
    return count;
}

/* How many rows a curve may have, so that all together have at most so many, or ROWS_LEAST each. */
static size_t find_share(const struct results_curve *curves, size_t count, size_t most)
{
    size_t low = ROWS_LEAST, high = most;

    while (low < high) {
        const size_t share = low + (high - low + 1) / 2;
        size_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += curves[i].count < share ? curves[i].count : share;
        if (sum <= most)
            low = share;
        else
            high = share - 1;
    }
    return low;
}

/* Evenly, with the first and the last. */
static void thin(struct results_curve *curve, size_t share)
{
    if (curve->count <= share)
        return;
    for (size_t i = 0; i < share; i++)
        curve->rows[i] = curve->rows[(i * (curve->count - 1) + (share - 1) / 2) / (share - 1)];
    curve->count = share;
}

static size_t count_rows(const struct results_curve *curves, size_t count)
{
    size_t rows = 0;

    for (size_t i = 0; i < count; i++)
        rows += curves[i].count;
    return rows;
}

static void take_rows(struct report *report, size_t most, bool *same, bool *thinned)
{
    size_t kept;

    *same = *thinned = false;
    for (size_t i = 0; i < report->curve_count; i++) {
        struct results_curve *shown = &report->shown[i];
        const struct results_curve *curve = &report->curves[i];
        *shown = *curve;
        shown->rows = arena_alloc(report->pool, curve->count * sizeof(*shown->rows));
        memcpy(shown->rows, curve->rows, curve->count * sizeof(*shown->rows));
    }
    if (report->figure_count <= most)
        return;
    for (size_t i = 0; i < report->curve_count; i++)
        report->shown[i].count = take_medians(&report->curves[i], report->shown[i].rows);
    kept = count_rows(report->shown, report->curve_count);
    *same = kept < report->figure_count;
    if (kept <= most)
        return;
    *thinned = true;
    kept = find_share(report->shown, report->curve_count, most);
    for (size_t i = 0; i < report->curve_count; i++)
        thin(&report->shown[i], kept);
}

void report_choose_rows(struct report *report, size_t most)
{
    bool same, thinned;
    char *text;

    report->left_out = "";
    report->figure_count = count_rows(report->curves, report->curve_count);
    report->shown = mem_calloc(report->curve_count + 1, sizeof(*report->shown));
    take_rows(report, most, &same, &thinned);
    report->shown_count = count_rows(report->shown, report->curve_count);
    if (report->shown_count == report->figure_count)
        return;
    text = mem_printf("%zu of %zu rows with figures are shown: %s%s%s; the results have the other "
                      "%zu, and iosweep compare, fit and plot take all of them",
                      report->shown_count, report->figure_count,
                      same ? "of rows of the same curve and size the one with the median time per "
                             "operation"
                           : "",
                      same && thinned ? ", and " : "",
                      thinned ? "of each curve some sizes, evenly chosen, with the smallest and "
                                "the largest"
                              : "",
                      report->figure_count - report->shown_count);
    report->left_out = arena_keep(report->pool, text);
    free(text);
}

/* --- cells of comparisons ------------------------------------------------------------------- */

struct change {
    double size;
    size_t cell;
};

/* The largest first, then in the order of the cells. */
static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void choose(struct report *report, struct report_comparison *pair, size_t most)
{
    struct change *changes = mem_calloc(pair->match.count, sizeof(*changes));

    for (size_t i = 0; i < pair->match.count; i++) {
        const double ratio = pair->match.compared[i].is.ratio;
        changes[i] = (struct change){ratio > 0 ? fabs(log(ratio)) : -1, i};
    }
    qsort(changes, pair->match.count, sizeof(*changes), compare_changes);
    pair->hidden = arena_alloc(report->pool, pair->match.count * sizeof(*pair->hidden));
    for (size_t i = 0; i < pair->match.count; i++)
        pair->hidden[changes[i].cell] = i >= most;
    free(changes);
    {
        char *text = mem_printf("%zu of %zu cells are shown, those whose time per operation "
                                "changed most; iosweep compare prints all of them",
                                most, pair->match.count);
        pair->left_out = arena_keep(report->pool, text);
        free(text);
    }
}

void report_choose_cells(struct report *report, size_t most)
{
    if (report->comparison_count > 0)
        most /= report->comparison_count;
    if (most < CELLS_LEAST)
        most = CELLS_LEAST;
    for (size_t i = 0; i < report->comparison_count; i++) {
        struct report_comparison *pair = &report->comparisons[i];
        pair->left_out = "";
        if (!pair->refused && pair->match.count > most)
            choose(report, pair, most);
    }
}

bool report_hides(const struct report_comparison *pair, size_t cell)
{
    return pair->hidden && pair->hidden[cell];
}
