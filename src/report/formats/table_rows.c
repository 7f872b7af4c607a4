/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table_rows.c - the columns of the table, their texts in a row, and the heading. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/formats/table.h"

static char *size_text(const struct table *table, const struct result *result)
{
    char text[UNITS_TEXT];

    (void)table;
    return mem_strdup(units_format_size(result->cell->work.size_bytes, text));
}

static char *mix_text(const struct table *table, const struct result *result)
{
    const struct cell *cell = result->cell;
    const bool reads = cell->work.test == TEST_READ;

    (void)table;
    return cell->mixed ? mem_printf("%s %" PRIu32 "%%", test_names[cell->work.test],
                                    reads ? cell->read_percent : 100 - cell->read_percent)
                       : NULL;
}

/* Half its width in percent; a wide interval, which may be asymmetric, by its ends, in the unit of
 * the mean and with significant digits only: "1.5..9.8" after "3.4 us"; "<9.8" without a lower
 * end. */
static char *interval_text(const struct table *table, const struct result *result)
{
    const double mean_ns = result->op_ns_mean / 0.995; /* as rounded to two digits */
    const double unit_ns = mean_ns < 1e3 ? 1 : mean_ns < 1e6 ? 1e3 : mean_ns < 1e9 ? 1e6 : 1e9;
    const double low = result->op_ns_low / unit_ns, high = result->op_ns_high / unit_ns;

    if (result->rounds == 0 || !result->interval_known || result->op_ns_mean <= 0)
        return NULL;
    if (columns_half_width(result) < COLUMNS_WIDE)
        return mem_printf("%s%.1f%%", table->utf8 ? "\xc2\xb1" : "+-",
                          columns_half_width(result) * 100);
    if (low < 0.05)
        return mem_printf("<%.*f", high < 9.95, high);
    return mem_printf("%.*f..%.*f", low < 9.95, low, high < 9.95, high);
}

/* Room for a bar, whose length depends on other rows. */
static char *bar_text(const struct table *table, const struct result *result)
{
    char *text = mem_calloc(3 * TABLE_BAR_WIDTH + 1, 1); /* of UTF-8 */

    (void)table, (void)result;
    return memset(text, ' ', TABLE_BAR_WIDTH);
}

static const struct table_column axes[] = {
    {"size_bytes", "size", .own_text = size_text},
    {"target", "target", .axis = AXIS_TARGET, .left = true, .cut = true},
    {"filled_bytes", "written", .axis = 0},
    {"engine", "engine", .axis = AXIS_ENGINE, .left = true},
    {"access", "access", .axis = AXIS_ACCESS, .left = true},
    {"threads", "threads", .axis = AXIS_THREADS},
    {"depth", "depth", .axis = AXIS_DEPTH},
    {NULL, "mix", .own_text = mix_text, .left = true},
};
static const struct table_column figures[] = {
    {"operations", "operations", .leaves_alone = 1, .leaves_together = 1},
    {"op_ns_mean", "time/op", .mean = true, .leaves_together = 3},
    {NULL, "", .own_text = interval_text, .leaves_alone = 6, .leaves_together = 2},
    {"throughput_bytes_per_s", "throughput", .mean = true},
    {"rate_per_s", "rate", .mean = true, .leaves_alone = 4, .leaves_together = 5},
    {"latency_ns_p50", "p50", .leaves_alone = 2},
    {"latency_ns_p99", "p99", .leaves_alone = 5, .leaves_together = 6},
    {NULL, "", .own_text = bar_text, .left = true, .leaves_alone = 3, .leaves_together = 4},
};
#define AXES    (sizeof(axes) / sizeof(axes[0]))
#define FIGURES (sizeof(figures) / sizeof(figures[0]))

void table_make_columns(struct table *table)
{
    struct table_column *end;

    table->column = end = mem_calloc(AXES + FIGURES + table->chosen_count, sizeof(*table->column));
    for (size_t i = 0; i < AXES; i++)
        if (!axes[i].axis || table->unlike & axes[i].axis)
            *end++ = axes[i];
    table->axis_count = (unsigned)(end - table->column);
    for (size_t i = 0; i < FIGURES && !table->chosen; i++)
        *end++ = figures[i];
    for (unsigned i = 0; i < table->chosen_count; i++) {
        const char *name = columns_table[table->chosen[i]].name;

        table->notes_chosen = table->notes_chosen || strcmp(name, "notes") == 0;
        *end++ = (struct table_column){.name = name, .heading = name};
    }
    table->column_count = (unsigned)(end - table->column);
    for (struct table_column *column = table->column; column < end; column++)
        column->of = column->name ? columns_find(column->name, strlen(column->name)) : NULL;
}

