/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_chart.c - charts of a report: curves with the intervals of their medians, percentiles. */
#include "base/compat.h"

#include "analysis/report/report_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_chart_parts.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/text.h"

/* --- the frame ------------------------------------------------------------------------------ */

void charts_begin(struct charts *charts, const struct report *report, FILE *stream)
{
    *charts = (struct charts){
        .stream = stream,
        .size = SVG_SCALE_EMPTY(CHART_LEFT, CHART_RIGHT),
        .throughput = SVG_SCALE_EMPTY(CHART_BOTTOM, CHART_TOP),
        .time = SVG_SCALE_EMPTY(CHART_BOTTOM, CHART_TOP),
        .latency = SVG_SCALE_EMPTY(CHART_BOTTOM, CHART_TOP),
    };
    for (size_t i = 0; i < report->curve_count; i++)
        for (size_t k = 0; k < report->lines[i].count; k++) {
            const struct report_point *point = &report->lines[i].points[k];
            svg_add(&charts->size, (double)point->row->size_bytes);
            svg_add(&charts->throughput, point->throughput_bytes_per_s);
            svg_add(&charts->throughput, point->throughput_low_bytes_per_s);
            svg_add(&charts->throughput, point->throughput_high_bytes_per_s);
            svg_add(&charts->time, point->op_ns);
            svg_add(&charts->time, point->op_low_ns);
            svg_add(&charts->time, point->op_high_ns);
            for (int p = 0; p < REPORT_PERCENTILES; p++)
                svg_add(&charts->latency, point->latency_ns[p]);
        }
    svg_widen(&charts->size, 4);
    svg_widen(&charts->throughput, 4);
    svg_widen(&charts->time, 4);
    svg_widen(&charts->latency, 4);
}

void chart_open(const struct chart *chart, const char *title, const char *subtitle)
{
    FILE *stream = chart->stream;

    fputs("<figure>\n<figcaption><b>", stream);
    report_put_text(stream, title);
    fputs("</b> ", stream);
    report_put_text(stream, subtitle);
    fprintf(stream, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            CHART_WIDTH, CHART_HEIGHT);
    report_put_text(stream, title);
    fputs("\">\n", stream);
}

void chart_close(const struct chart *chart)
{
    fputs("</svg>\n</figure>\n", chart->stream);
}

static void put_tick(const struct chart *chart, const struct svg_tick *tick, bool vertical)
{
    const double at = svg_at(vertical ? &chart->y : &chart->x, tick->value);
    const char *grid = tick->labelled ? "g" : "g n";
    FILE *stream = chart->stream;
    char text[32];

    if (vertical)
        fprintf(stream, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>", grid, CHART_LEFT, at,
                CHART_RIGHT);
    else
        fprintf(stream, "<path class=\"%s\" d=\"M%.1f %dV%d\"/>", grid, at, CHART_TOP,
                CHART_BOTTOM + (tick->labelled ? 4 : 0));
    if (tick->labelled && vertical)
        fprintf(stream, "<text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>", CHART_LEFT - 6, at + 4,
                svg_label(tick->value, chart->unit, text));
    else if (tick->labelled)
        fprintf(stream, "<text class=\"x\" x=\"%.1f\" y=\"%d\">%s</text>", at, CHART_BOTTOM + 17,
                svg_label(tick->value, chart->x_unit, text));
}

void chart_axes(const struct chart *chart, const char *x_title)
{
    struct svg_tick ticks[SVG_TICKS_MAX];
    size_t count = svg_value_ticks(&chart->y, 6, ticks);

    for (size_t i = 0; i < count; i++)
        put_tick(chart, &ticks[i], true);
    count = chart->x_unit == SVG_BYTES
                ? svg_size_ticks(&chart->x, (unsigned)((chart->x.end - chart->x.begin) / 54), ticks)
                : svg_value_ticks(&chart->x, 7, ticks);
    for (size_t i = 0; i < count; i++)
        put_tick(chart, &ticks[i], false);
    fprintf(chart->stream, "<text class=\"x\" x=\"%d\" y=\"%d\">%s</text>\n",
            (CHART_LEFT + CHART_RIGHT) / 2, CHART_BOTTOM + 34, x_title);
}

/* --- lines ---------------------------------------------------------------------------------- */

struct style { /* of a line of a panel */
    unsigned colour, shape;
    char letter; /* of the class of its colour */
};

static struct style style_of(const struct report_panel *panel, size_t index)
{
    const unsigned colour = panel->lines[index]->colour;

