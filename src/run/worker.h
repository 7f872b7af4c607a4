/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker.h - the threads that run slices. The caller's thread is worker 0; the others wait between
 * slices. All workers of a slice set up, meet at a barrier, run, and leave private sums that the
 * caller merges afterwards. During a slice they share only a counter of chunks, each of many
 * cycles. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/cell.h"
#include "run/cycle.h"

struct plan;
struct sweep;
struct team;
struct worker_pool;

/* When a slice ran in this process, by its own clock. */
struct slice_times {
    uint64_t at_ns;    /* the moment that all ranks agreed on; 0: none */
    bool missed;       /* that moment had passed when this rank learned it */
    uint64_t start_ns; /* timing began */
    uint64_t began_ns; /* the first thread began */
    uint64_t ended_ns; /* the last thread ended its last operation, counted or not */
};

/* The length and limits of a slice. Plain data: rank 0 of a team sends it to the others. */
struct slice_plan {
    uint64_t cycles;      /* total of all threads */
    uint64_t deadline_ns; /* no cycle starts after this moment; UINT64_MAX: no deadline */
    uint64_t give_up_ns;  /* see struct engine_thread */
    uint64_t duration_ns; /* no cycle starts later than this after the start; 0: no limit */
    uint32_t clocks;      /* bool: slots have clocks (see cycle.h), which run for duration_ns */
    uint32_t counts;      /* bool: not of round 0 */
    uint64_t load_ns;     /* clocks: slots keep the load up for at least this much longer */
    uint64_t p99_ns;      /* of the latencies of the row so far; 0: unknown */
    uint64_t in_ns;       /* team: delay of the start after all ranks are ready */
};

struct slice {
    const struct cell *cell;
    struct slice_plan plan;
    /* --mix: the cell of the reads, and the sums of writes and reads (two). NULL: none. */
    const struct cell *mate;
    struct slice_sum *sums;
    struct rng *streams; /* of each thread: continues where the previous slice ended */
    /* Results of each thread, and of its reads with --mix, in this slice; or NULL. */
    struct slice_thread *threads[2];
    struct order *order;       /* also continues; NULL: random places */
    struct team *team;         /* begins together with its other ranks; NULL: no team */
    bool unready;              /* this rank is not ready, so none begins */
    struct slice_times *times; /* set to the times of the slice; NULL: not wanted */
};

/* The kinds of operations in a slice: with --mix the writes, then the reads. */
static inline unsigned slice_kinds(const struct slice *slice)
{
    return slice->mate ? 2 : 1;
}

/* Refuses buffers larger than the free memory. Returns 0 or -1 (STATUS_TARGET with advice). */
int worker_check_buffers(const struct plan *plan, bool verify, struct error *err);

/* Starts the maximum number of threads that the plan of a sweep needs, in addition to the caller's,
 * each with buffers. `series`, if not NULL, counts all operations. Returns 0 or -1 (too many
 * threads, no memory: STATUS_TARGET with advice). */
int worker_pool_create(struct worker_pool **pool, const struct sweep *sweep, struct series *series,
                       struct error *err);

/* Tries to set up the engine of a cell (and of its mate, or NULL) on all its threads, without any
 * operation. Returns 0 or -1. */
int worker_try(struct worker_pool *pool, const struct cell *cell, const struct cell *mate,
               struct error *err);

/* Sets the number of further failed operations that end slices, in addition to max_errors of the
 * run; 0: no limit. */
void worker_limit_errors(struct worker_pool *pool, uint64_t errors);

/* Whether max_errors of the run was reached, not only that limit. */
bool worker_gave_up(struct worker_pool *pool);

/* Runs one slice into *sum. Failed operations are counted and are no error; returns -1 only if the
 * slice could not be set up, here or (err not set) on another rank. */
int worker_run(struct worker_pool *pool, const struct slice *slice, struct slice_sum *sum,
               struct error *err);

void worker_pool_destroy(struct worker_pool *pool); /* NULL is fine */

#endif
