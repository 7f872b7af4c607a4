/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns.h - the one table of columns.  Header and rows of every format and iosweep help columns
 * come from it, so they cannot differ. */
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

/* What has to be true of a row, so that it has a value in a column. */
enum column_when {
    ALWAYS = 0,
    MEASURED = 1u << 0,   /* it was not skipped; so have all of the following */
    OPERATIONS = 1u << 1, /* some were completed */
    ROUNDS = 1u << 2,     /* some were measured */
    SPREAD = 1u << 3,     /* at least two */
    INTERVAL = 1u << 4,   /* enough for an interval of their mean */
    OPEN = 1u << 5,       /* that phase of the cycle was timed in each operation */
    SEEK = 1u << 6,
    TRANSFER = 1u << 7,
    CLOSE = 1u << 8,
    EACH_OPEN = 1u << 9, /* and its times are known one by one, not only their sum */
    EACH_CLOSE = 1u << 10,
    DEVICE = 1u << 11,      /* the system counts bytes moved to and from storage */
    VERIFIED = 1u << 12,    /* the data were verified */
    CALLS = 1u << 13,       /* calls to a file server are counted */
    REQUESTS = 1u << 14,    /* so are requests to an object store */
    CONNECTIONS = 1u << 15, /* and their connections, which some libraries do not report */
    STATS = 1u << 16,       /* names were looked up */
    LEFT = 1u << 17,        /* the objects that are left of a kept run are known */
    RANKS = 1u << 18,       /* it has several */
    NOT_ZERO = 1u << 19,    /* 0 means that nothing is known, or nothing was asked for */
};

