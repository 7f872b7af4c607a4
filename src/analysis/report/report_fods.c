/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_fods.c - a report as a spreadsheet: OpenDocument in one file of XML.  A sheet for each set of
 * curves, with two charts that refer to its cells; one for each comparison; and one of facts.
 *
 * All text is typed as text, so nothing in a file of results becomes a formula, and all numbers are
 * numbers, whatever the locale of the reader is. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report.h"
#include "analysis/report/report_facts.h"
#include "analysis/report/report_fods.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/units.h"

/* --- cells ---------------------------------------------------------------------------------- */

static void put_string(FILE *stream, const char *text, const char *style)
{
    if (text[0] == '\0') {
        fputs("<table:table-cell/>", stream);
        return;
    }
    fprintf(stream,
            "<table:table-cell table:style-name=\"%s\" office:value-type=\"string\"><text:p>",
            style);
    report_put_text(stream, text);
    fputs("</text:p></table:table-cell>", stream);
}

/* The cell holds all digits; the style shows some.  What is not known is an empty cell. */
static void put_number(FILE *stream, double value, const char *style)
{
    if (!isfinite(value)) {
        fputs("<table:table-cell/>", stream);
        return;
    }
    fprintf(stream,
            "<table:table-cell table:style-name=\"%s\" office:value-type=\"float\" "
            "office:value=\"%.15g\"/>",
            style, value);
}

static void begin_row(FILE *stream, const char *style)
{
    fprintf(stream, "<table:table-row table:style-name=\"%s\">", style);
}

static void end_row(FILE *stream)
{
    fputs("</table:table-row>\n", stream);
}

static void put_line(FILE *stream, const char *text, const char *style)
{
    begin_row(stream, "row");
    put_string(stream, text, style);
    end_row(stream);
}

/* --- sheets --------------------------------------------------------------------------------- */

/* What is no part of a name in any program, and a number that makes it the only one of its name. */
static char *sheet_name(const char *title, size_t number)
{
    char *name = mem_printf("%zu %.*s", number, FODS_NAME_BYTES, title);

    for (char *s = name; *s != '\0'; s++)
        if (strchr("[]*?:/\\'\"<>&$.!#", *s) || (unsigned char)*s < ' ' || (unsigned char)*s >= 127)
            *s = '_';
    return name;
}

static void begin_sheet(FILE *stream, const char *name)
{
    fprintf(stream, "<table:table table:name=\"%s\" table:style-name=\"sheet\">\n", name);
}

static void put_columns(FILE *stream, const char *style, unsigned count)
{
    fprintf(stream,
            "<table:table-column table:style-name=\"%s\" table:number-columns-repeated=\"%u\"/>\n",
            style, count);
}

/* Columns between the first and the last are numbers. */
static void put_heads(FILE *stream, const char *const *heads)
{
    begin_row(stream, "row");
    for (size_t i = 0; heads[i]; i++)
        put_string(stream, heads[i], i == 0 || !heads[i + 1] ? "head" : "number");
    end_row(stream);
}

/* --- curves --------------------------------------------------------------------------------- */

static const char *const point_heads[] = {"curve",
                                          "size [B]",
                                          "throughput [MB/s]",
                                          "rate [1/s]",
                                          "time/op [us]",
                                          "low [us]",
                                          "high [us]",
                                          "\302\261 [%]",
                                          "p50 [us]",
                                          "p90 [us]",
                                          "p99 [us]",
                                          "p99.9 [us]",
                                          "max [us]",
                                          "operations",
                                          "errors",
                                          "from memory [%]",
                                          "moved / asked",
                                          "notes",
                                          NULL};

