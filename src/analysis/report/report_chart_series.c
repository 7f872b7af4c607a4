/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_chart_series.c - what --series recorded, over time: throughput, or the rate of tests that
 * move no data, and the latency, its median (or mean, where that is not known) and its 99th
 * percentile.  A line is a size. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/report/report_chart_parts.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/units.h"

#define MARKS_MOST 40 /* points of a line, before their shapes hide it */

_Static_assert(REPORT_SPANS_MAX == SVG_STYLES, "each size has a colour and a shape of its own");

enum course_value { AMOUNT, MIDDLE, P99 };

static double value_of(const struct report_course *course, const struct report_moment *moment,
                       enum course_value value)
{
    switch (value) {
    case AMOUNT:
        return moment->amount;
    case MIDDLE:
        return report_middle_ns(course, moment);
    case P99:
        break;
    }
    return moment->p99_ns;
}

static void add_span(struct chart *chart, const struct report_course *course,
                     const struct report_span *span, enum course_value value)
{
    for (size_t i = 0; i < span->count; i++) {
        svg_add(&chart->y, value_of(course, &span->moments[i], value));
        svg_add(&chart->x, span->moments[i].end_s);
        svg_add(&chart->x, fmax(0, span->moments[i].begin_s));
    }
}

/* A point in the middle of each moment, and one that is nowhere in a gap. */
static void put_span(const struct chart *chart, const struct report_course *course, size_t index,
                     enum course_value value, unsigned level)
{
    const struct report_span *span = &course->spans[index];
    struct svg_point *points = mem_calloc(2 * span->count, sizeof(*points));
    char classes[32];
    size_t count = 0;

    for (size_t i = 0; i < span->count; i++) {
        const struct report_moment *moment = &span->moments[i];
        const double length = moment->end_s - moment->begin_s,
                     amount = value_of(course, moment, value);
        if (report_gap_before(span, i))
            points[count++] = (struct svg_point){NAN, NAN};
        points[count++] = (struct svg_point){svg_at(&chart->x, moment->end_s - length / 2),
                                             amount > 0 ? svg_at(&chart->y, amount) : NAN};
    }
    snprintf(classes, sizeof(classes), "l r%u%s", level, value == P99 ? " t d2" : "");
    svg_line(chart->stream, points, count, classes);
    snprintf(classes, sizeof(classes), "r%u", level);
    for (size_t i = 0; value != P99 && i < count; i += 1 + count / MARKS_MOST)
        svg_mark(chart->stream, points[i], (unsigned)index, classes, NULL);
    free(points);
}

static unsigned level_of(size_t index, size_t count)
{
    return count > 1 ? (unsigned)(index * (SVG_STYLES - 1) / (count - 1)) : SVG_STYLES / 2;
}

static void draw(struct chart chart, const struct report_course *course, bool latency,
                 const char *title, const char *subtitle)
{
    const enum course_value what = latency ? MIDDLE : AMOUNT;

    for (size_t i = 0; i < course->span_count; i++) {
        add_span(&chart, course, &course->spans[i], what);
        if (latency)
            add_span(&chart, course, &course->spans[i], P99);
    }
    if (svg_is_empty(&chart.y) || svg_is_empty(&chart.x))
        return;
    svg_widen(&chart.x, 1);
    svg_widen(&chart.y, 4);
    chart_open(&chart, title, subtitle);
    chart_axes(&chart, "time since the start");
    for (size_t i = 0; i < course->span_count; i++) {
        if (latency)
            put_span(&chart, course, i, P99, level_of(i, course->span_count));
        put_span(&chart, course, i, what, level_of(i, course->span_count));
    }
    chart_close(&chart);
}

void chart_course(const struct charts *charts, const struct report_course *course)
{
    struct chart chart = {charts->stream, SVG_SCALE_EMPTY(CHART_LEFT, CHART_RIGHT),
                          SVG_SCALE_EMPTY(CHART_BOTTOM, CHART_TOP), SVG_S,
                          course->moves_data ? SVG_BYTES_PER_S : SVG_PER_S};
    char *title = mem_printf("%s: %s", course->title, course->moves_data ? "throughput" : "rate");

    chart.x.linear = true;
    fputs("<div class=\"pair\">\n", charts->stream);
    draw(chart, course, false, title, course->what);
    free(title);
    title = mem_printf("%s: latency", course->title);
    chart.unit = SVG_NS;
    draw(chart, course, true, title, course->has_p50 ? "p50; dotted: p99" : "mean; dotted: p99");
    fputs("</div>\n", charts->stream);
    if (course->span_count > 1) {
        fputs("<ul class=\"key\">", charts->stream);
        for (size_t i = 0; i < course->span_count; i++) {
            char size[UNITS_TEXT];
            chart_key_item(charts->stream, 'r', level_of(i, course->span_count), (unsigned)i, false,
                           units_format_size(course->spans[i].size_bytes, size));
        }
        fputs("</ul>\n", charts->stream);
    }
    free(title);
}
