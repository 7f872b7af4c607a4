/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle.h - the hot loop: n times choose an object and an offset, open, seek, transfer, close, with
 * a clock reading between phases, and count.  Nothing else; see the rules in cycle.c. */
#ifndef RUN_CYCLE_H
#define RUN_CYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "os/counts.h"
#include "run/order.h"
#include "run/payload.h"
#include "run/series.h"
#include "run/slice_sum.h"

struct cycle_slot;

/* What is timed when several operations are in flight.  A slice that began and ended with nothing
 * in flight would wait for its slowest operation; so operations go on before the window (ramp) and
 * until those that began in it have ended (drain), and in between each one that is over is replaced
 * at once.  What ended inside counts for the rate; latencies are those of the operations that began
 * inside, also when they end in the drain: without them the tail would be cut off. */
struct cycle_window {
    uint64_t begin_ns; /* the same moment for all threads */
    uint64_t batch_ns; /* the window is `batches` of them */
    uint32_t batches;  /* at most SLICE_BATCHES_MAX */
    bool inside;       /* private to cycle_run */
    /* Out, all 0 before. */
    /* Of each batch: complete operations that ended in it, what to add to them (`shifted`) for the
     * parts of operations in it, by time, and its part of tally.excluded_ns.  time_ns stays 0. */
    struct slice_batch batch[SLICE_BATCHES_MAX];
    uint64_t flight_ns; /* integral over the window of the operations in flight, failed ones too */
    uint64_t end_ns;    /* where it ended: earlier than planned when the run was to end */
};

/* --mix: reads and writes in one slice.  The cycle is that of the writes, with their tally, their
 * window and what both share; this is what reads have of their own. */
struct cycle_mate {
    const struct workload *work;
    void *ctx;
    uint64_t align_bytes;
    struct handle *kept;
    struct tally *tally;
    struct cycle_window *window; /* with the moments of that of the writes; or NULL */
    bool check;
    struct series_live *live;
    uint64_t mark; /* an operation is a read when a draw is below it */
};

struct cycle { /* everything one thread needs in one slice; filled by the worker */
    const struct engine *engine;
    void *ctx;
    const struct workload *work;
    uint64_t align_bytes; /* power of two */
    const struct clock *clock;
    uint64_t deadline_ns; /* no cycle starts after this moment; UINT64_MAX: none */
    const volatile int *stop;
    /* Called when an operation failed (cold): returns true when the run may go on. */
    bool (*on_failure)(void *arg);
    void *on_failure_arg;
    bool allow_short; /* short operations are none */
    struct rng rng;
    struct course *course;   /* --access sequential, once: the way; NULL: anywhere, by rng */
    char *buffer;            /* of transfers; depth of them, work->slot_bytes apart */
    struct payload *payload; /* what writes write */
    char *scratch;           /* read-modify-write; as many and as far apart as the buffers */
    struct handle *kept;     /* one open handle per object, or NULL: open and close in each cycle */
    struct tally *tally;

    /* Asynchronous engines. */
    /* Called when the n cycles are under way: how many more (cold); NULL: none. */
    uint64_t (*more)(void *arg);
    void *more_arg;
    struct async_event *events; /* work->depth * 3 of them */
    struct cycle_slot *slots;   /* cycle_slot_bytes() * work->depth */
    int broken_errno;           /* out: the engine could not go on */

    struct cycle_window *window; /* NULL: all operations are timed, and n says how many */
    uint64_t end_ns;             /* out, synchronous engines: when the last operation was over */
    /* out, synchronous engines: it was complete, but not before deadline_ns */
    bool overran;
    uint64_t overrun_start_ns; /* then: when it began */

    /* --rate: operations begin on a fixed schedule, not one after the other. */
    uint64_t pace_step; /* time between two, ns << CYCLE_PACE_BITS; 0: no schedule */
    uint64_t pace_next; /* when the next one is due, after pace_start_ns */
    uint64_t pace_start_ns;
    uint64_t behind_ns;       /* out: how late the last operation began */
    bool (*ended)(void *arg); /* MAY be NULL; cold: nobody waits for the slice any more */
    void *ended_arg;

    /* --verify: every operation is checked, outside the timed window. */
    bool check;
    bool shared;          /* other operations may write to the same blocks at the same time */
    uint32_t generation;  /* of what this slice writes */
    char *check_buffer;   /* io_bytes, to read back into */
    uint32_t check_slot;  /* of the operation that is checked; 0 with synchronous engines */
    struct usage checked; /* out: what checking used: no part of the operations */
    /* out: time that making data took, waits for a processor included */
    uint64_t made_ns;

    struct series_live *live; /* --interval: where to report what is done; NULL: not wanted */

    const struct cycle_mate *mate; /* --mix; NULL: all operations do the same */
    bool last_read;                /* out, synchronous engines with it: the last one was a read */
};

#define CYCLE_PACE_BITS 12 /* 2^52 ns are 52 days; a rate of 10^9 per second is off by 0.02 % */

/* Memory of one slot; the caller has it, so that a slice allocates nothing. */
size_t cycle_slot_bytes(void);

/* Runs up to n cycles (with `more`: and those it grants); returns how many were done (fewer after
 * stop, deadline or on_failure).  None is in flight afterwards.  With a window it goes on until
 * that has ended, whatever n, unless operations run out (asynchronous engines). */
uint64_t cycle_run(struct cycle *cycle, uint64_t n);

/* Sleeps, and spins at the end, until due_ns.  Returns false when an operation may not begin then:
 * the run was stopped, the deadline has passed, the slice has ended. */
bool cycle_wait(const struct cycle *cycle, uint64_t due_ns);

#endif
