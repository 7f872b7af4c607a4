/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings.h - what the rules of the findings share: the rows as far as they matter, and the rules
 * themselves.  Only for findings*.c and their test.
 *
 * A rule looks at all rows (there is at least one) and either writes its sentence, of at most
 * FINDING_TEXT bytes with the end, or returns false. */
#ifndef REPORT_FINDINGS_FINDINGS_H
#define REPORT_FINDINGS_FINDINGS_H

#include "base/busy.h"
#include "report/formats/print.h"

struct seen { /* what is kept of a row: the result is not ours */
    const struct cell *cell;
    enum result_state state;
    enum result_stop stop;
    unsigned notes;
    uint64_t failed, operations;
    uint64_t done;            /* complete operations, with those that are in no figure of time */
    uint64_t wrong;           /* operations */
    double throughput;        /* negative: not known */
    double rate;              /* operations per second; negative: not known */
    double submit_fraction;   /* of the time, inside the submitting call; negative: not known */
    double helper_fraction;   /* of the CPU time, by kernel threads; negative: not known */
    double half_width;        /* of the interval, as a share of the mean; 0: not known */
    double resident_fraction; /* negative: not known */
    double hit_share;         /* of the operations, answered by memory; negative: not known */
    double stall_share;       /* of the time of operations: those far longer than the median */
    uint32_t stalled;         /* the thread or rank that had all of them, from 1 on; 0: none had */
    /* of the time of operations: open and close; negative: not known */
    double opening_share;
    double in_flight;                   /* operations, mean; negative: not known */
    double speed_low_ns, speed_high_ns; /* see struct result; 0: not known */
    double failed_share;                /* of the time: failed and short operations */
    double op_ns_mean;                  /* 0: not known */
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
        bool kept;            /* connections were to be kept */
    } requests;
    struct seen_team { /* all 0 without one */
        double common_fraction;
        uint32_t latest; /* the rank that began its slices the latest */
        double late_ns;  /* so much, mean */
        double slice_ns; /* how long a slice was, mean */
    } team;
};

struct seen_rank {   /* over all rows */
    double share;    /* of the mean rank of each row, summed over f->rank_rows */
    uint64_t failed; /* operations */
};

