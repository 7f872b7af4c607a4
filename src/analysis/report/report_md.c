/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_md.c - a report as Markdown, as issues and pull requests take it (GitHub's): what was
 * found, a table for each set of curves, runs compared, and the facts folded away.
 *
 * Texts from files must not become markup: see put_text. */
#include "base/compat.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_print.h"
#include "analysis/report/report.h"
#include "analysis/report/report_facts.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/units.h"

#define EMPTY "\xe2\x80\x93" /* an en dash: not known */

/* --- texts ---------------------------------------------------------------------------------- */

/* Whether Markdown would read it where it stands in a line; at the beginning of an item also what
 * begins a list. */
static bool is_markup(const char *text, const char *s)
{
    if (*s == '_') /* within a word it is one of its letters */
        return s == text || !isalnum((unsigned char)s[-1]) || !isalnum((unsigned char)s[1]);
    if (*s == '.' || *s == ')')
        return s > text && strspn(text, "0123456789") == (size_t)(s - text) &&
               (s[1] == ' ' || s[1] == '\0');
    if (*s == '-' || *s == '+')
        return s == text;
    return strchr("\\`*[]#|~$", *s) != NULL;
}

/* Where HTML is read and no Markdown.  A comment keeps "@name" and "#1" from being taken for a
 * person to be called and an issue to be linked. */
static void put_byte(FILE *stream, char byte)
{
    if (byte == '<' || byte == '>' || byte == '&')
        fputs(byte == '<' ? "&lt;" : byte == '>' ? "&gt;" : "&amp;", stream);
    else
        fputc(byte, stream);
    if (byte == '@' || byte == '#')
        fputs("<!-- -->", stream);
}

static void put_html(FILE *stream, const char *text)
{
    char *shown = report_printable(text);

    for (const char *s = shown; *s != '\0'; s++)
        put_byte(stream, *s);
    free(shown);
}

/* A text with nothing that Markdown or HTML reads. */
static void put_text(FILE *stream, const char *text)
{
    char *shown = report_printable(text);

    for (const char *s = shown; *s != '\0'; s++) {
        if (is_markup(shown, s))
            fputc('\\', stream);
        put_byte(stream, *s);
    }
    free(shown);
}

/* Text that is to be copied: a fence longer than any in it. */
static void put_block(FILE *stream, const char *text)
{
    char *shown = report_printable(text);
    size_t longest = 2, run = 0;

    for (const char *s = shown; *s != '\0'; s++) {
        run = *s == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i <= longest; i++)
            fputc('`', stream);
        fprintf(stream, turn == 0 ? "sh\n%s\n" : "\n", shown);
    }
    free(shown);
}

/* A value in its own unit, in a cell. */
static void put_value(FILE *stream, char *(*format)(double, char *), double value)
{
    char text[UNITS_TEXT];

    fprintf(stream, " %s |", isfinite(value) && value > 0 ? format(value, text) : EMPTY);
}

/* --- rows ----------------------------------------------------------------------------------- */

static void put_head(FILE *stream, const struct report_panel *panel)
{
    static const struct {
        const char *name;
        bool left;
    } columns[] = {{"curve", true},     {"size", false},       {"time/op", false},
                   {"\xc2\xb1", false}, {"throughput", false}, {"rate", false},
                   {"p50", false},      {"p99", false},        {"notes", true}};
    const size_t count = sizeof(columns) / sizeof(columns[0]);

    for (int line = 0; line < 2; line++) {
        fputc('|', stream);
        for (size_t i = 0; i < count; i++) {
            if ((i == 0 && panel->count == 1) || (i == 4 && !panel->moves_data))
                continue;
            if (line == 0)
                fprintf(stream, " %s |", columns[i].name);
            else
                fputs(columns[i].left ? "---|" : "---:|", stream);
        }
        fputc('\n', stream);
    }
}

