/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results.h - results of earlier runs, read back from the files they were written to: CSV (any
 * separator and decimal mark that --separator and --decimal can give, also several files one after
 * the other), JSON, and the classic output of io_profile.  Which one it is, is seen from the
 * content.  What a file does not tell is NAN, 0 or "". */
#ifndef ANALYSIS_RESULTS_RESULTS_H
#define ANALYSIS_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum results_format { RESULTS_CSV, RESULTS_JSON, RESULTS_CLASSIC, RESULTS_SERIES };

struct text_field {
    const char *name;
    const char *text; /* of a number: with a decimal point; "": not known */
};

struct results_whole;
#define RESULTS_NO_MIX UINT64_MAX

struct results_row {
    const char *test, *target, *engine, *cache, *notes, *label; /* never NULL; "": not known */
    const char *access; /* "sequential" or "once"; "": random, or not known */
    uint64_t size_bytes;
    uint64_t threads, depth; /* 1 where the file does not say, as the next five */
    uint64_t ranks;
    uint64_t step, loop, repeat;
    uint64_t mix;          /* percent of reads; RESULTS_NO_MIX: writes or reads alone */
    uint64_t filled_bytes; /* test fill: written after the row; 0: another test */
    /* The step among those of the file that do the same test, from 1 on: what makes steps of two
     * files the same. */
    uint64_t pass;
    uint64_t operations; /* 0: not known */
    bool skipped;        /* notes say so: there are no figures */
    bool incomplete;
    /* NAN: not known, as all below; the rate follows from the throughput when only that is given */
    double time_s, throughput_bytes_per_s, rate_per_s;
    /* Time per operation, of all threads together (1e9 / rate), in ns: median over the rounds and
     * its interval. */
    double op_ns_median, op_ns_low, op_ns_high;
    double latency_ns_p50, latency_ns_p90, latency_ns_p99, latency_ns_p999, latency_ns_max;
    double op_ns_min, cpu_ns_per_op;
    double queued_ns_per_op;    /* ready to run, but without a processor */
    double reference_ns;        /* of the reference in the rounds of this row, their median */
    double *round_ns;           /* op_ns of each round, in order; NULL: the file has no rounds */
    double *reference_round_ns; /* of the reference, beside each of them; NULL: not known */
    size_t round_count;
    const struct results_whole *whole; /* NULL: read with results_read */
    const struct text_field *fields;   /* of a record of --series: all, word by word */
    size_t field_count;
};

/* A column as the file has it, also one that is not among the fields of the row. */
struct results_value {
    const char *name, *text; /* text NULL: a number */
    double number;
};

struct results_bucket { /* of the histogram of latencies */
    uint64_t lower_ns, count;
};

struct results_thread { /* what one thread did */
    uint64_t operations;
    double time_s;
};

/* All that a file has of a row, in its order: of files read with results_read_whole. */
struct results_whole {
    struct results_value *values;
    struct results_bucket *buckets;
    struct results_thread *threads;
    size_t value_count, bucket_count, thread_count;
};

struct results { /* one file; owns all strings and arrays of its rows */
    char *path;  /* as given; "-" is standard input */
    enum results_format format;
    char *host, *date, *version; /* JSON; classic: host and date; else "" */
    struct results_row *rows;    /* in the order of the file */
    size_t count;
    /* What JSON says of the run beside its rows; of several documents in a file the first.  Names
     * are paths: "host.kernel", "targets.0.filesystem", "settings.sizes" (words joined by ','),
     * "seed", "command", "changed.0.what".  What is not known is left out. */
    const struct text_field *facts; /* fact_count of them, in the order of the file */
    size_t fact_count;
    const char *const *findings; /* sentences, finding_count of them */
    size_t finding_count;
    bool has_notes; /* rows without notes have nothing to note; false: that is not known */
    void *arena;    /* results.c's own */
};

/* Reads a file.  Of a report (HTML) with several runs, PATH#N names one, from 1 on; without it such
 * a report is refused, with the names.  Errors name file and line and what was expected there
 * (STATUS_USAGE: missing, unreadable, not a result, no row, damaged).  Returns 0 or -1; then
 * nothing is to be freed. */
