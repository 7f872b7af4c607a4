/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record_print.c - records as CSV and JSON, and tables of text. */
#include "base/compat.h"

#include "analysis/record_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results.h"
#include "base/mem.h"
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
    table->rows = mem_grow(table->rows, &table->capacity, table->count + 1, sizeof(*table->rows));
    memset(table->rows[table->count], 0, sizeof(*table->rows));
    return table->rows[table->count++];
}

/* Nothing is written behind the last text of a row. */
static void put_row(FILE *stream, const struct text_table *table, char *const *row,
                    const unsigned *width)
{
    unsigned gap = 0;
    for (unsigned c = 0; c < table->columns; c++) {
        const unsigned here = print_width(row[c]);
        if (table->hidden[c])
            continue;
        if (!table->left[c]) {
            fprintf(stream, "%*s%s", (int)(gap + width[c] - here), "", row[c]);
            gap = 2;
            continue;
        }
        if (here > 0)
            fprintf(stream, "%*s%s", (int)gap, "", row[c]);
        gap = here > 0 ? width[c] - here + 2 : gap + width[c] + 2;
    }
    fputc('\n', stream);
}

void text_table_print(FILE *stream, const struct text_table *table)
{
    unsigned width[TEXT_TABLE_COLUMNS] = {0};
    for (size_t r = 0; r < table->count; r++)
        for (unsigned c = 0; c < table->columns; c++) {
            const unsigned here = print_width(table->rows[r][c]);
            width[c] = here > width[c] ? here : width[c];
        }
    for (size_t r = 0; r < table->count; r++)
        put_row(stream, table, table->rows[r], width);
}

void text_table_clear(struct text_table *table)
{
    for (size_t r = 0; r < table->count; r++)
        for (unsigned c = 0; c < table->columns; c++)
            free(table->rows[r][c]);
    free(table->rows);
    table->rows = NULL;
    table->count = table->capacity = 0;
}

char *record_unit_text(char *(*format)(double value, char *text), double value)
{
    char text[UNITS_TEXT];
    return mem_strdup(isfinite(value) ? format(value, text) : "-");
}
