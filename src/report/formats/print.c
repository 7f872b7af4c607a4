/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* print.c - numbers, CSV fields and flushing for all formats.
 *
 * The program never calls setlocale, so printf writes '.'; a requested decimal mark replaces it
 * afterwards. Write errors are checked at every flush and not only at the end: a full disk or a
 * closed pipe should end a long run early. */
#include "base/compat.h"

#include "report/formats/print.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

char *print_number(const struct value *value, char decimal, char *text)
{
    text[0] = '\0';
    if (value->kind == VALUE_COUNT) {
        snprintf(text, PRINT_NUMBER_TEXT, "%" PRIu64, value->count);
    } else if (value->kind == VALUE_REAL) {
        char *point;
        snprintf(text, PRINT_NUMBER_TEXT, "%.*f", (int)value->decimals, value->real);
        point = strchr(text, '.');
        if (point)
            *point = decimal;
    }
    return text;
}

int print_flush(const struct print_state *state, struct error *err)
{
    errno = 0;
    if (fflush(state->stream) == 0 && !ferror(state->stream))
        return 0;
    /* errno is 0 if an earlier write failed inside printf: its reason is lost. */
    error_set(err, STATUS_PARTIAL, errno, "cannot write the results to", state->name);
    return -1;
}

unsigned print_width(const char *text)
{
    unsigned width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

char *print_shorten_name(const char *name, unsigned width)
{
    unsigned all = print_width(name), dots = all > width && width > 4 ? 2 : 0;
    for (unsigned skip = all > width ? all - width + dots : 0; skip > 0; skip--)
        do
            name++;
        while (((unsigned char)*name & 0xc0) == 0x80);
    return mem_printf("%s%s", dots > 0 ? ".." : "", name);
}

char *print_shorten_words(const char *words, unsigned width, char *text, size_t size)
{
    snprintf(text, size, "%s", words);
    while (print_width(text) > width) {
        char *last = strrchr(text, ';'), *value = strchr(last ? last : text, ':');

        *(value ? value : last ? last : text) = '\0';
    }
    return text;
}

bool print_any_can(const struct run_info *info, unsigned capabilities)
{
    for (unsigned i = 0; i < info->settings->target_count; i++)
        if (target_can(info->targets[i], capabilities))
            return true;
    return false;
}

bool print_is_left_out(const struct option_row *row, const struct settings *settings)
{
    const void *field = (const char *)settings + row->offset;

    if (row->sparse && row->type == OPTION_SIZE_LIST)
        return ((const struct units_list *)field)->count == 0;
    if (row->sparse)
        return *(const uint64_t *)field == row->min;
    return settings->sizes.count > 0 && row->replaces && text_listed(row->replaces, "sizes");
}

char *print_csv_label(const char *label)
{
    const size_t size = 4 * strlen(label ? label : "") + 1;

    return error_printable(label ? label : "", mem_calloc(size, 1), size);
}

void print_csv_text(FILE *stream, const char *text, char separator)
{
    const char special[] = {'"', '\n', '\r', separator, '\0'};
    const size_t length = strlen(text);
    const bool formula = length > 0 && strchr(PRINT_FORMULA_FIRST, text[0]);
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

    print_csv_text(stream,
                   value->kind == VALUE_TEXT ? value->text : print_number(value, decimal, number),
                   separator);
}
