/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* window.h - how long slices are.  A slice is the part of one cell measured in one round; with
 * concurrent operations a window of it is measured, after a ramp.  Pure.
 *
 * N slots that begin an operation at the same moment do not behave like N slots that have been busy
 * for long: at first, too many of the quick operations end.  How long that lasts depends on the
 * operations that take most of the time, however few they are: if 5 % take 400 ms and the others
 * 20 ms, the 5 % take half of it.  So the ramp is made twice the length that operations
 * taking all but 1 % of the time do not exceed, and set by the clock: a ramp that ends
 * with an event (each slot was used once) does not end at a typical moment. */
#ifndef RUN_WINDOW_H
#define RUN_WINDOW_H

#include <stdint.h>

#include "base/hist.h"
#include "run/cell.h"

#define SLICE_NS         UINT64_C(20000000)
#define SLICE_LONG       3  /* times as long, where the target has TARGET_LONG_SLICES */
#define SLICE_DEPTH      32 /* slices are longer by their length for each 32 operations in flight */
#define SLICE_OVERRUN    4  /* a slice is cut at this many times its expected length */
#define SLICE_CYCLES_MIN 4  /* of each slot of each thread */
#define SLICE_CYCLES_ALL 64 /* the same where filling and draining the queue are timed: with -n */

/* Several operations are in flight, of this process or of its team. */
static inline bool slice_concurrent(const struct cell *cell)
{
    return cell_slots(cell) > 1;
}

/* How long a slice of a cell should be if latencies allow: the longer, the deeper the queue. */
static inline uint64_t slice_wanted_ns(const struct cell *cell)
{
    const uint64_t ns = SLICE_NS + SLICE_NS * (cell->work.depth - 1) / SLICE_DEPTH;

    return target_can(cell->work.target, TARGET_LONG_SLICES) ? SLICE_LONG * ns : ns;
}

/* Fewer cycles would never have the whole depth in flight. */
static inline uint64_t slice_least_cycles(const struct cell *cell)
{
    return (uint64_t)SLICE_CYCLES_MIN * cell->threads * cell->work.depth;
}

#define WINDOW_REACH_SHARE 0.01 /* of all time that longer operations may take */
#define WINDOW_RAMP        2    /* reaches */
#define WINDOW_OVERHEAD    2    /* times ramp and drain together: the length of the window */
#define WINDOW_MEANS       50   /* mean latencies in it, at least */
#define WINDOW_MOST_NS     UINT64_C(10000000000) /* no longer, unless --time asks for it */
#define WINDOW_BATCHES     8 /* rounds that it stands for, unless more are asked for */

struct window {
    uint64_t ramp_ns;
    uint64_t batch_ns;
    uint32_t batches;
};

/* The latency that operations which took all but WINDOW_REACH_SHARE of the time did not exceed, in
 * ns; 0 for an empty histogram. */
uint64_t window_reach_ns(const struct hist *latency);

/* How long a window has to be when latencies have that reach and mean; at least base_ns. */
uint64_t window_least_ns(uint64_t reach_ns, double mean_ns, uint64_t base_ns);

/* A window of length_ns (or some ns less) for that many rounds, after a ramp that is no longer than
 * it: with ramp and drain a slice takes at most 2.5 times the window. */
struct window window_make(uint64_t reach_ns, uint64_t length_ns, uint64_t rounds);

#endif
