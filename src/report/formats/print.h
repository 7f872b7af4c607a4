/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* print.h - what only the formats share: numbers that look the same in every
 * locale, one way to notice that output is lost, and the makers behind format_make. */
#ifndef REPORT_FORMATS_PRINT_H
#define REPORT_FORMATS_PRINT_H

#include <stdio.h>

#include "base/error.h"
#include "base/schema.h"
#include "report/columns/columns.h"
#include "report/formats/formats.h"
#include "run/sink.h"

/* Every sink of report/formats/ keeps its state behind `arg`, and every state begins with this. */
struct print_state {
    void (*release)(void *state); /* frees what the state owns and the state itself */
    FILE *stream;
    const char *name; /* of the stream, for messages */
};

/* A COUNT or REAL in digits with that decimal mark; "" for other kinds.  Returns text. */
#define PRINT_NUMBER_TEXT 352 /* the largest double with 9 decimals and a sign */
char *print_number(const struct value *value, char decimal, char *text);

/* Sends what is buffered on its way.  Returns 0, or -1 with err (STATUS_PARTIAL) when this or any
 * earlier write to the stream failed. */
int print_flush(const struct print_state *state, struct error *err);

/* Number of columns a UTF-8 text takes (code points; no wide or combining characters here). */
unsigned print_width(const char *text);

/* The end of a name, which says more than its beginning, in at most `width` columns.  To free. */
char *print_shorten_name(const char *name, unsigned width);

/* Of words joined by ';' the first ones that fit into `width` columns, the last of them without its
 * value (NAME:VALUE) where only so it fits: part of a value would be another one.  Returns text,
 * which takes `size` bytes. */
char *print_shorten_words(const char *words, unsigned width, char *text, size_t size);

/* Whether some target can do what these bits say (enum target_capability). */
bool print_any_can(const struct run_info *info, unsigned capabilities);

/* Whether a row of struct settings is not reported: it holds no more than it has to, or the sizes
 * that were given replace it. */
bool print_is_left_out(const struct option_row *row, const struct settings *settings);

/* Writes one CSV field, in quotes when it needs them.  What a spreadsheet would take for a formula
 * by its first character, if there is more, gets an apostrophe before it; so does what begins with
 * an apostrophe, so that readers can tell (src/results/iosweep_results/read.py). */
#define PRINT_FORMULA_FIRST "=+-@\t\r'"
void print_csv_text(FILE *stream, const char *text, char separator);

/* A value as a CSV field; a number that has the separator as its decimal mark is quoted. */
void print_csv_value(FILE *stream, const struct value *value, char separator, char decimal);

/* The text of --label (NULL: "") as CSV has it, which has no escapes of its own: error_printable.
 * To free. */
char *print_csv_label(const char *label);

/* Writes a JSON string with its quotes; always valid UTF-8, whatever the bytes of text. */
void print_json_text(FILE *stream, const char *text);

/* The fields of a record of --interval, by number, for CSV and JSON: their names, with unit (NULL
 * after the last), and what a record has of them. */
struct series_record;
const char *print_series_name(unsigned column);
void print_series_value(const struct series_record *record, const struct target *const *targets,
                        unsigned column, struct value *value);

/* The makers behind format_make, which see formats.h; that gives the state its stream and name. */
typedef int (*print_maker)(const struct format_options *options, struct sink *sink,
                           struct error *err);
int print_make_csv(const struct format_options *options, struct sink *sink, struct error *err);
int print_make_json(const struct format_options *options, struct sink *sink, struct error *err);
int print_make_classic(const struct format_options *options, struct sink *sink, struct error *err);
int print_make_table(const struct format_options *options, struct sink *sink, struct error *err);

#endif