enum column_group {
    OF_ROW, /* tells rows apart */
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

/* Where a column's value stands, and what is made of it: a field, by its place in the result, its
 * cell or the sum of the calls to a server; or a function.  Made by the macros of columns.c, which
 * take the type from the field. */
struct column_source {
    enum { BASE_RESULT, BASE_CELL, BASE_RPC } base;
    enum { TYPE_U32, TYPE_U64, TYPE_DOUBLE, TYPE_TEXT, TYPE_HIST } type;
    size_t offset;
    unsigned permille; /* of a histogram */
    /* the value is a sum over this number; NULL: it is none */
    uint64_t (*per)(const struct result *result);
    double (*real)(const struct result *result); /* negative: not known */
    void (*get)(const struct columns_context *context, const struct result *result,
                struct value *value);
};

struct column {
    const char *name; /* with unit, as in the CSV header */
    enum column_unit unit;
    enum column_group group;
    const char *meaning; /* for iosweep help columns; the man page says it at length */
    unsigned when;       /* bits of enum column_when */
    struct column_source source;
    /* in CSV without --columns: always, and these come first, then the rest by groups; or of a team
     * of several ranks, for which alone they tell rows apart */
    enum { NOT_BY_DEFAULT, BY_DEFAULT, BY_DEFAULT_OF_TEAM } by_default;
};

extern const struct column columns_table[]; /* ended by name NULL */
unsigned columns_count(void);

/* How units and groups are called for users. */
extern const char *const columns_unit_names[UNIT_COUNT];
extern const char *const columns_group_names[GROUP_COUNT];

/* How many decimals numbers have that are not whole by nature. */
extern const unsigned columns_unit_decimals[UNIT_COUNT];

/* The value of a column in a row. */
void columns_get(const struct column *column, const struct columns_context *context,
                 const struct result *result, struct value *value);

/* Words for several columns, beside those of the groups: those of CSV without --columns,
 * and all. */
#define COLUMNS_DEFAULT_WORD "default"
#define COLUMNS_ALL_WORD     "all"

/* True when a column has this name of that length. */
bool columns_has(const char *name, size_t length);

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

/* Choice of columns by a list of their names and of words for several, of which those are added
 * that are not there yet; NULL: the default, which has more columns of a team of several ranks.
 * Returns an array of indices to free, *count of them, or NULL with err (STATUS_USAGE, naming the
 * word and the names there are). */
unsigned *columns_select(const char *list, bool team, unsigned *count, struct error *err);

/* The engines of a run, each by its first cell, in the order of rows; without --engine they follow
 * from the targets.  cells: room for SETTINGS_ENGINES_MAX.  Returns how many. */
unsigned columns_engines(const struct run_info *info, const struct cell **cells);

/* What tells apart the parts of a run that do the same test: "step 3, loop 2, repeat 1", of these
 * what there are several of in the run; "" where each test is one step, done once.  Takes
 * COLUMNS_PLACE_TEXT bytes of text; returns it. */
#define COLUMNS_PLACE_TEXT 64
char *columns_place(const struct settings *settings, const struct cell *cell, const char *between,
                    char *text);

/* Adds to a list the values of a cell in these axes, as far as they have words: "direct,
 * sequential, mix 70, b, posix, 8 threads, depth 4".  A label may take the space of 160 bytes. */
void columns_add_axes(const struct run_info *info, const struct cell *cell, unsigned axes,
                      char *text, size_t size);

/* A step as --tests takes it.  Takes COLUMNS_STEP_TEXT bytes of text; returns it. */
#define COLUMNS_STEP_TEXT 128
char *columns_step(const struct step *step, char *text);

/* A mean as units.h formats it; with two digits where half of its interval, as a share of it, is
 * COLUMNS_WIDE or more: "1.5 us", "510 us".  Takes UNITS_TEXT bytes of text; returns it. */
#define COLUMNS_WIDE 0.2
char *columns_format_mean(char *(*format)(double, char *), double mean, double half_width,
                          char *text);

/* All notes of a row joined by ';' ("rmw;skipped:beyond_file;wide"), the heaviest first, written to
 * text. */
#define COLUMNS_NOTES_TEXT 512
char *columns_notes(const struct result *result, const struct run_info *info, char *text);

/* What a note does to its row.  They stand in this order. */
enum note_weight {
    NOTE_ALARMS,    /* something failed, or was cut short */
    NOTE_QUALIFIES, /* the figures are of something else than one might think */
    NOTE_REMARKS    /* how well they are known, and what the run was asked for */
};
/* Of one of the words of columns_notes. */
enum note_weight columns_note_weight(const char *word, size_t length);

/* What rows of a target in a state of the cache are about, in words: "page cache, not the device".
 * O_DIRECT goes past the page cache of this machine, no more: who may still cache is named.  Takes
 * COLUMNS_CACHE_TEXT bytes of text; returns it. */
#define COLUMNS_CACHE_TEXT 160
char *columns_cache_words(const struct target *target, const struct workload *work, char *text);

/* size * operations / time in bytes/s; negative when not known, and of tests that move no data. */
double columns_throughput(const struct result *result);
/* operations / time in 1/s, of every test; negative when not known. */
double columns_rate(const struct result *result);

/* What that many complete operations of the row moved; false where they move no data. */
bool columns_bytes(const struct result *result, uint64_t operations, uint64_t *bytes);

/* Its operations / its time in 1/s; negative when not known. */
double columns_thread_rate(const struct slice_thread *thread);

/* The same of a rank. */
double columns_rank_rate(const struct result_rank *rank);

/* Mean latency of its operations, and how late it began the slices of the row, mean; NAN: not
 * known. */
double columns_rank_latency_ns(const struct result_rank *rank);
double columns_rank_late_ns(const struct result *result, const struct result_rank *rank);

/* How many ranks a run has, at least 1, and on how many hosts they are; 0: not known. */
uint32_t columns_ranks(const struct settings *settings);
uint32_t columns_hosts(const struct settings *settings);

/* "4 ranks on 2 hosts".  Takes COLUMNS_TEAM_TEXT bytes of text; returns it. */
#define COLUMNS_TEAM_TEXT 64
char *columns_team_words(const struct settings *settings, char *text);

/* The latency that this share of the operations did not exceed, by nearest rank; false without any
 * operation.  `permille` is 500, 900, 990 or 999. */
bool columns_percentile(const struct result *result, unsigned permille, uint64_t *ns);

#endif
