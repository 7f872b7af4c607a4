/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_async.h - shared by the loop for asynchronous engines (cycle_async.c) and the clocks of its
 * slots (cycle_async_clocks.c); no other file includes it. */
#ifndef RUN_CYCLE_ASYNC_H
#define RUN_CYCLE_ASYNC_H

#include "run/cycle_book.h"

enum slot_mark {
    MARK_BAD = 1, /* failed or short */
    /* With clocks: */
    MARK_WARM = 2, /* the first operation of its slot */
    MARK_LAST = 4, /* the slot's clock ends with it */
    MARK_LOAD = 8, /* began after that */
};

struct cycle_slot {
    struct async_op op; /* first: engines get a pointer to it */
    uint64_t due_ns;    /* latency counts from here: the start, or with --rate the due time */
    uint64_t start_ns, open_ns, transfer_ns;
    uint64_t since_ns;      /* start of the time not yet added to that of the slot */
    struct failure failure; /* the first one of this operation */
    enum async_step step;   /* under way; in a chain: unused */
    bool busy, chained, unchecked, used;
    uint8_t marks;      /* enum slot_mark; usually 0 */
    uint8_t next_marks; /* of the next operation */
    uint8_t again;
    bool reads; /* --mix: a read */
    char *own_buffer, *own_scratch;
    struct cycle_slot *next_idle;
};

struct books { /* accounts of one kind of operation; --mix has two: writes, reads */
    struct sums sums;
    struct cycle *cycle; /* tally etc. of the kind */
    uint64_t aside;      /* complete operations not in the sums */
    uint32_t in_flight;  /* with --mix */
    struct {             /* --interval: values published last, and latencies since */
        uint64_t complete, latency, max_ns, min_ns, last_ns;
    } published;
};

struct loop { /* shared by the functions below; all of it in registers or hot cache lines */
    struct cycle *cycle;
    const struct engine_async *engine;
    void *ctx;
    struct place place;
    struct books books[2];
    struct rng rng;
    uint64_t left; /* operations that may still begin */
    uint64_t now_ns;
    uint32_t in_flight;
    bool opens, writes, rmw, syncs, forgets, chains, checks, paced, stopping;
    bool mixed;       /* --mix, in the variants for any clock only */
    uint64_t mark;    /* then: draws below this are reads */
    uint64_t edge_ns; /* when to stop, or when the time of the clocks ends */
    struct cycle_clocks *clocks;
    uint32_t counting; /* slots whose clock has not ended */
    bool late;         /* that time has ended, or the slice is stopping */
    uint64_t slot_ns;  /* as in struct cycle */
    uint32_t slots_used;
    struct cycle_slot *idle; /* a list of the slots without an operation */
};

static inline unsigned async_kinds(const struct loop *loop)
{
    return loop->mixed ? 2 : 1;
}

/* --interval: records the latency of a complete operation. */
static ALWAYS_INLINE void tell(struct books *books, uint64_t spent_ns)
{
    if (spent_ns > books->published.max_ns)
        books->published.max_ns = spent_ns;
    if (spent_ns < books->published.min_ns)
        books->published.min_ns = spent_ns;
    books->published.last_ns = spent_ns;
    if (books->cycle->live)
        series_count_latency(books->cycle->live, spent_ns);
}

/* --interval: starts or, if negative, stops counting the time of this many slots. */
static inline void turn_slots(const struct loop *loop, enum series_part part, int64_t slots,
                              uint64_t now_ns)
{
    if (loop->cycle->live)
        series_turn(loop->cycle->live, part, slots, now_ns);
}

static inline void link_idle(struct loop *loop, struct cycle_slot *slot)
{
    slot->next_idle = loop->idle;
    loop->idle = slot;
}

/* Whether all slots share the time of the thread. */
static inline bool one_time(const struct loop *loop)
{
    return loop->paced || (loop->checks && !loop->clocks);
}

/* --interval: publishes new operations of a kind, and the number in flight. */
COLD void async_publish(struct books *books, uint64_t end_ns, uint32_t in_flight);

/* Closes the books when nothing is in flight. Returns the number of operations done. */
uint64_t async_close_books(struct loop *loop);

/* Before the first operation: puts all slots into the idle list, the first slot at its head, starts
 * their clocks, sets edge_ns, and adds the reads of --mix. */
COLD void async_begin(struct loop *loop);

/* Called at edge_ns or when the slice must end, and from then on once per batch of events. */
COLD void async_turn(struct loop *loop);

/* Called when an operation with a mark of clocks ends, and with it a part of its slot's time. */
void async_clock_turn(struct loop *loop, struct cycle_slot *slot);

/* Books a complete operation that no clock counts. */
void async_book_aside(struct loop *loop, const struct cycle_slot *slot);

/* The tally for an operation that is not in the sums. */
struct tally *async_aside(const struct loop *loop, const struct cycle_slot *slot);

/* Called when the slot becomes idle. */
void async_clock_rest(struct loop *loop, struct cycle_slot *slot);

#endif
