/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle.h - the hot loop: n times choose an object and an offset, open, seek, transfer, close, with
 * a clock reading between phases, and count. Nothing else; see the rules in cycle.c. */
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

/* Operations that no clock counts, tallied separately so that they can be counted afterwards. */
enum cycle_aside { ASIDE_WARM, ASIDE_LOAD, ASIDE_KINDS };

/* Clocks of the slots (see slice_sum.h) of one thread, used when several operations are in flight.
 * The first operation of a slot is warm-up. The clock runs from its end to the end of the operation
 * in flight at end_ns, and covers at least one operation: so no operation is cut off, slow ones
 * count in full, and operations / time * mean latency is the number of slots. Every slot keeps
 * working until the last clock of all threads has ended; otherwise the slots still counting would
 * have less competition. */
struct cycle_clocks {
    uint64_t begin_ns, end_ns; /* the same moments for all threads */
    uint64_t load_ns;          /* slots keep working at least until then */
    const volatile int *over;  /* non-zero: the last clock of all threads has ended */
    void (*ended)(void *arg,
                  uint64_t now_ns); /* cold, once: the clocks of this thread have ended */
    void *ended_arg;
    struct tally *aside[ASIDE_KINDS][2]; /* by kind: operations, and with --mix reads */
    /* Out, initially 0: slot time of the operations aside, from begin_ns on. */
    uint64_t aside_ns[ASIDE_KINDS];
};

struct cycle { /* everything one thread needs in one slice; filled by the worker */
    const struct engine *engine;
    void *ctx;
    const struct workload *work;
    uint64_t align_bytes; /* power of two */
    const struct clock *clock;
    uint64_t deadline_ns; /* no cycle starts after this moment; UINT64_MAX: none */
    const volatile int *stop;
    /* Cold. Called when an operation failed; returns whether the run may continue. */
    bool (*on_failure)(void *arg);
    void *on_failure_arg;
    bool allow_short; /* short operations are no failures */
    struct rng rng;
    struct cursor *cursor; /* --access sequential, once: the order of places; NULL: random places */
    char *buffer;          /* of transfers; depth of them, work->slot_bytes apart */
    struct payload *payload; /* the data to write */
    char *scratch;           /* read-modify-write; laid out like the buffers */
    struct handle *kept;     /* one open handle per object, or NULL: open and close in each cycle */
    struct tally *tally;

    /* Asynchronous engines. */
    /* Cold. Called when n cycles have begun; returns how many more to do; NULL: none. */
    uint64_t (*more)(void *arg);
    void *more_arg;
    struct async_event *events; /* work->depth * 3 of them */
    struct cycle_slot *slots;   /* cycle_slot_bytes() * work->depth */
    int broken_errno;           /* out: the engine failed permanently */

    struct cycle_clocks *clocks; /* NULL: all operations count, and n limits them */
    uint64_t end_ns;             /* out, synchronous engines: end of the last operation */
    /* out, added to, with clocks or an asynchronous engine: time and number of the slots that
     * counted; without clocks, a slot counts from its first operation to its last. */
    uint64_t slot_ns;
    uint32_t slots_used;

    /* --rate: operations begin on a fixed schedule. */
    uint64_t pace_step; /* time between two, ns << CYCLE_PACE_BITS; 0: no schedule */
    uint64_t pace_next; /* due time of the next operation, relative to pace_start_ns */
    uint64_t pace_start_ns;
    uint64_t behind_ns;       /* out: how late the last operation began */
    bool (*ended)(void *arg); /* MAY be NULL. Cold. Whether the slice was abandoned */
    void *ended_arg;

    /* --verify: every operation is checked, outside its time. */
    bool check;
    bool shared;          /* other operations may write the same blocks concurrently */
    bool races;           /* ... while this one reads them */
    uint32_t generation;  /* generation of the data that this slice writes */
    char *check_buffer;   /* io_bytes, to read back into */
    uint32_t check_slot;  /* of the operation that is checked; 0 with synchronous engines */
    struct usage checked; /* out: resources used by checking, not part of the operations */
    /* out: time spent on generating data, including waits for a processor */
    uint64_t made_ns;

    struct series_live *live; /* --interval: where to publish progress; or NULL */

    /* --mix: the reads, whose ctx, work, align_bytes, kept, tally, check and live are their own. An
     * operation is one of them if a random draw is below the mark. NULL: one kind of operation. */
    struct cycle *reads;
    uint64_t mark;
};

#define CYCLE_PACE_BITS 12 /* 2^52 ns are 52 days; a rate of 10^9 per second is off by 0.02 % */

/* Size of a slot, which the caller allocates, so that a slice allocates nothing. */
size_t cycle_slot_bytes(void);

/* Runs up to n cycles, plus those that `more` grants; returns the number done (fewer after stop,
 * deadline or on_failure). None is in flight afterwards. With clocks it continues until those of
 * all threads have ended, regardless of n. */
uint64_t cycle_run(struct cycle *cycle, uint64_t n);

/* Sleeps until due_ns, spinning at the end. Returns false if no operation may begin then: the run
 * was stopped, the deadline has passed, or the slice was abandoned. */
bool cycle_wait(const struct cycle *cycle, uint64_t due_ns);

#endif
