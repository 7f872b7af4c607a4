/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cycle.h - the hot loop: n times choose an object and an offset, open, seek, transfer, close, with
 * a clock reading between phases, and count.  Nothing else; see the rules in cycle.c. */
#ifndef RUN_CYCLE_H
#define RUN_CYCLE_H

#include <stdint.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "run/tally.h"

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
    struct rng rng;
    char *buffer;        /* reads */
    const char *pool;    /* writes: random bytes, io_bytes + CYCLE_POOL_BYTES of them */
    char *scratch;       /* read-modify-write */
    struct handle *kept; /* one open handle per object, or NULL: open and close in each cycle */
    struct tally *tally;
};

/* A write takes its data at a random 4 KiB-aligned place of the first so many bytes of the pool. */
#define CYCLE_POOL_BYTES ((uint64_t)1 << 20)

/* Runs up to n cycles; returns how many were done (fewer after stop, deadline or on_failure). */
uint64_t cycle_run(struct cycle *cycle, uint64_t n);

#endif
