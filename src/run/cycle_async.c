/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_async.c - the hot loop for asynchronous engines: `depth` slots, each a small state machine
 * that takes one operation after the other through its steps.
 *
 *     open ──► read or write ──► (sync) ──► close ──► next operation
 *              rmw: read ─► write
 *
 * Kept-open files and engines whose step returns at once skip unneeded steps. An operation that
 * fails in the middle still closes its file: a slot is never lost.
 *
 * Rules as in cycle.c. The clock is read once per batch of events, and after a step that completes
 * at once: an event ends when the program sees it, and the next step of the slot begins at that
 * moment. Latency is therefore the time from queueing to seeing the result; at depth 32 on cached
 * data it includes the other 31 operations of the batch. The clocks of the slots are in
 * cycle_async_clocks.c. */
#include "base/compat.h"

#include <errno.h>
#include <string.h>

#include "run/cycle_async.h"

#define AGAIN_MAX    16 /* maximum of repetitions of a transfer at the kernel's request */
#define DIRECT_SHARE 8  /* O_DIRECT: queue the successors after 1/8 of the depth has completed */
#define POLL_NS      UINT64_C(100000) /* waits for arrivals within this time without sleeping */

size_t cycle_slot_bytes(void)
{
    return sizeof(struct cycle_slot);
}

static COLD void fail_slot(struct cycle_slot *slot, enum phase phase, int64_t code)
{
    if (!(slot->marks & MARK_BAD))
        slot->failure = (struct failure){phase, code};
    slot->marks |= MARK_BAD;
}

/* Ends a failed or short operation; the slot is free. */
static COLD void finish_bad(struct loop *loop, struct cycle_slot *slot)
{
    struct books *const books = &loop->books[slot->reads];

    books->sums.bad++;
    book_hung(books->cycle->tally, loop->now_ns - slot->start_ns);
    if (slot->marks & (MARK_WARM | MARK_LOAD))
        async_aside(loop, slot)->failed_ns += loop->now_ns - slot->start_ns;
    else
        books->sums.failed_ns += loop->now_ns - slot->start_ns;
    if (!book_failure(books->cycle, &slot->failure, slot->op.object, slot->op.offset_bytes))
        loop->stopping = true;
}

/* Dropping pages is not part of the operation. The time can only be excluded with nothing else in
 * flight; otherwise it overlaps with other operations. */
static COLD void forget(struct loop *loop, struct cycle_slot *slot, const bool real)
{
    const uint64_t before_ns = loop->now_ns;

    if (loop->mixed && !slot->reads)
        return;
    loop->cycle->engine->forget(loop->books[slot->reads].cycle->work, slot->op.object,
                                slot->op.offset_bytes);
    loop->now_ns = read_clock(loop->cycle->clock, real);
    if (loop->in_flight == 0) {
        loop->cycle->tally->excluded_ns += loop->now_ns - before_ns;
        slot->since_ns += loop->now_ns - before_ns;
        turn_slots(loop, SERIES_COUNTED, -1, before_ns);
        turn_slots(loop, SERIES_COUNTED, 1, loop->now_ns);
    }
}

/* Returns whether to book it like any other. */
static COLD bool finish_marked(struct loop *loop, struct cycle_slot *slot)
{
    const bool aside = slot->marks & (MARK_WARM | MARK_LOAD);

    if (slot->marks & MARK_BAD)
        finish_bad(loop, slot);
    else if (aside)
        async_book_aside(loop, slot);
    if (slot->marks & ~MARK_BAD)
        async_clock_turn(loop, slot);
    return !aside && !(slot->marks & MARK_BAD);
}

static ALWAYS_INLINE struct books *books_of(struct loop *loop, const struct cycle_slot *slot,
                                            const bool real)
{
    return &loop->books[real ? 0 : slot->reads];
}

static ALWAYS_INLINE bool is_write(const struct loop *loop, const struct cycle_slot *slot,
                                   const bool real)
{
    return loop->writes && (real || !slot->reads);
}

