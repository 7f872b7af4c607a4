/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slice.h - how long slices are.  A slice is what is measured of one cell in one round. */
#ifndef RUN_SLICE_H
#define RUN_SLICE_H

#include <stdint.h>

#include "run/cell.h"

#define SLICE_NS         UINT64_C(20000000)
#define SLICE_REMOTE     3  /* so many times as long where operations are requests to a server */
#define SLICE_DEPTH      32 /* slices get longer by their length for each so many in flight */
#define SLICE_CYCLES_MIN 4  /* of each slot of each thread */
#define SLICE_CYCLES_ALL 64 /* the same where filling and draining the queue are timed: with -n */

/* Several operations are in flight. */
static inline bool slice_concurrent(const struct cell *cell)
{
    return (uint64_t)cell->threads * cell->work.depth > 1;
}

/* How long a slice of a cell is to be, if its latencies allow: see window.h.  The deeper the queue,
 * the longer they are. */
static inline uint64_t slice_wanted_ns(const struct cell *cell)
{
    const uint64_t ns = SLICE_NS + SLICE_NS * (cell->work.depth - 1) / SLICE_DEPTH;

    return cell->work.target->remote ? SLICE_REMOTE * ns : ns;
}

/* Fewer cycles would never have the whole depth in flight. */
static inline uint64_t slice_least_cycles(const struct cell *cell)
{
    return (uint64_t)SLICE_CYCLES_MIN * cell->threads * cell->work.depth;
}

#endif
