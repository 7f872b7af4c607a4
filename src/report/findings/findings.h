/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings.h - shared by the rules of the findings: extracts of rows, and the definition of a rule.
 * Only for findings*.c and their test. */
#ifndef REPORT_FINDINGS_FINDINGS_H
#define REPORT_FINDINGS_FINDINGS_H

#include <math.h>

#include "report/facts/busy.h"
#include "report/formats/print.h"

struct seen { /* copied from a row, whose result belongs to the sweep */
    const struct cell *cell;
    enum result_state state;
    enum result_stop stop;
    unsigned notes;
    uint64_t failed, operations;
    uint64_t done;                /* complete operations, including those without a measured time */
    uint64_t wrong;               /* operations */
    double throughput;            /* negative: unknown */
    double rate;                  /* operations per second; negative: unknown */
    double op_ns_low, op_ns_high; /* the interval of the mean; 0: unknown */
    double resident_fraction;     /* negative: unknown */
    double hit_share;   /* share of the operations served from memory; negative: unknown */
    double stall_share; /* share of the time spent in operations far longer than the median */
    /* share of the time of operations spent in open and close; negative: unknown */
    double opening_share;
    double processors; /* used by its threads, mean; 0: unknown */
    double op_ns_mean; /* 0: unknown */
    double latency_ns_p50, latency_ns_max;
    bool p99_known;
    uint64_t latency_ns_p99;
    struct seen_rpc {                /* calls to an NFS server; otherwise all 0 */
        struct target_rpc all, data; /* sums */
        char names[64];              /* calls made at least once per two operations */
    } rpc;
    struct seen_requests { /* to an object store; otherwise all 0 */
        struct engine_requests sum;
        double busy_fraction; /* share of the threads' time on a processor */
    } requests;
};

struct seen_rank {   /* over all rows */
    double share;    /* relative to the mean rank of each row, summed over f->rank_rows */
    uint64_t failed; /* operations */
};

struct findings {
    struct print_state state;
    struct findings_list *list; /* receives what is printed; MAY be NULL */
    const struct run_info *info;
    struct seen *rows;
    size_t count, capacity;
    struct busy_facts busy;    /* of the machine; cpus 0: not determined yet */
    const struct facts *facts; /* for the verdict; NULL: none */
    bool brief;                /* only serious findings, and the next step */
    bool no_verdict;           /* for tests: findings only */
    struct seen_rank *ranks;   /* of a team: rank_count of them */
    uint32_t rank_count;
    size_t rank_rows; /* rows in which ranks can be compared */
};

static inline const struct target *findings_target(const struct findings *f, const struct seen *row)
{
    return f->info->targets[row->cell->target];
}

static inline bool findings_virtual(const struct seen *row)
{
    return row->cell->engine->capabilities & ENGINE_VIRTUAL;
}

/* Whether this run created the files, so that --file-size is their length. */
static inline bool findings_own(const struct findings *f, const struct seen *row)
{
    return findings_target(f, row)->ours && !f->info->settings->existing;
}

/* Half width of its interval, as a share of the mean; 0: unknown. */
static inline double findings_half_width(const struct seen *row)
{
    return row->op_ns_mean > 0 ? (row->op_ns_high - row->op_ns_low) / 2 / row->op_ns_mean : 0;
}

struct gathered { /* the rows that a rule applies to */
    size_t count;
    const struct seen *worst;    /* the first row of largest weight; NULL: no row */
    double most, sum;            /* of the weights */
    bool own;                    /* findings_own of all rows; true if there are none */
    size_t targets;              /* of these rows */
    const struct target *target; /* the first target */
};

/* The weight of a row in a rule; UNCONCERNED: the rule does not apply. */
typedef double (*findings_weigh)(const struct findings *f, const struct seen *row);
#define UNCONCERNED (-INFINITY)

#define TERMS     4
#define TERM_TEXT 256
typedef char findings_terms[TERMS][TERM_TEXT];