static ALWAYS_INLINE void finish(struct loop *loop, struct cycle_slot *slot, const bool real)
{
    struct books *const books = books_of(loop, slot, real);
    struct sums *sums = &books->sums;

    if (!real)
        books->in_flight--;
    loop->in_flight--;
    slot->busy = false;
    if (__builtin_expect(slot->marks, 0) && !finish_marked(loop, slot)) {
        if (loop->forgets && !(slot->marks & MARK_BAD))
            forget(loop, slot, real);
        return;
    }
    slot->unchecked = real ? loop->checks : books->cycle->check;
    sums->complete++;
    sums->start += slot->start_ns;
    if (loop->opens) {
        struct tally *const tally = (real ? loop->cycle : books->cycle)->tally;
        sums->open += slot->open_ns;
        book_phase(&tally->open, &tally->open_max_ns, slot->open_ns - slot->start_ns);
        book_phase(&tally->close, &tally->close_max_ns, loop->now_ns - slot->transfer_ns);
    }
    sums->transfer += slot->transfer_ns;
    sums->end += loop->now_ns;
    sums->latency += loop->now_ns - slot->due_ns;
    book_latency((real ? loop->cycle : books->cycle)->tally, loop->now_ns - slot->due_ns);
    if (!real)
        tell(books, loop->now_ns - slot->due_ns);
    if (__builtin_expect(loop->forgets, 0))
        forget(loop, slot, real);
}

/* A request that the kernel wants repeated is not a failure yet. */
static COLD bool ask_again(struct cycle_slot *slot, int64_t result)
{
    if ((result != -EAGAIN && result != -EINTR) || slot->again >= AGAIN_MAX)
        return false;
    slot->again++;
    return true;
}

static ALWAYS_INLINE int64_t queue_transfer(struct loop *loop, struct cycle_slot *slot)
{
    if (slot->step == ASYNC_WRITE)
        return loop->engine->write(loop->ctx, &slot->op);
    return loop->engine->read(loop->ctx, &slot->op);
}

/* Advances a slot after a completed step: books it, queues the next one, and continues while steps
 * complete at once. Returns true when the operation has ended. The state machine is one switch over
 * the steps in order: longer than other functions, but in one place. */
static ALWAYS_INLINE bool advance(struct loop *loop, struct cycle_slot *slot, int64_t result,
                                  const bool real)
{
    const int64_t io_bytes = (int64_t)loop->place.io_bytes;

    for (;;) {
        switch (slot->step) {
        case ASYNC_OPEN:
            slot->open_ns = loop->now_ns;
            if (__builtin_expect(result < 0, 0)) {
                fail_slot(slot, PHASE_OPEN, result);
                goto over;
            }
            slot->step = is_write(loop, slot, real) && !loop->rmw ? ASYNC_WRITE : ASYNC_READ;
            result = queue_transfer(loop, slot);
            break;
        case ASYNC_READ:
        case ASYNC_WRITE:
            if (__builtin_expect(result != io_bytes, 0)) {
                if (ask_again(slot, result)) {
                    result = queue_transfer(loop, slot);
                    break;
                }
                fail_slot(slot, PHASE_TRANSFER, result);
            } else if (loop->rmw && (real || !slot->reads) && slot->step == ASYNC_READ) {
                memcpy(slot->own_scratch, slot->own_buffer, (size_t)loop->cycle->work->size_bytes);
                slot->step = ASYNC_WRITE;
                result = queue_transfer(loop, slot);
                break;
            }
            slot->transfer_ns = loop->now_ns;
            if (loop->syncs && (real || !slot->reads) && !(slot->marks & MARK_BAD)) {
                slot->step = ASYNC_SYNC;
                result = loop->engine->sync(loop->ctx, &slot->op);
                break;
            }
            if (!loop->opens)
                goto over;
            slot->step = ASYNC_CLOSE;
            result = loop->engine->close(loop->ctx, &slot->op);
            break;
        case ASYNC_SYNC:
            /* As with synchronous engines: for kept-open files it is part of the transfer. */
            if (result < 0)
                fail_slot(slot, loop->opens ? PHASE_CLOSE : PHASE_TRANSFER, result);
            if (!loop->opens) {
                slot->transfer_ns = loop->now_ns;
                goto over;
            }
            slot->step = ASYNC_CLOSE;
            result = loop->engine->close(loop->ctx, &slot->op);
            break;
        case ASYNC_CLOSE:
            if (__builtin_expect(result < 0, 0))
                fail_slot(slot, PHASE_CLOSE, result);
            goto over;
        }
        if (result == ASYNC_PENDING)
            return false;
        loop->now_ns = read_clock(loop->cycle->clock, real);
    }
over:
    finish(loop, slot, real);
    return true;
}

