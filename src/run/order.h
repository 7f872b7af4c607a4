/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* order.h - operations that go to one place after the other (--access sequential and once): block
 * after block of an object, object after object.  A place is a step of one operation that lies in
 * an object as a whole; what an object has behind its last place is left alone.
 *
 *     sequential   each thread has an equal part of all places, goes on where it stopped in its
 *                  last slice, and begins again at the end of its part
 *     once         threads take ranges of places, in order, until none is left */
#ifndef RUN_ORDER_H
#define RUN_ORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/cell.h"

struct course {          /* where one thread is; private to it while a slice runs */
    uint64_t next_bytes; /* offset of its next operation in `object` ... */
    uint64_t end_bytes;  /* ... unless that is here: then it turns to another place first */
    uint64_t step_bytes;
    uint32_t object;
    uint64_t base, stop; /* numbers of the first place in that object, and of that at end_bytes */
    uint64_t begin, end; /* its places are [begin, end) */
    const struct order *order;
};

struct order {                    /* of one row; const while a slice runs, but for `taken` */
    const uint64_t *length_bytes; /* of its objects, longest first */
    uint32_t object_count;
    bool uniform; /* all objects are as long */
    bool once;
    uint64_t io_bytes, step_bytes;
    uint64_t each;               /* places in the first object */
    uint64_t places;             /* in all */
    atomic_uint_least64_t taken; /* once: places before this one are some thread's, or done */
    uint32_t threads;
    struct course course[]; /* between slices: of each thread */
};

/* How far apart the places of a cell are: without a wish of the user, no gap is left. */
uint64_t order_step(uint64_t io_bytes, uint64_t align_bytes);

/* Places in all objects of a cell. */
uint64_t order_places(const struct cell *cell);

/* The way of a row; NULL where operations go anywhere.  To be freed. */
struct order *order_make(const struct cell *cell);

/* once, cold: the next places of a thread, at most so many, but all that it had taken before and
 * not come to.  Returns their number; 0: none is left. */
uint64_t order_take(struct order *order, struct course *course, uint64_t most);

/* Cold: to the next object, or back to the beginning. */
__attribute__((noinline, cold)) void course_turn(struct course *course);

/* Hot.  The place of the next operation: its object, and its offset there. */
static ALWAYS_INLINE uint32_t course_next(struct course *course, uint64_t *offset_bytes)
{
    if (__builtin_expect(course->next_bytes == course->end_bytes, 0))
        course_turn(course);
    *offset_bytes = course->next_bytes;
    course->next_bytes += course->step_bytes;
    return course->object;
}

#endif
