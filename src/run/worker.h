/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker.h - the threads that run slices.  The caller's thread is worker 0; others wait between
 * slices.  All workers of a slice set up, meet at a barrier, run, and leave private sums that
 * the caller merges after the slice: nothing is shared inside it but a chunk counter taken once per
 * many cycles. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/cell.h"
#include "run/cycle.h"

struct sweep;
struct team;
struct worker_pool;

/* When a slice was run on this process, by its own clock. */
struct slice_times {
    uint64_t at_ns;    /* the moment that all ranks had agreed on; 0: none */
    bool missed;       /* it was over when this one learned it */
    uint64_t start_ns; /* timing began */
    uint64_t began_ns; /* the first thread began */
    uint64_t ended_ns; /* the last one had done its last operation, counted or not */
};

struct slice {
    const struct cell *cell;
    uint64_t cycles;      /* by all threads together */
    uint64_t deadline_ns; /* no cycle starts after this moment; UINT64_MAX: none */
    uint64_t give_up_ns;  /* see struct engine_thread */
    uint64_t duration_ns; /* nor later than this after the start (set-up comes before); 0: any */
    /* Slots have clocks (see cycle.h), and duration_ns is when time is over; load_ns: so much
     * longer slots go on at least; p99_ns: of latencies of the row so far, 0: not known. */
    bool clocks;
    uint64_t load_ns, p99_ns;
    /* --mix: the cell of the reads beside that of the writes, and what each of the two came to;
     * sums has room for two.  NULL: none. */
    const struct cell *mate;
    struct slice_sum *sums;
    struct slice_thread *mate_threads; /* as threads, of the reads */
    struct rng *streams; /* of each thread: continues where the previous slice ended */
    /* of each: set to what it came to in this slice; NULL: not told */
    struct slice_thread *threads;
    struct order *order; /* likewise; NULL: places are drawn */
    /* To be begun with all other ranks, in_ns after all are ready (see team.h); NULL: alone.
     * unready: this one is not, so none begins. */
    struct team *team;
    unsigned keep; /* enum slice_keep */
    uint64_t in_ns;
    bool unready;
    struct slice_times *times; /* set to when it ran; NULL: not told */
};

/* Starts the threads that the plan of a sweep needs at most, beside the caller's, each with
 * buffers. `series` counts all operations; NULL: none does.  Returns 0 or -1 (too many threads,
 * no memory: STATUS_TARGET with advice). */
int worker_pool_create(struct worker_pool **pool, const struct sweep *sweep, struct series *series,
                       struct error *err);

/* Whether the engine of a cell (and of its mate; or NULL) can be set up for it on all its threads;
 * no operation is done.  Returns 0 or -1. */
int worker_try(struct worker_pool *pool, const struct cell *cell, const struct cell *mate,
               struct error *err);

/* From now on this many failed operations end slices, as max_errors of the run does; 0: no limit.
 */
void worker_limit_errors(struct worker_pool *pool, uint64_t errors);

/* max_errors of the run is reached, not that limit alone. */
bool worker_gave_up(struct worker_pool *pool);

/* Runs one slice; *sum is what it came to.  Failed operations are counted, not an error; -1 only
 * when the slice could not be set up, here or (with err not set) on another rank. */
int worker_run(struct worker_pool *pool, const struct slice *slice, struct slice_sum *sum,
               struct error *err);

void worker_pool_destroy(struct worker_pool *pool); /* NULL is fine */

#endif
