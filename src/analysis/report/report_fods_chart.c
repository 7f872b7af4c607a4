/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_fods_chart.c - charts of a spreadsheet: they hold no numbers, but say which cells have them.
 * Axes are logarithmic, but for that of time. */
#include "base/compat.h"

#include "analysis/report/report_fods.h"

#include <inttypes.h>

#include "analysis/report/report_text.h"

struct fods_line {
    unsigned colour;
    size_t count; /* of its rows, which follow those of the line before */
};

struct fods_chart {
    const char *of, *title;     /* "read, direct", "throughput" */
    const char *x_title, *axis; /* of the axes */
    const char *sheet;
    const char *column; /* of the values: a letter */
    double x_cm;        /* where it stands in the cell */
    bool over_time;     /* then x is linear, and there are too many points for symbols */
    const struct fods_line *lines;
    size_t count;
};

#define WIDTH_CM  16.0
#define HEIGHT_CM 10.0

/* Those of Okabe and Ito, which are told apart with any kind of colour vision, but for their yellow. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};
static const char *const symbols[] = {"square",     "diamond",    "circle",   "arrow-up",
                                      "arrow-down", "arrow-left", "asterisk", "x"};
#define STYLES (sizeof(colours) / sizeof(colours[0]))

static void put_styles(FILE *stream, const struct fods_chart *chart)
{
    fputs(
        "<office:automatic-styles>\n"
        "<number:number-style style:name=\"n\"><number:number number:min-integer-digits=\"1\" "
        "number:decimal-places=\"3\" number:min-decimal-places=\"0\"/></number:number-style>\n"
        "<style:style style:name=\"chart\" style:family=\"chart\"><style:graphic-properties "
        "draw:stroke=\"none\" draw:fill=\"solid\" draw:fill-color=\"#ffffff\"/></style:style>\n"
        "<style:style style:name=\"title\" style:family=\"chart\"><style:text-properties "
        "fo:font-size=\"12pt\"/></style:style>\n"
        "<style:style style:name=\"label\" style:family=\"chart\"><style:text-properties "
        "fo:font-size=\"9pt\"/></style:style>\n"
        "<style:style style:name=\"upright\" style:family=\"chart\"><style:chart-properties "
        "style:rotation-angle=\"90\"/><style:text-properties fo:font-size=\"9pt\"/></style:style>\n"
        "<style:style style:name=\"plot\" style:family=\"chart\"><style:chart-properties "
        "chart:include-hidden-cells=\"false\" chart:treat-empty-cells=\"leave-gap\"/>"
        "</style:style>\n"
        "<style:style style:name=\"axis\" style:family=\"chart\" style:data-style-name=\"n\">"
        "<style:chart-properties chart:display-label=\"true\" chart:logarithmic=\"true\" "
        "chart:link-data-style-to-source=\"false\"/><style:graphic-properties "
        "svg:stroke-color=\"#666666\"/><style:text-properties fo:font-size=\"9pt\"/>"
        "</style:style>\n"
        "<style:style style:name=\"time\" style:family=\"chart\">"
        "<style:chart-properties chart:display-label=\"true\"/><style:graphic-properties "
        "svg:stroke-color=\"#666666\"/><style:text-properties fo:font-size=\"9pt\"/>"
        "</style:style>\n"
        "<style:style style:name=\"wall\" style:family=\"chart\"><style:graphic-properties "
        "draw:stroke=\"none\" draw:fill=\"none\"/></style:style>\n"
        "<style:style style:name=\"legend\" style:family=\"chart\"><style:graphic-properties "
        "draw:stroke=\"none\" draw:fill=\"none\"/><style:text-properties "
        "fo:font-size=\"9pt\"/></style:style>\n"
        "<style:style style:name=\"grid\" style:family=\"chart\"><style:graphic-properties "
        "draw:stroke=\"solid\" svg:stroke-width=\"0.02cm\" svg:stroke-color=\"#d9d9d9\"/>"
        "</style:style>\n",
        stream);
    for (size_t i = 0; i < chart->count; i++) {
        const char *colour = colours[chart->lines[i].colour % STYLES];
        fprintf(stream, "<style:style style:name=\"line%zu\" style:family=\"chart\">", i);
        if (chart->over_time)
            fputs("<style:chart-properties chart:symbol-type=\"none\"/>", stream);
        else
            fprintf(stream,
                    "<style:chart-properties chart:symbol-type=\"named-symbol\" "
                    "chart:symbol-name=\"%s\" chart:symbol-width=\"0.18cm\" "
                    "chart:symbol-height=\"0.18cm\"/>",
                    symbols[i % STYLES]);
        fprintf(stream,
                "<style:graphic-properties draw:stroke=\"solid\" svg:stroke-width=\"%s\" "
                "svg:stroke-color=\"%s\" draw:fill-color=\"%s\"/></style:style>\n",
                chart->over_time ? "0.04cm" : "0.06cm", colour, colour);
    }
    fputs("</office:automatic-styles>\n", stream);
}

static void put_axis(FILE *stream, char dimension, const char *axis, const char *title,
                     const char *style)
{
    fprintf(stream,
            "<chart:axis chart:dimension=\"%c\" chart:name=\"primary-%c\" "
            "chart:style-name=\"%s\"><chart:title chart:style-name=\"%s\"><text:p>%s</text:p>"
            "</chart:title><chart:grid chart:style-name=\"grid\" chart:class=\"major\"/>"
            "</chart:axis>\n",
            dimension, dimension, axis, style, title);
}

static void put_series(FILE *stream, const struct fods_chart *chart)
{
    const char *sheet = chart->sheet, *column = chart->column;
    size_t first = FODS_FIRST_ROW;

    for (size_t i = 0; i < chart->count; i++) {
        const size_t last = first + chart->lines[i].count - 1;
        fprintf(stream,
                "<chart:series chart:style-name=\"line%zu\" chart:class=\"chart:scatter\" "
                "chart:values-cell-range-address=\"'%s'.$%s$%zu:'%s'.$%s$%zu\" "
                "chart:label-cell-address=\"'%s'.$A$%zu\" chart:attached-axis=\"primary-y\">"
                "<chart:domain table:cell-range-address=\"'%s'.$B$%zu:'%s'.$B$%zu\"/>"
                "<chart:data-point chart:repeated=\"%zu\"/></chart:series>\n",
                i, sheet, column, first, sheet, column, last, sheet, first, sheet, first, sheet,
                last, chart->lines[i].count);
        first = last + 1;
    }
}

static void put_chart(FILE *stream, const struct fods_chart *chart)
{
    fprintf(
        stream,
        "<draw:frame draw:style-name=\"frame\" svg:x=\"%.1fcm\" svg:y=\"0.2cm\" svg:width=\"%.1fcm\" "
        "svg:height=\"%.1fcm\"><draw:object><office:document " FODS_NAMESPACES
        " office:version=\"1.3\" "
        "office:mimetype=\"application/vnd.oasis.opendocument.chart\">\n",
        chart->x_cm, WIDTH_CM, HEIGHT_CM);
    put_styles(stream, chart);
    fprintf(stream,
            "<office:body><office:chart><chart:chart xlink:href=\"..\" xlink:type=\"simple\" "
            "chart:class=\"chart:scatter\" chart:style-name=\"chart\" svg:width=\"%.1fcm\" "
            "svg:height=\"%.1fcm\"><chart:title chart:style-name=\"title\"><text:p>",
            WIDTH_CM, HEIGHT_CM);
    report_put_format(stream, "%s: %s", chart->of, chart->title);
    fputs("</text:p></chart:title>\n"
          "<chart:legend chart:legend-position=\"bottom\" chart:style-name=\"legend\"/>\n"
          "<chart:plot-area chart:style-name=\"plot\" chart:data-source-has-labels=\"none\">\n",
          stream);
    put_axis(stream, 'x', chart->over_time ? "time" : "axis", chart->x_title, "label");
    put_axis(stream, 'y', "axis", chart->axis, "upright");
    put_series(stream, chart);
    fputs(
        "<chart:wall chart:style-name=\"wall\"/>\n</chart:plot-area></chart:chart></office:chart></office:body></office:document>"
        "</draw:object></draw:frame>\n",
        stream);
}

void fods_put_charts(FILE *stream, const struct report_panel *panel, const char *sheet)
{
    struct fods_line lines[REPORT_LINES_MAX];
    struct fods_chart chart = {.of = panel->title,
                               .title = "throughput",
                               .x_title = "I/O size [B]",
                               .axis = "MB/s",
                               .sheet = sheet,
                               .column = "C",
                               .x_cm = 0.2,
                               .lines = lines,
                               .count = panel->count};

    for (size_t i = 0; i < panel->count; i++)
        lines[i] = (struct fods_line){panel->lines[i]->colour, panel->lines[i]->count};
    fputs("<table:table-cell>", stream);
    if (panel->moves_data)
        put_chart(stream, &chart);
    chart.title = "time per operation";
    chart.axis = "us";
    chart.column = "E";
    chart.x_cm = panel->moves_data ? 0.4 + WIDTH_CM : 0.2;
    put_chart(stream, &chart);
    fputs("</table:table-cell>", stream);
}

static bool knows_latency(const struct report_course *course)
{
    for (size_t i = 0; i < course->span_count; i++)
        for (size_t k = 0; k < course->spans[i].count; k++)
            if (report_middle_ns(course, &course->spans[i].moments[k]) > 0)
                return true;
    return false;
}

/* With an empty one in each gap. */
static size_t count_cells(const struct report_span *span)
{
    size_t count = span->count;

    for (size_t i = 0; i < span->count; i++)
        count += report_gap_before(span, i);
    return count;
}

void fods_put_course_charts(FILE *stream, const struct report_course *course, const char *sheet)
{
    struct fods_line lines[REPORT_SPANS_MAX];
    struct fods_chart chart = {.of = course->title,
                               .title = course->moves_data ? "throughput" : "rate",
                               .x_title = "time since the start [s]",
                               .axis = course->moves_data ? "MB/s" : "1/s",
                               .sheet = sheet,
                               .column = "C",
                               .x_cm = 0.2,
                               .over_time = true,
                               .lines = lines,
                               .count = course->span_count};

    for (size_t i = 0; i < course->span_count; i++)
        lines[i] = (struct fods_line){(unsigned)i, count_cells(&course->spans[i])};
    fputs("<table:table-cell>", stream);
    put_chart(stream, &chart);
    chart.title = course->has_p50 ? "median latency" : "mean latency";
    chart.axis = "us";
    chart.column = "D";
    chart.x_cm = 0.4 + WIDTH_CM;
    if (knows_latency(course))
        put_chart(stream, &chart);
    fputs("</table:table-cell>", stream);
}