/* The three events of a chain arrive one by one; the last one ends the operation. After a failed
 * open the others arrive with -ECANCELED. */
static ALWAYS_INLINE bool take_link(struct loop *loop, struct cycle_slot *slot,
                                    const struct async_event *event, const bool real)
{
    switch (event->step) {
    case ASYNC_OPEN:
        slot->open_ns = loop->now_ns;
        if (event->result < 0)
            fail_slot(slot, PHASE_OPEN, event->result);
        return false;
    case ASYNC_CLOSE:
        if (event->result < 0)
            fail_slot(slot, PHASE_CLOSE, event->result);
        finish(loop, slot, real);
        return true;
    default:
        slot->transfer_ns = loop->now_ns;
        if (event->result != (int64_t)loop->place.io_bytes)
            fail_slot(slot, PHASE_TRANSFER, event->result);
        return false;
    }
}

static COLD bool advance_chain(struct loop *loop, struct cycle_slot *slot,
                               const struct async_event *event)
{
    return take_link(loop, slot, event, true);
}

static COLD bool advance_chain_clock(struct loop *loop, struct cycle_slot *slot,
                                     const struct async_event *event)
{
    return take_link(loop, slot, event, false);
}

/* Chooses the place and the data of the next operation of a slot. */
static ALWAYS_INLINE void choose(struct loop *loop, struct cycle_slot *slot, const bool real,
                                 const bool ordered)
{
    loop->left--;
    if (!real && loop->mixed) {
        slot->reads = rng_next(&loop->rng) < loop->mark;
        slot->op.buffer = loop->rmw ? slot->own_scratch : slot->own_buffer;
    }
    slot->op.object = ordered ? cursor_next(loop->cycle->cursor, &slot->op.offset_bytes)
                              : place_draw(&loop->place, &loop->rng, &slot->op.offset_bytes);
    if (!is_write(loop, slot, real))
        return;
    if (!ordered && loop->engine->choose)
        slot->op.object = loop->engine->choose(loop->ctx, slot->op.object);
    if (__builtin_expect(loop->checks, 0)) {
        loop->cycle->check_slot = slot->op.slot;
        check_begin(loop->cycle, slot->op.object, slot->op.offset_bytes);
        check_make(loop->cycle, slot->op.object, slot->op.offset_bytes, loop->place.io_bytes,
                   slot->own_buffer);
    } else {
        payload_make(loop->cycle->payload, slot->own_buffer, (size_t)loop->place.io_bytes);
    }
    slot->op.buffer = __builtin_expect(loop->rmw, 0) ? slot->own_scratch : slot->own_buffer;
}

/* Begins the chosen operation. Returns true if it has already ended: it failed at once, or the
 * engine completed it. */
