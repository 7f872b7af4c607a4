/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* null_delay.h - durations of operations of the engine null and the target mem: constant, or a mix
 * in exact proportions. Drawn from a separate generator, so that a seed gives the same times
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
    unsigned kinds; /* number of times below; 0 or 1: all take the first */
    uint64_t ns[NULL_DELAY_KINDS];
    uint64_t share[NULL_DELAY_KINDS]; /* operations out of `cycle` */
    uint64_t cycle; /* the number of operations over which the proportions are exact */
    uint64_t longest_ns, shortest_ns; /* of ns; zeros are ignored */
};

/* The state of a sequence of delays. */
struct null_draw {
    struct rng rng;
    uint64_t left[NULL_DELAY_KINDS]; /* remaining of each kind in this cycle */
    uint64_t cycle_left;
};

/* "61us", "mix:35x0,5x3ms". Returns 0, or -1 with err filled and the delay
 * unchanged. */
int null_delay_parse(const char *word, struct null_delay *delay, struct error *err);

void null_draw_start(struct null_draw *draw, uint64_t seed, uint64_t stream);

/* Hot. The next delay in nanoseconds. */
uint64_t null_draw_next(struct null_draw *draw, const struct null_delay *delay);

/* Waits until a time of CLOCK_MONOTONIC, spinning for the last spin_ns. False: a signal ended the
 * wait early. */
bool null_wait(uint64_t until_ns, uint64_t spin_ns);

#endif
