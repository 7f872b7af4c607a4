/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_csv.c - rows from CSV: what the sweep writes, and tables made by hand with our column
 * names.
 *
 * The header line decides what the columns are and what separates them; a header in the middle,
 * where files were put together, begins anew.  Lines that begin with # are comments. */
#include "base/compat.h"

#include "analysis/results/arena.h"
#include "analysis/results/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define COLUMNS_MAX 4096

enum { FIELD_COUNT = 64 }; /* more than there are in reader_fields */

struct csv_reader {
    struct reader *reader;
    char separator, mark; /* mark 0: no number had one yet */
    size_t count;         /* of columns in the header */
    const char **names;   /* of them */
    char **fields;        /* of the current record; point into the line */
    size_t found, room;
    int column[FIELD_COUNT]; /* where reader_fields[i] stands, -1: nowhere */
    bool series;             /* the records are those of --series, moments of rows */
};

/* --- records --- */

/* The separator of a header: a tab, semicolon or comma if there is one; else the first character
 * that no name has. */
static char find_separator(const char *line)
{
    static const char usual[] = "\t;,";
    for (const char *s = usual; *s != '\0'; s++)
        if (strchr(line, *s))
            return *s;
    while ((*line >= 'a' && *line <= 'z') || (*line >= '0' && *line <= '9') || *line == '_' ||
           *line == '"')
        line++;
    return *line != '\0' ? *line : ',';
}

static void add_field(struct csv_reader *csv, char *begin)
{
    csv->fields = mem_grow(csv->fields, &csv->room, csv->found + 1, sizeof(*csv->fields));
    csv->fields[csv->found++] = begin;
}

static bool is_blank(char c, char separator)
{
    return (c == ' ' || c == '\t') && c != separator;
}

/* Takes the quotes from a quoted field, in place; *end is where it ends now.  Returns what follows
 * the closing quote; NULL without one. */
static char *unquote(char *begin, char **end)
{
    char *from = begin + 1;

    for (*end = begin; *from != '\0'; from++) {
        if (*from == '"' && *++from != '"')
            return from;
        *(*end)++ = *from;
    }
    return NULL;
}

/* Splits a record in place into csv->fields, without the blanks around them; false when something
 * follows a closing quote. */
static bool split(struct csv_reader *csv, char *s)
{
    const char separator = csv->separator;

    for (csv->found = 0;; s++) {
        char *begin, *end, stop;
        while (is_blank(*s, separator))
            s++;
        begin = s;
        if (*s == '"') {
            s = unquote(begin, &end);
            while (s && is_blank(*s, separator))
                s++;
        } else {
            while (*s != '\0' && *s != separator)
                s++;
            for (end = s; end > begin && is_blank(end[-1], separator);)
                end--;
        }
        if (!s || (*s != '\0' && *s != separator))
            return false;
        stop = *s;
        *end = '\0';
        add_field(csv, begin);
        if (stop == '\0')
            return true;
    }
}

/* Whether a quoted field is open at the end of the text; quoted: at its begin. */
static bool ends_quoted(const struct csv_reader *csv, const char *text, bool quoted)
{
    bool begins = true; /* a field */

    for (; *text != '\0'; text++) {
        if (*text == '"' && quoted && text[1] == '"')
            text++;
        else if (*text == '"' && (quoted || begins))
            quoted = !quoted;
        begins = *text == csv->separator || (begins && is_blank(*text, csv->separator));
    }
    return quoted;
}

/* Completes the current line to a record (quoted fields may hold newlines) and splits it: 0, or -1
 * with err. */
static int take_record(struct csv_reader *csv, struct error *err)
{
    struct reader *reader = csv->reader;
    const uint64_t begin = reader->line_number;
    bool quoted = ends_quoted(csv, reader->line, false);

    while (quoted) {
        const size_t length = reader->line_length;
        const int more = reader_line(reader, true, err);
        if (more < 0)
            return -1;
        if (more == 0)
            return reader_fail(reader, err,
                               "a quoted field that begins in line %" PRIu64 " is not closed in",
                               begin);
        quoted = ends_quoted(csv, reader->line + length, true);
    }
    if (!split(csv, reader->line))
        return reader_fail(reader, err, "something follows a closing quote in");
    return 0;
}

/* --- header --- */

