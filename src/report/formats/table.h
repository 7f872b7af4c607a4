/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table.h - shared by table*.c only: rows as texts, and the choice of columns. */
#ifndef REPORT_FORMATS_TABLE_H
#define REPORT_FORMATS_TABLE_H

#include "report/formats/print.h"

enum table_column {
    T_SIZE,
    T_TARGET,
    T_FILLED,
    T_ENGINE,
    T_ACCESS,
    T_THREADS,
    T_DEPTH,
    T_MIX,
    T_OPERATIONS,
    T_TIME,
    T_INTERVAL,
    T_THROUGHPUT,
    T_RATE,
    T_P50,
    T_P99,
    T_CHOSEN, /* --columns: the chosen figures of one block, instead of all others */
    T_BAR,
    T_NOTES,
    T_COUNT
};

/* Precedes the number of failed operations in the notes. */
#define TABLE_ERRORS     "errors:"
#define TABLE_NOTES_TEXT (COLUMNS_NOTES_TEXT + 32)

struct table_layout {
    unsigned steps;          /* taken */
    unsigned width[T_COUNT]; /* 0: not shown */
};

struct table_row {
    const struct result *result; /* owned by the sweep until its end */
    char *text[T_COUNT];         /* NULL: empty; T_NOTES: all notes, joined by ';' */
    double speed;                /* length of its bar; negative: unknown */
    bool skipped;                /* no figures: the notes replace them */
    bool noisy;                  /* its figures miss the requested precision */
};

struct table {
    struct print_state state;
    const struct run_info *info;
    bool utf8, color, several_parts;
    unsigned unlike; /* the axes shown as columns: see cell_unlike */
    bool together;   /* several operations in flight */
    unsigned width;
    struct table_row *rows; /* of this part, in the order of their cells */
    size_t count, capacity;
    struct table_layout layout;          /* of this part or, until chosen, of the previous one */
    unsigned *chosen, chosen_count;      /* --columns; NULL: the usual ones */
    struct columns_context context;      /* of the chosen columns */
    char *chosen_heading;                /* of the block being printed */
    bool more;                           /* another block follows, which contains the notes */
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
    /* notes common to all measured rows of the part that fit into its heading */
    char common[TABLE_NOTES_TEXT];
    unsigned left_out; /* rows without figures after an interruption */
};

/* table_rows.c: the texts */
void table_fill_row(const struct table *table, const struct result *result, struct table_row *row);
void table_clear_row(struct table_row *row);
/* Builds T_CHOSEN of all rows, and chosen_heading, from the chosen columns that fit into a line,
 * beginning with `from`; at least one. Returns the next column. */
unsigned table_join_chosen(struct table *table, unsigned from);
/* The line above the columns: values common to all rows of the part, of `count` cells. Caller
 * frees. */
char *table_heading(const struct table *table, const struct cell *cells, size_t count);

/* table_layout.c: columns and lines */
/* Columns of the terminal that the axes leave free. */
unsigned table_room(const struct table *table);
/* Prints all rows, with the columns that fit into a line: the layout begins with the previous one.
 */
void table_print_block(struct table *table);

#endif