    if (panel->ordinal)
        return (struct style){(unsigned)(index * (SVG_STYLES - 1) / (panel->count - 1)),
                              (unsigned)index, 'r'};
    return (struct style){colour % SVG_STYLES, colour % SVG_STYLES, 'c'};
}

enum chart_value { THROUGHPUT, TIME };

static void values_of(const struct report_point *point, enum chart_value what, double *value,
                      double *low, double *high)
{
    if (what == THROUGHPUT) {
        *value = point->throughput_bytes_per_s;
        *low = point->throughput_low_bytes_per_s;
        *high = point->throughput_high_bytes_per_s;
    } else {
        *value = point->op_ns;
        *low = point->op_low_ns;
        *high = point->op_high_ns;
    }
}

/* "4 KiB: 1.2 GB/s (1.1 GB/s to 1.3 GB/s)". */
static void put_mark(const struct chart *chart, const struct report_point *point,
                     enum chart_value what, struct svg_point at, const struct style *style)
{
    double value, low, high;
    char size[32], text[4][32] = {""}, all[160] = "", classes[8];

    values_of(point, what, &value, &low, &high);
    text_add(all, sizeof(all), "", "%s: %s",
             svg_label((double)point->row->size_bytes, SVG_BYTES, size),
             svg_label(value, chart->unit, text[0]));
    if (!isnan(low))
        text_add(all, sizeof(all), "", " (%s to %s)", svg_label(low, chart->unit, text[1]),
                 svg_label(high, chart->unit, text[2]));
    snprintf(classes, sizeof(classes), "%c%u", style->letter, style->colour);
    svg_mark(chart->stream, at, style->shape, classes, all);
}

static void put_line(const struct chart *chart, const struct report_line *line,
                     enum chart_value what, struct style style)
{
    struct svg_point *points = mem_calloc(3 * line->count, sizeof(*points)),
                     *low = points + line->count, *high = low + line->count;
    char classes[32];

    for (size_t i = 0; i < line->count; i++) {
        const double x = svg_at(&chart->x, (double)line->points[i].row->size_bytes);
        double value, least, most;
        values_of(&line->points[i], what, &value, &least, &most);
        points[i] = (struct svg_point){x, svg_at(&chart->y, value)};
        low[i] = (struct svg_point){x, svg_at(&chart->y, least)};
        high[i] = (struct svg_point){x, svg_at(&chart->y, most)};
    }
    snprintf(classes, sizeof(classes), "b %c%u", style.letter, style.colour);
    svg_band(chart->stream, low, high, line->count, classes);
    snprintf(classes, sizeof(classes), "l %c%u d%u", style.letter, style.colour,
             style.shape % SVG_STYLES);
    svg_line(chart->stream, points, line->count, classes);
    for (size_t i = 0; i < line->count; i++)
        put_mark(chart, &line->points[i], what, points[i], &style);
    free(points);
}

/* Where 90 % of the best throughput begin. */
static void put_knee(const struct chart *chart, const struct report_line *line)
{
    for (size_t i = 0; line->has_fit && i < line->count; i++) {
        const struct report_point *point = &line->points[i];
        if (fabs((double)point->row->size_bytes - line->fit.knee90_bytes) > 0.5)
            continue;
        fprintf(chart->stream, "<circle class=\"k\" cx=\"%.1f\" cy=\"%.1f\" r=\"7.5\"/>\n",
                svg_at(&chart->x, (double)point->row->size_bytes),
                svg_at(&chart->y, point->throughput_bytes_per_s));
        return;
    }
}

static void draw(const struct chart *chart, const struct report_panel *panel, enum chart_value what)
{
    char *title = mem_printf("%s: %s", panel->title,
                             what == THROUGHPUT ? "throughput" : "time per operation");

    chart_open(chart, title, what == THROUGHPUT ? "" : "of all threads together, 1 / rate");
    chart_axes(chart, "I/O size");
    for (size_t i = 0; i < panel->count; i++)
        put_line(chart, panel->lines[i], what, style_of(panel, i));
    for (size_t i = 0; what == THROUGHPUT && i < panel->count; i++)
        put_knee(chart, panel->lines[i]);
    chart_close(chart);
    free(title);
}

void chart_throughput(const struct charts *charts, const struct report_panel *panel)
{
    const struct chart chart = {charts->stream, charts->size, charts->throughput, SVG_BYTES,
                                SVG_BYTES_PER_S};

    draw(&chart, panel, THROUGHPUT);
}

