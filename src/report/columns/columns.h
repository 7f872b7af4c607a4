/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns.h - the single table of columns. Header and rows of every format and iosweep help columns
 * use it, so they cannot differ. */
#ifndef REPORT_COLUMNS_COLUMNS_H
#define REPORT_COLUMNS_COLUMNS_H

#include "base/error.h"
#include "run/cell.h"
#include "run/sink.h"

enum value_kind { VALUE_EMPTY, VALUE_COUNT, VALUE_REAL, VALUE_TEXT };

#define COLUMNS_VALUE_TEXT 4608 /* any path that can be opened */

struct value {
    enum value_kind kind; /* EMPTY: unknown (never 0 for unknown) */
    uint64_t count;
    double real;
    unsigned decimals; /* of `real` when printed */
    const char *text;  /* valid as long as the row and this value; may point into buffer */
    char buffer[COLUMNS_VALUE_TEXT];
};

struct columns_context { /* common to all rows */
    const struct run_info *info;
    const char *label; /* --label or "" */
};

enum column_unit {
    UNIT_TEXT,
    UNIT_NUMBER,
    UNIT_BYTES,
    UNIT_S,
    UNIT_NS,
    UNIT_BYTES_PER_S,
    UNIT_PER_S,
    UNIT_RATIO,
    UNIT_COUNT
};

/* Conditions for a row to have a value in a column. */
enum column_when {
    ALWAYS = 0,
    MEASURED = 1u << 0,   /* not skipped; implied by all of the following */
    OPERATIONS = 1u << 1, /* at least one completed */
    ROUNDS = 1u << 2,     /* at least one measured */
    SPREAD = 1u << 3,     /* at least two rounds */
    INTERVAL = 1u << 4,   /* enough rounds for an interval of their mean */
    OPEN = 1u << 5,       /* that phase of the cycle was timed in each operation */
    SEEK = 1u << 6,
    TRANSFER = 1u << 7,
    CLOSE = 1u << 8,
    EACH_OPEN = 1u << 9, /* each time is known, not only their sum */
    EACH_CLOSE = 1u << 10,
    DEVICE = 1u << 11,      /* the system counts bytes moved to or from storage */
    VERIFIED = 1u << 12,    /* the data were verified */
    CALLS = 1u << 13,       /* calls to a file server are counted */
    REQUESTS = 1u << 14,    /* so are requests to an object store */
    CONNECTIONS = 1u << 15, /* and their connections, which some libraries do not report */
    STATS = 1u << 16,       /* names were looked up */
    LEFT = 1u << 17,        /* the number of objects left of a kept run is known */
    RANKS = 1u << 18,       /* several ranks */
    NOT_ZERO = 1u << 19,    /* 0 means unknown or not requested */
};

enum column_group {
    OF_ROW, /* identifies rows */
    OF_RESULT,
    OF_PRECISION,
    OF_LATENCY,
    OF_PHASES,
    OF_CPU,
    OF_STORAGE,
    OF_FAILURES,
    OF_NFS,
    OF_OBJECTS,
    OF_TEAM,
    GROUP_COUNT
};

/* The source of a column's value: a field, given by its offset in the result, its cell or the sum
 * of calls to a server; or a function. Built by the macros of columns.c, which derive the type from
 * the field. */
struct column_source {
    enum { BASE_RESULT, BASE_CELL, BASE_RPC } base;
    enum { TYPE_U32, TYPE_U64, TYPE_DOUBLE, TYPE_TEXT, TYPE_HIST } type;
    size_t offset;
    unsigned permille; /* of a histogram */
    /* divides the value, a sum, by this number; NULL: not a sum */
    uint64_t (*per)(const struct result *result);
    double (*real)(const struct result *result); /* negative: unknown */
    void (*get)(const struct columns_context *context, const struct result *result,
                struct value *value);
};

struct column {
    const char *name; /* with unit, as in the CSV header */
    enum column_unit unit;
    enum column_group group;
    const char *meaning; /* for iosweep help columns; the man page has details */
    unsigned when;       /* bits of enum column_when */
    struct column_source source;
    /* in CSV without --columns: always (these come first, then the rest by groups), or only for a
     * team of several ranks, whose rows they identify */
    enum { NOT_BY_DEFAULT, BY_DEFAULT, BY_DEFAULT_OF_TEAM } by_default;
};

extern const struct column columns_table[]; /* ended by name NULL */
unsigned columns_count(void);

/* Names of units and groups for users. */
extern const char *const columns_unit_names[UNIT_COUNT];
extern const char *const columns_group_names[GROUP_COUNT];

/* Number of decimals of values that are not integers by nature. */
extern const unsigned columns_unit_decimals[UNIT_COUNT];

/* The value of a column in a row. */
void columns_get(const struct column *column, const struct columns_context *context,
                 const struct result *result, struct value *value);

