/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_print.c - a comparison for people (table) and for programs (CSV, JSON).  All formats have
 * the same parts: the cells, the cells that are not in all files, and the overall of each test.
 * Numbers that are not known are empty (CSV), null (JSON) or "-" (table), never 0. */
#include "base/compat.h"

#include "analysis/compare_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "report/formats/print.h"

#define FACTOR_LEAST 10.0 /* percents would have too many digits to be read */

static const char *const verdict_words[] = {
    [COMPARE_UNKNOWN] = "unknown", [COMPARE_UNCLEAR] = "unclear", [COMPARE_SAME] = "same",
    [COMPARE_SLOWER] = "slower",   [COMPARE_FASTER] = "faster",
};

static const char *const evidence_words[COMPARE_EVIDENCE_COUNT] = {
    [COMPARE_NOTHING] = "none",
    [COMPARE_RATIO] = "ratio",
    [COMPARE_INTERVALS] = "conservative",
    [COMPARE_ROUNDS] = "rounds",
};

/* --- what all formats need ------------------------------------------------------------------ */

static bool is_shown(const struct comparison *comparison, size_t cell)
{
    return !comparison->worse_only ||
           comparison->match->compared[cell].is.verdict == COMPARE_SLOWER;
}

/* "DIR1 -> DIR2" where the axis is what is compared.  To free. */
static char *axis_text(const struct match *match, const struct results_row *row,
                       enum match_axis axis)
{
    char text[2][UNITS_TEXT];
    if (axis == MATCH_LABEL && match->labels_name_files)
        return mem_strdup(""); /* that of one file says nothing of the cell */
    if (match->axis_before[axis] == NULL)
        return mem_strdup(match_axis_value(row, axis, text[0]));
    return mem_printf("%s -> %s", match_axis_value(match->axis_before[axis], axis, text[0]),
                      match_axis_value(match->axis_after[axis], axis, text[1]));
}

/* Reason and remarks joined.  To free. */
static char *notes_text(const struct match *match, size_t cell)
{
    const char *words[] = {match->cells[cell].reason, match->cells[cell].remarks,
                           match->compared[cell].medians_disagree ? "medians" : NULL};
    char *notes = mem_strdup("");
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char *longer;
        if (words[i] == NULL || words[i][0] == '\0')
            continue;
        longer = mem_printf("%s%s%s", notes, notes[0] != '\0' ? ";" : "", words[i]);
        free(notes);
        notes = longer;
    }
    return notes;
}

/* "+4.2 %"; what is far from 1 as a factor, "x5270", "x0.00013".  To free. */
static char *percent_text(double ratio)
{
    if (isnan(ratio))
        return mem_strdup("-");
    if (ratio >= FACTOR_LEAST || ratio <= 1 / FACTOR_LEAST)
        return mem_printf("x%.3g", ratio);
    return mem_printf("%+.1f %%", (ratio - 1) * 100);
}

/* "5.1 % slower", "4.9 % faster", "7.35 times slower".  To free. */
static char *change_words(double ratio)
{
    if (ratio >= 2 || ratio <= 0.5)
        return mem_printf("%.2f times %s", ratio > 1 ? ratio : 1 / ratio,
                          ratio > 1 ? "slower" : "faster");
    return mem_printf("%.1f %% %s", fabs(ratio - 1) * 100, ratio > 1 ? "slower" : "faster");
}

char *compare_sentence(const struct comparison *comparison, unsigned test)
{
    const struct compare_overall *overall = &comparison->overall[test];
    const struct compare_judgement *is = &overall->is;
    const char *name = comparison->match->tests[test];
    char *change = is->verdict == COMPARE_SLOWER || is->verdict == COMPARE_FASTER
                       ? change_words(is->ratio)
                   : is->verdict == COMPARE_SAME    ? mem_strdup("the same")
                   : is->verdict == COMPARE_UNCLEAR ? mem_strdup("unclear")
                                                    : mem_strdup("no verdict");
    char *ratio = percent_text(is->ratio), *low = percent_text(is->low),
         *high = percent_text(is->high), *sentence;
    char *bounds =
        isnan(is->ratio) ? mem_strdup("nothing known")
        : isnan(is->low)
            ? mem_printf("time per operation %s, no interval", ratio)
            : mem_printf("time per operation %s, %s%s to %s", ratio,
                         is->evidence == COMPARE_INTERVALS ? "conservative " : "", low, high);
    sentence =
        mem_printf("%s: %s overall (%s); cells: %zu slower, %zu faster, %zu same, %zu "
                   "unclear, %zu without verdict",
                   name[0] != '\0' ? name : "all", change, bounds, overall->counts[COMPARE_SLOWER],
                   overall->counts[COMPARE_FASTER], overall->counts[COMPARE_SAME],
                   overall->counts[COMPARE_UNCLEAR], overall->counts[COMPARE_UNKNOWN]);
    free(change);
    free(ratio);
    free(low);
    free(high);
    free(bounds);
    return sentence;
}

