/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slice_length.h - how long slices are.  A slice is the part of one cell measured in one round.
 * Pure.
 *
 * Where slots have clocks (cycle.h), each slice costs what warms up and what keeps the load on: so
 * it is long against that.  What operations take that are slow decides, however few they are: if 5
 * % take 400 ms and the others 20 ms, the 5 % take half of the time. */
#ifndef RUN_SLICE_LENGTH_H
#define RUN_SLICE_LENGTH_H

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

#define SLICE_REACH_SHARE 0.01                  /* of all time that longer operations may take */
#define SLICE_REACHES     10                    /* in a slice, at least */
#define SLICE_MEANS       20                    /* mean latencies in it, at least */
#define SLICE_EASY_MEANS  50                    /* ... where that leaves rounds enough */
#define SLICE_MOST_NS     UINT64_C(10000000000) /* no longer, unless its operations are */
/* by so many mean latencies a counted operation outlasts a slice before the slice goes on */
#define SLICE_LATE_MEANS 10
/* a schedule is kept when the last operation is late by at most 1/20 */
#define SLICE_KEPT_SHARE 20
#define SLICES_LEAST     4 /* into which a time is divided, whatever operations take */

/* The latency that operations which took all but SLICE_REACH_SHARE of the time did not exceed, in
 * ns; 0 for an empty histogram. */
uint64_t slice_reach_ns(const struct hist *latency);

/* How long a slice with clocks has to be when latencies have that reach and mean; at least
 * base_ns. */
uint64_t slice_least_ns(uint64_t reach_ns, double mean_ns, uint64_t base_ns);

#endif