static void put_point(FILE *stream, const struct report_line *line,
                      const struct report_point *point)
{
    begin_row(stream, "row");
    put_string(stream, line->name, "text");
    put_number(stream, (double)point->row->size_bytes, "count");
    put_number(stream, point->total_throughput_bytes_per_s / 1e6, "real");
    put_number(stream, point->total_rate_per_s, "real");
    put_number(stream, point->op_ns / 1e3, "real");
    put_number(stream, point->op_low_ns / 1e3, "real");
    put_number(stream, point->op_high_ns / 1e3, "real");
    put_number(stream, point->half_width * 100, "real");
    for (unsigned i = 0; i < REPORT_PERCENTILES; i++)
        put_number(stream, point->latency_ns[i] / 1e3, "real");
    put_number(stream, point->latency_ns_max / 1e3, "real");
    put_number(stream, point->row->operations > 0 ? (double)point->row->operations : NAN, "count");
    put_number(stream, point->errors, "count");
    put_number(stream, point->cache_share * 100, "real");
    put_number(stream, point->amplification, "real");
    put_string(stream, point->row->notes, "text");
    end_row(stream);
}

static void put_panel(FILE *stream, const struct report *report, const struct report_panel *panel,
                      size_t number)
{
    char *name = sheet_name(panel->title, number), *about;

    begin_sheet(stream, name);
    put_columns(stream, "wide", 1);
    put_columns(stream, "narrow", 16);
    put_columns(stream, "wide", 1);
    put_line(stream, panel->title, "title");
    about = mem_printf("%s%s%s", report->about, report->left_out[0] ? "  " : "", report->left_out);
    put_line(stream, about, "text");
    free(about);
    begin_row(stream, "charts");
    fods_put_charts(stream, panel, name);
    end_row(stream);
    put_heads(stream, point_heads);
    for (size_t i = 0; i < panel->count; i++)
        for (size_t k = 0; k < panel->lines[i]->count; k++)
            put_point(stream, panel->lines[i], &panel->lines[i]->points[k]);
    fputs("</table:table>\n", stream);
    free(name);
}

/* --- over time ------------------------------------------------------------------------------ */

/* NULL: a gap. */
static void put_moment(FILE *stream, const struct report_course *course, const char *size,
                       const struct report_moment *moment)
{
    begin_row(stream, "row");
    put_string(stream, size, "text");
    if (moment) {
        put_number(stream, (moment->begin_s + moment->end_s) / 2, "real");
        put_number(stream, course->moves_data ? moment->amount / 1e6 : moment->amount, "real");
        put_number(stream, report_middle_ns(course, moment) / 1e3, "real");
        put_number(stream, moment->p99_ns / 1e3, "real");
    }
    end_row(stream);
}

static void put_span(FILE *stream, const struct report_course *course,
                     const struct report_span *span)
{
    char size[UNITS_TEXT];

    units_format_size(span->size_bytes, size);
    for (size_t i = 0; i < span->count; i++) {
        if (report_gap_before(span, i))
            put_moment(stream, course, size, NULL);
        put_moment(stream, course, size, &span->moments[i]);
    }
}

static void put_course(FILE *stream, const struct report_course *course, size_t number)
{
    const char *const heads[] = {"size",
                                 "time [s]",
                                 course->moves_data ? "throughput [MB/s]" : "rate [1/s]",
                                 course->has_p50 ? "p50 [us]" : "mean latency [us]",
                                 "p99 [us]",
                                 "",
                                 NULL};
    char *title = mem_printf("%s, over time", course->title), *name = sheet_name(title, number);

    begin_sheet(stream, name);
    put_columns(stream, "wide", 1);
    put_columns(stream, "narrow", 4);
    put_line(stream, title, "title");
    put_line(stream, course->what, "text");
    begin_row(stream, "charts");
    fods_put_course_charts(stream, course, name);
    end_row(stream);
    put_heads(stream, heads);
    for (size_t i = 0; i < course->span_count; i++)
        put_span(stream, course, &course->spans[i]);
    fputs("</table:table>\n", stream);
    free(title);
    free(name);
}

/* --- runs compared -------------------------------------------------------------------------- */

static const char *const cell_heads[] = {"cell",        "size [B]", "old [us]", "new [us]",
                                         "time/op [%]", "low [%]",  "high [%]", "p",
                                         "verdict",     NULL};