static char *column_text(const struct table *table, const struct table_column *column,
                         const struct result *result)
{
    static char *(*const formats[UNIT_COUNT])(double, char *) = {
        [UNIT_NS] = units_format_time,     [UNIT_S] = units_format_time,
        [UNIT_BYTES] = units_format_bytes, [UNIT_BYTES_PER_S] = units_format_throughput,
        [UNIT_PER_S] = units_format_rate,
    };
    char text[PRINT_NUMBER_TEXT];
    struct value value;

    if (column->own_text)
        return column->own_text(table, result);
    columns_get(column->of, &table->context, result, &value);
    if (value.kind == VALUE_TEXT)
        return mem_strdup(value.text);
    if (value.kind == VALUE_EMPTY)
        return column < table->column + table->axis_count ? NULL : mem_strdup("-");
    if (!formats[column->of->unit] || strstr(column->name, "_unix_")) /* which is a date */
        return mem_strdup(print_number(&value, '.', text));
    if (value.kind == VALUE_COUNT)
        value.real = (double)value.count;
    return mem_strdup(columns_format_mean(formats[column->of->unit],
                                          value.real * (column->of->unit == UNIT_S ? 1e9 : 1),
                                          column->mean ? columns_half_width(result) : 0, text));
}

/* Adds failed operations, which no column contains, to the notes. */
static char *notes_text(const struct table *table, const struct result *result)
{
    char notes[COLUMNS_NOTES_TEXT];
    const uint64_t failed = result->sum.tally.failed;

    if (table->notes_chosen && result->state != RESULT_SKIPPED)
        return mem_strdup("");
    columns_notes(result, table->context.info, notes);
    if (failed == 0 || result->state == RESULT_SKIPPED)
        return mem_strdup(notes);
    return mem_printf("errors:%" PRIu64 "%s%s", failed, notes[0] != '\0' ? ";" : "", notes);
}

void table_fill_row(const struct table *table, const struct result *result, struct table_row *row)
{
    const double throughput = columns_throughput(result);

    *row = (struct table_row){
        .result = result,
        .text = mem_calloc(table->column_count, sizeof(*row->text)),
        .notes = notes_text(table, result),
        .speed = throughput >= 0 ? throughput : columns_rate(result),
        .skipped = result->state == RESULT_SKIPPED,
        .noisy = (result->notes & (NOTE_WIDE | NOTE_DRIFT | NOTE_INCOMPLETE)) ||
                 result->state == RESULT_INCOMPLETE,
    };
    for (unsigned c = 0; c < (row->skipped ? table->axis_count : table->column_count); c++) {
        struct table_column *column = &table->column[c];
        const char *text = row->text[c] = column_text(table, column, result);
        const unsigned width = text ? print_width(text) : 0;

        column->needs = width > column->needs ? width : column->needs;
        if (column->own_text == bar_text)
            row->bar = row->text[c];
    }
}

void table_clear_row(const struct table *table, struct table_row *row)
{
    for (unsigned c = 0; c < table->column_count; c++)
        free(row->text[c]);
    free(row->text);
    free(row->notes);
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
        const struct target *target = table->context.info->targets[cell->target];
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
    const struct settings *settings = table->context.info->settings;
    char place[COLUMNS_PLACE_TEXT];

    text_copy(facts, size, cell->mixed ? "write and read" : test_names[cell_test(cell)]);
    if (columns_place(settings, cell, false, dot, place)[0] != '\0')
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
    if (settings->ranks > 1)
        text_add(facts, size, dot, "%" PRIu32 " ranks", settings->ranks);
    if (settings->ranks > 1 && settings->hosts)
        text_add(facts, size, " ", "on %" PRIu32 " host%s", settings->hosts,
                 settings->hosts == 1 ? "" : "s");
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
    target = print_label(table->context.info->targets[cells->target]->label);
    name = print_shorten_name(target, table->width - used);
    line = mem_printf("%s%s%s", facts, dot, name);
    free(name);
    free(target);
    return line;
}