bool reader_csv_is_header(const struct reader *reader)
{
    const char *name = reader_fields[0].name, *at = reader->line;
    const char separator = find_separator(reader->line);
    const size_t length = strlen(name);

    while ((at = strstr(at, name)) != NULL) {
        const char *before = at, *after = at + length;
        while (before > reader->line && (before[-1] == ' ' || before[-1] == '"'))
            before--;
        while (*after == ' ' || *after == '"')
            after++;
        if ((before == reader->line || before[-1] == separator || *(at - 1) == separator) &&
            (*after == '\0' || *after == separator || at[length] == separator))
            return true;
        at += length;
    }
    return false;
}

static int bind_name(struct csv_reader *csv, size_t i, const char *name, struct error *err)
{
    int *column = NULL;

    for (size_t k = 0; !column && reader_fields[k].name; k++)
        if (strcmp(reader_fields[k].name, name) == 0)
            column = &csv->column[k];
    if (!column)
        return 0; /* a column that is not ours */
    if (*column >= 0)
        return reader_fail(csv->reader, err, "column %s appears twice in", name);
    *column = (int)i;
    return 0;
}

static bool has_column(const struct csv_reader *csv, const char *name)
{
    for (size_t i = 0; reader_fields[i].name; i++)
        if (strcmp(reader_fields[i].name, name) == 0)
            return csv->column[i] >= 0;
    return false;
}

static bool has_figures(const struct csv_reader *csv)
{
    return has_column(csv, "op_ns_median") || has_column(csv, "rate_per_s") ||
           has_column(csv, "throughput_bytes_per_s") ||
           (has_column(csv, "operations") && has_column(csv, "time_s"));
}

/* Records of --series have the names of columns, but are moments of rows. */
static bool is_series(const struct csv_reader *csv)
{
    for (size_t i = 0; i < csv->count; i++)
        if (strcmp(csv->fields[i], "interval_s") == 0)
            return true;
    return false;
}

static int take_header(struct csv_reader *csv, struct error *err)
{
    csv->separator = find_separator(csv->reader->line);
    csv->mark = '\0';
    if (take_record(csv, err) < 0)
        return -1;
    csv->count = csv->found;
    if (csv->count > COLUMNS_MAX)
        return reader_fail(csv->reader, err, "more than %d columns in", COLUMNS_MAX);
    csv->series = is_series(csv);
    if (csv->series && !csv->reader->takes_series) {
        reader_fail(csv->reader, err, "records of --series, not results, begin at");
        return error_advise(err, "use the file that -o of that run wrote");
    }
    for (size_t i = 0; i < FIELD_COUNT; i++)
        csv->column[i] = -1;
    csv->names = arena_alloc(csv->reader->arena, csv->count * sizeof(*csv->names));
    for (size_t i = 0; i < csv->count; i++) {
        csv->names[i] = reader_keep(csv->reader, csv->fields[i]);
        if (bind_name(csv, i, csv->fields[i], err) < 0)
            return -1;
    }
    if (csv->column[0] >= 0 && has_figures(csv))
        return 0;
    reader_fail(csv->reader, err, "too few columns in the header");
    return error_advise(err, "%s", READER_NEEDED);
}

/* --- values --- */

static int refuse_value(const struct csv_reader *csv, const char *name, const char *value,
                        struct error *err)
{
    return reader_fail(csv->reader, err, "\"%.40s\" in column %s is not a number in", value, name);
}

/* An apostrophe before what would be a formula, or another apostrophe, was put there for
 * spreadsheets. */
static const char *without_guard(const char *value)
{
    return value[0] == '\'' && value[1] != '\0' && strchr("=+-@'", value[1]) ? value + 1 : value;
}

static int take_value(struct csv_reader *csv, struct results_row *row,
                      const struct reader_field *field, const char *value, struct error *err)
{
    void *member = (char *)row + field->offset;

    if (field->type == READER_TEXT || field->type == READER_NAME || field->type == READER_LABEL)
        *(const char **)member = reader_keep_field(csv->reader, field, without_guard(value));
    else if (value[0] == '\0')
        return 0; /* not known */
    else if (field->type == READER_COUNT ? !reader_parse_count(value, &csv->mark, member)
                                         : !reader_parse_real(value, &csv->mark, member))
        return refuse_value(csv, field->name, value, err);
    return 0;
}

