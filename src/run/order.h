/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* order.h - operations that visit consecutive places (--access sequential and once): block after
 * block of an object, object after object. A place is the room of one operation entirely within an
 * object; the remainder of an object after its last place is not used.
 *
 *     sequential   each thread has an equal part of all places, continues where its last slice
 *                  stopped, and restarts at the end of its part
 *     once         threads take ranges of places, in order, until none is left */
#ifndef RUN_ORDER_H
#define RUN_ORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/cell.h"

struct cursor {          /* position of one thread; private to it while a slice runs */
    uint64_t next_bytes; /* offset of its next operation in `object` ... */
    uint64_t end_bytes;  /* ... or, if next_bytes has reached it, it moves to another place first */
    uint64_t step_bytes;
    uint32_t object;
    uint64_t base, stop; /* numbers of the first place in that object, and of that at end_bytes */
    uint64_t begin, end; /* its places are [begin, end) */
    const struct order *order;
};

struct order {                    /* of one row; const while a slice runs, but for `taken` */
    const uint64_t *length_bytes; /* of its objects, longest first */
    uint32_t object_count;
    bool uniform; /* all objects have the same length */
    bool once;
    uint64_t io_bytes, step_bytes;
    uint64_t each;               /* places in the first object */
    uint64_t places;             /* total */
    atomic_uint_least64_t taken; /* once: places before this one are taken or done */
    uint32_t threads;
    struct cursor cursor[]; /* of each thread, between slices */
};

/* Distance between places of a cell: without --align there are no gaps. */
uint64_t order_step(uint64_t io_bytes, uint64_t align_bytes);

/* Number of places in all objects of a cell. */
uint64_t order_places(const struct cell *cell);

/* Creates the order of a row; NULL for random places. Caller frees. */
struct order *order_make(const struct cell *cell);

/* --access once, cold: takes the next places for a thread: those that it took before but did not
 * use, otherwise up to `most`. Returns their number; 0: none left. */
uint64_t order_take(struct order *order, struct cursor *cursor, uint64_t most);

/* Cold: moves to the next object, or back to the beginning. */
__attribute__((noinline, cold)) void cursor_move(struct cursor *cursor);

/* Hot. The place of the next operation: returns its object, sets its offset. */
static ALWAYS_INLINE uint32_t cursor_next(struct cursor *cursor, uint64_t *offset_bytes)
{
    if (__builtin_expect(cursor->next_bytes == cursor->end_bytes, 0))
        cursor_move(cursor);
    *offset_bytes = cursor->next_bytes;
    cursor->next_bytes += cursor->step_bytes;
    return cursor->object;
}

#endif
