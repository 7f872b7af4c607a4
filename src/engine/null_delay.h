/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* null_delay.h - how long operations of the null engine take: all alike, a mix in exact shares, or
 * with a tail.  Drawn from a generator of its own, so that the same seed gives the same times
 * whatever else is drawn. */
#ifndef ENGINE_NULL_DELAY_H
#define ENGINE_NULL_DELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"

#define NULL_DELAY_KINDS 8u

/* Zeroed: operations take no time. */
struct null_delay {
    enum { NULL_DELAY_SAME, NULL_DELAY_MIX, NULL_DELAY_TAIL } shape;
    unsigned kinds;                /* of the times below; same: 0 or 1 */
    uint64_t ns[NULL_DELAY_KINDS]; /* tail: the first one is that of most operations */
    /* mix: operations out of `cycle`; tail: drawn numbers out of 2^63; the first kind gets the
     * rest */
    uint64_t share[NULL_DELAY_KINDS];
    uint64_t cycle;                   /* mix: operations in which each share comes out exactly */
    uint64_t longest_ns, shortest_ns; /* of ns; 0 among them counts in neither */
};

/* Where a sequence of delays stands. */
struct null_draw {
    struct rng rng;
    uint64_t left[NULL_DELAY_KINDS]; /* mix: of each kind in this cycle */
    uint64_t cycle_left;
};

/* "61us", "mix:35x0,5x3ms", "tail:20ms,5%=400ms".  Returns 0, or -1 with err filled; the delay is
 * changed on success only. */
int null_delay_parse(const char *word, struct null_delay *delay, struct error *err);

void null_draw_start(struct null_draw *draw, uint64_t seed, uint64_t stream);

/* The next delay in nanoseconds.  Hot. */
uint64_t null_draw_next(struct null_draw *draw, const struct null_delay *delay);

/* Waits until then on CLOCK_MONOTONIC, spinning for the last spin_ns.  False: a signal ended the
 * wait before that time. */
bool null_wait(uint64_t until_ns, uint64_t spin_ns);

#endif
