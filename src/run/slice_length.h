/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slice_length.h - the length of slices. A slice is the part of one cell measured in one round.
 * Pure.
 *
 * If slots have clocks (cycle.h), each slice has an overhead of warm-up and of keeping up the load,
 * so it must be long in comparison. Slow operations determine its length, even if they are few: if
 * 5 % take 400 ms and the others 20 ms, the 5 % take half of the time. */
#ifndef RUN_SLICE_LENGTH_H
#define RUN_SLICE_LENGTH_H

#include <stdint.h>

#include "base/hist.h"
#include "run/cell.h"

#define SLICE_NS         UINT64_C(20000000)
#define SLICE_LONG       3  /* factor for targets with TARGET_LONG_SLICES */
#define SLICE_DEPTH      32 /* one more slice length per 32 operations in flight */
#define SLICE_OVERRUN    4  /* a slice is cut at this multiple of its expected length */
#define SLICE_CYCLES_MIN 4  /* per slot of each thread */
#define SLICE_CYCLES_ALL 64 /* the same if filling and draining the queue are timed: with -n */

/* Whether several operations are in flight, in this process or its team. */
static inline bool slice_concurrent(const struct cell *cell)
{
    return cell_slots(cell) > 1;
}

/* The desired length of a slice if latencies allow; grows with the queue depth. */
static inline uint64_t slice_wanted_ns(const struct cell *cell)
{
    const uint64_t ns = SLICE_NS + SLICE_NS * (cell->work.depth - 1) / SLICE_DEPTH;

    return target_can(cell->work.target, TARGET_LONG_SLICES) ? SLICE_LONG * ns : ns;
}

/* The minimum of cycles; fewer would never have the whole depth in flight. */
static inline uint64_t slice_least_cycles(const struct cell *cell)
{
    return (uint64_t)SLICE_CYCLES_MIN * cell->threads * cell->work.depth;
}

#define SLICE_REACH_SHARE 0.01 /* share of all time that longer operations may take */
#define SLICE_REACHES     10   /* minimum in a slice */
#define SLICE_MEANS       20   /* minimum of mean latencies in a slice */
#define SLICE_EASY_MEANS  50   /* ... if that leaves enough rounds */
#define SLICE_MOST_NS     UINT64_C(10000000000) /* maximum, unless operations are longer */
/* a slice is extended if a counted operation outlasts it by this number of mean latencies */
#define SLICE_LATE_MEANS 10
/* a schedule is kept when the last operation is late by at most 1/20 */
#define SLICE_KEPT_SHARE 20
#define SLICES_LEAST     4 /* minimum number of slices of a time, for any latency */

/* The latency, in ns, below which operations took all but SLICE_REACH_SHARE of the time; 0 for an
 * empty histogram. */
uint64_t slice_reach_ns(const struct hist *latency);

/* The minimum length of a slice with clocks for latencies of that reach and mean; at least
 * base_ns. */
uint64_t slice_least_ns(uint64_t reach_ns, double mean_ns, uint64_t base_ns);

#endif
