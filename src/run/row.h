/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row.h - measuring one row, slice by slice: calibration, sizes of slices, the results of rounds.
 * The sweep determines the order of slices. */
#ifndef RUN_ROW_H
#define RUN_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/flag.h"
#include "base/mem.h"
#include "run/cell.h"
#include "run/judge.h"
#include "run/sweep.h"
#include "run/team.h"
#include "run/worker.h"

struct row {
    struct result result;
    /* --mix, in the row of the writes: the row of the reads, measured in the same slices, and the
     * sum of both. NULL: all operations belong to this row. */
    struct row *mate;
    struct slice_sum *all;
    uint64_t slice_cycles; /* adaptive: cycles of a slice */
    uint64_t slice_expect_ns;
    struct rng *streams;          /* of each thread: one random sequence through all slices */
    struct order *order;          /* order of places; NULL: random */
    uint64_t slice_began_ns;      /* the last one, by the wall clock */
    uint64_t slice_start_ns;      /* its timing, since the run began */
    unsigned part_round;          /* round of its part */
    struct slice_thread *threads; /* results of each thread in the last slice */
    uint64_t reach_ns;            /* slice_reach_ns of the rounds so far, or of round 0 */
    uint64_t p99_ns;              /* 99th percentile of these latencies */
    double mean_ns;               /* mean of these latencies */
    unsigned slices;              /* number of counting slices */
    unsigned idle;                /* consecutive slices without any operation ... */
    uint64_t idle_ns;             /* ... and the time they took, by the clock */
    unsigned look_at;    /* adaptive: number of rounds at which precision is checked next */
    bool dry;            /* all its objects are used up */
    bool out_of_time;    /* too little time is left for anything useful */
    bool hurried;        /* slices are short compared with the operations */
    uint64_t granted_ns; /* extra time granted for its long slices */
    uint64_t pending_ns; /* time of slices without complete operations: added to the next round */
    struct row_resident {
        double sum; /* of the shares seen */
        unsigned count;
    } before, after;
    struct row_team *team; /* see team_work.h; NULL: no team */
};

/* Duration of operations. */
struct row_pace {
    uint64_t reach_ns; /* see slice_reach_ns */
    uint64_t p99_ns;
    double sum_ns;  /* sum of the latencies ... */
    uint64_t count; /* ... and their number */
};

struct created_view { /* the objects of test create for a target and size */
    unsigned target;
    uint64_t size_bytes;
    struct target *view; /* owned */
};

struct measure { /* shared by all rows of a run */
    const struct settings *settings;
    const struct sweep *sweep;
    const struct clock *clock; /* of the sweep, like settings */
    struct worker_pool *pool;
    struct slice_sum *slice; /* results of the last slice */
    struct slice_sum *kinds; /* --mix: of its writes and its reads (two) */
    struct sweep_outcome *outcome;
    struct sinks *sinks;
    struct series *series; /* --interval; else NULL */
    struct error *err;
    struct created_view *views; /* of the current part; owned */
    unsigned view_count;
    uint64_t end_ns;      /* of the run; UINT64_MAX: no limit */
    uint64_t part_end_ns; /* no cycle starts later; UINT64_MAX: no limit */
    uint64_t give_up_ns;  /* end of --max-time; 0: no limit */
    bool may_grant;       /* rows that need long slices get more time: the user set no limit */
    unsigned open;        /* rows still to be measured in this round, at least 1 */
    double slice_scale;   /* factor of the lengths of slices, below 1 if time is short */
    bool gave_up, broken; /* too many errors; an error that ends the run */
    bool step_gave_up;    /* too many errors in the current part */
    uint64_t step_done, step_failed; /* operations in it */
    uint64_t step_errors;            /* limit of failed operations in it; 0: none */
    bool exhausted;                  /* a target accepts no more requests */
    bool measured;                   /* a slice was run already */
    struct team *team;               /* see team_work.h; NULL: no team */
    struct team_lead *lead;          /* not NULL: this is rank 0 */
    struct row_pace pace;            /* of the last slice, of all ranks */
    uint64_t begin_ns;               /* of the run */
    uint64_t looked_ns;              /* spent on examining the page cache */
};

/* Whether the row, and a row that shares its slices, is still being measured. */
static inline bool row_is_open(const struct row *row)
{
    return row->result.state == RESULT_OPEN && !cell_follows(row->result.cell);
}

/* The objects that a row which uses them up has left, removed one by one; UINT64_MAX: unknown, or
 * it uses up none. */
static inline uint64_t row_left(const struct cell *cell)
{
    return test_consumes(cell->work.test) ? cell_left(cell, TEST_DELETE) : UINT64_MAX;
}

/* With --mix the kinds of operations are writes (0) and reads (1), each with a row. */
static inline unsigned row_kinds(const struct row *row)
{
    return row->mate ? 2 : 1;
}

static inline struct row *row_of(struct row *row, unsigned kind)
{
    return kind ? row->mate : row;
}

/* The results of the last slice for operations of that kind. */
static inline struct slice_sum *row_slice_sum(const struct measure *m, const struct row *row,
                                              unsigned kind)
{
    return row->mate ? &m->kinds[kind] : m->slice;
}

/* The sum over all operations in its slices. */
static inline const struct slice_sum *row_sum(const struct row *row)
{
    return row->all ? row->all : &row->result.sum;
}

