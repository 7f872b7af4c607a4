/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* compare_print.c - a comparison for people (table) and for programs (CSV, JSON).  All formats have
 * the same parts: the cells, the cells that are not in all files, and the overall of each test.
 * Numbers that are not known are empty (CSV), null (JSON) or "-" (table), never 0. */
#include "base/compat.h"

#include "analysis/compare_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/record_print.h"
#include "base/mem.h"
#include "base/units.h"
#include "report/formats/print.h"

#define FACTOR_LEAST 2.0 /* beyond it "+420 %" is harder to read than "x5.20" */

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

static const char *known(const char *value)
{
    return value[0] != '\0' ? value : "(not known)";
}

/* "DIR1 -> DIR2" where the axis is what is compared.  To free. */
static char *axis_text(const struct match *match, const struct results_row *row,
                       enum match_axis axis)
{
    char text[2][UNITS_TEXT];
    if (axis == MATCH_LABEL && match->labels_name_files)
        return mem_strdup(""); /* that of one file says nothing of the cell */
    if (!match->axis_before[axis])
        return mem_strdup(match_axis_value(row, axis, text[0]));
    return mem_printf("%s -> %s", known(match_axis_value(match->axis_before[axis], axis, text[0])),
                      known(match_axis_value(match->axis_after[axis], axis, text[1])));
}

/* Reason and remarks joined.  To free. */
static char *notes_text(const struct match *match, size_t cell)
{
    const char *words[] = {match->cells[cell].reason, match->cells[cell].remarks,
                           match->compared[cell].medians_disagree ? "medians" : NULL};
    char *notes = mem_strdup("");
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char *longer;
        if (!words[i] || words[i][0] == '\0')
            continue;
        longer = mem_printf("%s%s%s", notes, notes[0] != '\0' ? ";" : "", words[i]);
        free(notes);
        notes = longer;
    }
    return notes;
}

static bool is_far(double ratio)
{
    return ratio >= FACTOR_LEAST || ratio <= 1 / FACTOR_LEAST; /* not where it is not known */
}

bool compare_in_factors(const struct compare_judgement *is)
{
    return is_far(is->ratio) || is_far(is->low) || is_far(is->high);
}

/* Three digits, never with an exponent: "5270", "12.5", "1.04", "0.00013".  To free. */
static char *factor_text(double ratio)
{
    const int above = ratio > 0 && isfinite(ratio) ? (int)floor(log10(ratio)) : 0;

    return mem_printf("%.*f", above >= 2 ? 0 : 2 - (above < -9 ? -9 : above), ratio);
}

char *compare_ratio_text(double ratio, bool factor)
{
    char *digits, *text;

    if (isnan(ratio))
        return mem_strdup("-");
    if (!factor)
        return mem_printf("%+.1f %%", (ratio - 1) * 100);
    digits = factor_text(ratio);
    text = mem_printf("x%s", digits);
    free(digits);
    return text;
}

/* "-1.2 % .. +3.4 %", "x0.80 .. x5.20"; between: " .. " or " to ".  To free. */
static char *interval_text(const struct compare_judgement *is, const char *between)
{
    char *low = compare_ratio_text(is->low, compare_in_factors(is)),
         *high = compare_ratio_text(is->high, compare_in_factors(is));
    char *text = mem_printf("%s%s%s", low, between, high);

    free(low);
    free(high);
    return text;
}

/* "5.1 % slower", "4.9 % faster", "7.35 times slower".  To free. */
static char *change_words(double ratio)
{
    if (is_far(ratio)) {
        char *digits = factor_text(ratio > 1 ? ratio : 1 / ratio);
        char *text = mem_printf("%s times %s", digits, ratio > 1 ? "slower" : "faster");
        free(digits);
        return text;
    }
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
    char *ratio = compare_ratio_text(is->ratio, compare_in_factors(is)),
         *interval = interval_text(is, " to ");
    char *sentence;
    char *bounds =
        isnan(is->ratio) ? mem_strdup("nothing known")
        : isnan(is->low)
            ? mem_printf("time per operation %s, no interval", ratio)
            : mem_printf("time per operation %s, %s%s", ratio,
                         is->evidence == COMPARE_INTERVALS ? "conservative " : "", interval);
    sentence =
        mem_printf("%s: %s overall (%s); cells: %zu slower, %zu faster, %zu same, %zu "
                   "unclear, %zu without verdict",
                   name[0] != '\0' ? name : "all", change, bounds, overall->counts[COMPARE_SLOWER],
                   overall->counts[COMPARE_FASTER], overall->counts[COMPARE_SAME],
                   overall->counts[COMPARE_UNCLEAR], overall->counts[COMPARE_UNKNOWN]);
    free(change);
    free(ratio);
    free(interval);
    free(bounds);
    return sentence;
}