/* --- table ---------------------------------------------------------------------------------- */

enum { T_TEST, T_AXES, T_SIZE = T_AXES + MATCH_AXIS_COUNT, T_OLD, T_NEW, T_CHANGE, T_INTERVAL };
enum { T_P = T_INTERVAL + 1, T_VERDICT, T_NOTES, T_COUNT };

struct lines {
    char *(*text)[T_COUNT]; /* [0]: headings */
    size_t count;
    bool shown[T_COUNT];
};

static bool is_left(int column)
{
    return column < T_AXES + MATCH_THREADS || column >= T_VERDICT;
}

static void time_text(double ns, char **text)
{
    char number[UNITS_TEXT];
    *text = mem_strdup(isnan(ns) ? "-" : units_format_time(ns, number));
}

static void fill_line(const struct comparison *comparison, size_t index, char **text)
{
    const struct match_cell *cell = &comparison->match->cells[index];
    const struct compare_cell *compared = &comparison->match->compared[index];
    const struct compare_judgement *is = &compared->is;
    char size[UNITS_TEXT], *low = percent_text(is->low), *high = percent_text(is->high);
    text[T_TEST] = results_printable(mem_strdup(cell->before->test));
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++)
        text[T_AXES + axis] =
            results_printable(axis_text(comparison->match, cell->before, (enum match_axis)axis));
    text[T_SIZE] = mem_strdup(units_format_size(cell->before->size_bytes, size));
    time_text(compared->before_ns, &text[T_OLD]);
    time_text(compared->shifted_ns, &text[T_NEW]);
    text[T_CHANGE] = percent_text(is->ratio);
    text[T_INTERVAL] = isnan(is->low) ? mem_strdup("-") : mem_printf("%s .. %s", low, high);
    text[T_P] = isnan(is->p)     ? mem_strdup("-")
                : is->p < 0.0001 ? mem_strdup("<.0001")
                                 : mem_printf("%.4f", is->p);
    text[T_VERDICT] = is->verdict == COMPARE_SLOWER || is->verdict == COMPARE_FASTER
                          ? change_words(is->ratio)
                          : mem_strdup(verdict_words[is->verdict]);
    text[T_NOTES] = notes_text(comparison->match, index);
    if (!isnan(compared->reference_ratio)) {
        char *measured = percent_text(compared->measured_ratio);
        char *longer = mem_printf("by reference (measured %s)%s%s", measured,
                                  text[T_NOTES][0] != '\0' ? ";" : "", text[T_NOTES]);
        free(measured);
        free(text[T_NOTES]);
        text[T_NOTES] = longer;
    }
    free(low);
    free(high);
}

/* Axes that have one value in all lines, and are not what is compared, need no column. */
static void choose_columns(const struct comparison *comparison, struct lines *lines)
{
    for (int c = 0; c < T_COUNT; c++) {
        lines->shown[c] = c >= T_SIZE && c < T_NOTES;
        for (size_t i = 1; i < lines->count && !lines->shown[c]; i++) {
            if (c == T_NOTES)
                lines->shown[c] = lines->text[i][c][0] != '\0';
            else
                lines->shown[c] = strcmp(lines->text[i][c], lines->text[1][c]) != 0;
        }
    }
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        if (comparison->match->axis_before[axis] != NULL)
            lines->shown[T_AXES + axis] = false; /* said above the table */
    }
}

static void put_lines(FILE *stream, const struct lines *lines)
{
    unsigned width[T_COUNT] = {0};
    for (int c = 0; c < T_COUNT; c++) {
        for (size_t i = 0; i < lines->count; i++) {
            const unsigned here = print_width(lines->text[i][c]);
            width[c] = here > width[c] ? here : width[c];
        }
    }
    for (size_t i = 0; i < lines->count; i++) {
        unsigned gap = 0;
        for (int c = 0; c < T_COUNT; c++) {
            const unsigned here = print_width(lines->text[i][c]);
            if (!lines->shown[c])
                continue;
            if (is_left(c)) {
                if (here > 0)
                    fprintf(stream, "%*s%s", (int)gap, "", lines->text[i][c]);
                gap = here > 0 ? width[c] - here + 2 : gap + width[c] + 2;
            } else {
                fprintf(stream, "%*s%s", (int)(gap + width[c] - here), "", lines->text[i][c]);
                gap = 2;
            }
        }
        fputc('\n', stream);
    }
}

static void put_compared_axes(FILE *stream, const struct match *match)
{
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        char *text;
        if (match->axis_before[axis] == NULL)
            continue;
        text = results_printable(axis_text(match, match->axis_before[axis], (enum match_axis)axis));
        fprintf(stream, "%s: %s\n", match_axis_name((enum match_axis)axis), text);
        free(text);
    }
}