int results_read(const char *path, struct results *results, struct error *err);
/* The same, and all columns, histograms and threads with it. */
int results_read_whole(const char *path, struct results *results, struct error *err);
/* The same with `whole`, else as results_read, and also records of --series: each is a row then,
 * whose time_s is the end of the interval since the start, and which has all its `fields`; records
 * of intervals without a row are left out. */
int results_read_any(const char *path, bool whole, struct results *results, struct error *err);
void results_free(struct results *results);

/* A fact by its name; "": not known. */
const char *results_fact(const struct results *results, const char *name);

/* Behind the last slash, unless nothing is. */
const char *results_base_name(const char *path);

/* The file that is read for PATH, or PATH#N where there is none of that name, and then *run = N,
 * else 0.  To free. */
char *results_file_name(const char *path, unsigned *run);

/* How many runs a report (HTML) holds: 0 where the file is none, or names one by #N. */
unsigned results_count_runs(const char *path);

/* Time per operation in ns: the median over rounds when known, else time / operations, else
 * 1e9 / rate; NAN when the row has none of them or was skipped. */
double results_op_ns(const struct results_row *row);

/* Whether operations of that test move data of the size asked for, as all do but those on object
 * stores that ask for names or change them ("stat", "list" ...).  Others have no throughput, and
 * their time does not follow from the size.  A test that is not known ("") moves data. */
bool results_moves_data(const char *test);

/* size / op_ns in bytes/s; NAN when not known, and of tests that move no data. */
double results_throughput(const struct results_row *row);

/* What tells the row apart from others of its test: ", step 3, loop 2", of step, loop and repeat
 * those that are not the first; "" mostly.  text: RESULTS_PLACE_TEXT bytes; returns it. */
#define RESULTS_PLACE_TEXT 96
char *results_place(const struct results_row *row, char *text);

/* Rows that belong to one curve: same file, test, step, loop, repeat, target, engine, cache,
 * access, threads, depth, ranks and label. */
struct results_curve {
    const struct results *file;
    const struct results_row **rows; /* by rising size; rows without figures are left out */
    size_t count;
};

/* All curves of a file in the order of their first rows; *count of them.  A size that occurs twice
 * stays twice.  Returns an array (free with results_free_curves), never NULL. */
struct results_curve *results_curves(const struct results *results, size_t *count);
void results_free_curves(struct results_curve *curves, size_t count);

/* What tells the curves of a set apart, for legends and tables: the words that are not the same in
 * all of them ("read direct depth 8"); "" when there is one only.  text: 512 bytes; returns it. */
#define RESULTS_CURVE_TEXT 512
char *results_curve_name(const struct results_curve *curve, const struct results_curve *all,
                         size_t count, char *text);

/* The same piece by piece.  What curves can differ in, in the order of a name: bits 1 << word. */
enum results_word {
    RESULTS_WORD_FILE,
    RESULTS_WORD_TEST,
    RESULTS_WORD_STEP,
    RESULTS_WORD_LOOP,
    RESULTS_WORD_REPEAT,
    RESULTS_WORD_MIX,
    RESULTS_WORD_TARGET,
    RESULTS_WORD_ENGINE,
    RESULTS_WORD_CACHE,
    RESULTS_WORD_ACCESS,
    RESULTS_WORD_THREADS,
    RESULTS_WORD_DEPTH,
    RESULTS_WORD_RANKS,
    RESULTS_WORD_LABEL,
    RESULTS_WORD_COUNT
};
/* Those that are not the same in all curves. */
unsigned results_words_apart(const struct results_curve *all, size_t count);
bool results_same_words(const struct results_curve *a, const struct results_curve *b,
                        unsigned words);
/* Those words of the curve; `all` tells whether files need their directories. */
char *results_curve_words(const struct results_curve *curve, const struct results_curve *all,
                          size_t count, unsigned words, char *text);

/* A text from a file of results, fit for a terminal.  Takes text, from malloc; to free. */
char *results_printable(char *text);

#endif
