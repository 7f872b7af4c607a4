/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table_rows.c - the texts of the table: the cells of a row, and the heading. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/formats/table.h"

static char *count_text(uint64_t count)
{
    return mem_printf("%" PRIu64, count);
}

static char *percentile_text(const struct result *result, unsigned permille)
{
    char text[UNITS_TEXT];
    uint64_t ns;
    if (!columns_percentile(result, permille, &ns))
        return mem_strdup("-");
    return mem_strdup(units_format_time((double)ns, text));
}

static void fill_axes(const struct table *table, const struct cell *cell, struct table_row *row)
{
    char text[UNITS_TEXT];
    row->text[T_SIZE] = mem_strdup(units_format_size(cell->work.size_bytes, text));
    if (table->unlike & AXIS_TARGET)
        row->text[T_TARGET] = print_label(table->info->targets[cell->target]->label);
    if (cell->fills)
        row->text[T_FILLED] = mem_strdup(units_format_bytes(
            (double)((cell->place_first + cell->places) * cell->work.io_bytes), text));
    if (table->unlike & AXIS_ENGINE)
        row->text[T_ENGINE] = mem_strdup(cell->engine->name);
    if ((table->unlike & AXIS_ACCESS) && test_ordered(cell->work.test))
        row->text[T_ACCESS] = mem_strdup(access_names[cell->work.access]);
    if (table->unlike & AXIS_THREADS)
        row->text[T_THREADS] = count_text(cell->threads);
    if (table->unlike & AXIS_DEPTH)
        row->text[T_DEPTH] = count_text(cell->work.depth);
    if (cell->mixed)
        row->text[T_MIX] = mem_printf("%s %" PRIu32 "%%", test_names[cell->work.test],
                                      cell->work.test == TEST_READ ? cell->read_percent
                                                                   : 100 - cell->read_percent);
}

static char *mean_text(char *(*format)(double, char *), double mean, const struct result *result)
{
    char text[UNITS_TEXT];

    return mem_strdup(columns_format_mean(format, mean, columns_half_width(result), text));
}

/* Half its width in percent; a wide interval, which may be asymmetric, by its ends, in the unit of
 * the mean and with significant digits only: "1.5..9.8" after "3.4 us"; "<9.8" without a lower
 * end. */
static char *interval_text(const struct table *table, const struct result *result)
{
    const double mean_ns = result->op_ns_mean / 0.9995; /* as rounded */
    const double unit_ns = mean_ns < 1e3 ? 1 : mean_ns < 1e6 ? 1e3 : mean_ns < 1e9 ? 1e6 : 1e9;
    const double low = result->op_ns_low / unit_ns, high = result->op_ns_high / unit_ns;

    if (columns_half_width(result) < COLUMNS_WIDE)
        return mem_printf("%s%.1f%%", table->utf8 ? "\xc2\xb1" : "+-",
                          columns_half_width(result) * 100);
    if (low < 0.05)
        return mem_printf("<%.*f", high < 9.95, high);
    return mem_printf("%.*f..%.*f", low < 9.95, low, high < 9.95, high);
}

static void fill_measured(const struct table *table, const struct result *result,
                          struct table_row *row)
{
    const double throughput = columns_throughput(result), rate = columns_rate(result);

    row->text[T_OPERATIONS] = count_text(result->sum.tally.operations);
    if (result->rounds > 0)
        row->text[T_TIME] = mean_text(units_format_time, result->op_ns_mean, result);
    if (result->rounds > 0 && result->interval_known && result->op_ns_mean > 0)
        row->text[T_INTERVAL] = interval_text(table, result);
    if (throughput >= 0)
        row->text[T_THROUGHPUT] = mean_text(units_format_throughput, throughput, result);
    if (rate >= 0)
        row->text[T_RATE] = mean_text(units_format_rate, rate, result);
    row->speed = throughput >= 0 ? throughput : rate;
    row->text[T_P50] = percentile_text(result, 500);
    row->text[T_P99] = percentile_text(result, 990);
}

/* --- --columns: each as wide as its name, its texts, or usual figures --- */

#define CHOSEN_WIDTH 10u
#define CHOSEN_LEAST 24u /* minimum for a block, regardless of the width of the axes */