/* "cache_hits, wide" */
static void put_notes(FILE *stream, const char *notes)
{
    fputc(' ', stream);
    while (*notes != '\0') {
        const size_t length = strcspn(notes, ";");
        char *word = mem_printf("%.*s", (int)length, notes);
        put_text(stream, word);
        free(word);
        notes += length + (notes[length] == ';');
        if (*notes != '\0')
            fputs(", ", stream);
    }
    fputs(" |\n", stream);
}

static void put_row(FILE *stream, const struct report_panel *panel, const struct report_line *line,
                    const struct report_point *point)
{
    char size[UNITS_TEXT];

    fputc('|', stream);
    if (panel->count > 1) {
        fputc(' ', stream);
        put_text(stream, line->name);
        fputs(" |", stream);
    }
    fprintf(stream, " %s |", units_format_size(point->row->size_bytes, size));
    put_value(stream, units_format_time, point->op_ns);
    if (isfinite(point->half_width))
        fprintf(stream, " %.1f %% |", point->half_width * 100);
    else
        fputs(" " EMPTY " |", stream);
    if (panel->moves_data)
        put_value(stream, units_format_throughput, point->total_throughput_bytes_per_s);
    put_value(stream, units_format_rate, point->total_rate_per_s);
    put_value(stream, units_format_time, point->latency_ns[REPORT_P50]);
    put_value(stream, units_format_time, point->latency_ns[REPORT_P99]);
    put_notes(stream, point->row->notes);
}

static void put_panel(FILE *stream, const struct report_panel *panel)
{
    fputs("#### ", stream);
    put_text(stream, panel->title);
    fputs("\n\n", stream);
    put_head(stream, panel);
    for (size_t i = 0; i < panel->count; i++)
        for (size_t k = 0; k < panel->lines[i]->count; k++)
            put_row(stream, panel, panel->lines[i], &panel->lines[i]->points[k]);
    fputc('\n', stream);
}

/* --- over time ------------------------------------------------------------------------------ */

#define LINE_CHARACTERS 40

/* What each moment had as a block of that height; of many moments each block is their mean. */
static void put_sparkline(FILE *stream, const struct report_span *span, double most)
{
    static const char *const blocks[] = {"\342\226\201", "\342\226\202", "\342\226\203",
                                         "\342\226\204", "\342\226\205", "\342\226\206",
                                         "\342\226\207", "\342\226\210"};
    const size_t count = span->count < LINE_CHARACTERS ? span->count : LINE_CHARACTERS;

    fputc(' ', stream);
    for (size_t i = 0; i < count; i++) {
        const size_t end = (i + 1) * span->count / count;
        double sum = 0;
        size_t known = 0;
        for (size_t k = i * span->count / count; k < end; k++)
            if (span->moments[k].amount >= 0) {
                sum += span->moments[k].amount;
                known++;
            }
        if (known > 0 && most > 0)
            fputs(blocks[(int)fmin(7, floor(sum / (double)known / most * 8))], stream);
        else
            fputs("\302\267", stream);
    }
    fputs(" |\n", stream);
}

static void put_span(FILE *stream, const struct report_course *course,
                     const struct report_span *span)
{
    char *(*format)(double, char *) =
        course->moves_data ? units_format_throughput : units_format_rate;
    double least = NAN, most = NAN, p99_ns = NAN, sum_s = 0, sum = 0;
    char size[UNITS_TEXT];

    for (size_t i = 0; i < span->count; i++) {
        const struct report_moment *moment = &span->moments[i];
        least = fmin(least, moment->amount);
        most = fmax(most, moment->amount);
        p99_ns = fmax(p99_ns, moment->p99_ns);
        if (moment->amount >= 0) {
            sum += moment->amount * moment->busy_s;
            sum_s += moment->busy_s;
        }
    }
    fprintf(stream, "| %s | %zu |", units_format_size(span->size_bytes, size),
            span->interval_count);
    put_value(stream, format, least);
    put_value(stream, format, sum_s > 0 ? sum / sum_s : NAN);
    put_value(stream, format, most);
    put_value(stream, units_format_time, p99_ns);
    put_sparkline(stream, span, most);
}

