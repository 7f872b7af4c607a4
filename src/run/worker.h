/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker.h - the threads that run slices.  The caller's thread is worker 0; others wait between
 * slices.  All workers of a slice set up, meet at a barrier, run, and leave private tallies that
 * the caller merges after the slice: nothing is shared inside it but a chunk counter taken once per
 * many cycles. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/buffers.h"
#include "run/cell.h"
#include "run/cycle.h"

struct worker_pool;

struct slice {
    const struct cell *cell;
    uint64_t cycles;      /* by all threads together */
    uint64_t deadline_ns; /* no cycle starts after this moment; UINT64_MAX: none */
    uint64_t give_up_ns;  /* see struct engine_thread */
    uint64_t duration_ns; /* nor so long after the start, which set-up does not delay; 0: any */
    /* A window, see cycle.h: what is timed begins so long after the start.  batches 0: none. */
    uint64_t ramp_ns, batch_ns;
    uint32_t batches;
    struct rng *streams; /* of each thread: goes on where the slice before ended */
};

struct slice_result {
    uint64_t cycles;     /* done, whatever their outcome */
    uint64_t operations; /* those that went well, in the window if there is one */
    /* The window, or from the first start to the last end; without and with what threads spent
     * between operations. */
    uint64_t time_ns, elapsed_ns;
    uint64_t flight_ns; /* integral over it of the operations in flight */
    /* Of each batch of the window: operations / time is a rate of its own.  One without a window. */
    uint32_t batches;
    struct {
        uint64_t operations, time_ns;
        double shifted; /* see cycle.h */
    } batch[CYCLE_BATCHES_MAX];
    uint64_t cpu_ns;        /* of the threads and of the kernel threads that work for them */
    uint64_t queued_ns;     /* threads were ready to run, but waited for a processor */
    uint64_t helper_cpu_ns; /* of the latter alone */
    bool helpers_asked, plain_buffers; /* as in struct engine_report, on any thread */
    uint64_t wanted_ns;                /* with a schedule: how long the operations were to take */
    uint64_t behind_ns;                /* and how late the last one of the slowest thread began */
    bool io_known;
    uint64_t device_bytes;
    uint64_t fewest, most; /* operations of the slowest and the fastest thread */
    bool gave_up;          /* max_errors was reached */
    bool has_requests;     /* the engine counts requests: */
    struct engine_requests requests;
    const char *protocol, *connection, *payload;
    char first_failure[320]; /* in the engine's words, "" when it has none */
};

/* Starts threads - 1 threads, each with buffers.  Returns 0 or -1 (too many threads, no memory:
 * STATUS_TARGET with advice). */
int worker_pool_create(struct worker_pool **pool, const struct worker_needs *needs,
                       const struct clock *clock, const volatile int *stop, struct error *err);

/* Whether the engine of a cell can be set up for it on all its threads; no operation is done.
 * Returns 0 or -1. */
int worker_try(struct worker_pool *pool, const struct cell *cell, struct error *err);

/* Runs one slice; adds what was counted to *tally.  Failed operations are counted, not an error;
 * -1 only when the slice could not be set up. */
int worker_run(struct worker_pool *pool, const struct slice *slice, struct tally *tally,
               struct slice_result *result, struct error *err);

void worker_pool_destroy(struct worker_pool *pool); /* NULL is fine */

#endif