/* The text of a chosen column in a row; "" for rows without figures. Returns text. */
static char *chosen_text(const struct table *table, const struct table_row *row, unsigned at,
                         char text[COLUMNS_NOTES_TEXT])
{
    static char *(*const formats[UNIT_COUNT])(double, char *) = {
        [UNIT_NS] = units_format_time,     [UNIT_S] = units_format_time,
        [UNIT_BYTES] = units_format_bytes, [UNIT_BYTES_PER_S] = units_format_throughput,
        [UNIT_PER_S] = units_format_rate,
    };
    const struct column *column = &columns_table[table->chosen[at]];
    char number[PRINT_NUMBER_TEXT];
    struct value value;

    text[0] = '\0';
    if (row->skipped)
        return text;
    columns_get(column, &table->context, row->result, &value);
    if (value.kind == VALUE_TEXT)
        text_copy(text, COLUMNS_NOTES_TEXT, value.text);
    else if (value.kind == VALUE_EMPTY)
        text_copy(text, COLUMNS_NOTES_TEXT, "-");
    else if (formats[column->unit] && !strstr(column->name, "_unix_")) /* which is a date */
        formats[column->unit]((value.kind == VALUE_COUNT ? (double)value.count : value.real) *
                                  (column->unit == UNIT_S ? 1e9 : 1),
                              text);
    else
        text_copy(text, COLUMNS_NOTES_TEXT, print_number(&value, '.', number));
    return text;
}

/* Shortens a text to its end, but notes to their beginning. */
static void add_chosen(char **line, const char *text, unsigned width, bool notes)
{
    char words[COLUMNS_NOTES_TEXT],
        *shown = notes ? mem_strdup(print_shorten_words(text, width, words, sizeof(words)))
                       : print_shorten_name(text, width);

    mem_append(line, "%s%*s%s", *line ? "  " : "", (int)(width - print_width(shown)), "", shown);
    free(shown);
}

unsigned table_join_chosen(struct table *table, unsigned from)
{
    const unsigned left = table_room(table), room = left > CHOSEN_LEAST ? left : CHOSEN_LEAST;
    const struct table_row *end = table->rows + table->count;
    char text[COLUMNS_NOTES_TEXT];
    unsigned at = from, used = 0;

    free(table->chosen_heading);
    table->chosen_heading = NULL;
    for (struct table_row *row = table->rows; row < end; row++) {
        free(row->text[T_CHOSEN]);
        row->text[T_CHOSEN] = NULL;
    }
    for (; at < table->chosen_count; at++) {
        const char *name = columns_table[table->chosen[at]].name;
        unsigned width = print_width(name) > CHOSEN_WIDTH ? print_width(name) : CHOSEN_WIDTH;

        for (const struct table_row *row = table->rows; row < end; row++) {
            const unsigned own = print_width(chosen_text(table, row, at, text));
            width = own > width ? own : width;
        }
        width = width < room ? width : room;
        if (at > from && used + width > room)
            break;
        used += width + 2;
        add_chosen(&table->chosen_heading, name, width, false);
        for (struct table_row *row = table->rows; row < end; row++)
            if (!row->skipped)
                add_chosen(&row->text[T_CHOSEN], chosen_text(table, row, at, text), width,
                           strcmp(name, "notes") == 0);
    }
    return at;
}

/* Adds failed operations, which no column contains, to the notes. */
static char *notes_text(const struct table *table, const struct result *result)
{
    char notes[COLUMNS_NOTES_TEXT];
    const uint64_t failed = result->sum.tally.failed;

    columns_notes(result, table->info, notes);
    if (failed == 0 || result->state == RESULT_SKIPPED)
        return notes[0] != '\0' ? mem_strdup(notes) : NULL;
    return mem_printf(TABLE_ERRORS "%" PRIu64 "%s%s", failed, notes[0] != '\0' ? ";" : "", notes);
}