/* --- table ---------------------------------------------------------------------------------- */

enum { T_TEST, T_AXES, T_SIZE = T_AXES + MATCH_AXIS_COUNT, T_OLD, T_NEW, T_CHANGE, T_INTERVAL };
enum { T_P = T_INTERVAL + 1, T_VERDICT, T_NOTES, T_COUNT };

static void fill_line(const struct comparison *comparison, size_t index, char **text)
{
    const struct match_cell *cell = &comparison->match->cells[index];
    const struct compare_cell *compared = &comparison->match->compared[index];
    const struct compare_judgement *is = &compared->is;
    char size[UNITS_TEXT];
    char place[RESULTS_PLACE_TEXT];
    text[T_TEST] = results_printable(
        mem_printf("%s%s", cell->before->test, results_place(cell->before, place)));
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++)
        text[T_AXES + axis] =
            results_printable(axis_text(comparison->match, cell->before, (enum match_axis)axis));
    text[T_SIZE] = mem_strdup(units_format_size(cell->before->size_bytes, size));
    text[T_OLD] = record_unit_text(units_format_time, compared->before_ns);
    text[T_NEW] = record_unit_text(units_format_time, compared->shifted_ns);
    text[T_CHANGE] = compare_ratio_text(is->ratio, compare_in_factors(is));
    text[T_INTERVAL] = isnan(is->low) ? mem_strdup("-") : interval_text(is, " .. ");
    text[T_P] = isnan(is->p)     ? mem_strdup("-")
                : is->p < 0.0001 ? mem_strdup("<.0001")
                                 : mem_printf("%.4f", is->p);
    text[T_VERDICT] = is->verdict == COMPARE_SLOWER || is->verdict == COMPARE_FASTER
                          ? change_words(is->ratio)
                          : mem_strdup(verdict_words[is->verdict]);
    text[T_NOTES] = notes_text(comparison->match, index);
    if (!isnan(compared->reference_ratio)) {
        char *measured =
            compare_ratio_text(compared->measured_ratio, is_far(compared->measured_ratio));
        char *longer = mem_printf("by reference (measured %s)%s%s", measured,
                                  text[T_NOTES][0] != '\0' ? ";" : "", text[T_NOTES]);
        free(measured);
        free(text[T_NOTES]);
        text[T_NOTES] = longer;
    }
}

/* Axes that have one value in all lines, and are not what is compared, need no column. */
static void choose_columns(const struct comparison *comparison, struct text_table *table)
{
    for (int c = 0; c < T_COUNT; c++) {
        bool shown = c >= T_SIZE && c < T_NOTES;
        for (size_t i = 1; i < table->count && !shown; i++) {
            if (c == T_NOTES)
                shown = table->rows[i][c][0] != '\0';
            else
                shown = strcmp(table->rows[i][c], table->rows[1][c]) != 0;
        }
        table->hidden[c] = !shown;
        table->left[c] = c < T_AXES + MATCH_THREADS || c >= T_VERDICT;
    }
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        if (comparison->match->axis_before[axis])
            table->hidden[T_AXES + axis] = true; /* said above the table */
    }
}

static void put_compared_axes(FILE *stream, const struct match *match)
{
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        char *text;
        if (!match->axis_before[axis])
            continue;
        text = results_printable(axis_text(match, match->axis_before[axis], (enum match_axis)axis));
        fprintf(stream, "%s: %s\n", match_axis_name((enum match_axis)axis), text);
        free(text);
    }
}