/* Makes room for one more element: arrays grow by powers of two. */
static inline void row_make_room(double **array, unsigned count)
{
    if ((count & (count - 1)) == 0)
        *array = mem_realloc_array(*array, count ? 2 * (size_t)count : 1, sizeof(double));
}

/* Whether measuring has ended. */
static inline bool measure_ended(const struct measure *m)
{
    return flag_read(m->sweep->stop) || m->gave_up || m->exhausted || m->broken;
}

/* Whether this part has ended. */
static inline bool measure_part_ended(const struct measure *m)
{
    return measure_ended(m) || m->step_gave_up;
}

/* Whether preparation failed because the target accepts no more requests: that ends the run without
 * an error, so m->err is cleared. */
static inline bool measure_exhausted(struct measure *m, const struct target *target)
{
    if (!m->measured || m->err->status == STATUS_OK || atomic_load(&target->lost) ||
        !target_exhausted(target, NULL, 0))
        return false;
    *m->err = ERROR_INIT;
    m->exhausted = true;
    return true;
}

/* Once something is measured, a target that fails is not unusable as a whole: results are worth
 * printing.  EPIPE is left to output whose reader is gone (ending_status). */
void measure_keep_results(struct measure *m);

/* Round 0 of a row: warms up and determines how many cycles fill a slice. Its operations are
 * dropped, its failures are kept. */
void row_calibrate(struct measure *m, struct row *row);

/* One slice (in round 1, 2 ... of the part), added to row->result. */
void row_measure(struct measure *m, struct row *row, unsigned round);

/* Runs a slice on this process, into m->slice and with --mix m->kinds. what: from row_plan_slice or
 * an order of the team. Returns 0, or -1 with m->err filled, unless a target accepts no more
 * requests. */
int row_carry_out(struct measure *m, struct row *row, struct slice *what);

/* Duration of the operations of a tally. timed: the row has a time, so operations that fail slowly
 * count too. Returns false without operations. */
bool row_pace(const struct tally *tally, bool timed, struct row_pace *pace);

/* The target of a cell, not const. */
struct target *measure_target(const struct measure *m, const struct cell *cell);

/* Updates the row after the places of its cell were set. */
void row_bind(struct row *row);

/* Time spent on finding out how slow a target is, or on long slices, does not reduce the time to
 * measure it, where there is no limit. False: there is one. */
bool row_give_time(struct measure *m, uint64_t ns);

/* Initialises the row of a cell, with its random sequences. Free with row_free. */
void row_init(struct row *row, const struct settings *settings, const struct cell *cell);
void row_free(struct row *row);

/* Describes the first failed, short and wrong operation of a slice of this process, which alone
 * knows the names of its objects; in a team after the name of the rank (row_troubles.c). */
void row_word_troubles(const struct measure *m, const struct cell *cell, struct slice_sum *sum);

/* Adds those operations of a slice to the outcome, and checks them against the limits. */
void row_note_troubles(struct measure *m, const struct cell *cell, const struct slice_sum *sum);

/* Joins the rows of writes and reads of --mix, which share slices from now on. Free with
 * row_free. */
void row_join(struct row *writes, struct row *reads);

/* Adds to the share of the objects that is in the page cache. */
void row_see_resident(struct measure *m, const struct cell *cell, struct row_resident *seen);

/* Completes the result before it is judged. If kernel accounting does not cover the target,
 * device_bytes are the bytes moved over the network by READ and WRITE. */
void row_settle(struct row *row);

/* --- row_plan.c --- */

/* Limits the cycles of a slice to the objects left, for tests that use them up. */
void row_cap(struct row *row, struct slice *what);

#define ROW_CHECK_EVERY 4 /* rounds between checks of the precision */

/* The reason why a row is finished after `round` rounds of its part; STOP_UNKNOWN: it is not.
 * Adaptive rows are checked only every few rounds, which preserves the coverage of the interval. */
enum result_stop row_finished(const struct settings *settings, struct row *row, unsigned round);

/* Whether a time limit cut the row short: no rounds, or less than --time. */
bool row_lacks(const struct row *row);

/* The state of a row that ends for this reason before the end of its part. */
enum result_state row_end_state(const struct row *row, enum result_stop stop);

/* Frees the data of single rounds. */
void row_forget_rounds(struct row *row);

/* Sets length and limits of the next slice in `what`, and whether it has clocks: what->clocks.
 * Returns false if no time is left for one. */
bool row_plan_slice(struct measure *m, struct row *row, unsigned round, struct slice *what);

/* Whether the row ends only when its work is done, regardless of time. */
bool row_ends_by_itself(const struct measure *m, const struct cell *cell);

/* The minimum of cycles in a slice. */
uint64_t row_least_cycles(const struct measure *m, const struct cell *cell);

/* Sets the cycles of a slice from the duration of a cycle. Called after each round, so that a first
 * estimate made at an unusual moment is corrected. */
void row_size_slices(const struct measure *m, struct row *row, double per_cycle_ns);

/* With --time: what is left of it for a row, in ns. Another --time while no operation is complete,
 * for 2 s at most, where those of round 0 took less than that. */
uint64_t row_time_left(const struct row *row);

/* The number of rounds for a fixed number of repetitions. */
unsigned row_fixed_rounds(const struct settings *settings, const struct cell *cell);

/* The number of rounds over which a time is spread if latencies allow, within the limits of
 * --rounds. */
unsigned row_time_rounds(const struct settings *settings, const struct cell *cell);

#endif
