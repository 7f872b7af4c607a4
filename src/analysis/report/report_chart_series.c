/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_chart_series.c - what --series recorded, over time: throughput, or the rate of tests that move
 * no data, and the latency, its mean and its 99th percentile.  A line is a size. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/report/report_chart_parts.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/units.h"

#define GAP        0.5 /* of an interval, after which a line is interrupted */
#define MARKS_MOST 40  /* points of a line, before their shapes hide it */

enum course_value { AMOUNT, MEAN, P99 };

struct span { /* rows of one size, which stand together by rising time */
    const struct results_row *const *rows;
    size_t count;
};

static double value_of(const struct results_row *row, enum course_value value)
{
    if (value == MEAN)
        return report_column(row, "latency_ns_mean");
    if (value == P99)
        return row->latency_ns_p99;
    return results_moves_data(row->test) ? row->throughput_bytes_per_s : row->rate_per_s;
}

/* The sizes of a course, at most SVG_STYLES of them, evenly; *there: how many it has. */
static size_t take_spans(const struct results_curve *course, struct span *spans, size_t *there)
{
    const struct results_row *const *rows = course->rows;
    size_t number = 0, kept = 0;

    *there = 1;
    for (size_t i = 1; i < course->count; i++)
        *there += rows[i]->size_bytes != rows[i - 1]->size_bytes;
    for (size_t begin = 0, end; begin < course->count; begin = end, number++) {
        for (end = begin + 1;
             end < course->count && rows[end]->size_bytes == rows[begin]->size_bytes;)
            end++;
        if (*there <= SVG_STYLES ||
            number == (kept * (*there - 1) + (SVG_STYLES - 1) / 2) / (SVG_STYLES - 1))
            spans[kept++] = (struct span){rows + begin, end - begin};
    }
    return kept;
}

static void add_span(struct chart *chart, const struct span *span, enum course_value value)
{
    for (size_t i = 0; i < span->count; i++) {
        svg_add(&chart->y, value_of(span->rows[i], value));
        svg_add(&chart->x, span->rows[i]->time_s);
        svg_add(&chart->x,
                fmax(0, span->rows[i]->time_s - report_column(span->rows[i], "interval_s")));
    }
}

/* A point in the middle of each interval, and one that is nowhere in a gap. */
static void put_span(const struct chart *chart, const struct span *span, enum course_value value,
                     unsigned level, unsigned shape)
{
    struct svg_point *points = mem_calloc(2 * span->count, sizeof(*points));
    char classes[32];
    double before = 0;
    size_t count = 0;

    for (size_t i = 0; i < span->count; i++) {
        const struct results_row *row = span->rows[i];
        const double length = report_column(row, "interval_s"), amount = value_of(row, value);
        if (i > 0 && row->time_s - length > before + GAP * length)
            points[count++] = (struct svg_point){NAN, NAN};
        points[count++] = (struct svg_point){svg_at(&chart->x, row->time_s - length / 2),
                                             amount > 0 ? svg_at(&chart->y, amount) : NAN};
        before = row->time_s;
    }
    snprintf(classes, sizeof(classes), "l r%u%s", level, value == P99 ? " t d2" : "");
    svg_line(chart->stream, points, count, classes);
    snprintf(classes, sizeof(classes), "r%u", level);
    for (size_t i = 0; value != P99 && i < count; i += 1 + count / MARKS_MOST)
        svg_mark(chart->stream, points[i], shape, classes, NULL);
    free(points);
}

static unsigned level_of(size_t index, size_t count)
{
    return count > 1 ? (unsigned)(index * (SVG_STYLES - 1) / (count - 1)) : SVG_STYLES / 2;
}

static void draw(struct chart chart, const struct span *spans, size_t count, bool latency,
                 const char *title, const char *subtitle)
{
    for (size_t i = 0; i < count; i++) {
        add_span(&chart, &spans[i], latency ? MEAN : AMOUNT);
        if (latency)
            add_span(&chart, &spans[i], P99);
    }
    if (svg_is_empty(&chart.y) || svg_is_empty(&chart.x))
        return;
    svg_widen(&chart.x, 1);
    svg_widen(&chart.y, 4);
    chart_open(&chart, title, subtitle);
    chart_axes(&chart, "time since the start");
    for (size_t i = 0; i < count; i++) {
        if (latency)
            put_span(&chart, &spans[i], P99, level_of(i, count), (unsigned)i);
        put_span(&chart, &spans[i], latency ? MEAN : AMOUNT, level_of(i, count), (unsigned)i);
    }
    chart_close(&chart);
}

void chart_course(const struct charts *charts, const struct report_course *course)
{
    const bool moves_data = results_moves_data(course->curve.rows[0]->test);
    struct chart chart = {charts->stream, SVG_SCALE_EMPTY(CHART_LEFT, CHART_RIGHT),
                          SVG_SCALE_EMPTY(CHART_BOTTOM, CHART_TOP), SVG_S,
                          moves_data ? SVG_BYTES_PER_S : SVG_PER_S};
    struct span spans[SVG_STYLES];
    size_t there;
    const size_t count = take_spans(&course->curve, spans, &there);
    char *title = mem_printf("%s: %s", course->title, moves_data ? "throughput" : "rate"), *some;

    some = there > count ? mem_printf("%zu of %zu sizes", count, there) : mem_strdup("");
    chart.x.linear = true;
    fputs("<div class=\"pair\">\n", charts->stream);
    draw(chart, spans, count, false, title, some);
    free(title);
    title = mem_printf("%s: latency", course->title);
    chart.unit = SVG_NS;
    draw(chart, spans, count, true, title, "mean; dotted: p99");
    fputs("</div>\n", charts->stream);
    if (count > 1) {
        fputs("<ul class=\"key\">", charts->stream);
        for (size_t i = 0; i < count; i++) {
            char size[UNITS_TEXT];
            chart_key_item(charts->stream, 'r', level_of(i, count), (unsigned)i, false,
                           units_format_size(spans[i].rows[0]->size_bytes, size));
        }
        fputs("</ul>\n", charts->stream);
    }
    free(title);
    free(some);
}