static void put_course(FILE *stream, const struct report_course *course)
{
    char *title =
        mem_printf("%s: %s over time", course->title, course->moves_data ? "throughput" : "rate");

    fputs("#### ", stream);
    put_text(stream, title);
    fputs("\n\n", stream);
    free(title);
    if (course->what[0] != '\0')
        fprintf(stream, "Shown: %s.\n\n", course->what);
    fputs(
        "| size | intervals | lowest | mean | highest | highest p99 | from the start to the end |\n"
        "|---:|---:|---:|---:|---:|---:|---|\n",
        stream);
    for (size_t i = 0; i < course->span_count; i++)
        put_span(stream, course, &course->spans[i]);
    fputc('\n', stream);
}

/* --- runs compared -------------------------------------------------------------------------- */

/* All of a line's in one unit. */
static void put_ratio(FILE *stream, const struct compare_judgement *is, double ratio,
                      const char *end)
{
    char *text = isnan(ratio) ? mem_strdup("") : compare_ratio_text(ratio, compare_in_factors(is));

    fprintf(stream, " %s%s", text, end);
    free(text);
}

static void put_cell(FILE *stream, const struct report_comparison *pair, size_t index,
                     unsigned varying)
{
    const struct match_cell *cell = &pair->match.cells[index];
    const struct compare_cell *compared = &pair->match.compared[index];
    char size[UNITS_TEXT], *what;

    what = report_cell(&pair->match, index, varying);
    fputs("| ", stream);
    put_text(stream, what);
    fprintf(stream, " | %s |", units_format_size(cell->before->size_bytes, size));
    free(what);
    put_value(stream, units_format_time, compared->before_ns);
    put_value(stream, units_format_time, compared->shifted_ns);
    put_ratio(stream, &compared->is, compared->is.ratio, " |");
    if (isfinite(compared->is.low)) {
        put_ratio(stream, &compared->is, compared->is.low, " to");
        put_ratio(stream, &compared->is, compared->is.high, " |");
    } else {
        fputs(" " EMPTY " |", stream);
    }
    fprintf(stream, " %s |\n", cell->reason ? cell->reason : report_outcome(&compared->is));
}

static void put_comparison(FILE *stream, const struct report_comparison *pair)
{
    unsigned varying;

    fputs("#### ", stream);
    put_text(stream, report_base_name(pair->files[0].path));
    fputs(" \xe2\x86\x92 ", stream);
    put_text(stream, report_base_name(pair->files[1].path));
    fputs("\n\n", stream);
    if (pair->refused) {
        fputs("Not compared: ", stream);
        put_text(stream, pair->refused);
        fputs("\n\n", stream);
        return;
    }
    for (unsigned test = 0; test < pair->match.test_count; test++) {
        char *sentence = compare_sentence(&pair->comparison, test);
        fputs("- ", stream);
        put_text(stream, sentence);
        fputc('\n', stream);
        free(sentence);
    }
    fputs("\n| cell | size | old | new | time/op | 95 % interval | verdict |\n"
          "|---|---:|---:|---:|---:|---:|---|\n",
          stream);
    varying = report_varying(&pair->match);
    for (size_t i = 0; i < pair->match.count; i++)
        if (!report_hides(pair, i))
            put_cell(stream, pair, i, varying);
    fputc('\n', stream);
}

/* --- words and facts ------------------------------------------------------------------------ */

/* "- old.csv: the sentence" */
static void put_item(FILE *stream, const struct report *report, const struct results *file,
                     const char *sentence)
{
    fputs("- ", stream);
    if (report->file_count > 1) {
        put_text(stream, report_base_name(file->path));
        fputs(": ", stream);
    }
    put_text(stream, sentence);
    fputc('\n', stream);
}

