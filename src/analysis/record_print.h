/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* record_print.h - what the commands that judge results print: records of named fields as CSV or as
 * members of JSON objects, and tables of text for people.  What is not known is empty (CSV), null
 * (JSON) or "-" (table), never 0. */
#ifndef ANALYSIS_RECORD_PRINT_H
#define ANALYSIS_RECORD_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/color.h"

struct record_field {
    const char *name;                          /* with unit */
    int decimals;                              /* of numbers */
    const char *heading;                       /* in tables for people; NULL: not there */
    char *(*format)(double value, char *text); /* a number there, with the unit that fits it */
};

struct record_value {
    char *text;    /* to free; NULL: `number` */
    bool digits;   /* the text is a number: JSON has no quotes around it */
    double number; /* NAN: not known */
};

/* Makes count values unknown; their texts are freed, so they must be unknown or zeroed before. */
void record_clear(struct record_value *values, size_t count);
struct record_value record_text(const char *text); /* copied */
struct record_value record_count(uint64_t number);
void record_numbers(struct record_value *values, const double *numbers, size_t count);

/* A line of CSV; the header has the names.  Texts are written so that they can be shown. */
void record_csv_header(FILE *stream, const struct record_field *fields, size_t count);
void record_csv(FILE *stream, const struct record_field *fields, const struct record_value *values,
                size_t count);

struct record_range { /* of fields; an empty one ends a list */
    int first, end;
};

/* The members of an object, without its braces. */
void record_json(FILE *stream, const struct record_field *fields, const struct record_value *values,
                 const struct record_range *ranges);

#define TEXT_TABLE_COLUMNS 24

struct text_look {  /* of what a person reads */
    bool color;     /* escape sequences, see base/color.h */
    unsigned width; /* columns of the terminal; 0: it is none, lines are as long as they are */
};

/* What is given up so that lines fit: a column becomes no wider than that; 0: it goes. */
struct text_table_step {
    unsigned column, most;
};

struct text_table { /* each column is as wide as its widest text, two blanks apart */
    unsigned columns;
    char *(*rows)[TEXT_TABLE_COLUMNS]; /* the table's own, each allocated; [0]: headings */
    size_t count, capacity;
    bool left[TEXT_TABLE_COLUMNS]; /* else texts end at the right edge of the column */
    bool hidden[TEXT_TABLE_COLUMNS];
    struct text_look look;
    const struct text_table_step *steps; /* in this order, as many as it takes */
    size_t step_count;
    /* column of words joined by ';': those that find no room are counted; 0: none */
    unsigned words;
    unsigned colored;     /* column that has the colour of its row */
    enum color *row_look; /* of each row; the table's own */
};

char **text_table_add(struct text_table *table);
void text_table_color(struct text_table *table,
                      enum color look); /* of the row that was added last */
void text_table_print(FILE *stream, const struct text_table *table);
/* Frees the rows; the table is empty then, with the same columns. */
void text_table_clear(struct text_table *table);

/* A sentence with its newline, broken at blanks where the terminal ends.  The first `mark` bytes of
 * it have that colour. */
void record_sentence(FILE *stream, const struct text_look *look, const char *text, size_t mark,
                     enum color color);

/* A cell with the unit that fits the number, or "-".  To free. */
char *record_unit_text(char *(*format)(double value, char *text), double value);

#endif
