/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_html_facts.c - the end of the page: what the files know of machine and settings, and the
 * files themselves. */
#include "base/compat.h"

#include <string.h>

#include "analysis/report/report_facts.h"
#include "analysis/report/report_html_parts.h"
#include "analysis/report/report_text.h"

/* Histograms of latencies and members that are null take most of a JSON document, and no command
 * that compares or fits, or draws curves, needs them. */
#define DATA_BYTES_MAX ((size_t)96 << 10) /* of all files; from there on they are left out */

static const char *const histograms[] = {"latency_histogram", "open_histogram", "close_histogram"};

static const char *const format_names[] = {
    [RESULTS_CSV] = "csv",
    [RESULTS_JSON] = "json",
    [RESULTS_CLASSIC] = "classic",
    [RESULTS_SERIES] = "series",
};

/* The end of an array in valid JSON, of which *at is the first byte. */
static const char *array_end(const char *at, const char *end)
{
    size_t depth = 0;

    for (; at < end; at++) {
        if (*at == '"')
            return NULL; /* histograms hold numbers */
        depth += *at == '[';
        depth -= *at == ']';
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Where a histogram begins with `,"NAME":[`, what follows it; else NULL. */
static const char *histogram_end(const char *at, const char *end)
{
    for (size_t i = 0; i < sizeof(histograms) / sizeof(histograms[0]); i++) {
        const size_t length = strlen(histograms[i]);
        if ((size_t)(end - at) > length + 5 && strncmp(at + 2, histograms[i], length) == 0 &&
            strncmp(at + 2 + length, "\":[", 3) == 0)
            return array_end(at + length + 4, end);
    }
    return NULL;
}

/* Where a member begins with `,"NAME":null`, what follows it; else NULL. */
static const char *null_end(const char *at, const char *end)
{
    static const char word[] = "\":null";
    const char *name = at + 2;

    at = name;
    while (at < end && (*at == '_' || (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9')))
        at++;
    return at > name && (size_t)(end - at) >= sizeof(word) &&
                   strncmp(at, word, sizeof(word) - 1) == 0
               ? at + sizeof(word) - 1
               : NULL;
}

static const char *skipped_end(const char *at, const char *end)
{
    const char *after = histogram_end(at, end);

    return after ? after : null_end(at, end);
}

/* A comma and a quote stand side by side between members, and within a text before its end: there
 * no name follows with a quote and a colon, since quotes in it are escaped. */
static void put_less(FILE *stream, const char *text, size_t length)
{
    const char *end = text + length, *from = text;

    for (const char *at = text; at + 1 < end; at++) {
        const char *after = at[0] == ',' && at[1] == '"' ? skipped_end(at, end) : NULL;
        if (!after)
            continue;
        report_put_data(stream, from, (size_t)(at - from));
        from = after;
        at = after - 1;
    }
    report_put_data(stream, from, (size_t)(end - from));
}

static size_t count_bytes(const struct report *report)
{
    size_t bytes = 0;

    for (size_t i = 0; i < report->file_count; i++)
        bytes += report->files[i].length;
    return bytes;
}

static void say_no_data(FILE *stream, const struct report *report)
{
    html_begin_chapter(stream, "data", "Data", "");
    fprintf(
        stream,
        "<p>The results that this page was made of, %.1f MiB, are not in it: compare, fit, plot, "
        "merge and report read the files themselves.  With --data always they are in the "
        "page.</p>\n<ul>\n",
        (double)count_bytes(report) / (1 << 20));
    for (size_t i = 0; i < report->file_count; i++) {
        fputs("<li>", stream);
        report_put_text(stream, report_base_name(report->files[i].path));
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
    html_end_chapter(stream);
}

void html_put_files(FILE *stream, const struct report *report)
{
    const size_t bytes = count_bytes(report);
    bool cut = false;

    if (!report->has_data) {
        say_no_data(stream, report);
        return;
    }
    for (size_t i = 0; i < report->file_count; i++)
        cut = cut || (bytes > DATA_BYTES_MAX && report->files[i].results.format == RESULTS_JSON);
    html_begin_chapter(
        stream, "data", "Data",
        cut ? "The results that this page was made of, without histograms and fields that "
              "are not known."
            : "The results that this page was made of, as they were.");
    for (size_t i = 0; i < report->file_count; i++) {
        const struct report_file *file = &report->files[i];
        fputs("<details><summary>", stream);
        report_put_text(stream, report_base_name(file->path));
        fprintf(stream, "</summary>\n<pre id=\"iosweep-data-%zu\" data-name=\"", i + 1);
        report_put_text(stream, report_base_name(file->path));
        fprintf(stream, "\" data-format=\"%s\" tabindex=\"0\">\n",
                format_names[file->results.format]);
        if (cut && file->results.format == RESULTS_JSON)
            put_less(stream, file->text, file->length);
        else
            report_put_data(stream, file->text, file->length);
        fputs("</pre></details>\n", stream);
    }
    html_end_chapter(stream);
}

/* --- facts ---------------------------------------------------------------------------------- */

/* Groups of facts by how their names begin; what belongs to no other is of the run. */
static const char *const groups[][2] = {
    {"Machine", "host."}, {"Targets", "targets."}, {"Settings", "settings."}, {"Run", ""}};
enum { GROUP_COUNT = sizeof(groups) / sizeof(groups[0]) };

static size_t group_of(const char *name)
{
    size_t group = 0;

    while (strncmp(name, groups[group][1], strlen(groups[group][1])) != 0)
        group++;
    return group;
}

static void put_fact(FILE *stream, const char *name, const char *text)
{
    fputs("<tr><th scope=\"row\" class=\"w\">", stream);
    report_put_text(stream, name);
    fputs("</th><td class=\"wrap\">", stream);
    report_put_text(stream, text);
    fputs("</td></tr>\n", stream);
}

static void put_group(FILE *stream, const struct results *results, size_t group)
{
    bool begun = false;

    for (size_t i = 0; i < results->fact_count; i++) {
        const struct text_field *fact = &results->facts[i];
        if (group_of(fact->name) != group || strcmp(fact->name, "command") == 0)
            continue;
        if (!begun)
            fprintf(stream,
                    "<div class=\"box\" tabindex=\"0\"><table><caption>%s</caption><tbody>\n",
                    groups[group][0]);
        begun = true;
        put_fact(stream, fact->name + strlen(groups[group][1]), fact->text);
    }
    if (begun)
        fputs("</tbody></table></div>\n", stream);
}

static void put_long_names(FILE *stream, const struct report_file *file)
{
    if (file->long_count == 0)
        return;
    fputs(
        "<div class=\"box\" tabindex=\"0\"><table><caption>Names that are shortened above</caption>"
        "<tbody>\n",
        stream);
    for (size_t i = 0; i < file->long_count; i++)
        put_fact(stream, file->long_names[i].what, file->long_names[i].whole);
    fputs("</tbody></table></div>\n", stream);
}

static void put_file_facts(FILE *stream, const struct report_file *file)
{
    const struct results *results = &file->results;
    const char *command = results_fact(results, "command");

    fputs("<h3>", stream);
    report_put_text(stream, report_base_name(results->path));
    fputs("</h3>\n", stream);
    if (command[0] != '\0') {
        fputs("<p>The command to repeat it:</p>\n<pre class=\"run\">", stream);
        report_put_text(stream, command);
        fputs("</pre>\n", stream);
    }
    if (results->fact_count == 0) {
        fprintf(stream, "<p>%s</p>\n", report_facts_missing);
        put_long_names(stream, file);
        return;
    }
    fputs("<div class=\"pair\">\n", stream);
    for (size_t group = 0; group < GROUP_COUNT; group++)
        put_group(stream, results, group);
    fputs("</div>\n", stream);
    put_long_names(stream, file);
}

void html_put_facts(FILE *stream, const struct report *report)
{
    html_begin_chapter(stream, "facts", "Machine, settings, command",
                       "What the files say of their runs, and how to repeat them.");
    for (size_t i = 0; i < report->file_count; i++)
        if (!report_is_series(&report->files[i].results))
            put_file_facts(stream, &report->files[i]);
    html_end_chapter(stream);
}