static void put_findings(FILE *stream, const struct report *report)
{
    size_t count = 0;

    for (size_t i = 0; i < report->verdict_count; i++, count++) {
        const struct report_verdict *verdict = &report->verdicts[i];
        char *sentences = mem_printf("%s %s", verdict->what, verdict->trust);
        put_item(stream, report, verdict->file, sentences);
        free(sentences);
    }
    for (size_t f = 0; f < report->file_count; f++) {
        const struct results *results = &report->files[f].results;
        for (size_t i = 0; i < results->finding_count; i++) {
            if (report_is_told(report, results->findings[i]))
                continue;
            put_item(stream, report, results, results->findings[i]);
            count++;
        }
    }
    if (count > 0)
        fputc('\n', stream);
}

static void put_notes_meaning(FILE *stream, const struct report *report)
{
    if (report->note_count == 0)
        return;
    fputs("<details><summary>What the notes mean</summary>\n\n", stream);
    for (size_t i = 0; i < report->note_count; i++) {
        const struct report_note *note = &report->notes[i];
        fputs("- **", stream);
        put_text(stream, note->word);
        fprintf(stream, "** (%zu row%s, %s)", note->rows, note->rows == 1 ? "" : "s", note->sizes);
        if (note->meaning[0] != '\0') {
            fputs(": ", stream);
            put_text(stream, note->meaning);
        }
        if (note->advice[0] != '\0') {
            fputc(' ', stream);
            put_text(stream, note->advice);
        }
        fputc('\n', stream);
    }
    if (report->notes_left_out > 0)
        fprintf(stream, "\n%zu notes of other words stand in the rows of the results only.\n",
                report->notes_left_out);
    fputs("\n</details>\n", stream);
}

static void put_fact(FILE *stream, const char *name, const char *text)
{
    fputs("| ", stream);
    put_text(stream, name);
    fputs(" | ", stream);
    put_text(stream, text);
    fputs(" |\n", stream);
}

static void put_left_out(FILE *stream, const char *left_out)
{
    if (left_out[0] == '\0')
        return;
    fputs("**", stream);
    put_text(stream, left_out);
    fputs(".**\n\n", stream);
}

static void put_facts(FILE *stream, const struct report_file *file)
{
    const struct results *results = &file->results;
    const char *command = results_fact(results, "command"), *name, *text;

    fputs("<details><summary>", stream);
    put_html(stream, report_base_name(file->path));
    fputs(": machine, target and settings</summary>\n\n", stream);
    if (command[0] != '\0') {
        put_block(stream, command);
        fputc('\n', stream);
    }
    if (results->fact_count == 0) {
        put_text(stream, report_facts_missing);
        fputs("\n\n", stream);
    }
    if (report_fact(results, 0, &name) || file->long_count > 0)
        fputs("| fact | value |\n|---|---|\n", stream);
    for (size_t i = 0; (text = report_fact(results, i, &name)) != NULL; i++)
        put_fact(stream, name, text);
    for (size_t i = 0; i < file->long_count; i++) /* whole */
        put_fact(stream, file->long_names[i].what, file->long_names[i].whole);
    fputs("\n</details>\n", stream);
}

static void write_md(const struct report *report, FILE *stream)
{
    fputs("### ", stream);
    put_text(stream, report->title);
    fputs("\n\n", stream);
    put_text(stream, report->about);
    fputs("\n\n", stream);
    put_findings(stream, report);
    put_left_out(stream, report->left_out);
    for (size_t i = 0; i < report->comparison_count; i++) {
        put_comparison(stream, &report->comparisons[i]);
        put_left_out(stream, report->comparisons[i].left_out);
    }
    for (size_t i = 0; i < report->panel_count; i++)
        put_panel(stream, &report->panels[i]);
    for (size_t i = 0; i < report->course_count; i++)
        put_course(stream, &report->courses[i]);
    put_notes_meaning(stream, report);
    for (size_t i = 0; i < report->file_count; i++)
        if (!report_is_series(&report->files[i].results)) /* only a run has facts */
            put_facts(stream, &report->files[i]);
}

/* a site takes 65536 characters */
const struct report_format report_md = {"md", 500, write_md};