void chart_time(const struct charts *charts, const struct report_panel *panel)
{
    const struct chart chart = {charts->stream, charts->size, charts->time, SVG_BYTES, SVG_NS};

    draw(&chart, panel, TIME);
}

void chart_key_item(FILE *stream, char letter, unsigned colour, unsigned shape, bool dashed,
                    const char *name)
{
    char classes[16];

    snprintf(classes, sizeof(classes), "%c%u", letter, colour);
    fprintf(stream,
            "<li><svg viewBox=\"0 0 36 12\" aria-hidden=\"true\">"
            "<path class=\"l %s d%u\" d=\"M1 6H35\"/>",
            classes, dashed ? shape % SVG_STYLES : 0);
    svg_mark(stream, (struct svg_point){18, 6}, shape, classes, NULL);
    fputs("</svg>", stream);
    report_put_text(stream, name);
    fputs("</li>", stream);
}

void chart_key(const struct charts *charts, const struct report_panel *panel)
{
    fputs("<ul class=\"key\">", charts->stream);
    for (size_t i = 0; i < panel->count; i++) {
        const struct style style = style_of(panel, i);
        chart_key_item(charts->stream, style.letter, style.colour, style.shape, true,
                       panel->lines[i]->name);
    }
    fputs("</ul>\n", charts->stream);
}

/* --- latency -------------------------------------------------------------------------------- */

/* "p90" at the last point that has it, above those names that it would cover. */
static void put_names(const struct chart *chart, struct svg_point *const *curves, size_t count)
{
    static const char *const names[REPORT_PERCENTILES] = {"p50", "p90", "p99", "p99.9"};
    struct svg_point taken[REPORT_PERCENTILES];
    size_t names_count = 0;

    for (int p = 0; p < REPORT_PERCENTILES; p++) {
        struct svg_point at = {NAN, NAN};
        for (size_t i = 0; i < count; i++)
            at = isnan(curves[p][i].y) ? at : curves[p][i];
        if (isnan(at.y))
            continue;
        for (size_t i = 0; i < names_count; i++)
            if (fabs(taken[i].x - at.x) < CHART_NAMES && fabs(taken[i].y - at.y) < CHART_LETTERS)
                at.y = taken[i].y - CHART_LETTERS;
        taken[names_count++] = at;
        fprintf(chart->stream, "<text class=\"e\" x=\"%.1f\" y=\"%.1f\">%s</text>", at.x + 6,
                at.y + 4, names[p]);
    }
    fputc('\n', chart->stream);
}

void chart_latency(const struct charts *charts, const struct report_panel *panel,
                   const struct report_line *line)
{
    struct chart chart = {charts->stream, charts->size, charts->latency, SVG_BYTES, SVG_NS};
    struct svg_point *points = mem_calloc(REPORT_PERCENTILES * line->count, sizeof(*points));
    struct svg_point *curves[REPORT_PERCENTILES];
    char *title = panel->count > 1 ? mem_printf("%s: %s", panel->title, line->name)
                                   : mem_strdup(panel->title);

    chart.x.end -= CHART_NAMES;
    for (int p = 0; p < REPORT_PERCENTILES; p++) {
        curves[p] = points + (size_t)p * line->count;
        for (size_t i = 0; i < line->count; i++) {
            const double ns = line->points[i].latency_ns[p];
            curves[p][i] =
                (struct svg_point){svg_at(&chart.x, (double)line->points[i].row->size_bytes),
                                   ns > 0 ? svg_at(&chart.y, ns) : NAN};
        }
    }
    chart_open(&chart, title, "");
    chart_axes(&chart, "I/O size");
    svg_band(chart.stream, curves[REPORT_P90], curves[REPORT_P99], line->count, "p p2");
    svg_band(chart.stream, curves[REPORT_P50], curves[REPORT_P90], line->count, "p p1");
    svg_line(chart.stream, curves[REPORT_P999], line->count, "l p0 d2");
    svg_line(chart.stream, curves[REPORT_P99], line->count, "l p0 t");
    svg_line(chart.stream, curves[REPORT_P90], line->count, "l p0 t d1");
    svg_line(chart.stream, curves[REPORT_P50], line->count, "l p0");
    for (size_t i = 0; i < line->count; i++)
        svg_mark(chart.stream, curves[REPORT_P50][i], 0, "p0", NULL);
    put_names(&chart, curves, line->count);
    chart_close(&chart);
    free(title);
    free(points);
}
