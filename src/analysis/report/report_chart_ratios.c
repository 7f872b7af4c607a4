/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_chart_ratios.c - a comparison as chart: how many times as long operations take as before,
 * by size, with intervals and the strip within which a change is no difference. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/report/report_chart_parts.h"
#include "analysis/report/report_parts.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/text.h"

#define LINES_MAX 4   /* of a chart: bands of more hide each other */
#define REACH     4.0 /* intervals that reach further than this factor beyond all ratios are cut */

struct ratio_group { /* cells that differ in the size only */
    const struct results_row *first;
    struct results_curve curve; /* of one row, for its name */
    size_t count;
};

struct ratios {
    const struct report_comparison *comparison;
    unsigned test;
    struct ratio_group *groups;
    struct results_curve *curves; /* parallel */
    size_t count;
};

static struct results_curve curve_of(const struct report_comparison *comparison,
                                     const struct results_row **row)
{
    return (struct results_curve){.file = &comparison->files[0], .rows = row, .count = 1};
}

static bool has_ratio(const struct ratios *ratios, size_t cell)
{
    const struct compare_cell *compared = &ratios->comparison->match.compared[cell];

    return compared->test == ratios->test && compared->is.ratio > 0 &&
           !report_hides(ratios->comparison, cell);
}

static bool belongs(const struct ratios *ratios, size_t group, size_t cell)
{
    const struct results_row *row = ratios->comparison->match.cells[cell].before;
    const struct results_curve curve = curve_of(ratios->comparison, &row);

    return report_differences(&ratios->curves[group], &curve) == 0;
}

static void gather(struct ratios *ratios)
{
    const struct match *match = &ratios->comparison->match;

    ratios->groups = mem_calloc(match->count + 1, sizeof(*ratios->groups));
    ratios->curves = mem_calloc(match->count + 1, sizeof(*ratios->curves));
    for (size_t i = 0; i < match->count; i++) {
        size_t k = 0;
        if (!has_ratio(ratios, i))
            continue;
        while (k < ratios->count && !belongs(ratios, k, i))
            k++;
        if (k == ratios->count) {
            ratios->groups[k].first = match->cells[i].before;
            ratios->curves[k] = curve_of(ratios->comparison, &ratios->groups[k].first);
            ratios->count++;
        }
        ratios->groups[k].count++;
    }
}

static void make_scale(const struct ratios *ratios, struct svg_scale *y)
{
    const struct match *match = &ratios->comparison->match;
    struct svg_scale bare = *y;

    svg_add(&bare, 1 / (1 + REPORT_TOLERANCE));
    svg_add(&bare, 1 + REPORT_TOLERANCE);
    for (size_t i = 0; i < match->count; i++)
        if (has_ratio(ratios, i))
            svg_add(&bare, match->compared[i].is.ratio);
    *y = bare;
    for (size_t i = 0; i < match->count; i++) {
        if (!has_ratio(ratios, i) || isnan(match->compared[i].is.low))
            continue;
        svg_add(y, fmax(match->compared[i].is.low, bare.low / REACH));
        svg_add(y, fmin(match->compared[i].is.high, bare.high * REACH));
    }
    svg_widen(y, 1.1);
    y->linear = y->low > 0.4 && y->high < 2.5;
}

static double place(const struct svg_scale *y, double ratio)
{
    return svg_at(y, fmin(fmax(ratio, y->low), y->high));
}

static int compare_x(const void *a, const void *b)
{
    const double x = ((const struct svg_point *)a)->x, y = ((const struct svg_point *)b)->x;

    return (x > y) - (x < y);
}

