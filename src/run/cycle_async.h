/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_async.h - what the loop for asynchronous engines (cycle_async.c) and its window
 * (cycle_async_window.c) share; nobody else includes it. */
#ifndef RUN_CYCLE_ASYNC_H
#define RUN_CYCLE_ASYNC_H

#include "run/cycle_book.h"

enum slot_mark {
    MARK_BAD = 1,   /* failed or short */
    MARK_EARLY = 2, /* began before the window */
    MARK_LATE = 4,  /* was under way when the window ended */
    MARK_PARTS = 8, /* was under way when a batch ended */
};

struct cycle_slot {
    struct async_op op; /* first: engines get a pointer to it */
    uint64_t due_ns;    /* latency counts from here: the start, or with --rate when it was due */
    uint64_t start_ns, open_ns, transfer_ns;
    struct failure failure; /* the first one of this operation */
    enum async_step step;   /* under way; in a chain: unused */
    bool busy, chained, unchecked;
    uint8_t marks; /* enum slot_mark; 0: an operation like most */
    uint8_t again;
    bool reads; /* --mix: it is one of the reads */
    char *own_buffer, *own_scratch;
    struct cycle_slot *next_idle;
};

enum window_state { WINDOW_NONE, WINDOW_RAMP, WINDOW_OPEN, WINDOW_DRAIN };

struct sums { /* of the readings of complete operations; their differences are the phases */
    uint64_t start, open, transfer, end, latency;
    uint64_t complete, bad, failed_ns;
};

struct books { /* of operations of one kind; with --mix there are two: writes, reads */
    struct sums sums;
    struct cycle *cycle;    /* with tally, window and the rest of the kind */
    uint64_t early;         /* complete operations that began before the window and ended in it */
    uint64_t told_ended;    /* of those that ended in it, in the batches before */
    uint64_t early_ns;      /* in flight: what early and failed operations add to the sums */
    uint64_t late_ns;       /* and what is after the window */
    uint64_t outside, done; /* complete operations before it, and all that were over */
    uint32_t in_flight;     /* with --mix */
    struct {                /* --interval: what was published last, and latencies since */
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
    uint64_t edge_ns; /* when to stop, or to go on in the window */
    struct {
        enum window_state state;
        uint32_t batch;
        uint64_t excluded_ns; /* of the tally, when the batch began */
    } window;
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

/* --- cycle_async_books.c --- */

/* --interval: what is new in the books of a kind, and how many of it are in flight. */
COLD void async_publish(struct books *books, uint64_t end_ns, uint32_t in_flight);

/* --mix: the books of the reads; `reads` becomes the cycle that they are of. */
COLD void async_add_reads(struct loop *loop, struct cycle *reads);

/* When nothing is in flight any more.  Returns how many operations were done. */
uint64_t async_close_books(struct loop *loop);

/* --- cycle_async_window.c; all but the first only with a window --- */

/* Sets the first moment at which the loop is to stop, or the window to go on. */
void async_window_begin(struct loop *loop);

/* The run is to end, or that moment has come. */
COLD void async_window_turn(struct loop *loop);

/* Of an operation that ends now, the time inside the window. */
uint64_t async_inside_ns(const struct loop *loop, const struct cycle_slot *slot);

/* What the window does not take as it is.  Returns whether to book it as any other. */
COLD bool async_window_finish(struct loop *loop, struct cycle_slot *slot);

/* When nothing is in flight any more: the end of the window, if it did not come as planned, and the
 * operations in flight over it.  Then the counts of the tally. */
void async_window_close(struct loop *loop);
void async_window_count(struct loop *loop);

#endif