static void put_cell(FILE *stream, const struct report_comparison *pair, size_t index,
                     unsigned varying)
{
    const struct match_cell *cell = &pair->match.cells[index];
    const struct compare_cell *compared = &pair->match.compared[index];
    char *what = report_cell(&pair->match, index, varying);

    begin_row(stream, "row");
    put_string(stream, what, "text");
    put_number(stream, (double)cell->before->size_bytes, "count");
    put_number(stream, compared->before_ns / 1e3, "real");
    put_number(stream, compared->shifted_ns / 1e3, "real");
    put_number(stream, (compared->is.ratio - 1) * 100, "real");
    put_number(stream, (compared->is.low - 1) * 100, "real");
    put_number(stream, (compared->is.high - 1) * 100, "real");
    put_number(stream, compared->is.p, "real");
    put_string(stream, cell->reason ? cell->reason : report_outcome(&compared->is), "text");
    end_row(stream);
    free(what);
}

static void put_comparison(FILE *stream, const struct report_comparison *pair, size_t number)
{
    char *name = sheet_name("compared", number);
    char *title = mem_printf("%s \342\206\222 %s", report_base_name(pair->files[0].path),
                             report_base_name(pair->files[1].path));

    begin_sheet(stream, name);
    put_columns(stream, "wide", 1);
    put_columns(stream, "narrow", 8);
    put_line(stream, title, "title");
    if (pair->refused) {
        put_line(stream, pair->refused, "text");
    } else {
        for (unsigned test = 0; test < pair->match.test_count; test++) {
            char *sentence = compare_sentence(&pair->comparison, test);
            put_line(stream, sentence, "text");
            free(sentence);
        }
        const unsigned varying = report_varying(&pair->match);
        put_heads(stream, cell_heads);
        put_line(stream, pair->left_out, "text");
        for (size_t i = 0; i < pair->match.count; i++)
            if (!report_hides(pair, i))
                put_cell(stream, pair, i, varying);
    }
    fputs("</table:table>\n", stream);
    free(title);
    free(name);
}

/* --- facts ---------------------------------------------------------------------------------- */

static void put_fact(FILE *stream, const char *name, const char *text)
{
    begin_row(stream, "row");
    put_string(stream, name, "text");
    put_string(stream, text, "text");
    end_row(stream);
}

static void put_file_facts(FILE *stream, const struct report *report,
                           const struct report_file *file)
{
    const struct results *results = &file->results;
    const char *command = results_fact(results, "command"), *name, *text;

    put_line(stream, report_base_name(file->path), "title");
    for (size_t i = 0; i < results->finding_count; i++)
        if (!report_is_told(report, results->findings[i]))
            put_fact(stream, "finding", results->findings[i]);
    if (command[0] != '\0')
        put_fact(stream, "command", command);
    if (results->fact_count == 0)
        put_line(stream, report_facts_missing, "text");
    for (size_t i = 0; (text = report_fact(results, i, &name)) != NULL; i++)
        put_fact(stream, name, text);
    for (size_t i = 0; i < file->long_count; i++) /* whole */
        put_fact(stream, file->long_names[i].what, file->long_names[i].whole);
    put_line(stream, "", "text");
}

static void put_facts(FILE *stream, const struct report *report)
{
    begin_sheet(stream, "facts");
    put_columns(stream, "wide", 2);
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct report_verdict *verdict = &report->verdicts[i];
        char *sentences = mem_printf("%s %s", verdict->what, verdict->trust);
        put_fact(stream, "verdict", sentences);
        free(sentences);
    }
    for (size_t i = 0; i < report->note_count; i++) {
        const struct report_note *note = &report->notes[i];
        char *meaning =
            mem_printf("%s%s%s", note->meaning, note->advice[0] ? " " : "", note->advice);
        if (i == 0)
            put_line(stream, "notes", "title");
        put_fact(stream, note->word, meaning);
        free(meaning);
    }
    if (report->note_count > 0)
        put_line(stream, "", "text");
    for (size_t i = 0; i < report->file_count; i++)
        if (!report_is_series(&report->files[i].results)) /* only a run has facts */
            put_file_facts(stream, report, &report->files[i]);
    fputs("</table:table>\n", stream);
}

/* --- the document --------------------------------------------------------------------------- */

#define HEAD_CELL                                                            \
    "<style:table-cell-properties fo:border-bottom=\"0.5pt solid #808080\" " \
    "fo:wrap-option=\"wrap\" style:vertical-align=\"bottom\"/>"

