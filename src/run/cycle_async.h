/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_async.h - what the loop for asynchronous engines (cycle_async.c) and the clocks of its
 * slots (cycle_async_clocks.c) share; no other file includes it. */
#ifndef RUN_CYCLE_ASYNC_H
#define RUN_CYCLE_ASYNC_H

#include "run/cycle_book.h"

enum slot_mark {
    MARK_BAD = 1, /* failed or short */
    /* With clocks: */
    MARK_WARM = 2, /* the first of its slot */
    MARK_LAST = 4, /* its end is that of the slot's clock */
    MARK_LOAD = 8, /* it came after that */
};

struct cycle_slot {
    struct async_op op; /* first: engines get a pointer to it */
    uint64_t due_ns;    /* latency counts from here: the start, or with --rate when it was due */
    uint64_t start_ns, open_ns, transfer_ns;
    uint64_t since_ns;      /* what is to be added to the time of the slot began then */
    struct failure failure; /* the first one of this operation */
    enum async_step step;   /* under way; in a chain: unused */
    bool busy, chained, unchecked, used;
    uint8_t marks;      /* enum slot_mark; 0: an operation like most */
    uint8_t next_marks; /* those of the next operation */
    uint8_t again;
    bool reads; /* --mix: it is one of the reads */
    char *own_buffer, *own_scratch;
    struct cycle_slot *next_idle;
};

struct sums { /* of the readings of complete operations; their differences are the phases */
    uint64_t start, open, transfer, end, latency;
    uint64_t complete, bad, failed_ns;
};

struct books { /* of operations of one kind; with --mix there are two: writes, reads */
    struct sums sums;
    struct cycle *cycle; /* with tally and the rest of the kind */
    uint64_t aside;      /* complete operations that are not in the sums */
    uint32_t in_flight;  /* with --mix */
    struct {             /* --interval: what was published last, and latencies since */
        uint64_t complete, latency, max_ns, min_ns, last_ns;
    } told;
};

struct loop { /* what the functions below share; all of it in registers or hot cache lines */
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
    uint64_t mark;    /* then: an operation is a read when a draw is below it */
    uint64_t edge_ns; /* when to stop, or when the time of the clocks is over */
    struct cycle_clocks *clocks;
    uint32_t counting; /* slots whose clock has not ended */
    bool late;         /* that time is over, or the slice is to stop */
    uint64_t slot_ns;  /* as in struct cycle */
    uint32_t slots_used;
    struct cycle_slot *idle; /* a list of the slots without an operation */
};

static inline unsigned async_kinds(const struct loop *loop)
{
    return loop->mixed ? 2 : 1;
}

/* --interval: the latency of an operation that is over. */
static ALWAYS_INLINE void tell(struct books *books, uint64_t spent_ns)
{
    if (spent_ns > books->told.max_ns)
        books->told.max_ns = spent_ns;
    if (spent_ns < books->told.min_ns)
        books->told.min_ns = spent_ns;
    books->told.last_ns = spent_ns;
    if (books->cycle->live)
        series_count_latency(books->cycle->live, spent_ns);
}

/* --interval: the time of this many slots begins or, negative, ends. */
static inline void turn_slots(const struct loop *loop, enum series_part part, int64_t slots,
                              uint64_t now_ns)
{
    if (loop->cycle->live)
        series_turn(loop->cycle->live, part, slots, now_ns);
}

/* All slots have the time of the thread. */
static inline bool one_time(const struct loop *loop)
{
    return loop->paced || (loop->checks && !loop->clocks);
}

/* --interval: what is new in the books of a kind, and how many of it are in flight. */
COLD void async_publish(struct books *books, uint64_t end_ns, uint32_t in_flight);

/* --mix: the books of the reads; `reads` becomes the cycle that they are of. */
COLD void async_add_reads(struct loop *loop, struct cycle *reads);

/* When nothing is in flight any more.  Returns how many operations were done. */
uint64_t async_close_books(struct loop *loop);

/* Before the first operation: the clocks of all slots, and when the loop is first to turn. */
void async_clocks_begin(struct loop *loop);

/* The slice is to end, or that moment has come; from then on once per batch of events. */
COLD void async_turn(struct loop *loop);

/* An operation with one of the marks of clocks ends now: so does a part of its slot's time. */
void async_clock_turn(struct loop *loop, struct cycle_slot *slot);

/* Books a complete operation that no clock counts. */
void async_book_aside(struct loop *loop, const struct cycle_slot *slot);

/* The tally of an operation that is not in the sums. */
struct tally *async_aside(const struct loop *loop, const struct cycle_slot *slot);

/* No operation follows in this slot for now. */
void async_clock_rest(struct loop *loop, struct cycle_slot *slot);

/* Nothing is in flight any more: clocks that still run end. */
void async_clocks_end(struct loop *loop);

#endif
