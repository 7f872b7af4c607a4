/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings.h - shared by the rules of the findings, and the definition of a rule. Only for
 * findings*.c and their tests. */
#ifndef REPORT_FINDINGS_FINDINGS_H
#define REPORT_FINDINGS_FINDINGS_H

#include <math.h>

#include "report/facts/facts.h"
#include "report/formats/print.h"

/* --- other load on the machine --- */

enum busy {
    BUSY_NOT_KNOWN,
    BUSY_QUIET,    /* hardly any other load */
    BUSY_SOMEWHAT, /* other load, but it left processors to the run */
    BUSY_YES
};
/* threads: of the run, the maximum over all rows. */
enum busy busy_judge(const struct run_use *use, uint64_t threads);

/* The reason: "other programs used 43 % of the processors". text: BUSY_TEXT bytes; returns it. */
#define BUSY_TEXT 120
char *busy_tell(const struct run_use *use, char *text);

/* --- rows --- */

struct findings {
    struct print_state state;
    struct findings_list *list; /* receives what is printed; MAY be NULL */
    const struct facts *facts;  /* for the verdict; NULL: none */
    bool brief;                 /* only serious findings, and the next step */
    bool no_verdict;            /* for tests: findings only */
    const struct run_info *info;
    const struct result *const *rows; /* count of them; these and `busy` are set at the end */
    size_t count;
    enum busy busy;
};

static inline const struct target *findings_target(const struct findings *f,
                                                   const struct result *row)
{
    return f->info->targets[row->cell->target];
}

static inline bool findings_virtual(const struct result *row)
{
    return row->cell->engine->capabilities & ENGINE_VIRTUAL;
}

static inline uint64_t findings_size(const struct result *row)
{
    return row->cell->work.size_bytes;
}

static inline uint64_t findings_operations(const struct result *row)
{
    return row->sum.tally.operations;
}

/* The median latency; 0: unknown. */
static inline double findings_p50(const struct result *row)
{
    uint64_t ns;

    return columns_percentile(row, 500, &ns) ? (double)ns : 0;
}

/* Whether this run created the files, so that --file-size is their length. */
static inline bool findings_own(const struct findings *f, const struct result *row)
{
    return findings_target(f, row)->ours && !f->info->settings->existing;
}

/* Sums of the calls to an NFS server, or of those that move data; 0 without such calls. */
static inline struct target_rpc findings_calls(const struct result *row, bool data_only)
{
    return row->rpc ? target_traffic_total(row->rpc, data_only) : (struct target_rpc){.count = 0};
}

/* Whether writes reached the server: close flushes. */
bool findings_flushed(const struct result *row);

/* "limited by a control group: 1.5 processors": the known limit of such a row; processors only if
 * the row used at least half of them. text: FINDINGS_LIMIT_TEXT bytes. */
#define FINDINGS_LIMIT_TEXT 240
bool findings_limit(const struct findings *f, const struct result *row, char *text);

static inline const char *findings_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* --- rules --- */

struct gathered {                /* the rows that a rule applies to */
    size_t count, measured;      /* and of all measured rows */
    const struct result *worst;  /* the first row of largest weight; NULL: no row */
    double most, sum;            /* of the weights */
    unsigned caches;             /* bits 1 << CACHE_x of all measured rows */
    bool own;                    /* findings_own of all rows; true if there are none */
    size_t targets;              /* of these rows */
    const struct target *target; /* the first target */
};

/* The weight of a measured row in a rule; UNCONCERNED: the rule does not apply. */
typedef double (*findings_weigh)(const struct findings *f, const struct result *row);
#define UNCONCERNED (-INFINITY)

#define TERMS     4
#define TERM_TEXT FINDING_TEXT
typedef char findings_terms[TERMS][TERM_TEXT];

/* A rule applies to the rows that have one of its notes (if it has notes) and a weight (if it has
 * `weigh`). If there are any, and `fill` returns true, its sentence is printed with these terms:
 *     {1} ... {4}                     the terms stored by `fill`
 *     {rows} {share}                  "3 rows"; "3 of 7 rows", which were measured
 *     {operations} {sum}              "7 operations", "7": by the sum of the weights
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
                               const struct result *row)
#define FILL(name)                                                               \
    static bool fill_##name(__attribute__((unused)) const struct findings *f,    \
                            __attribute__((unused)) const struct gathered *rows, \
                            __attribute__((unused)) findings_terms terms)

/* The rules about files, and those about servers and teams; each array ends with a rule without
 * sentence. */
extern const struct rule findings_of_files[], findings_of_servers[];

/* Collects the measured rows of a rule with these notes (0: any) and weights (NULL: equal). */
struct gathered findings_gather(const struct findings *f, unsigned notes, findings_weigh weigh);

/* Appends a sentence with its terms in braces expanded; text: FINDING_TEXT bytes. */
void findings_expand(const char *sentence, const struct gathered *rows, findings_terms terms,
                     char *text);

/* Adds a sentence to f->list, if there is one; warning: it casts doubt on figures. */
void findings_keep(const struct findings *f, bool warning, const char *text);

/* Prints a verdict on each target on stderr; nothing if no row supports one. warned: a finding has
 * already reported what casts doubt on the figures. */
void findings_verdict(const struct findings *f, bool warned);

#endif
