/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_html.c - a report as one page: no script, and nothing that is not in it.  What was
 * measured, the verdict and the curves stand on the first screen; then what they come to, runs
 * compared, tables, evidence, facts, and the data.  It is well-formed XML, so that a test can read
 * it. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_chart.h"
#include "analysis/report/report_facts.h"
#include "analysis/report/report_html_parts.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"

void html_begin_chapter(FILE *stream, const char *id, const char *title, const char *sentence)
{
    fprintf(stream, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
    if (sentence[0] != '\0')
        fprintf(stream, "<p class=\"say\">%s</p>\n", sentence);
}

void html_end_chapter(FILE *stream)
{
    fputs("</section>\n", stream);
}

/* --- the first screen ----------------------------------------------------------------------- */

static void put_head(FILE *stream, const struct report *report)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"generator\" content=\"iosweep " PACKAGE_VERSION "\"/>\n<title>",
          stream);
    report_put_text(stream, report->title);
    fprintf(stream, " - iosweep</title>\n<style>\n%s</style>\n</head>\n<body>\n", report_style);
}

/* ", ext4 on /dev/vda": the first fact that is known. */
static void put_known(FILE *stream, const struct results *results, const char *before,
                      const char *name)
{
    const char *fact = results_fact(results, name);
    char text[REPORT_NAME_TEXT];

    if (fact[0] != '\0')
        report_put_format(stream, "%s%s", before, report_short_name(fact, text));
}

static void put_file_words(FILE *stream, const struct results *results)
{
    report_put_text(stream, report_base_name(results->path));
    if (results->host[0] != '\0')
        report_put_format(stream, ": host %s", results->host);
    if (results_fact(results, "targets.1.target")[0] == '\0') {
        put_known(stream, results, ", ", "targets.0.filesystem");
        put_known(stream, results, " on ", "targets.0.device");
        put_known(stream, results, " ", "targets.0.model");
    }
    put_known(stream, results, ", ", "host.kernel");
    if (results->date[0] != '\0')
        report_put_format(stream, ", %s", results->date);
    if (results->version[0] != '\0')
        report_put_format(stream, ", iosweep %s", results->version);
}

static void put_paragraph(FILE *stream, const char *who, const char *text)
{
    fputs("<p>", stream);
    report_put_format(stream, "%s%s%s", who, who[0] != '\0' ? ": " : "", text);
    fputs("</p>\n", stream);
}

/* Which rows are missing. */
static void put_left_out(FILE *stream, const char *left_out)
{
    char *sentence;

    if (left_out[0] == '\0')
        return;
    sentence = mem_printf("%s.", left_out);
    fputs("<p class=\"few\"><b>", stream);
    report_put_text(stream, sentence);
    fputs("</b></p>\n", stream);
    free(sentence);
}

/* What each test of a comparison comes to. */
static void put_changes(FILE *stream, const struct report_comparison *comparison)
{
    for (unsigned test = 0; !comparison->refused && test < comparison->match.test_count; test++) {
        char *sentence = compare_sentence(&comparison->comparison, test);
        char *who = mem_printf("%s against %s", report_base_name(comparison->files[1].path),
                               report_base_name(comparison->files[0].path));
        put_paragraph(stream, who, sentence);
        free(who);
        free(sentence);
    }
}

static size_t count_findings(const struct report *report)
{
    size_t count = 0;

    for (size_t f = 0; f < report->file_count; f++)
        for (size_t i = 0; i < report->files[f].results.finding_count; i++)
            count += !report_is_told(report, report->files[f].results.findings[i]);
    return count;
}

static void put_verdict(FILE *stream, const struct report *report)
{
    if (report->verdict_count == 0 && report->comparison_count == 0)
        return;
    fputs("<div class=\"verdict\">\n", stream);
    for (size_t i = 0; i < report->comparison_count; i++)
        put_changes(stream, &report->comparisons[i]);
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct report_verdict *verdict = &report->verdicts[i];
        char *both = mem_printf("%s %s", verdict->what, verdict->trust);
        if (report->file_count > 1) {
            put_paragraph(stream, report_base_name(verdict->file->path), both);
        } else {
            put_paragraph(stream, "", verdict->what);
            put_paragraph(stream, "", verdict->trust);
        }
        free(both);
    }
    fputs("</div>\n", stream);
}