struct findings {
    struct print_state state;
    struct findings_list *list; /* MAY: gets what is told */
    const struct run_info *info;
    struct seen *rows;
    size_t count, capacity;
    struct busy_facts busy;    /* of the machine; no processors: not looked at yet */
    const struct facts *facts; /* for the verdict; NULL: there are none */
    bool brief;                /* a verdict in place of findings */
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

struct gathered { /* the rows that a rule is about */
    size_t count;
    const struct seen *worst; /* of the largest weight, the first of them; NULL: there is no row */
    double most, sum;         /* of the weights */
    bool own;                 /* findings_own of all; true to begin with */
};

/* Adds a row to those. */
void findings_gather(const struct findings *f, struct gathered *rows, const struct seen *row,
                     double weight);

/* "reads of 64 KiB", of a row.  text: FINDINGS_ROW_TEXT bytes; returns it. */
#define FINDINGS_ROW_TEXT 96
char *findings_row_text(const struct seen *row, char *text);

/* What the rules of findings_nfs.c need of a row. */
void findings_see_rpc(const struct result *result, struct seen_rpc *rpc);

static inline const char *findings_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* As options take it, exact: "1Mi", "64Ki", "1000".  text: UNITS_TEXT bytes; returns it. */
char *findings_format_option(uint64_t size_bytes, char *text);

/* findings.c */

/* A sentence on stderr, behind that word and for who keeps them. */
void findings_tell(const struct findings *f, const char *kind, const char *text);

/* Others than this run kept the processors busy. */
bool findings_is_busy(const struct findings *f);
/* "3 of 16 rows are not steady (worst: ...)"; false: all are. */
bool findings_unsteady(const struct findings *f, char *text);
bool findings_wide(const struct findings *f, char *text);

/* findings_verdict.c: on each target, as lines on stderr; nothing where no row says anything */
void findings_verdict(const struct findings *f);

/* findings_async.c: verification, rates, and what asynchronous engines do with depth */
bool findings_wrong(const struct findings *f, char *text);
bool findings_rate(const struct findings *f, char *text);
bool findings_submit(const struct findings *f, char *text);
bool findings_punted(const struct findings *f, char *text);
bool findings_depth(const struct findings *f, char *text);

/* findings_cache.c: what memory had to do with the figures */
bool findings_has_direct(const struct findings *f); /* some row of the run is of --cache direct */
bool findings_unwritten(const struct findings *f, char *text);
bool findings_zeros(const struct findings *f, char *text);
bool findings_in_memory(const struct findings *f, char *text);
bool findings_below(const struct findings *f, char *text);
bool findings_cache_hits(const struct findings *f, char *text);
bool findings_page_cache(const struct findings *f, char *text);
bool findings_uncached_writes(const struct findings *f, char *text);
bool findings_asis(const struct findings *f, char *text);
bool findings_not_cached(const struct findings *f, char *text);

/* findings_fit.c: the line through the points of a curve */
bool findings_fit(const struct findings *f, char *text);

/* findings_flight.c: was the concurrency there, and was the time spent on what the row is about? */
bool findings_failed_time(const struct findings *f, char *text);
bool findings_drained(const struct findings *f, char *text);
bool findings_speed(const struct findings *f, char *text);

/* findings_knee.c: the shape of the curve.  A row belongs to a test unless it moves no data; it is
 * a point of the curve when it was measured; a test is one series when all its rows differ in size
 * only. */
bool findings_knees(const struct findings *f, char *text);
bool findings_belongs(const struct seen *row, enum io_test test);
bool findings_is_point(const struct seen *row);
bool findings_one_series(const struct findings *f, enum io_test test);
static inline uint64_t findings_size(const struct seen *row)
{
    return row->cell->work.size_bytes;
}

/* findings_nfs.c: what the calls of an NFS client say */
bool findings_flushed(const struct seen *row); /* writes that went to the server: close flushes */
bool findings_resent(const struct findings *f, char *text);
bool findings_opens(const struct findings *f, char *text);
bool findings_queue(const struct findings *f, char *text);

/* findings_requests.c: what the requests to an object store say */
void findings_see_requests(const struct result *result, struct seen_requests *requests);
bool findings_slow_down(const struct findings *f, char *text);
bool findings_held_back(const struct findings *f, char *text);
bool findings_connections(const struct findings *f, char *text);
bool findings_retries(const struct findings *f, char *text);
bool findings_client(const struct findings *f, char *text);
bool findings_first_byte(const struct findings *f, char *text);

/* findings_team.c: ranks and hosts of a team */
void findings_see_ranks(struct findings *f, const struct result *result, struct seen_team *team);
char *findings_failing_host(const struct findings *f, char *text, size_t size);
bool findings_slow_rank(const struct findings *f, char *text);
bool findings_ranks_apart(const struct findings *f, char *text);
bool findings_hosts_differ(const struct findings *f, char *text);
bool findings_clocks(const struct findings *f, char *text);

/* findings_time.c: where the time of operations went */
bool findings_busy(const struct findings *f, char *text);
bool findings_apart(const struct findings *f, char *text);
bool findings_stalls(const struct findings *f, char *text);
bool findings_opening(const struct findings *f, char *text);
/* Share of the time of all operations that went into those above 10 times the median latency; 0
 * with fewer than 100 operations. */
double findings_stall_share(const struct tally *tally);

/* The only thread (of a team: rank), from 1 on, that had operations as long as the longest; 0:
 * several had, or there is only one. */
uint32_t findings_stalled(const struct result *result);

#endif
