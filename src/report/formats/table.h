/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table.h - shared by table*.c only: rows as texts, and the choice of columns. */
#ifndef REPORT_FORMATS_TABLE_H
#define REPORT_FORMATS_TABLE_H

#include "report/formats/print.h"
#include "report/summaries/summaries.h"

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

struct table_step { /* see table_layout.c */
    enum table_column column;
    unsigned most;
};

struct table_layout {
    unsigned steps;          /* taken */
    unsigned width[T_COUNT]; /* 0: not shown */
};

struct table_row {
    const struct cell *cell;
    char *text[T_COUNT]; /* NULL: empty; T_NOTES: all notes, joined by ';' */
    char **chosen;       /* --columns: chosen_count texts; NULL: no figures */
    double speed;        /* length of its bar; negative: unknown */
    bool skipped;        /* no figures: the notes replace them */
    bool noisy;          /* its figures miss the requested precision */
};

/* How rows of a part are printed. */
enum table_way {
    WAY_AT_END, /* all at the end of the part */
    WAY_REDRAW, /* as they finish, in any order: redraws the lines of the part */
    WAY_APPEND  /* one by one in order: the screen is too small for all */
};

struct table {
    struct print_state state;
    const struct run_info *info;
    bool utf8, color, several_parts;
    unsigned unlike; /* the axes shown as columns: see cell_unlike */
    const struct table_step *steps;
    unsigned width;
    struct table_row *rows; /* of this part, in the order of their cells */
    size_t count, capacity;
    struct table_layout layout;     /* of this part or, until chosen, of the previous one */
    unsigned *chosen, chosen_count; /* --columns; NULL: the usual ones */
    struct columns_context context; /* of the chosen columns */
    char *chosen_heading;           /* of the block being printed */
    bool more;                      /* another block follows, which contains the notes */
    struct summaries summaries;
    unsigned (*screen)(unsigned *lines); /* see format_options, and redraw */
    bool redraw;
    enum table_way way; /* of this part */
    unsigned lines;     /* printed for it */
    unsigned drawn;     /* of these, above the cursor */
    unsigned said;      /* log_count at that time */
    unsigned continued; /* stop_continued at that time */
    bool dirty;         /* some rows are not on the screen */
    /* notes common to all measured rows of the part: printed in its heading */
    char common[TABLE_NOTES_TEXT];
    unsigned left_out; /* rows without figures after an interruption */
};

/* table_rows.c: the texts */
void table_see_axes(struct table *table); /* once info is set */
void table_fill_axes(const struct table *table, const struct cell *cell, struct table_row *row);
void table_fill_row(const struct table *table, const struct result *result, struct table_row *row);
void table_clear_row(const struct table *table, struct table_row *row);
/* Builds T_CHOSEN of all rows, and chosen_heading, from the chosen columns that fit into a line,
 * beginning with `from`; at least one. Returns the next column. */
unsigned table_join_chosen(struct table *table, unsigned from);
/* The line above the columns: values common to all rows of the part, of `count` cells. Caller
 * frees. */
char *table_heading(const struct table *table, const struct cell *cells, size_t count);

/* table_layout.c: columns and lines */
extern const struct table_step *const table_steps_alone, *const table_steps_together;
/* Columns of the terminal that the axes leave free. */
unsigned table_room(const struct table *table);
/* Chooses a layout for all rows, starting from the previous one. */
void table_choose_layout(struct table *table);
/* The same, without --columns, for the rows so far and those that may follow in the part, given by
 * its first `count` cells: their axes are known, and figures are assumed to have their usual
 * width. */
void table_choose_early(struct table *table, const struct cell *cells, size_t count);
/* Collects notes common to all measured rows that fit into the heading. */
void table_find_common(struct table *table);
/* noted: some row has notes, so their column gets a heading. */
void table_print_headings(const struct table *table, bool noted);
/* best: the speed of the longest bar, INFINITY: no bars; faint: prints noisy rows faint. */
void table_print_row(const struct table *table, const struct table_row *row, double best,
                     bool faint);

#endif