static const enum color verdict_colors[] = {
    [COMPARE_UNKNOWN] = COLOR_PLAIN, [COMPARE_UNCLEAR] = COLOR_CAUTION,
    [COMPARE_SAME] = COLOR_PLAIN,    [COMPARE_SLOWER] = COLOR_ALARM,
    [COMPARE_FASTER] = COLOR_GOOD,
};

/* The change is in the verdict, too, where there is one; old and new are in the change. */
static const struct text_table_step steps[] = {
    {T_P, 0},
    {T_AXES + MATCH_TARGET, 24},
    {T_AXES + MATCH_LABEL, 24},
    {T_NOTES, 24},
    {T_CHANGE, 0},
    {T_NOTES, 10},
    {T_AXES + MATCH_TARGET, 16},
    {T_AXES + MATCH_LABEL, 16},
    {T_NOTES, 3},
    {T_INTERVAL, 0},
    {T_AXES + MATCH_TARGET, 10},
    {T_AXES + MATCH_LABEL, 10},
    {T_OLD, 0},
    {T_NEW, 0},
    {T_NOTES, 0},
};

static void put_cells(FILE *stream, const struct comparison *comparison,
                      const struct text_look *look)
{
    static const char *const headings[T_COUNT] = {
        [T_TEST] = "test", [T_SIZE] = "size",       [T_OLD] = "old",
        [T_NEW] = "new",   [T_CHANGE] = "time/op",  [T_INTERVAL] = "95 % interval",
        [T_P] = "p",       [T_VERDICT] = "verdict", [T_NOTES] = "notes",
    };
    struct text_table table = {.columns = T_COUNT,
                               .look = *look,
                               .steps = steps,
                               .step_count = sizeof(steps) / sizeof(steps[0]),
                               .words = T_NOTES,
                               .colored = T_VERDICT};
    char **text = text_table_add(&table);
    for (int c = 0; c < T_COUNT; c++) {
        const bool axis = c >= T_AXES && c < T_SIZE;
        text[c] = mem_strdup(axis ? match_axis_name((enum match_axis)(c - T_AXES)) : headings[c]);
    }
    for (size_t i = 0; i < comparison->match->count; i++) {
        if (!is_shown(comparison, i))
            continue;
        fill_line(comparison, i, text_table_add(&table));
        text_table_color(&table, verdict_colors[comparison->match->compared[i].is.verdict]);
    }
    choose_columns(comparison, &table);
    if (table.count > 1)
        text_table_print(stream, &table);
    text_table_clear(&table);
}

/* Its first words, "read: 5.1 % slower", have the colour of the verdict. */
static void put_sentence(FILE *stream, const struct comparison *comparison, unsigned test,
                         const struct text_look *look)
{
    char *sentence = results_printable(compare_sentence(comparison, test));
    const char *end = strstr(sentence, " overall (");

    record_sentence(stream, look, sentence, end ? (size_t)(end - sentence) : 0,
                    verdict_colors[comparison->overall[test].is.verdict]);
    free(sentence);
}

void compare_print_table(FILE *stream, const struct comparison *comparison,
                         const struct text_look *look)
{
    const struct match *match = comparison->match;
    put_compared_axes(stream, match);
    put_cells(stream, comparison, look);
    for (size_t i = 0; i < match->lonely_count; i++) {
        char *cell = results_printable(match_describe(match->lonely[i].row));
        char *path = results_printable(mem_strdup(match->lonely[i].missing->path));
        char *line = mem_printf("not in %s: %s", path, cell);
        record_sentence(stream, look, line, 0, COLOR_PLAIN);
        free(line);
        free(cell);
        free(path);
    }
    for (unsigned test = 0; test < match->test_count; test++)
        put_sentence(stream, comparison, test, look);
}

/* --- records, for CSV and JSON -------------------------------------------------------------- */