static ALWAYS_INLINE bool begin(struct loop *loop, struct cycle_slot *slot, uint64_t due_ns,
                                const bool real)
{
    int64_t result;

    if (!real)
        books_of(loop, slot, real)->in_flight++;
    loop->in_flight++;
    slot->start_ns = slot->open_ns = loop->now_ns;
    slot->due_ns = due_ns;
    slot->marks = slot->next_marks;
    slot->busy = true;
    slot->again = 0;
    slot->chained = false;
    if (__builtin_expect(loop->chains, 0)) {
        loop->chains = slot->chained = loop->engine->chain(loop->ctx, &slot->op);
        if (slot->chained)
            return false;
    }
    if (loop->opens) {
        slot->step = ASYNC_OPEN;
        result = loop->engine->open(loop->ctx, &slot->op);
    } else {
        slot->step = is_write(loop, slot, real) && !loop->rmw ? ASYNC_WRITE : ASYNC_READ;
        result = queue_transfer(loop, slot);
    }
    if (__builtin_expect(result == ASYNC_PENDING, 1))
        return false;
    loop->now_ns = read_clock(loop->cycle->clock, real);
    return advance(loop, slot, result, real);
}

/* --interval, in the variants for any clock only: once per batch of events, before waiting. */
static ALWAYS_INLINE void publish(struct loop *loop, const bool real)
{
    if (real || !loop->cycle->live)
        return;
    for (unsigned k = 0; k < async_kinds(loop); k++)
        async_publish(&loop->books[k], loop->now_ns, loop->books[k].in_flight);
}

static COLD bool more(struct loop *loop)
{
    if (!loop->stopping && loop->cycle->more)
        loop->left = loop->cycle->more(loop->cycle->more_arg);
    return loop->left > 0;
}

static ALWAYS_INLINE bool may_begin(struct loop *loop)
{
    return !loop->stopping && (__builtin_expect(loop->left > 0, 1) || more(loop));
}

/* Called once per batch of events, and after each operation that ends without an event. */
static ALWAYS_INLINE void see_stop(struct loop *loop)
{
    if (__builtin_expect(flag_read(loop->cycle->stop) || loop->now_ns >= loop->edge_ns, 0))
        async_turn(loop);
}

static void put_idle(struct loop *loop, struct cycle_slot *slot)
{
    async_clock_rest(loop, slot);
    link_idle(loop, slot);
}

static struct cycle_slot *take_idle(struct loop *loop)
{
    struct cycle_slot *slot = loop->idle;

    loop->idle = slot->next_idle;
    if (!loop->clocks) {
        slot->since_ns = loop->now_ns;
        if (!one_time(loop))
            turn_slots(loop, SERIES_COUNTED, 1, loop->now_ns);
        loop->slots_used += !slot->used;
        slot->used = true;
    }
    return slot;
}

/* Starts operations in this slot as long as they end at once. */
static ALWAYS_INLINE void keep_busy(struct loop *loop, struct cycle_slot *slot, const bool real,
                                    const bool ordered)
{
    while (may_begin(loop)) {
        choose(loop, slot, real, ordered);
        if (!begin(loop, slot, loop->now_ns, real))
            return;
        publish(loop, real);
        see_stop(loop);
    }
    put_idle(loop, slot);
}

/* At the start: begins an operation in each slot. */
static void fill(struct loop *loop, const bool real, const bool ordered)
{
    while (loop->idle && may_begin(loop))
        keep_busy(loop, take_idle(loop), real, ordered);
}

/* --rate: begins operations that are due in free slots. Returns how long to wait for events. */
static uint64_t arrive(struct loop *loop, const bool real)
{
    struct cycle *cycle = loop->cycle;

    while (loop->idle && may_begin(loop)) {
        struct cycle_slot *slot;
        uint64_t due_ns = cycle_due_ns(cycle);
        if (due_ns > loop->now_ns) {
            if (loop->in_flight)
                return due_ns - loop->now_ns > POLL_NS ? due_ns - loop->now_ns - POLL_NS / 2 : 0;
            if (!cycle_wait(cycle, due_ns)) {
                cycle->behind_ns = number_most(
                    cycle->behind_ns, number_minus(read_clock(cycle->clock, real), due_ns));
                loop->stopping = true;
                break;
            }
            loop->now_ns = read_clock(cycle->clock, real);
        }
        due_ns = cycle_take_due(cycle);
        cycle->behind_ns = loop->now_ns - due_ns;
        slot = take_idle(loop);
        choose(loop, slot, real, loop->cycle->cursor != NULL);
        if (begin(loop, slot, due_ns, real)) {
            put_idle(loop, slot);
            publish(loop, real);
            see_stop(loop);
        }
    }
    return ASYNC_FOREVER;
}

