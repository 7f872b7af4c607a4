/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table.h - shared by table*.c only: columns and rows as texts. */
#ifndef REPORT_FORMATS_TABLE_H
#define REPORT_FORMATS_TABLE_H

#include "report/formats/print.h"

#define TABLE_NOTES_TEXT (COLUMNS_NOTES_TEXT + 32)
#define TABLE_BAR_WIDTH  5u

struct table;

/* A column of results as one of the table. */
struct table_column {
    const char *name; /* in columns_table; NULL: it has its own text */
    const char *heading;
    /* Replaces the text by unit, which is "-" if unknown; NULL: empty. */
    char *(*own_text)(const struct table *table, const struct result *result);
    unsigned axis; /* shown if it varies; 0: always */
    bool left;     /* aligned */
    bool mean;     /* as exact as the interval of its row */
    bool cut;      /* at a fifth of the terminal */
    /* when it leaves lines that are too wide, with one operation in flight and with several; 0:
     * never. With several, time/op is 1 / rate and thus redundant to throughput: it leaves, and the
     * latency stays. */
    unsigned leaves_alone, leaves_together;

    const struct column *of; /* the column of results; filled in from here on */
    unsigned needs;          /* the widest text of the part */
    unsigned width;          /* 0: not shown */
};

struct table_row {
    const struct result *result; /* owned by the sweep until its end */
    char **text;                 /* of each column; NULL: empty */
    char *bar;                   /* one of these, drawn again whenever a row finishes, or NULL */
    char *notes;                 /* joined by ';' */
    double speed;                /* length of its bar; negative: unknown */
    bool skipped;                /* no figures: the notes replace them */
    bool noisy;                  /* its figures miss the requested precision */
};

struct table {
    struct print_state state;
    bool utf8, color, several_parts;
    unsigned unlike; /* the axes shown as columns: see cell_unlike */
    bool together;   /* several operations in flight */
    unsigned width;
    struct columns_context context;
    struct table_column *column; /* the axes, then figures */
    unsigned column_count, axis_count;
    unsigned *chosen, chosen_count; /* --columns, instead of the usual figures; NULL: those */
    bool notes_chosen;              /* they are a figure: only skipped rows end with notes */
    struct table_row *rows;         /* of this part, in the order of their cells */
    size_t count, capacity;
    unsigned level;                      /* of the columns that left lines, see table_layout.c */
    unsigned (*screen)(unsigned *lines); /* see format_options */
    /* rows of this part that fit on the terminal and are redrawn as rows finish; 0: all are printed
     * at its end */
    size_t room;
    size_t latest;      /* place of the row that finished last */
    unsigned lines;     /* printed for it */
    unsigned drawn;     /* of these, above the cursor */
    unsigned said;      /* log_count at that time */
    unsigned continued; /* stop_continued at that time */
    bool dirty;         /* some rows are not on the screen */
    unsigned left_out;  /* rows without figures after an interruption */
};

/* table_rows.c: the texts */
void table_make_columns(struct table *table);
void table_fill_row(const struct table *table, const struct result *result, struct table_row *row);
void table_clear_row(const struct table *table, struct table_row *row);
/* The line above the columns: values common to all rows of the part, of `count` cells. Caller
 * frees. */
char *table_heading(const struct table *table, const struct cell *cells, size_t count);

/* table_layout.c: widths and lines */
/* Gives the columns their widths. Returns whether lines are no wider than the terminal. */
bool table_lay_out(struct table *table);
/* Prints a line with the names of the columns, and one for each row. */
void table_print_rows(const struct table *table, struct table_row *rows, size_t count);

#endif