enum { R_RECORD, R_TEST, R_AXES, R_SIZE = R_AXES + MATCH_RANKS - 1, R_VERDICT, R_RATIO };
enum { R_LOW = R_RATIO + 1, R_HIGH, R_P, R_EVIDENCE, R_OLD, R_NEW, R_CELLS, R_NOTES, R_MEASURED };
enum {
    R_REFERENCE = R_MEASURED + 1,
    R_STEP,
    R_LOOP,
    R_REPEAT,
    R_ACCESS,
    R_MIX,
    R_FILLED,
    R_RANKS,
    R_CSV_COUNT,
    R_NOT_IN = R_CSV_COUNT,
    R_COUNTS
};
enum { R_COUNT = R_COUNTS + COMPARE_FASTER + 1 };

/* Axes stand together, but for those that there were not before. */
#define R_AXIS(axis)                    \
    ((axis) == MATCH_ACCESS  ? R_ACCESS \
     : (axis) == MATCH_RANKS ? R_RANKS  \
                             : R_AXES + (int)(axis) - ((axis) > MATCH_ACCESS))

/* In the order of the CSV; what follows is in JSON only. */
static const struct record_field fields[R_COUNT] = {
    [R_RECORD] = {.name = "record"},
    [R_TEST] = {.name = "test"},
    [R_AXIS(MATCH_TARGET)] = {.name = "target"},
    [R_AXIS(MATCH_ENGINE)] = {.name = "engine"},
    [R_AXIS(MATCH_CACHE)] = {.name = "cache"},
    [R_AXIS(MATCH_LABEL)] = {.name = "label"},
    [R_AXIS(MATCH_THREADS)] = {.name = "threads"},
    [R_AXIS(MATCH_DEPTH)] = {.name = "depth"},
    [R_SIZE] = {.name = "size_bytes"},
    [R_VERDICT] = {.name = "verdict"},
    [R_RATIO] = {.name = "ratio", .decimals = 6},
    [R_LOW] = {.name = "ratio_low", .decimals = 6},
    [R_HIGH] = {.name = "ratio_high", .decimals = 6},
    [R_P] = {.name = "p", .decimals = 9},
    [R_EVIDENCE] = {.name = "evidence"},
    [R_OLD] = {.name = "op_ns_old", .decimals = 2},
    [R_NEW] = {.name = "op_ns_new", .decimals = 2},
    [R_CELLS] = {.name = "cells"},
    [R_NOTES] = {.name = "notes"},
    [R_MEASURED] = {.name = "ratio_measured", .decimals = 6},
    [R_REFERENCE] = {.name = "ratio_reference", .decimals = 6},
    [R_STEP] = {.name = "step"},
    [R_LOOP] = {.name = "loop"},
    [R_REPEAT] = {.name = "repeat"},
    [R_ACCESS] = {.name = "access"},
    [R_MIX] = {.name = "mix"},
    [R_FILLED] = {.name = "filled_bytes"},
    [R_AXIS(MATCH_RANKS)] = {.name = "ranks"},
    [R_NOT_IN] = {.name = "not_in"},
    [R_COUNTS] = {.name = "unknown"},
    [R_COUNTS + COMPARE_UNCLEAR] = {.name = "unclear"},
    [R_COUNTS + COMPARE_SAME] = {.name = "same"},
    [R_COUNTS + COMPARE_SLOWER] = {.name = "slower"},
    [R_COUNTS + COMPARE_FASTER] = {.name = "faster"},
};

static void take_row(const struct match *match, const struct results_row *row, const char *record,
                     struct record_value *values)
{
    values[R_RECORD] = record_text(record);
    values[R_TEST] = record_text(row->test);
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++)
        values[R_AXIS(axis)] =
            (struct record_value){.text = axis_text(match, row, (enum match_axis)axis),
                                  .digits = axis >= MATCH_THREADS && !match->axis_before[axis]};
    values[R_SIZE] = record_count(row->size_bytes);
    values[R_STEP] = record_count(row->step);
    values[R_LOOP] = record_count(row->loop);
    values[R_REPEAT] = record_count(row->repeat);
    if (row->mix != RESULTS_NO_MIX)
        values[R_MIX] = record_count(row->mix);
    if (row->filled_bytes)
        values[R_FILLED] = record_count(row->filled_bytes);
}

