/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* print.h - shared by the formats only: locale-independent numbers, detection of lost output, and
 * the makers used by format_make. */
#ifndef REPORT_FORMATS_PRINT_H
#define REPORT_FORMATS_PRINT_H

#include <stdio.h>

#include "base/error.h"
#include "report/columns/columns.h"
#include "report/formats/formats.h"
#include "run/sink.h"

/* `arg` of every sink of report/formats/ points to a state that begins with this. */
struct print_state {
    void (*release)(void *state); /* frees what the state owns and the state itself */
    FILE *stream;
    const char *name; /* of the stream, for messages */
};

/* Formats a COUNT or REAL with that decimal mark; "" for other kinds. Returns text. */
#define PRINT_NUMBER_TEXT 352 /* the largest double with 9 decimals and a sign */
char *print_number(const struct value *value, char decimal, char *text);

/* Flushes the stream. Returns 0, or -1 with err (STATUS_PARTIAL) if this or any earlier write to it
 * failed. */
int print_flush(const struct print_state *state, struct error *err);

/* Number of columns of a UTF-8 text (code points; no wide or combining characters occur). */
unsigned print_width(const char *text);

/* Shortens a name to its end, its more distinctive part, in at most `width` columns. Caller
 * frees. */
char *print_shorten_name(const char *name, unsigned width);

/* Keeps those first words of a list joined by ';' that fit into `width` columns; the last may lose
 * its value (NAME:VALUE) to fit, but is never cut within the value, which would change it. text:
 * `size` bytes; returns it. */
char *print_shorten_words(const char *words, unsigned width, char *text, size_t size);

/* Whether a setting is reported: one that no target needs is not, nor one at its minimum. */
bool print_has_setting(const struct run_info *info, const struct option_row *row);

/* Passes the values of an option's field to `put`: one, two of a range, any number of a list, none
 * of free text. A flag is 0 or 1. With info, the block is the settings of that run: lists have the
 * values of all parts together, each once, and sizes those of the rows. */
void print_setting(const struct run_info *info, const struct option_row *row, const void *block,
                   void (*put)(void *arg, const struct option_row *row, const struct value *value),
                   void *arg);

/* Writes a value as a CSV field; quotes a number whose decimal mark is the separator. */
void print_csv_value(FILE *stream, const struct value *value, char separator, char decimal);

/* A text such as --label (NULL: "") for output without escapes: as by error_printable. Caller
 * frees. */
char *print_label(const char *label);

/* Writes a JSON string with quotes; valid UTF-8 for any bytes in text. */
void print_json_text(FILE *stream, const char *text);

/* Passes the fields of a record of --interval to `put`, in order, with their names, for CSV and
 * JSON. A value is valid during the call. */
struct series_record;
void print_series(const struct series_record *record, const struct target *const *targets,
                  void (*put)(void *arg, const char *name, const struct value *value), void *arg);

/* The makers called by format_make (see formats.h), which sets stream and name of the state. */
typedef int (*print_maker)(const struct format_options *options, struct sink *sink,
                           struct error *err);
int print_make_csv(const struct format_options *options, struct sink *sink, struct error *err);
int print_make_json(const struct format_options *options, struct sink *sink, struct error *err);
int print_make_classic(const struct format_options *options, struct sink *sink, struct error *err);
int print_make_table(const struct format_options *options, struct sink *sink, struct error *err);

#endif