/* --verify: checks the operations of a wave when all have ended, and chooses the next wave; nothing
 * is in flight meanwhile, so that the time can be excluded. */
static COLD void next_wave(struct loop *loop, struct cycle_slot *slots, const bool real)
{
    const uint32_t depth = loop->cycle->work->depth;
    const uint64_t before_ns = loop->now_ns;
    struct cycle_slot *wave = NULL, **last = &wave; /* in the order of their places */

    turn_slots(loop, SERIES_COUNTED, -(int64_t)depth, before_ns);
    for (uint32_t i = 0; i < depth; i++) {
        struct cycle_slot *slot = &slots[i];
        loop->books[slot->reads].cycle->check_slot = i;
        if (slot->unchecked && !check_done(loop->books[slot->reads].cycle, slot->op.object,
                                           slot->op.offset_bytes, slot->op.buffer))
            loop->stopping = true;
        slot->unchecked = false;
    }
    while (loop->idle && may_begin(loop)) {
        struct cycle_slot *slot = take_idle(loop);
        choose(loop, slot, real, loop->cycle->cursor != NULL);
        slot->next_idle = NULL;
        *last = slot;
        last = &slot->next_idle;
    }
    loop->now_ns = read_clock(loop->cycle->clock, real);
    loop->cycle->tally->excluded_ns += loop->now_ns - before_ns;
    turn_slots(loop, SERIES_COUNTED, depth, loop->now_ns);
    while (wave) {
        struct cycle_slot *slot = wave;
        wave = slot->next_idle;
        if (begin(loop, slot, loop->now_ns, real))
            put_idle(loop, slot);
    }
}

static ALWAYS_INLINE void take_events(struct loop *loop, struct cycle_slot *slots,
                                      const struct async_event *events, int count, const bool real,
                                      const bool ordered)
{
    for (int i = 0; i < count; i++) {
        struct cycle_slot *slot = &slots[events[i].slot];
        const bool over = __builtin_expect(slot->chained, 0)
                              ? (real ? advance_chain : advance_chain_clock)(loop, slot, &events[i])
                              : advance(loop, slot, events[i].result, real);
        if (!over)
            continue;
        if (__builtin_expect(loop->checks || loop->paced, 0))
            put_idle(loop, slot);
        else if (__builtin_expect(loop->late, 0)) /* the next event may end the last clock */
            link_idle(loop, slot);
        else
            keep_busy(loop, slot, real, ordered);
    }
}

/* The engine cannot continue: operations in flight are lost. */
static COLD void give_up(struct loop *loop, struct cycle_slot *slots, int code)
{
    loop->cycle->broken_errno = -code;
    loop->stopping = true;
    for (uint32_t i = 0; i < loop->cycle->work->depth; i++)
        if (slots[i].busy) {
            fail_slot(&slots[i], PHASE_TRANSFER, code);
            finish_bad(loop, &slots[i]);
        }
    loop->in_flight = 0;
}

static void submit(struct loop *loop, const bool real)
{
    const uint64_t before_ns = read_clock(loop->cycle->clock, real);

    loop->engine->submit(loop->ctx);
    if (!loop->late)
        loop->cycle->tally->submit_ns += read_clock(loop->cycle->clock, real) - before_ns;
}