static void put_group(const struct chart *chart, const struct ratios *ratios, size_t group,
                      unsigned style)
{
    const struct match *match = &ratios->comparison->match;
    const size_t room = ratios->groups[group].count;
    struct svg_point *points = mem_calloc(3 * room, sizeof(*points)), *low = points + room,
                     *high = low + room;
    char classes[16];
    size_t count = 0;

    for (size_t i = 0; i < match->count && count < room; i++) {
        const struct compare_judgement *is = &match->compared[i].is;
        double x;
        if (!has_ratio(ratios, i) || !belongs(ratios, group, i))
            continue;
        x = svg_at(&chart->x, (double)match->cells[i].before->size_bytes);
        points[count] = (struct svg_point){x, place(&chart->y, is->ratio)};
        low[count] = (struct svg_point){x, isnan(is->low) ? NAN : place(&chart->y, is->low)};
        high[count] = (struct svg_point){x, isnan(is->high) ? NAN : place(&chart->y, is->high)};
        count++;
    }
    qsort(points, count, sizeof(*points), compare_x);
    qsort(low, count, sizeof(*low), compare_x);
    qsort(high, count, sizeof(*high), compare_x);
    snprintf(classes, sizeof(classes), "b c%u", style);
    svg_band(chart->stream, low, high, count, classes);
    snprintf(classes, sizeof(classes), "l c%u d%u", style, style);
    svg_line(chart->stream, points, count, classes);
    snprintf(classes, sizeof(classes), "c%u", style);
    for (size_t i = 0; i < count; i++)
        svg_mark(chart->stream, points[i], style, classes, NULL);
    free(points);
}

/* The strip, and which side of it is which. */
static void put_strip(const struct chart *chart)
{
    const double top = place(&chart->y, 1 + REPORT_TOLERANCE),
                 bottom = place(&chart->y, 1 / (1 + REPORT_TOLERANCE)), one = svg_at(&chart->y, 1);

    fprintf(chart->stream,
            "<path class=\"strip\" d=\"M%d %.1fH%dV%.1fH%dZ\"/>"
            "<path class=\"one\" d=\"M%d %.1fH%d\"/>\n"
            "<text class=\"e\" x=\"%d\" y=\"%d\">slower</text>"
            "<text class=\"e\" x=\"%d\" y=\"%d\">faster</text>\n",
            CHART_LEFT, top, CHART_RIGHT, bottom, CHART_LEFT, CHART_LEFT, one, CHART_RIGHT,
            CHART_RIGHT - 42, CHART_TOP + 12, CHART_RIGHT - 42, CHART_BOTTOM - 5);
}

static void put_key(const struct ratios *ratios, size_t first, size_t count, FILE *stream)
{
    char name[RESULTS_CURVE_TEXT];

    if (ratios->count < 2)
        return;
    fputs("<ul class=\"key\">", stream);
    for (size_t i = 0; i < count; i++) {
        results_curve_name(&ratios->curves[first + i], ratios->curves, ratios->count, name);
        chart_key_item(stream, 'c', (unsigned)i, (unsigned)i, true, name);
    }
    fputs("</ul>\n", stream);
}

bool chart_ratios(const struct charts *charts, const struct report_comparison *comparison,
                  unsigned test)
{
    struct ratios ratios = {.comparison = comparison, .test = test};
    struct chart chart = {charts->stream, charts->size, SVG_SCALE_EMPTY(CHART_BOTTOM, CHART_TOP),
                          SVG_BYTES, SVG_FACTOR};

    gather(&ratios);
    make_scale(&ratios, &chart.y);
    chart.unit = chart.y.linear ? SVG_CHANGE : SVG_FACTOR;
    for (size_t first = 0; first < ratios.count; first += LINES_MAX) {
        const size_t count =
            ratios.count - first < LINES_MAX ? ratios.count - first : (size_t)LINES_MAX;
        char *title = mem_printf("%s: change of the time per operation",
                                 comparison->match.tests[test][0] ? comparison->match.tests[test]
                                                                  : "all tests");
        fputs("<div>\n", chart.stream);
        chart_open(&chart, title, "");
        chart_axes(&chart, "I/O size");
        put_strip(&chart);
        for (size_t i = 0; i < count; i++)
            put_group(&chart, &ratios, first + i, (unsigned)i);
        chart_close(&chart);
        put_key(&ratios, first, count, chart.stream);
        fputs("</div>\n", chart.stream);
        free(title);
    }
    free(ratios.groups);
    free(ratios.curves);
    return ratios.count > 0;
}