void table_fill_row(const struct table *table, const struct result *result, struct table_row *row)
{
    *row = (struct table_row){
        .result = result, .speed = -1, .skipped = result->state == RESULT_SKIPPED};
    fill_axes(table, result->cell, row);
    if (!row->skipped && !table->chosen)
        fill_measured(table, result, row);
    if (!row->skipped)
        row->noisy = (result->notes & (NOTE_WIDE | NOTE_DRIFT | NOTE_INCOMPLETE)) ||
                     result->state == RESULT_INCOMPLETE;
    for (int c = T_OPERATIONS; c < T_CHOSEN && !row->skipped && !table->chosen; c++) {
        if (!row->text[c] && c != T_INTERVAL)
            row->text[c] = mem_strdup("-");
    }
    row->text[T_NOTES] = notes_text(table, result);
    for (unsigned i = 0; !row->skipped && i < table->chosen_count; i++)
        if (strcmp(columns_table[table->chosen[i]].name, "notes") == 0) { /* once is enough */
            free(row->text[T_NOTES]);
            row->text[T_NOTES] = NULL;
        }
}

void table_clear_row(struct table_row *row)
{
    for (int c = 0; c < T_COUNT; c++)
        free(row->text[c]);
    *row = (struct table_row){.speed = -1};
}

/* --- the heading --- */

/* Describes what the rows of files measure, if it is the same for all; brief: the name of the cache
 * mode. Object stores have no known cache: together with files, only rows of files show one. */
static void add_cache(const struct table *table, const struct cell *cells, size_t count, bool brief,
                      const char *dot, char *facts, size_t size)
{
    char words[COLUMNS_CACHE_TEXT] = "", own[COLUMNS_CACHE_TEXT];
    bool others = false;

    for (const struct cell *cell = cells; cell < cells + count; cell++) {
        const struct target *target = table->info->targets[cell->target];
        if (brief)
            text_copy(own, sizeof(own), cache_names[cell->work.cache]);
        else
            columns_cache_words(target, &cell->work, own);
        if (!target_can(target, TARGET_CACHED))
            others = true;
        else if (!words[0])
            text_copy(words, sizeof(words), own);
        else if (strcmp(words, own) != 0)
            text_copy(words, sizeof(words), cache_names[cell->work.cache]);
    }
    if (words[0])
        text_add(facts, size, dot, "%s%s", others ? "files: " : "", words);
}

static void add_facts(const struct table *table, const struct cell *cell, size_t count, bool brief,
                      const char *dot, char *facts, size_t size)
{
    char place[COLUMNS_PLACE_TEXT], words[COLUMNS_TEAM_TEXT];

    text_copy(facts, size, cell->mixed ? "write and read" : test_names[cell_test(cell)]);
    if (columns_place(table->info->settings, cell, false, dot, place)[0] != '\0')
        text_add(facts, size, dot, "%s", place);
    add_cache(table, cell, count, brief, dot, facts, size);
    if (!(table->unlike & AXIS_ENGINE))
        text_add(facts, size, dot, "%s", cell->engine->name);
    if (!(table->unlike & AXIS_ACCESS) && cell->work.access != ACCESS_RANDOM)
        text_add(facts, size, dot, "%s", access_names[cell->work.access]);
    if (!(table->unlike & AXIS_THREADS) && cell->threads > 1)
        text_add(facts, size, dot, "%" PRIu32 " threads", cell->threads);
    if (!(table->unlike & AXIS_DEPTH) && cell->work.depth > 1)
        text_add(facts, size, dot, "depth %" PRIu32, cell->work.depth);
    if (columns_ranks(table->info->settings) > 1)
        text_add(facts, size, dot, "%s", columns_team_words(table->info->settings, words));
}

char *table_heading(const struct table *table, const struct cell *cells, size_t count)
{
    const char *dot = table->utf8 ? " \xc2\xb7 " : " - ";
    char facts[256], *target, *name, *line;
    unsigned used;

    add_facts(table, cells, count, false, dot, facts, sizeof(facts));
    if (print_width(facts) > table->width)
        add_facts(table, cells, count, true, dot, facts, sizeof(facts));
    used = print_width(facts) + 3;
    if ((table->unlike & AXIS_TARGET) || used >= table->width)
        return mem_strdup(facts);
    target = print_label(table->info->targets[cells->target]->label);
    name = print_shorten_name(target, table->width - used);
    line = mem_printf("%s%s%s", facts, dot, name);
    free(name);
    free(target);
    return line;
}