/* A rule applies to the rows that have one of its notes (if it has notes) and a weight (if it has
 * `weigh`). If there are any, and `fill` returns true, its sentence is printed with these terms:
 *     {1} ... {4}                     the terms stored by `fill`
 *     {rows} {operations} {sum}       "3 rows"; "7 operations", "7" by the sum of the weights
 *     {most}                          the largest weight, as percent: "75 %"
 *     {worst}                         "reads of 64 KiB": the row of largest weight
 *     {targets}                       "/data and 2 other targets"
 *     {is|are}                        by the number of rows; {has/have}: of targets
 * A rule with neither notes nor `weigh` applies to the whole run: `fill` decides. */
struct rule {
    unsigned weight; /* the applicable rules of largest weight are printed, in that order; unique */
    bool serious;    /* printed even with a verdict only */
    bool warning;    /* casts doubt on figures */
    bool of_load;    /* other load has the same effect: skipped if the machine was busy */
    unsigned notes;
    findings_weigh weigh;
    bool (*fill)(const struct findings *f, const struct gathered *rows, findings_terms terms);
    const char *sentence;
};
/* Heads of the functions of a rule: WEIGH(wrong) defines weigh_wrong(f, row), FILL(wrong) defines
 * fill_wrong(f, rows, terms). */
#define WEIGH(name)                                                              \
    static double weigh_##name(__attribute__((unused)) const struct findings *f, \
                               const struct seen *row)
#define FILL(name)                                                               \
    static bool fill_##name(__attribute__((unused)) const struct findings *f,    \
                            __attribute__((unused)) const struct gathered *rows, \
                            __attribute__((unused)) findings_terms terms)

/* The rules of the files of the same name; each array ends with a rule without sentence. */
extern const struct rule findings_of_cache[], findings_of_curve[], findings_of_server[],
    findings_of_team[], findings_of_time[];

/* Collects the rows of a rule with these notes (0: any) and weights (NULL: equal). */
struct gathered findings_gather(const struct findings *f, unsigned notes, findings_weigh weigh);

/* Adds a sentence to f->list, if there is one; warning: it casts doubt on figures. */
void findings_keep(const struct findings *f, bool warning, const char *text);

/* "limited by a control group: 1.5 processors": the known limit of such a row; processors only if
 * the row used at least half of them. text: FINDINGS_LIMIT_TEXT bytes. */
#define FINDINGS_LIMIT_TEXT 240
bool findings_limit(const struct findings *f, const struct seen *row, char *text);

/* Formats a size as an option value, exact: "1Mi", "64Ki", "1000". text: UNITS_TEXT bytes; returns
 * it. */
char *findings_format_option(uint64_t size_bytes, char *text);

static inline const char *findings_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static inline uint64_t findings_size(const struct seen *row)
{
    return row->cell->work.size_bytes;
}

bool findings_has_direct(const struct findings *f); /* whether some row has --cache direct */
/* whether writes reached the server: close flushes */
bool findings_flushed(const struct seen *row);

/* The share of the time of NFS calls made by operations that moved no data; UNCONCERNED: too
 * small. */
double findings_opening_calls(const struct seen *row);

/* Prints a verdict on each target on stderr; nothing if no row supports one. warned: a finding has
 * already reported what casts doubt on the figures. */
void findings_verdict(const struct findings *f, bool warned);

/* Copy the figures of a row that the rules of these files need. */
void findings_see_server(const struct result *result, struct seen *row);
void findings_see_ranks(struct findings *f, const struct result *result);
/* If all failures occurred on one of several hosts: " (all on nas3)"; otherwise "". */
char *findings_failing_host(const struct findings *f, char *text, size_t size);
/* Share of the time of all operations spent in those above 10 times the median latency; 0 with
 * fewer than 100 operations. */
double findings_stall_share(const struct tally *tally);

#endif