static ALWAYS_INLINE uint64_t run(struct cycle *cycle, uint64_t n, const bool real,
                                  const bool opens, const bool writes, const bool walks)
{
    const struct workload *work = cycle->work;
    struct cycle_slot *const slots = cycle->slots;
    const bool ordered = real ? walks : cycle->cursor != NULL;
    const bool bypasses = work->cache == CACHE_DIRECT || work->cache == CACHE_UNCACHED;
    const unsigned batch = !bypasses                     ? work->depth * 3
                           : work->depth >= DIRECT_SHARE ? work->depth / DIRECT_SHARE
                                                         : 1;
    struct loop loop = {
        .cycle = cycle,
        .engine = cycle->engine->async,
        .ctx = cycle->ctx,
        .place = place_of(cycle),
        .rng = cycle->rng,
        .left = n,
        .opens = opens,
        .writes = writes,
        .rmw = work->rmw,
        .syncs = writes && work->sync == SYNC_END && cycle->engine->async->sync,
        .forgets = engine_forgets(cycle->engine, work),
        .chains = cycle->engine->async->chain && opens && !work->rmw &&
                  !(writes && work->sync == SYNC_END),
        .checks = cycle->check,
        .paced = cycle->pace_step > 0,
        .books[0] = {.cycle = cycle, .published = {.min_ns = UINT64_MAX}},
        .clocks = cycle->clocks,
    };

    async_begin(&loop);
    loop.now_ns = read_clock(cycle->clock, real);
    if (one_time(&loop))
        turn_slots(&loop, SERIES_COUNTED, work->depth, loop.now_ns);
    for (;;) {
        uint64_t wait_ns = ASYNC_FOREVER;
        int got;
        if (__builtin_expect(loop.paced, 0))
            wait_ns = arrive(&loop, real);
        else if (__builtin_expect(loop.in_flight == 0, 0) && loop.checks)
            next_wave(&loop, slots, real);
        else if (__builtin_expect(loop.in_flight == 0 || loop.late, 0))
            fill(&loop, real, ordered);
        /* all operations begun have already ended */
        if (__builtin_expect(loop.in_flight == 0, 0)) {
            see_stop(&loop);
            if (may_begin(&loop))
                continue;
            break;
        }
        if (loop.engine->submit)
            submit(&loop, real);
        publish(&loop, real);
        got = loop.engine->reap(loop.ctx, wait_ns, cycle->events, batch);
        loop.now_ns = read_clock(cycle->clock, real);
        see_stop(&loop);
        if (__builtin_expect(got < 0, 0))
            give_up(&loop, slots, got);
        take_events(&loop, slots, cycle->events, got, real, ordered);
    }
    publish(&loop, real);
    if (one_time(&loop))
        turn_slots(&loop, SERIES_COUNTED, -(int64_t)work->depth, loop.now_ns);
    return async_close_books(&loop);
}

#define RUN(name, opens, writes)                                                            \
    static __attribute__((noinline)) uint64_t name(struct cycle *cycle, uint64_t n)         \
    {                                                                                       \
        return run(cycle, n, true, opens, writes, false);                                   \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_order(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return run(cycle, n, true, opens, writes, true);                                    \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_clock(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return run(cycle, n, false, opens, writes, false);                                  \
    }
RUN(read_kept, false, false)
RUN(read_cycle, true, false)
RUN(write_kept, false, true)
RUN(write_cycle, true, true)
#undef RUN

uint64_t cycle_run_async(struct cycle *cycle, uint64_t n)
{
    static uint64_t (*const runs[2][2][3])(struct cycle *, uint64_t) = {
        {{read_kept_clock, read_kept, read_kept_order},
         {read_cycle_clock, read_cycle, read_cycle_order}},
        {{write_kept_clock, write_kept, write_kept_order},
         {write_cycle_clock, write_cycle, write_cycle_order}},
    };
    const struct workload *work = cycle->work;
    const bool real =
        cycle->clock->now_ns == clock_monotonic.now_ns && !cycle->live && !cycle->reads;
    const bool opens =
        (engine_phases(cycle->engine, work) & (1u << PHASE_OPEN)) && !work->keep_open;

    return runs[test_writes(work->test)][opens][!real ? 0 : cycle->cursor ? 2 : 1](cycle, n);
}