/* Words for several columns, in addition to the groups: the default of CSV, and all. */
#define COLUMNS_DEFAULT_WORD "default"
#define COLUMNS_ALL_WORD     "all"

/* The column that has the name of that length; NULL: none. */
const struct column *columns_find(const char *name, size_t length);

static inline bool columns_is_measured(const struct result *result)
{
    return result->state != RESULT_SKIPPED;
}

static inline bool columns_has_operations(const struct result *result)
{
    return columns_is_measured(result) && result->sum.tally.operations > 0;
}

static inline void columns_put_count(struct value *value, uint64_t count)
{
    value->kind = VALUE_COUNT;
    value->count = count;
}

static inline void columns_put_text(struct value *value, const char *text)
{
    value->kind = VALUE_TEXT;
    value->text = text;
}

/* Selects columns by a list of names and words for several; a word adds the columns not selected
 * yet. NULL: the default, which has more columns for a team of several ranks. Returns an array of
 * *count indices, which the caller frees, or NULL with err (STATUS_USAGE, naming the word and the
 * valid names). */
unsigned *columns_select(const char *list, bool team, unsigned *count, struct error *err);

/* The engines of a run, each by its first cell, in the order of rows; without --engine the targets
 * determine them. cells: room for SETTINGS_ENGINES_MAX. Returns their number. */
unsigned columns_engines(const struct run_info *info, const struct cell **cells);

/* Identifies a part among those with the same test: "step 3, loop 2, repeat 1", without those that
 * occur once in the run; "" if each test is one step, run once. merged: without loop and repeat.
 * text: COLUMNS_PLACE_TEXT bytes; returns it. */
#define COLUMNS_PLACE_TEXT 64
char *columns_place(const struct settings *settings, const struct cell *cell, bool merged,
                    const char *between, char *text);

/* Appends the values of a cell in these axes that have words to a list: "direct, sequential, mix
 * 70, b, posix, 8 threads, depth 4". A label may need 160 bytes. */
void columns_add_axes(const struct run_info *info, const struct cell *cell, unsigned axes,
                      char *text, size_t size);

/* The next step of a run that has rows, from *place on, which begins with 0; NULL: no more. */
const struct step *columns_next_step(const struct settings *run, const struct cell *cells,
                                     unsigned count, unsigned *place);

/* Formats a step for --tests. text: COLUMNS_STEP_TEXT bytes; returns it. */
#define COLUMNS_STEP_TEXT 128
char *columns_step(const struct step *step, char *text);

/* Formats a mean by a function of units.h; with two digits if half_width, a share of the mean, is
 * COLUMNS_WIDE or more: "1.5 us", "510 us". text: UNITS_TEXT bytes; returns it. */
#define COLUMNS_WIDE 0.2
char *columns_format_mean(char *(*format)(double, char *), double mean, double half_width,
                          char *text);

/* Half width of the interval of a row, as a share of its mean; 0: unknown. */
double columns_half_width(const struct result *result);

/* All notes of a row joined by ';' ("rmw;skipped:beyond_file;wide"), most serious first. */
#define COLUMNS_NOTES_TEXT 512
char *columns_notes(const struct result *result, const struct run_info *info, char *text);

/* The effect of a note on its row; notes are printed in this order. */
enum note_weight {
    NOTE_ALARMS,    /* something failed, or ended early */
    NOTE_QUALIFIES, /* the figures measure something unexpected */
    NOTE_REMARKS    /* precision of the figures, and settings of the run */
};
/* The weight of a word of columns_notes. */
enum note_weight columns_note_weight(const char *word, size_t length);

/* Describes what rows of a target in a cache mode measure: "page cache, not the device". O_DIRECT
 * bypasses only the page cache of this machine: other possible caches are named. text:
 * COLUMNS_CACHE_TEXT bytes; returns it. */
#define COLUMNS_CACHE_TEXT 160
char *columns_cache_words(const struct target *target, const struct workload *work, char *text);

/* amount / time, in 1/s; negative: the time is 0. */
double columns_per_second(long double amount, uint64_t time_ns);

/* size * operations / time, in bytes/s; negative if unknown or the test moves no data. */
double columns_throughput(const struct result *result);
/* operations / time, in 1/s, for every test; negative if unknown. */
double columns_rate(const struct result *result);

/* Operations / time of a rank, in 1/s; negative if unknown. */
double columns_rank_rate(const struct result_rank *rank);

/* The number of ranks of a run, at least 1. */
uint32_t columns_ranks(const struct settings *settings);

/* The latency that this share of the operations did not exceed, by nearest rank; false without any
 * operation.  `permille` is 500, 900, 990 or 999. */
bool columns_percentile(const struct result *result, unsigned permille, uint64_t *ns);

#endif
