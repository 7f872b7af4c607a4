/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings.h - what the rules of the findings share: the rows as far as they matter, and what a
 * rule is.  Only for findings*.c and their test. */
#ifndef REPORT_FINDINGS_FINDINGS_H
#define REPORT_FINDINGS_FINDINGS_H

#include <math.h>

#include "report/facts/busy.h"
#include "report/formats/print.h"

struct seen { /* what is kept of a row: the result is not ours */
    const struct cell *cell;
    enum result_state state;
    enum result_stop stop;
    unsigned notes;
    uint64_t failed, operations;
    uint64_t done;     /* complete operations, with those that are in no figure of time */
    uint64_t wrong;    /* operations */
    double throughput; /* negative: not known */
    double rate;       /* operations per second; negative: not known */
    double op_ns_low, op_ns_high; /* the interval of the mean; 0: not known */
    double resident_fraction;     /* negative: not known */
    double hit_share;             /* of the operations, answered by memory; negative: not known */
    double stall_share;           /* of the time of operations: those far longer than the median */
    /* of the time of operations: open and close; negative: not known */
    double opening_share;
    double processors; /* that its threads used, mean; 0: not known */
    double op_ns_mean; /* 0: not known */
    double latency_ns_p50, latency_ns_max;
    bool p99_known;
    uint64_t latency_ns_p99;
    struct seen_rpc {                /* calls to an NFS server; all 0 elsewhere */
        struct target_rpc all, data; /* sums */
        char names[64];              /* those there are one of in every second operation */
    } rpc;
    struct seen_requests { /* to an object store; all 0 elsewhere */
        struct engine_requests sum;
        double busy_fraction; /* of the time of the threads: they used a processor */
    } requests;
};

struct seen_rank {   /* over all rows */
    double share;    /* of the mean rank of each row, summed over f->rank_rows */
    uint64_t failed; /* operations */
};

struct findings {
    struct print_state state;
    struct findings_list *list; /* MAY: gets what is shown */
    const struct run_info *info;
    struct seen *rows;
    size_t count, capacity;
    struct busy_facts busy;    /* of the machine; no processors: not looked at yet */
    const struct facts *facts; /* for the verdict; NULL: there are none */
    bool brief;                /* no findings but serious ones, and what to do next */
    bool no_verdict;           /* tests want findings alone */
    struct seen_rank *ranks;   /* of a team: rank_count of them */
    uint32_t rank_count;
    size_t rank_rows; /* in which ranks can be compared */
};

static inline const struct target *findings_target(const struct findings *f, const struct seen *row)
{
    return f->info->targets[row->cell->target];
}

static inline bool findings_virtual(const struct seen *row)
{
    return row->cell->engine->capabilities & ENGINE_VIRTUAL;
}

/* The files were made by this run, so that --file-size tells how long they are. */
static inline bool findings_own(const struct findings *f, const struct seen *row)
{
    return findings_target(f, row)->ours && !f->info->settings->existing;
}

/* Half of its interval, as a share of the mean; 0: not known. */
static inline double findings_half_width(const struct seen *row)
{
    return row->op_ns_mean > 0 ? (row->op_ns_high - row->op_ns_low) / 2 / row->op_ns_mean : 0;
}

struct gathered { /* the rows that a rule is about */
    size_t count;
    const struct seen *worst; /* of the largest weight, the first of them; NULL: there is no row */
    double most, sum;         /* of the weights */
    bool own;                 /* findings_own of all; true where there are none */
    size_t targets;           /* that they are on */
    const struct target *target; /* the first of these */
};

/* How much a row is of a rule; UNCONCERNED: it is not. */
typedef double (*findings_weigh)(const struct findings *f, const struct seen *row);
#define UNCONCERNED (-INFINITY)

#define TERMS     4
#define TERM_TEXT 256
typedef char findings_terms[TERMS][TERM_TEXT];

/* A rule is about the rows that have one of its notes and that it weighs, whichever of both it has;
 * where there are any, and `fill` does not refuse, its sentence is written.  In that stand
 *     {1} ... {4}                     what `fill` has written into these terms
 *     {rows} {operations} {sum}       "3 rows"; "7 operations", "7" by the sum of the weights
 *     {most}                          of the weights, as percent: "75 %"
 *     {worst}                         "reads of 64 KiB": the row of most weight
 *     {targets}                       "/data and 2 other targets"
 *     {is|are}                        by the number of rows; {has/have}: of targets
 * A rule with neither notes nor weights is about the whole run: `fill` decides. */
struct rule {
    unsigned weight; /* the largest of those that apply are shown, in that order; unique */
    bool serious;    /* what a verdict must not be read without */
    bool warning;    /* it makes figures doubtful */
    bool of_load;    /* what other load does, too: left out where the machine was busy */
    unsigned notes;
    findings_weigh weigh;
    bool (*fill)(const struct findings *f, const struct gathered *rows, findings_terms terms);
    const char *sentence;
};
/* Heads of the functions of a rule: WEIGH(wrong) is weigh_wrong, which knows f and row; FILL(wrong)
 * is fill_wrong, which knows f, rows and terms. */
#define WEIGH(name)                                                              \
    static double weigh_##name(__attribute__((unused)) const struct findings *f, \
                               const struct seen *row)
#define FILL(name)                                                               \
    static bool fill_##name(__attribute__((unused)) const struct findings *f,    \
                            __attribute__((unused)) const struct gathered *rows, \
                            __attribute__((unused)) findings_terms terms)

/* Of the files of the same name, each ending in one without a sentence. */
extern const struct rule findings_of_cache[], findings_of_curve[], findings_of_server[],
    findings_of_team[], findings_of_time[];

/* Those that a rule with these notes (0: any) and weights (NULL: all the same) is about. */
struct gathered findings_gather(const struct findings *f, unsigned notes, findings_weigh weigh);

/* Puts a sentence into f->list, if there is one; warning: it makes figures doubtful. */
void findings_keep(const struct findings *f, bool warning, const char *text);

/* "limited by a control group: 1.5 processors": what is known to limit such a row; the processors
 * only where the row used half of them or more.  text: FINDINGS_LIMIT_TEXT bytes. */
#define FINDINGS_LIMIT_TEXT 240
bool findings_limit(const struct findings *f, const struct seen *row, char *text);

/* As options take it, exact: "1Mi", "64Ki", "1000".  text: UNITS_TEXT bytes; returns it. */
char *findings_format_option(uint64_t size_bytes, char *text);

static inline const char *findings_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static inline uint64_t findings_size(const struct seen *row)
{
    return row->cell->work.size_bytes;
}

bool findings_has_direct(const struct findings *f); /* some row of the run is of --cache direct */
bool findings_flushed(const struct seen *row); /* writes that went to the server: close flushes */

/* The share of the time of calls to an NFS server that moved no data, where operations made them;
 * UNCONCERNED: too little. */
double findings_opening_calls(const struct seen *row);

/* On each target, as lines on stderr; nothing where no row says anything.  warned: a finding has
 * said what makes the figures doubtful. */
void findings_verdict(const struct findings *f, bool warned);

/* What is kept of a row for the rules of these files. */
void findings_see_server(const struct result *result, struct seen *row);
void findings_see_ranks(struct findings *f, const struct result *result);
/* All that failed did so on one of several hosts: " (all on nas3)"; "" otherwise. */
char *findings_failing_host(const struct findings *f, char *text, size_t size);
/* Share of the time of all operations that went into those above 10 times the median latency; 0
 * with fewer than 100 operations. */
double findings_stall_share(const struct tally *tally);

#endif