static int take_fields(struct csv_reader *csv, struct results_row *row, struct error *err)
{
    for (size_t i = 0; reader_fields[i].name; i++)
        if (csv->column[i] >= 0 &&
            take_value(csv, row, &reader_fields[i], csv->fields[csv->column[i]], err) < 0)
            return -1;
    if (row->size_bytes == 0)
        return reader_fail(csv->reader, err, "size_bytes is not above 0 in");
    if (row->threads == 0 || row->depth == 0)
        return reader_fail(csv->reader, err, "threads or depth of 0 in");
    if (row->ranks == 0)
        return reader_fail(csv->reader, err, "ranks of 0 in");
    return 0;
}

/* Of a record of --series: all fields, by the names of the header. */
static void keep_fields(struct csv_reader *csv, struct results_row *row)
{
    struct arena *arena = csv->reader->arena;
    struct text_field *fields = arena_alloc(arena, csv->count * sizeof(*fields));

    for (size_t i = 0; i < csv->count; i++) {
        char *text = mem_strdup(without_guard(csv->fields[i]));
        char *comma = strchr(text, ',');
        if (csv->mark == ',' && comma && text[strspn(text, "0123456789,")] == '\0')
            *comma = '.';
        fields[i] = (struct text_field){csv->names[i], arena_keep(arena, text)};
        free(text);
    }
    row->fields = fields;
    row->field_count = csv->count;
}

static bool is_empty(const struct csv_reader *csv)
{
    for (size_t i = 0; i < csv->found; i++)
        if (csv->fields[i][0] != '\0')
            return false;
    return true;
}

static int check_count(const struct csv_reader *csv, struct error *err)
{
    for (size_t i = csv->count; i < csv->found; i++)
        if (csv->fields[i][0] != '\0') /* spreadsheets fill up with empty ones */
            return reader_fail(csv->reader, err, "%zu fields, but %zu columns in the header, in",
                               csv->found, csv->count);
    if (csv->found < csv->count)
        return reader_fail(csv->reader, err, "only %zu fields for %zu columns (cut off?) in",
                           csv->found, csv->count);
    return 0;
}

/* For results_read_whole: all columns, also those that are no fields of a row. */
static void keep_values(struct csv_reader *csv)
{
    double real;

    for (size_t i = 0; i < csv->count; i++) {
        if (csv->fields[i][0] == '\0')
            continue;
        if (reader_parse_real(csv->fields[i], &csv->mark, &real))
            reader_add_value(csv->reader, csv->names[i], NULL, real);
        else
            reader_add_value(csv->reader, csv->names[i], csv->fields[i], NAN);
    }
}

static int take_row(struct csv_reader *csv, struct error *err)
{
    struct results_row *row;

    if (take_record(csv, err) < 0)
        return -1;
    if (is_empty(csv))
        return 0;
    if (check_count(csv, err) < 0)
        return -1;
    if (csv->series && csv->fields[csv->column[0]][0] == '\0')
        return 0; /* no row was under way */
    row = reader_add_row(csv->reader, err);
    if (!row || take_fields(csv, row, err) < 0)
        return -1;
    if (csv->series)
        keep_fields(csv, row);
    if (csv->reader->whole)
        keep_values(csv);
    reader_end_row(csv->reader, row);
    return 0;
}

static int take_all(struct csv_reader *csv, struct error *err)
{
    struct reader *reader = csv->reader;
    bool first = true;
    int more;

    while ((more = reader_line(reader, false, err)) > 0) {
        int result = 0;
        if (reader->line[0] == '#')
            continue;
        if (reader_csv_is_header(reader)) {
            result = take_header(csv, err);
            if (result == 0 && !first && csv->series != (reader->results->format == RESULTS_SERIES))
                result = reader_fail(reader, err, "results and records of --series meet at");
            if (first)
                reader->results->format = csv->series ? RESULTS_SERIES : RESULTS_CSV;
            reader->results->has_notes =
                (first || reader->results->has_notes) && has_column(csv, "notes");
            first = false;
        } else {
            result = take_row(csv, err);
        }
        if (result < 0)
            return -1;
    }
    return more;
}

int reader_csv(struct reader *reader, struct error *err)
{
    struct csv_reader csv = {.reader = reader};
    const int result = take_all(&csv, err);

    free(csv.fields);
    return result;
}
