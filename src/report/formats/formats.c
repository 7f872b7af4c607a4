/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* formats.c - creates the sink of a format, frees all sinks of this folder, and what formats share:
 * numbers, flushing, widths.
 *
 * The program never calls setlocale, so printf writes '.'; a requested decimal mark replaces it
 * afterwards. Write errors are checked at every flush and not only at the end: a full disk or a
 * closed pipe should end a long run early. */
#include "base/compat.h"

#include "report/formats/print.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

const char *const format_names[] = {[FORMAT_TABLE] = "table",
                                    [FORMAT_CSV] = "csv",
                                    [FORMAT_JSON] = "json",
                                    [FORMAT_CLASSIC] = "classic",
                                    [FORMAT_COUNT] = NULL};

int format_make(enum format format, FILE *stream, const struct format_options *options,
                struct sink *sink, struct error *err)
{
    static const print_maker makers[FORMAT_COUNT] = {[FORMAT_TABLE] = print_make_table,
                                                     [FORMAT_CSV] = print_make_csv,
                                                     [FORMAT_JSON] = print_make_json,
                                                     [FORMAT_CLASSIC] = print_make_classic};

    struct print_state *state;

    *sink = (struct sink){.arg = NULL};
    if (makers[format](options, sink, err) < 0)
        return -1;
    state = sink->arg;
    state->stream = stream;
    state->name = options->name      ? options->name
                  : stream == stdout ? "standard output"
                                     : "the output file";
    return 0;
}

/* Whether a line consists of column names separated by the same punctuation character or tab. Names
 * such as test, target and label occur in other files, too: one of the names must be a figure's,
 * with a unit. */
static bool is_header(const char *line)
{
    static const char in_names[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    const char between = line[strspn(line, in_names)];
    const char *const rate = strstr(line, "_per_s"), *const time = strstr(line, "_ns_");

    for (;; line++) {
        const size_t length = strspn(line, in_names);
        if (!columns_find(line, length))
            return false;
        line += length;
        if (*line == '\n' || *line == '\r')
            return (rate && rate < line) || (time && time < line);
        if (*line != between || (!ispunct((unsigned char)between) && between != '\t'))
            return false;
    }
}

/* Whether a text begins with the heading of a table, which begins with a test, and its columns,
 * which begin with the size; the others depend on the run. */
static bool is_table(const char *text)
{
    const char *columns = strchr(text, '\n'), *dot = strstr(text, " \xc2\xb7 ");

    if (!columns)
        return false;
    dot = dot ? dot : strstr(text, " - ");
    columns += 1 + strspn(columns + 1, " ");
    for (unsigned t = 0; t < TEST_COUNT && dot && dot < columns; t++) {
        const size_t length = strlen(test_names[t]);

        if (strncmp(text, test_names[t], length) == 0 && text[length] == ' ')
            return strncmp(columns, "size ", 5) == 0;
    }
    return false;
}

bool format_owns(enum format format, const char *beginning)
{
    static const char json[] = "[\n{\"record\":\"head\",\"document\":\"" SCHEMA_RESULTS "\"",
                      series[] = "ended_s", next[] = "interval_s";
    const char between = beginning[strspn(beginning, series)];

    switch (format) {
    case FORMAT_TABLE:
        return is_table(beginning);
    case FORMAT_CSV:
        return is_header(beginning);
    case FORMAT_JSON: /* of a run, not of a comparison */
        return strncmp(beginning, json, sizeof(json) - 1) == 0;
    case FORMAT_CLASSIC:
        return strncmp(beginning, "IO profile test parameters\n", 27) == 0;
    case FORMAT_SERIES:
        return (ispunct((unsigned char)between) || between == '\t') &&
               strncmp(beginning, series, sizeof(series) - 1) == 0 &&
               beginning[sizeof(series) - 1] == between &&
               strncmp(beginning + sizeof(series), next, sizeof(next) - 1) == 0 &&
               beginning[sizeof(series) + sizeof(next) - 1] == between;
    }
    return false;
}

void format_free(struct sink *sink)
{
    struct print_state *state = sink->arg;
    if (state)
        state->release(state);
    *sink = (struct sink){.arg = NULL};
}

/* --- shared by formats --- */

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

static void add_value(struct units_list *list, uint64_t value)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->value[i] == value)
            return;
    list->value = mem_realloc_array(list->value, list->count + 1, sizeof(*list->value));
    list->value[list->count++] = value;
}

bool print_has_setting(const struct run_info *info, const struct option_row *row)
{
    bool needed = !row->needs;

    for (unsigned i = 0; i < info->settings->target_count && !needed; i++)
        needed = target_can(info->targets[i], row->needs);
    if (!row->member || !needed)
        return false;
    return !row->sparse ||
           *(const uint64_t *)((const char *)info->settings + row->offset) != row->min;
}

void print_setting(const struct run_info *info, const struct option_row *row, const void *block,
                   void (*put)(void *arg, const struct option_row *row, const struct value *value),
                   void *arg)
{
    const bool choices = row->type == OPTION_CHOICES, sizes = row->type == OPTION_SIZE_LIST,
               list = choices || sizes || row->type == OPTION_COUNT_LIST;
    const void *field = (const char *)block + row->offset;
    const uint64_t *number = field;
    struct units_list united = {NULL, 0};
    struct value value;

    if (row->type == OPTION_CHAR || row->type == OPTION_STRING || row->type == OPTION_CALL)
        return;
    for (unsigned i = 0; info && sizes && i < info->cell_count; i++)
        add_value(&united, info->cells[i].work.size_bytes);
    for (const struct settings *part = list && !(info && sizes) ? block : NULL; part;
         part = info ? part->next : NULL) {
        const struct option_choices *chosen = (const void *)((const char *)part + row->offset);
        const struct units_list *values = (const void *)chosen;

        for (size_t i = 0; i < (choices ? chosen->count : values->count); i++)
            add_value(&united, choices ? chosen->index[i] : values->value[i]);
    }
    for (size_t i = 0; i < (list ? united.count : row->type == OPTION_RANGE ? 2 : 1); i++) {
        if (row->type == OPTION_FLAG)
            columns_put_count(&value, *(const bool *)field);
        else if (row->type == OPTION_PERCENT)
            value.kind = VALUE_REAL, value.real = *(const double *)field, value.decimals = 6;
        else if (row->type == OPTION_WORD)
            columns_put_text(&value, *(const char *const *)field);
        else if (row->type == OPTION_CHOICE || choices)
            columns_put_text(&value,
                             row->choices[choices ? united.value[i] : *(const unsigned *)field]);
        else
            columns_put_count(&value, list ? united.value[i] : number[i]);
        put(arg, row, &value);
    }
    units_list_free(&united);
}

char *print_label(const char *label)
{
    const size_t size = 4 * strlen(label ? label : "") + 1;

    return error_printable(label ? label : "", mem_calloc(size, 1), size);
}