static void put_findings(FILE *stream, const struct report *report)
{
    if (count_findings(report) == 0)
        return;
    html_begin_chapter(stream, "findings", "Findings", "What the runs said of themselves.");
    for (size_t f = 0; f < report->file_count; f++) {
        const struct results *results = &report->files[f].results;
        if (report->file_count > 1 && results->finding_count > 0) {
            fputs("<h3>", stream);
            report_put_text(stream, report_base_name(results->path));
            fputs("</h3>\n", stream);
        }
        fputs("<ul>\n", stream);
        for (size_t i = 0; i < results->finding_count; i++) {
            if (report_is_told(report, results->findings[i]))
                continue;
            fputs("<li>", stream);
            report_put_text(stream, results->findings[i]);
            fputs("</li>\n", stream);
        }
        fputs("</ul>\n", stream);
    }
    html_end_chapter(stream);
}

static bool has_latencies(const struct charts *charts, const struct report *report)
{
    return !svg_is_empty(&charts->latency) && !report_has_one_size(report);
}

static void put_link(FILE *stream, bool wanted, const char *id, const char *name)
{
    if (wanted)
        fprintf(stream, "<a href=\"#%s\">%s</a>", id, name);
}

static void put_links(const struct charts *charts, const struct report *report)
{
    FILE *stream = charts->stream;

    fputs("<nav>", stream);
    put_link(stream, !report_has_one_size(report), "curves", "Curves");
    put_link(stream, report->comparison_count > 0, "compared", "Runs compared");
    put_link(stream, count_findings(report) > 0, "findings", "Findings");
    put_link(stream, html_has_summary(report), "summary", "In a few figures");
    put_link(stream, true, "sizes", "By size");
    put_link(stream, has_latencies(charts, report), "latency", "Latency");
    put_link(stream, report->map_count > 0, "map", "Map");
    put_link(stream, report->course_count > 0, "course", "Over time");
    put_link(stream, html_has_evidence(report), "evidence", "Evidence");
    put_link(stream, report->note_count > 0, "notes", "Notes");
    put_link(stream, true, "facts", "Machine and settings");
    put_link(stream, true, "data", "Data");
    fputs("</nav>\n", stream);
}

static void put_header(const struct charts *charts, const struct report *report)
{
    FILE *stream = charts->stream;

    fputs("<header>\n<p class=\"name\">iosweep report</p>\n<h1>", stream);
    report_put_text(stream, report->title);
    fputs("</h1>\n<p>", stream);
    report_put_text(stream, report->about);
    fputs("</p>\n<p class=\"meta\">", stream);
    for (size_t i = 0; i < report->file_count; i++) {
        fputs(i > 0 ? "<br/>" : "", stream);
        put_file_words(stream, &report->files[i].results);
    }
    fputs("</p>\n", stream);
    put_verdict(stream, report);
    put_left_out(stream, report->left_out);
    put_links(charts, report);
    fputs("</header>\n", stream);
}

static void put_curves(const struct charts *charts, const struct report *report)
{
    FILE *stream = charts->stream;

    if (report_has_one_size(report))
        return;
    html_begin_chapter(stream, "curves", "The curves",
                       "Points are medians over the rounds, bands their 95 % intervals; both axes "
                       "are logarithmic.  A ring is around the smallest size with 90 % of the best "
                       "throughput.");
    for (size_t i = 0; i < report->panel_count; i++) {
        const struct report_panel *panel = &report->panels[i];
        fputs("<div class=\"pair\">\n", stream);
        if (panel->moves_data)
            chart_throughput(charts, panel);
        chart_time(charts, panel);
        fputs("</div>\n", stream);
        if (panel->count > 1)
            chart_key(charts, panel);
    }
    html_end_chapter(stream);
}