static void take_judgement(const struct compare_judgement *is, struct record_value *values)
{
    values[R_VERDICT] = record_text(verdict_words[is->verdict]);
    record_numbers(&values[R_RATIO], (double[]){is->ratio, is->low, is->high, is->p}, 4);
    values[R_EVIDENCE] = record_text(evidence_words[is->evidence]);
}

static void take_cell(const struct comparison *comparison, size_t index,
                      struct record_value *values)
{
    const struct compare_cell *compared = &comparison->match->compared[index];
    take_row(comparison->match, comparison->match->cells[index].before, "cell", values);
    take_judgement(&compared->is, values);
    record_numbers(&values[R_OLD], (double[]){compared->before_ns, compared->shifted_ns}, 2);
    values[R_CELLS] = record_count(1);
    values[R_NOTES].text = notes_text(comparison->match, index);
    record_numbers(&values[R_MEASURED],
                   (double[]){compared->measured_ratio, compared->reference_ratio}, 2);
}

static void take_lonely(const struct comparison *comparison, size_t index,
                        struct record_value *values)
{
    const struct match_lonely *lonely = &comparison->match->lonely[index];
    take_row(comparison->match, lonely->row, "missing", values);
    values[R_NOTES].text = mem_printf("not in %s", lonely->missing->path);
    values[R_NOT_IN] = record_text(lonely->missing->path);
}

static void take_overall(const struct comparison *comparison, size_t test,
                         struct record_value *values)
{
    const struct compare_overall *overall = &comparison->overall[test];
    values[R_RECORD] = record_text("overall");
    values[R_TEST] = record_text(comparison->match->tests[test]);
    take_judgement(&overall->is, values);
    values[R_CELLS] = record_count(overall->cells);
    for (int v = 0; v <= COMPARE_FASTER; v++)
        values[R_COUNTS + v] = record_count(overall->counts[v]);
}

static const struct record_group {
    const char *name; /* in JSON */
    void (*take)(const struct comparison *comparison, size_t index, struct record_value *values);
    struct record_range members[5]; /* in their order there */
} groups[] = {
    {"cells", take_cell, {{R_TEST, R_CELLS}, {R_MEASURED, R_CSV_COUNT}, {R_NOTES, R_MEASURED}}},
    {"missing", take_lonely, {{R_TEST, R_VERDICT}, {R_STEP, R_CSV_COUNT}, {R_NOT_IN, R_COUNTS}}},
    {"overall",
     take_overall,
     {{R_TEST, R_AXES}, {R_VERDICT, R_OLD}, {R_CELLS, R_NOTES}, {R_COUNTS, R_COUNT}}},
};

static void put_group(FILE *stream, const struct comparison *comparison,
                      const struct record_group *group, bool json)
{
    const size_t count = group->take == take_cell     ? comparison->match->count
                         : group->take == take_lonely ? comparison->match->lonely_count
                                                      : comparison->match->test_count;
    struct record_value values[R_COUNT] = {{0}};
    const char *comma = "";
    for (size_t i = 0; i < count; i++) {
        if (group->take == take_cell && !is_shown(comparison, i))
            continue;
        record_clear(values, R_COUNT);
        group->take(comparison, i, values);
        if (!json) {
            record_csv(stream, fields, values, R_CSV_COUNT);
            continue;
        }
        fprintf(stream, "%s\n{", comma);
        record_json(stream, fields, values, group->members);
        fputc('}', stream);
        comma = ",";
    }
    record_clear(values, R_COUNT);
}

void compare_print_csv(FILE *stream, const struct comparison *comparison)
{
    record_csv_header(stream, fields, R_CSV_COUNT);
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        put_group(stream, comparison, &groups[i], false);
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

void compare_print_json(FILE *stream, const struct comparison *comparison)
{
    print_json_head(stream, SCHEMA_COMPARISON);
    json_files(stream, comparison, "old", 0);
    json_files(stream, comparison, "new", 1);
    fprintf(stream, ",\"tolerance\":%.6f", comparison->tolerance);
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        fprintf(stream, ",\n\"%s\":[", groups[i].name);
        put_group(stream, comparison, &groups[i], true);
        fputc(']', stream);
    }
    fputs("}\n", stream);
}
