/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* csv.c - one header line and one record per row, as in RFC 4180 but with LF line ends, which all
 * readers accept and Unix tools need. Each record is flushed, so that results are written before
 * the next row begins. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "report/formats/print.h"

/* Writes one field, quoted if necessary. Text of two or more characters that a spreadsheet would
 * interpret as a formula gets a leading apostrophe; so does text that begins with one, so that
 * readers can undo it (src/results/iosweep_results/read.py). */
static void print_text(FILE *stream, const char *text, char separator)
{
    const char special[] = {'"', '\n', '\r', separator, '\0'};
    const size_t length = strlen(text);
    const bool formula = length > 0 && strchr("=+-@\t\r'", text[0]);
    const bool blanks = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    if (!strpbrk(text, special) && !formula && !blanks) {
        fputs(text, stream);
        return;
    }
    fputs(formula && length > 1 ? "\"'" : "\"", stream);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

void print_csv_value(FILE *stream, const struct value *value, char separator, char decimal)
{
    char number[PRINT_NUMBER_TEXT];

    print_text(stream,
               value->kind == VALUE_TEXT ? value->text : print_number(value, decimal, number),
               separator);
}

struct csv {
    struct print_state state;
    struct columns_context context;
    char *label; /* of the context */
    char separator, decimal;
    unsigned *column, column_count;
};

static int csv_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct csv *csv = arg;
    csv->context.info = info;
    log_progress_clear();
    for (unsigned i = 0; i < csv->column_count; i++) {
        if (i > 0)
            fputc(csv->separator, csv->state.stream);
        print_text(csv->state.stream, columns_table[csv->column[i]].name, csv->separator);
    }
    fputc('\n', csv->state.stream);
    return print_flush(&csv->state, err);
}

static int csv_row(void *arg, const struct result *result, struct error *err)
{
    struct csv *csv = arg;
    struct value value;
    log_progress_clear();
    for (unsigned i = 0; i < csv->column_count; i++) {
        if (i > 0)
            fputc(csv->separator, csv->state.stream);
        columns_get(&columns_table[csv->column[i]], &csv->context, result, &value);
        print_csv_value(csv->state.stream, &value, csv->separator, csv->decimal);
    }
    fputc('\n', csv->state.stream);
    return print_flush(&csv->state, err);
}

static int csv_end(void *arg, struct error *err)
{
    const struct csv *csv = arg;
    return print_flush(&csv->state, err);
}

static void csv_release(void *state)
{
    struct csv *csv = state;
    free(csv->column);
    free(csv->label);
    free(csv);
}

int print_make_csv(const struct format_options *options, struct sink *sink, struct error *err)
{
    unsigned count, *column = columns_select(options->columns, options->team, &count, err);
    struct csv *csv;
    if (!column)
        return -1;
    csv = mem_calloc(1, sizeof(*csv));
    csv->state.release = csv_release;
    csv->context.label = csv->label = print_label(options->label);
    csv->separator = options->separator != '\0' ? options->separator : ',';
    csv->decimal = options->decimal != '\0' ? options->decimal : '.';
    csv->column = column;
    csv->column_count = count;
    *sink = (struct sink){.begin = csv_begin, .row = csv_row, .end = csv_end, .arg = csv};
    return 0;
}