/* --- further chapters ----------------------------------------------------------------------- */

static void put_latencies(const struct charts *charts, const struct report *report)
{
    FILE *stream = charts->stream;

    if (!has_latencies(charts, report))
        return;
    html_begin_chapter(stream, "latency", "Latency",
                       "How long single operations took: half of them no longer than the line "
                       "(p50), 90 % no longer than the dark band reaches, 99 % no longer than the "
                       "pale one.");
    fputs("<div class=\"pair\">\n", stream);
    for (size_t p = 0; p < report->panel_count; p++)
        for (size_t i = 0; i < report->panels[p].count; i++)
            if (report->panels[p].lines[i]->has_latency)
                chart_latency(charts, &report->panels[p], report->panels[p].lines[i]);
    fputs("</div>\n", stream);
    html_end_chapter(stream);
}

static void put_courses(const struct charts *charts, const struct report *report)
{
    if (report->course_count == 0)
        return;
    html_begin_chapter(charts->stream, "course", "Over time",
                       "What each interval of the run did; a line is interrupted where its row "
                       "was not under way.");
    for (size_t i = 0; i < report->course_count; i++)
        chart_course(charts, &report->courses[i]);
    html_end_chapter(charts->stream);
}

static void put_sentence(FILE *stream, const struct comparison *comparison, unsigned test)
{
    char *sentence = compare_sentence(comparison, test);

    fputs("<p>", stream);
    report_put_text(stream, sentence);
    fputs(".</p>\n", stream);
    free(sentence);
}

static void put_pair(const struct charts *charts, const struct report_comparison *comparison)
{
    FILE *stream = charts->stream;

    fputs("<h3>", stream);
    report_put_format(stream, "%s against %s", report_base_name(comparison->files[1].path),
                      report_base_name(comparison->files[0].path));
    fputs("</h3>\n", stream);
    if (comparison->refused) {
        fputs("<p>Not compared: ", stream);
        report_put_text(stream, comparison->refused);
        fputs(".</p>\n", stream);
        return;
    }
    put_left_out(stream, comparison->left_out);
    for (unsigned test = 0; test < comparison->match.test_count; test++) {
        put_sentence(stream, &comparison->comparison, test);
        fputs("<div class=\"pair\">\n", stream);
        chart_ratios(charts, comparison, test);
        fputs("</div>\n", stream);
        html_put_comparison(stream, comparison, test);
    }
}

static void put_comparisons(const struct charts *charts, const struct report *report)
{
    if (report->comparison_count == 0)
        return;
    html_begin_chapter(
        charts->stream, "compared", "Runs compared",
        "Times per operation against those of the first file, with 95 % intervals: "
        "above the grey strip of &#177;2&#160;% it is slower, below it faster.  One sweep "
        "of each says little of what differs from sweep to sweep anyway.");
    for (size_t i = 0; i < report->comparison_count; i++)
        put_pair(charts, &report->comparisons[i]);
    html_end_chapter(charts->stream);
}

static void write_html(const struct report *report, FILE *stream)
{
    struct charts charts;

    charts_begin(&charts, report, stream);
    put_head(stream, report);
    put_header(&charts, report);
    fputs("<main>\n", stream);
    put_curves(&charts, report);
    if (report_has_one_size(report))
        html_put_rows(stream, report);
    put_comparisons(&charts, report);
    put_findings(stream, report);
    html_put_summary(stream, report);
    if (!report_has_one_size(report))
        html_put_rows(stream, report);
    put_latencies(&charts, report);
    html_put_maps(stream, report);
    put_courses(&charts, report);
    html_put_evidence(stream, report);
    html_put_notes(stream, report);
    html_put_facts(stream, report);
    html_put_files(stream, report);
    fputs("</main>\n<footer>Made by iosweep " PACKAGE_VERSION
          ".  This page needs no network and runs no script.</footer>\n</body>\n</html>\n",
          stream);
}

const struct report_format report_html = {"html", 5000, write_html};
