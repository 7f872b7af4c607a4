/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.h - the one table of columns.  Header and rows of every format come from it, so they
 * cannot differ.  New columns go to the end of the table, never in between. */
#ifndef REPORT_COLUMNS_COLUMNS_H
#define REPORT_COLUMNS_COLUMNS_H

#include "base/error.h"
#include "run/cell.h"
#include "run/sink.h"

enum value_kind { VALUE_EMPTY, VALUE_COUNT, VALUE_REAL, VALUE_TEXT };

#define COLUMNS_VALUE_TEXT 4608 /* any path that can be opened */

struct value {
    enum value_kind kind; /* EMPTY: not known here (never 0 for unknown) */
    uint64_t count;
    double real;
    unsigned decimals; /* of `real` when printed */
    const char *text;  /* valid as long as the row and this value; may point into buffer */
    char buffer[COLUMNS_VALUE_TEXT];
};

struct columns_context { /* what rows share */
    const struct run_info *info;
    const char *label; /* --label or "" */
};

struct column {
    const char *name;    /* with unit, as in the CSV header */
    const char *meaning; /* one line: unit and formula; the man page says the same */
    void (*get)(const struct columns_context *context, const struct result *result,
                struct value *value);
};

/* The engines of a run, each by its first cell, in the order of rows; without --engine they follow
 * from the targets.  cells: room for SETTINGS_ENGINES_MAX.  Returns how many. */
unsigned columns_engines(const struct run_info *info, const struct cell **cells);

extern const struct column columns_table[]; /* ended by name NULL */
unsigned columns_count(void);

/* Choice of columns by a list of names; NULL: all.  Returns an array of indices to free, *count of
 * them, or NULL with err (STATUS_USAGE, naming the word and the names there are). */
unsigned *columns_select(const char *list, unsigned *count, struct error *err);

/* All notes of a row joined by ';' ("wide;rmw;skipped:beyond_file"), written to text. */
#define COLUMNS_NOTES_TEXT 512
char *columns_notes(const struct result *result, const struct run_info *info, char *text);

/* size * operations / time in bytes/s; negative when not known, and of tests that move no data. */
double columns_throughput(const struct result *result);
/* operations / time in 1/s, of every test; negative when not known. */
double columns_rate(const struct result *result);

/* Shares of 1, negative when not known: of time_s * threads spent inside the submitting call; of
 * the CPU time that kernel threads used on behalf of ours. */
double columns_submit_fraction(const struct result *result);
double columns_helper_fraction(const struct result *result);

/* The latency below which that share of the operations stayed; false when there are too few for it
 * (10 / (1 - q), with --percentiles all 1).  `permille` is 500, 900, 990 or 999. */
bool columns_percentile(const struct run_info *info, const struct result *result,
                        unsigned permille, uint64_t *ns);

#endif
