/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* table.h - what the files of the table share: its rows as texts, and which columns they are shown
 * in.  Only for table*.c. */
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
    T_CHOSEN, /* --columns: in the place of all figures, those of a block */
    T_BAR,
    T_NOTES,
    T_COUNT
};

/* Before the number of operations that failed, in the notes. */
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
    char *text[T_COUNT]; /* NULL: nothing to say; T_NOTES: all of them, joined by ';' */
    char **chosen;       /* --columns: each of chosen_count; NULL: there are no figures */
    double speed;        /* what its bar shows; negative: not known */
    bool skipped;        /* there are no figures, the notes stand in their place */
    bool noisy;          /* its figures are not known as well as asked for */
};

/* How rows of a part come to the screen. */
enum table_way {
    WAY_AT_END, /* all together */
    WAY_REDRAW, /* as they finish, in whatever order: the lines of the part are drawn again */
    WAY_APPEND  /* as they come in their order: there is no room for all of them */
};

struct table {
    struct print_state state;
    const struct run_info *info;
    bool utf8, color, several_parts;
    unsigned unlike; /* the axes that become columns: see cell_unlike */
    const struct table_step *steps;
    unsigned width;
    struct table_row *rows; /* of this part, in the order of their cells */
    size_t count, capacity;
    struct table_layout layout;     /* of this part and, until it is chosen, of the one before */
    unsigned *chosen, chosen_count; /* --columns; NULL: the usual ones */
    struct columns_context context; /* of these */
    char *chosen_heading;           /* of the block of them that is printed */
    bool more;                      /* there is another one below it, which has the notes */
    struct summaries summaries;
    unsigned (*screen)(unsigned *lines); /* see format_options, and redraw */
    bool redraw;
    enum table_way way;            /* of this part */
    unsigned lines;                /* that it took when it was printed */
    unsigned drawn;                /* those of it that stand above the cursor */
    unsigned said;                 /* messages until then, see log_count */
    unsigned continued;            /* see stop_continued, as it was then */
    bool dirty;                    /* there are rows that are not on the screen */
    char common[TABLE_NOTES_TEXT]; /* notes of all measured rows of the part: told above them */
    unsigned left_out;             /* rows that an interruption left without any figure */
};

/* table_rows.c: the texts */
void table_see_axes(struct table *table); /* once info is set */
void table_fill_axes(const struct table *table, const struct cell *cell, struct table_row *row);
void table_fill_row(const struct table *table, const struct result *result, struct table_row *row);
void table_clear_row(const struct table *table, struct table_row *row);
/* Makes T_CHOSEN of all rows, and chosen_heading, of the chosen columns from that one on that fit
 * into a line; at least of one.  Returns the one after them. */
unsigned table_join_chosen(struct table *table, unsigned from);
/* The line above the columns: what all rows of the part, of `count` cells, have in common.  To
 * free. */
char *table_heading(const struct table *table, const struct cell *cells, size_t count);

/* table_layout.c: columns and lines */
extern const struct table_step *const table_steps_alone, *const table_steps_together;
/* How many columns of the terminal all axes leave. */
unsigned table_room(const struct table *table);
/* The layout that holds all rows, by the one before. */
void table_choose_layout(struct table *table);
/* The same, without --columns, for the rows so far and all that may follow them in the part, of
 * which the first `count` cells are given: their axes are known, and figures have the width that
 * they mostly have. */
void table_choose_early(struct table *table, const struct cell *cells, size_t count);
/* What all measured rows note, as far as there is room for it in their heading. */
void table_find_common(struct table *table);
/* Whether a row has notes: the column gets its heading then. */
void table_print_headings(const struct table *table, bool noted);
/* best: the speed of the longest bar, INFINITY: no bars; faint: noisy rows are shown so. */
void table_print_row(const struct table *table, const struct table_row *row, double best,
                     bool faint);

#endif