static void put_styles(FILE *stream)
{
    fputs(
        "<office:automatic-styles>\n"
        "<number:number-style style:name=\"n-count\"><number:number number:decimal-places=\"0\" "
        "number:min-integer-digits=\"1\"/></number:number-style>\n"
        "<number:number-style style:name=\"n-real\"><number:number number:decimal-places=\"3\" "
        "number:min-integer-digits=\"1\"/></number:number-style>\n"
        "<style:style style:name=\"sheet\" style:family=\"table\" style:master-page-name=\"page\">"
        "<style:table-properties table:display=\"true\"/></style:style>\n"
        "<style:style style:name=\"wide\" style:family=\"table-column\">"
        "<style:table-column-properties style:column-width=\"5cm\"/></style:style>\n"
        "<style:style style:name=\"narrow\" style:family=\"table-column\">"
        "<style:table-column-properties style:column-width=\"2.6cm\"/></style:style>\n"
        "<style:style style:name=\"row\" style:family=\"table-row\">"
        "<style:table-row-properties style:row-height=\"0.5cm\" "
        "style:use-optimal-row-height=\"true\"/></style:style>\n"
        "<style:style style:name=\"charts\" style:family=\"table-row\">"
        "<style:table-row-properties style:row-height=\"" FODS_CHART_ROW "\" "
        "style:use-optimal-row-height=\"false\"/></style:style>\n"
        "<style:style style:name=\"text\" style:family=\"table-cell\">"
        "<style:table-cell-properties fo:padding-left=\"0.15cm\"/></style:style>\n"
        "<style:style style:name=\"title\" style:family=\"table-cell\"><style:text-properties "
        "fo:font-weight=\"bold\" fo:font-size=\"14pt\"/></style:style>\n"
        "<style:style style:name=\"head\" style:family=\"table-cell\">" HEAD_CELL
        "<style:text-properties fo:font-weight=\"bold\"/></style:style>\n"
        "<style:style style:name=\"number\" style:family=\"table-cell\">" HEAD_CELL
        "<style:paragraph-properties fo:text-align=\"end\"/>"
        "<style:text-properties fo:font-weight=\"bold\"/></style:style>\n"
        "<style:style style:name=\"frame\" style:family=\"graphic\"><style:graphic-properties "
        "draw:stroke=\"none\" draw:fill=\"none\"/></style:style>\n"
        "<style:style style:name=\"count\" style:family=\"table-cell\" "
        "style:data-style-name=\"n-count\"/>\n"
        "<style:style style:name=\"real\" style:family=\"table-cell\" "
        "style:data-style-name=\"n-real\"/>\n"
        /* a sheet is as wide as a page when it is printed */
        "<style:page-layout style:name=\"landscape\"><style:page-layout-properties "
        "fo:page-width=\"29.7cm\" fo:page-height=\"21cm\" style:print-orientation=\"landscape\" "
        "fo:margin=\"1cm\" style:scale-to-X=\"1\" style:scale-to-Y=\"0\"/>"
        "<style:header-style/><style:footer-style/></style:page-layout>\n"
        "</office:automatic-styles>\n"
        "<office:master-styles><style:master-page style:name=\"page\" "
        "style:page-layout-name=\"landscape\"><style:header style:display=\"false\"/>"
        "<style:footer style:display=\"false\"/></style:master-page></office:master-styles>\n",
        stream);
}

static void write_fods(const struct report *report, FILE *stream)
{
    size_t number = 0;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document " FODS_NAMESPACES
          " office:version=\"1.3\" "
          "office:mimetype=\"application/vnd.oasis.opendocument.spreadsheet\">\n",
          stream);
    put_styles(stream);
    fputs("<office:body><office:spreadsheet>\n", stream);
    for (size_t i = 0; i < report->panel_count; i++)
        put_panel(stream, report, &report->panels[i], ++number);
    for (size_t i = 0; i < report->course_count; i++)
        put_course(stream, &report->courses[i], ++number);
    for (size_t i = 0; i < report->comparison_count; i++)
        put_comparison(stream, &report->comparisons[i], ++number);
    put_facts(stream, report);
    fputs("</office:spreadsheet></office:body>\n</office:document>\n", stream);
}

const struct report_format report_fods = {"fods", 5000, write_fods};
