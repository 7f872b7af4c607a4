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

/* What is booked aside from what clocks count, so that it can be counted after all. */
enum cycle_aside { ASIDE_WARM, ASIDE_LOAD, ASIDE_KINDS };

/* Clocks of the slots (see slice_sum.h) of one thread, where several operations are in flight.  The
 * first operation of a slot warms up.  Its clock runs from the end of that one to the end of the
 * operation that is under way at end_ns, and through one operation at least: so no operation is cut
 * off, slow ones count with all that they take, and operations / time * mean latency is the number
 * of slots.  Until the last clock of all threads has ended, each slot goes on, since those that
 * count would otherwise have the target for themselves. */
struct cycle_clocks {
    uint64_t begin_ns, end_ns;                 /* the same moments for all threads */
    uint64_t load_ns;                          /* at least until this moment slots go on */
    const volatile int *over;                  /* not 0: the last clock of all threads has ended */
    void (*ended)(void *arg, uint64_t now_ns); /* cold, once: those of this thread have */
    void *ended_arg;
    struct tally *aside[ASIDE_KINDS][2]; /* of the operations, and with --mix of the reads */
    /* Out, all 0 before: the time of slots in what is aside, from begin_ns on. */
    uint64_t aside_ns[ASIDE_KINDS];
};

/* --mix: reads and writes in one slice.  The cycle is that of the writes, with their tally and what
 * both share; this is what reads have of their own. */
struct cycle_mate {
    const struct workload *work;
    void *ctx;
    uint64_t align_bytes;
    struct handle *kept;
    struct tally *tally;
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

    struct cycle_clocks *clocks; /* NULL: all operations count, and n says how many */
    uint64_t end_ns;             /* out, synchronous engines: when the last operation was over */
    /* out, with clocks or an asynchronous engine, added to: time and number of the slots that have
     * counted; without clocks each from its first operation to its last. */
    uint64_t slot_ns;
    uint32_t slots_used;

    /* --rate: operations begin on a fixed schedule, not one after the other. */
    uint64_t pace_step; /* time between two, ns << CYCLE_PACE_BITS; 0: no schedule */
    uint64_t pace_next; /* when the next one is due, after pace_start_ns */
    uint64_t pace_start_ns;
    uint64_t behind_ns;       /* out: how late the last operation began */
    bool (*ended)(void *arg); /* MAY be NULL; cold: no thread waits for the slice any more */
    void *ended_arg;

    /* --verify: every operation is checked, outside its time. */
    bool check;
    bool shared;          /* other operations may write to the same blocks at the same time */
    bool races;           /* ... while this one reads them */
    uint32_t generation;  /* of what this slice writes */
    char *check_buffer;   /* io_bytes, to read back into */
    uint32_t check_slot;  /* of the operation that is checked; 0 with synchronous engines */
    struct usage checked; /* out: what checking used: no part of the operations */
    /* out: time that making data took, waits for a processor included */
    uint64_t made_ns;

    struct series_live *live; /* --interval: where to report what is done; NULL: not wanted */

    struct cycle_mate *mate; /* --mix; NULL: all operations do the same */
};

#define CYCLE_PACE_BITS 12 /* 2^52 ns are 52 days; a rate of 10^9 per second is off by 0.02 % */

/* Memory of one slot; the caller has it, so that a slice allocates nothing. */
size_t cycle_slot_bytes(void);

/* Runs up to n cycles (with `more`: and those it grants); returns how many were done (fewer after
 * stop, deadline or on_failure).  None is in flight afterwards.  With clocks it goes on until
 * those of all threads have ended, whatever n. */
uint64_t cycle_run(struct cycle *cycle, uint64_t n);

/* Sleeps, and spins at the end, until due_ns.  Returns false when an operation may not begin then:
 * the run was stopped, the deadline has passed, the slice has ended. */
bool cycle_wait(const struct cycle *cycle, uint64_t due_ns);

#endif