void compare_print_table(FILE *stream, const struct comparison *comparison)
{
    static const char *const headings[T_COUNT] = {
        [T_TEST] = "test", [T_SIZE] = "size",       [T_OLD] = "old",
        [T_NEW] = "new",   [T_CHANGE] = "time/op",  [T_INTERVAL] = "95 % interval",
        [T_P] = "p",       [T_VERDICT] = "verdict", [T_NOTES] = "notes",
    };
    const struct match *match = comparison->match;
    struct lines lines = {.text = mem_calloc(match->count + 1, sizeof(*lines.text)), .count = 1};
    for (int c = 0; c < T_COUNT; c++) {
        const bool axis = c >= T_AXES && c < T_SIZE;
        lines.text[0][c] =
            mem_strdup(axis ? match_axis_name((enum match_axis)(c - T_AXES)) : headings[c]);
    }
    for (size_t i = 0; i < match->count; i++) {
        if (is_shown(comparison, i))
            fill_line(comparison, i, lines.text[lines.count++]);
    }
    choose_columns(comparison, &lines);
    put_compared_axes(stream, match);
    if (lines.count > 1)
        put_lines(stream, &lines);
    for (size_t i = 0; i < match->lonely_count; i++) {
        char *cell = results_printable(match_describe(match->lonely[i].row));
        char *path = results_printable(mem_strdup(match->lonely[i].missing->path));
        fprintf(stream, "not in %s: %s\n", path, cell);
        free(cell);
        free(path);
    }
    for (unsigned test = 0; test < match->test_count; test++) {
        char *sentence = results_printable(compare_sentence(comparison, test));
        fprintf(stream, "%s\n", sentence);
        free(sentence);
    }
    for (size_t i = 0; i < lines.count; i++) {
        for (int c = 0; c < T_COUNT; c++)
            free(lines.text[i][c]);
    }
    free(lines.text);
}

/* --- CSV ------------------------------------------------------------------------------------ */

static void put_number(FILE *stream, const char *before, double number, const char *unknown,
                       int decimals)
{
    if (isfinite(number))
        fprintf(stream, "%s%.*f", before, decimals, number);
    else
        fprintf(stream, "%s%s", before, unknown);
}

static void csv_name(FILE *stream, const char *name)
{
    char *text = results_printable(mem_strdup(name));
    print_csv_text(stream, text, ',');
    free(text);
}

static void csv_axes(FILE *stream, const struct match *match, const struct results_row *row)
{
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        char *text = results_printable(axis_text(match, row, (enum match_axis)axis));
        fputc(',', stream);
        print_csv_text(stream, text, ',');
        free(text);
    }
}

static void csv_judgement(FILE *stream, const struct compare_judgement *is)
{
    fprintf(stream, ",%s", verdict_words[is->verdict]);
    put_number(stream, ",", is->ratio, "", 6);
    put_number(stream, ",", is->low, "", 6);
    put_number(stream, ",", is->high, "", 6);
    put_number(stream, ",", is->p, "", 9);
    fprintf(stream, ",%s", evidence_words[is->evidence]);
}

static void csv_cell(FILE *stream, const struct comparison *comparison, size_t index)
{
    const struct match_cell *cell = &comparison->match->cells[index];
    const struct compare_cell *compared = &comparison->match->compared[index];
    char *notes = notes_text(comparison->match, index);
    fputs("cell,", stream);
    csv_name(stream, cell->before->test);
    csv_axes(stream, comparison->match, cell->before);
    fprintf(stream, ",%" PRIu64, cell->before->size_bytes);
    csv_judgement(stream, &compared->is);
    put_number(stream, ",", compared->before_ns, "", 2);
    put_number(stream, ",", compared->shifted_ns, "", 2);
    fputs(",1,", stream);
    print_csv_text(stream, notes, ',');
    put_number(stream, ",", compared->measured_ratio, "", 6);
    put_number(stream, ",", compared->reference_ratio, "", 6);
    fputc('\n', stream);
    free(notes);
}

void compare_print_csv(FILE *stream, const struct comparison *comparison)
{
    const struct match *match = comparison->match;
    fputs("record,test", stream);
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++)
        fprintf(stream, ",%s", match_axis_name((enum match_axis)axis));
    fputs(",size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,"
          "notes,ratio_measured,ratio_reference\n",
          stream);
    for (size_t i = 0; i < match->count; i++) {
        if (is_shown(comparison, i))
            csv_cell(stream, comparison, i);
    }
    for (size_t i = 0; i < match->lonely_count; i++) {
        const struct match_lonely *lonely = &match->lonely[i];
        char *notes = results_printable(mem_printf("not in %s", lonely->missing->path));
        fputs("missing,", stream);
        csv_name(stream, lonely->row->test);
        csv_axes(stream, match, lonely->row);
        fprintf(stream, ",%" PRIu64 ",,,,,,,,,,", lonely->row->size_bytes);
        print_csv_text(stream, notes, ',');
        fputs(",,\n", stream);
        free(notes);
    }
    for (unsigned test = 0; test < match->test_count; test++) {
        fputs("overall,", stream);
        csv_name(stream, match->tests[test]);
        for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++)
            fputc(',', stream);
        fputc(',', stream);
        csv_judgement(stream, &comparison->overall[test].is);
        fprintf(stream, ",,,%zu,,,\n", comparison->overall[test].cells);
    }
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void json_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, "\"%s\":", key);
    print_json_text(stream, text);
}

