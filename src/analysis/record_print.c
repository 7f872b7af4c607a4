/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* record_print.c - records as CSV and JSON, and tables of text. */
#include "base/compat.h"

#include "analysis/record_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results/results.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/formats/print.h"

void record_clear(struct record_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(values[i].text);
        values[i] = (struct record_value){.number = NAN};
    }
}

struct record_value record_text(const char *text)
{
    return (struct record_value){.text = mem_strdup(text)};
}

struct record_value record_count(uint64_t number)
{
    return (struct record_value){.text = mem_printf("%" PRIu64, number), .digits = true};
}

void record_numbers(struct record_value *values, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i].number = numbers[i];
}

void record_csv_header(FILE *stream, const struct record_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%s", i > 0 ? "," : "", fields[i].name);
    fputc('\n', stream);
}

void record_csv(FILE *stream, const struct record_field *fields, const struct record_value *values,
                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', stream);
        if (values[i].text) {
            char *text = results_printable(mem_strdup(values[i].text));
            print_csv_text(stream, text, ',');
            free(text);
        } else if (isfinite(values[i].number)) {
            fprintf(stream, "%.*f", fields[i].decimals, values[i].number);
        }
    }
    fputc('\n', stream);
}

void record_json(FILE *stream, const struct record_field *fields, const struct record_value *values,
                 const struct record_range *ranges)
{
    const char *comma = "";
    for (; ranges->end > ranges->first; ranges++)
        for (int i = ranges->first; i < ranges->end; i++, comma = ",") {
            const struct record_value *value = &values[i];
            fprintf(stream, "%s\"%s\":", comma, fields[i].name);
            if (value->text && !value->digits)
                print_json_text(stream, value->text);
            else if (value->text)
                fputs(value->text, stream);
            else if (isfinite(value->number))
                fprintf(stream, "%.*f", fields[i].decimals, value->number);
            else
                fputs("null", stream);
        }
}

char **text_table_add(struct text_table *table)
{
    const size_t before = table->capacity;

    table->rows = mem_grow(table->rows, &table->capacity, table->count + 1, sizeof(*table->rows));
    if (table->capacity != before)
        table->row_look =
            mem_realloc_array(table->row_look, table->capacity, sizeof(*table->row_look));
    memset(table->rows[table->count], 0, sizeof(*table->rows));
    table->row_look[table->count] = COLOR_PLAIN;
    return table->rows[table->count++];
}

void text_table_color(struct text_table *table, enum color look)
{
    table->row_look[table->count - 1] = look;
}

/* As the column shows it.  To free. */
static char *cut_text(const struct text_table *table, const char *text, unsigned column,
                      unsigned width)
{
    const size_t size = strlen(text) + 16;
    char *cut;

    if (column != table->words || column == 0)
        return print_shorten_name(text, width);
    cut = mem_calloc(size, 1);
    return print_shorten_words(text, width, cut, size);
}

struct widths {
    unsigned of[TEXT_TABLE_COLUMNS];
    bool gone[TEXT_TABLE_COLUMNS];
};

/* Nothing is written behind the last text of a row. */
static void put_row(FILE *stream, const struct text_table *table, size_t r,
                    const struct widths *widths)
{
    unsigned gap = 0;

    for (unsigned c = 0; c < table->columns; c++) {
        const bool marked = table->look.color && c == table->colored;
        const enum color look = table->row_look[r];
        const unsigned width = widths->of[c];
        unsigned here;
        char *text;
        if (widths->gone[c])
            continue;
        text = cut_text(table, table->rows[r][c], c, width);
        here = print_width(text);
        if (!table->left[c])
            gap += width - here;
        if (here > 0 || !table->left[c])
            fprintf(stream, "%*s%s%s%s", (int)gap, "", color_begin(marked, look), text,
                    color_end(marked, look));
        gap = !table->left[c] ? 2 : here > 0 ? width - here + 2 : gap + width + 2;
        free(text);
    }
    fputc('\n', stream);
}

static unsigned line_width(const struct text_table *table, const struct widths *widths)
{
    unsigned all = 0;

    for (unsigned c = 0; c < table->columns; c++)
        all += widths->gone[c] ? 0 : widths->of[c] + 2;
    return all > 2 ? all - 2 : 0;
}

/* Gives up what does not fit; what is left of the line is for the words. */
static void fit_columns(const struct text_table *table, struct widths *widths)
{
    const unsigned most = table->look.width, words = table->words;
    const unsigned wanted = widths->of[words];
    unsigned all;

    for (size_t i = 0; i < table->step_count && line_width(table, widths) > most; i++) {
        const struct text_table_step *step = &table->steps[i];
        if (widths->of[step->column] > step->most)
            widths->of[step->column] = step->most;
        widths->gone[step->column] = widths->gone[step->column] || step->most == 0;
    }
    all = line_width(table, widths);
    if (words == 0 || widths->gone[words] || all >= most)
        return;
    widths->of[words] += most - all;
    if (widths->of[words] > wanted)
        widths->of[words] = wanted;
}

void text_table_print(FILE *stream, const struct text_table *table)
{
    struct widths widths = {.of = {0}};

    for (unsigned c = 0; c < table->columns; c++) {
        widths.gone[c] = table->hidden[c];
        for (size_t r = 0; r < table->count; r++) {
            const unsigned here = print_width(table->rows[r][c]);
            widths.of[c] = here > widths.of[c] ? here : widths.of[c];
        }
    }
    if (table->look.width > 0)
        fit_columns(table, &widths);
    for (size_t r = 0; r < table->count; r++)
        put_row(stream, table, r, &widths);
}

void text_table_clear(struct text_table *table)
{
    for (size_t r = 0; r < table->count; r++)
        for (unsigned c = 0; c < table->columns; c++)
            free(table->rows[r][c]);
    free(table->rows);
    free(table->row_look);
    table->rows = NULL;
    table->row_look = NULL;
    table->count = table->capacity = 0;
}

char *record_unit_text(char *(*format)(double value, char *text), double value)
{
    char text[UNITS_TEXT];
    return mem_strdup(isfinite(value) ? format(value, text) : "-");
}

void record_sentence(FILE *stream, const struct text_look *look, const char *text, size_t mark,
                     enum color color)
{
    char *folded = look->width > 0 ? text_fold(text, "  ", 0, look->width) : NULL;
    const char *shown = folded ? folded : text;

    fprintf(stream, "%s%.*s%s%s\n", color_begin(look->color, color), (int)mark, shown,
            color_end(look->color, color), shown + mark);
    free(folded);
}