static void json_row(FILE *stream, const struct match *match, const struct results_row *row)
{
    json_text(stream, "test", row->test);
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        char *text = axis_text(match, row, (enum match_axis)axis);
        fputc(',', stream);
        if (axis >= MATCH_THREADS && match->axis_before[axis] == NULL)
            fprintf(stream, "\"%s\":%s", match_axis_name((enum match_axis)axis), text);
        else
            json_text(stream, match_axis_name((enum match_axis)axis), text);
        free(text);
    }
    fprintf(stream, ",\"size_bytes\":%" PRIu64, row->size_bytes);
}

static void json_judgement(FILE *stream, const struct compare_judgement *is)
{
    fprintf(stream, ",\"verdict\":\"%s\"", verdict_words[is->verdict]);
    put_number(stream, ",\"ratio\":", is->ratio, "null", 6);
    put_number(stream, ",\"ratio_low\":", is->low, "null", 6);
    put_number(stream, ",\"ratio_high\":", is->high, "null", 6);
    put_number(stream, ",\"p\":", is->p, "null", 9);
    fprintf(stream, ",\"evidence\":\"%s\"", evidence_words[is->evidence]);
}

static void json_files(FILE *stream, const struct comparison *comparison, const char *key,
                       unsigned side)
{
    fprintf(stream, ",\"%s\":[", key);
    for (unsigned f = side; f < 2 * comparison->pairs; f += 2) {
        if (f > side)
            fputc(',', stream);
        print_json_text(stream, comparison->files[f].path);
    }
    fputc(']', stream);
}

static void json_cells(FILE *stream, const struct comparison *comparison)
{
    const struct match *match = comparison->match;
    const char *comma = "";
    fputs(",\n\"cells\":[", stream);
    for (size_t i = 0; i < match->count; i++) {
        char *notes;
        if (!is_shown(comparison, i))
            continue;
        notes = notes_text(match, i);
        fprintf(stream, "%s\n{", comma);
        comma = ",";
        json_row(stream, match, match->cells[i].before);
        json_judgement(stream, &match->compared[i].is);
        put_number(stream, ",\"op_ns_old\":", match->compared[i].before_ns, "null", 2);
        put_number(stream, ",\"op_ns_new\":", match->compared[i].shifted_ns, "null", 2);
        put_number(stream, ",\"ratio_measured\":", match->compared[i].measured_ratio, "null", 6);
        put_number(stream, ",\"ratio_reference\":", match->compared[i].reference_ratio, "null", 6);
        fputc(',', stream);
        json_text(stream, "notes", notes);
        fputc('}', stream);
        free(notes);
    }
    fputc(']', stream);
}

void compare_print_json(FILE *stream, const struct comparison *comparison)
{
    const struct match *match = comparison->match;
    fputc('{', stream);
    json_text(stream, "iosweep", PACKAGE_VERSION);
    json_files(stream, comparison, "old", 0);
    json_files(stream, comparison, "new", 1);
    fprintf(stream, ",\"tolerance\":%.6f", comparison->tolerance);
    json_cells(stream, comparison);
    fputs(",\n\"missing\":[", stream);
    for (size_t i = 0; i < match->lonely_count; i++) {
        fputs(i > 0 ? ",\n{" : "\n{", stream);
        json_row(stream, match, match->lonely[i].row);
        fputc(',', stream);
        json_text(stream, "not_in", match->lonely[i].missing->path);
        fputc('}', stream);
    }
    fputs("],\n\"overall\":[", stream);
    for (unsigned test = 0; test < match->test_count; test++) {
        const struct compare_overall *overall = &comparison->overall[test];
        fputs(test > 0 ? ",\n{" : "\n{", stream);
        json_text(stream, "test", match->tests[test]);
        json_judgement(stream, &overall->is);
        fprintf(stream, ",\"cells\":%zu", overall->cells);
        for (int v = COMPARE_UNKNOWN; v <= COMPARE_FASTER; v++)
            fprintf(stream, ",\"%s\":%zu", verdict_words[v], overall->counts[v]);
        fputc('}', stream);
    }
    fputs("]}\n", stream);
}
