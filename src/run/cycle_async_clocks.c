/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_async_clocks.c - the clocks (see cycle.h) of the slots of the loop for asynchronous
 * engines, the time of slots where there are none, and its cold accounts: publishing and closing.
 *
 * The loop reads the clock no more often than without clocks, and counted operations are booked in
 * the same way: only the first and the last one of a slot, and later ones, are marked and treated
 * separately. */
#include "base/compat.h"

#include "run/cycle_async.h"

static void add_reads(struct loop *loop, struct cycle *reads)
{
    loop->books[1] = (struct books){.cycle = reads, .published = {.min_ns = UINT64_MAX}};
    loop->mixed = true;
    loop->mark = loop->cycle->mark;
    loop->chains = false;
    loop->checks = loop->checks || reads->check;
    loop->forgets = engine_forgets(loop->cycle->engine, reads->work);
}

void async_begin(struct loop *loop)
{
    const struct cycle *const cycle = loop->cycle;
    const struct workload *const work = cycle->work;

    for (uint32_t i = work->depth; i-- > 0;) {
        struct cycle_slot *const slot = &cycle->slots[i];
        char *const buffer = cycle->buffer + i * (size_t)work->slot_bytes;

        *slot = (struct cycle_slot){
            .op = {.slot = i, .buffer = buffer},
            .own_buffer = buffer,
            .own_scratch = cycle->scratch ? cycle->scratch + i * (size_t)work->slot_bytes : NULL,
            .next_marks = loop->clocks ? MARK_WARM : 0,
            .since_ns = loop->clocks ? loop->clocks->begin_ns : 0,
        };
        link_idle(loop, slot);
    }
    if (cycle->reads)
        add_reads(loop, cycle->reads);
    loop->edge_ns = loop->clocks ? loop->clocks->end_ns : cycle->deadline_ns;
    loop->counting = loop->clocks ? work->depth : 0;
}

struct tally *async_aside(const struct loop *loop, const struct cycle_slot *slot)
{
    const enum cycle_aside aside = slot->marks & MARK_WARM ? ASIDE_WARM : ASIDE_LOAD;

    return loop->clocks->aside[aside][slot->reads];
}

void async_book_aside(struct loop *loop, const struct cycle_slot *slot)
{
    struct books *const books = &loop->books[slot->reads];
    struct tally *const tally = async_aside(loop, slot);
    const uint64_t spent_ns = loop->now_ns - slot->due_ns;
    struct sums one = {.complete = 1,
                       .start = slot->start_ns,
                       .open = slot->open_ns,
                       .transfer = slot->transfer_ns,
                       .end = loop->now_ns};

    books->aside++;
    book_sums(tally, &one, loop->opens, false);
    tally->sum_ns += spent_ns;
    book_latency(tally, spent_ns);
    if (loop->opens) {
        book_phase(&tally->open, &tally->open_max_ns, slot->open_ns - slot->start_ns);
        book_phase(&tally->close, &tally->close_max_ns, loop->now_ns - slot->transfer_ns);
    }
    if (books->cycle->live)
        publish_one(books->cycle->live, slot->marks & MARK_WARM ? SERIES_WARM : SERIES_LOAD,
                    spent_ns, loop->now_ns, books->in_flight);
}

/* Returns the slot's time not yet accounted for. */
static uint64_t take_since(struct loop *loop, struct cycle_slot *slot)
{
    const uint64_t spent_ns = loop->now_ns - slot->since_ns;

    slot->since_ns = loop->now_ns;
    return spent_ns;
}

static void stop_when_over(struct loop *loop)
{
    const struct cycle_clocks *const clocks = loop->clocks;

    if (!loop->counting && loop->now_ns >= clocks->load_ns && flag_read(clocks->over))
        loop->stopping = true;
}

static void end_clock(struct loop *loop, struct cycle_slot *slot)
{
    slot->next_marks = MARK_LOAD;
    turn_slots(loop, SERIES_LOAD, 1, loop->now_ns);
    if (--loop->counting > 0)
        return;
    loop->clocks->ended(loop->clocks->ended_arg, loop->now_ns);
    stop_when_over(loop);
}

void async_clock_turn(struct loop *loop, struct cycle_slot *slot)
{
    const uint64_t spent_ns = take_since(loop, slot);

    if (slot->marks & MARK_WARM) {
        loop->clocks->aside_ns[ASIDE_WARM] += spent_ns;
        loop->slots_used++;
        slot->next_marks = loop->late ? MARK_LAST : 0;
        turn_slots(loop, SERIES_COUNTED, 1, loop->now_ns);
    } else if (slot->marks & MARK_LAST) {
        loop->slot_ns += spent_ns;
        turn_slots(loop, SERIES_COUNTED, -1, loop->now_ns);
        end_clock(loop, slot);
    } else {
        loop->clocks->aside_ns[ASIDE_LOAD] += spent_ns;
    }
}

void async_clock_rest(struct loop *loop, struct cycle_slot *slot)
{
    if (!loop->clocks) {
        loop->slot_ns += take_since(loop, slot);
        if (!one_time(loop))
            turn_slots(loop, SERIES_COUNTED, -1, loop->now_ns);
    } else if (slot->next_marks != MARK_LOAD) { /* the slice stops */
        const uint64_t spent_ns = slot->next_marks == 0 ? take_since(loop, slot) : 0;

        loop->slot_ns += spent_ns;
        /* the slot has counted nothing */
        loop->slots_used -= slot->next_marks != MARK_WARM && !spent_ns;
        if (slot->next_marks != MARK_WARM)
            turn_slots(loop, SERIES_COUNTED, -1, loop->now_ns);
        end_clock(loop, slot);
    }
}

/* The time has ended: operations in flight are the last that count. A slot without one has just
 * ended one, or was not needed: if operations end at once, one slot runs all of them. */
static void mark_last(struct loop *loop)
{
    struct cycle_slot *const slots = loop->cycle->slots;

    loop->late = true;
    for (uint32_t i = 0; i < loop->cycle->work->depth; i++) {
        struct cycle_slot *const slot = &slots[i];

        if (slot->busy && slot->next_marks == 0)
            slot->marks |= MARK_LAST;
        else if (!slot->busy && slot->next_marks == 0 && slot->since_ns == loop->now_ns)
            slot->next_marks = MARK_LAST; /* the slot has counted nothing yet */
        else if (!slot->busy)
            async_clock_rest(loop, slot);
    }
}

void async_turn(struct loop *loop)
{
    if (flag_read(loop->cycle->stop) || !loop->clocks)
        loop->stopping = true;
    if (loop->clocks && !loop->late)
        mark_last(loop);
    if (loop->clocks)
        stop_when_over(loop);
    loop->edge_ns = loop->stopping ? UINT64_MAX : 0;
}

void async_publish(struct books *books, uint64_t end_ns, uint32_t in_flight)
{
    const struct sums *sums = &books->sums;
    const uint64_t complete = sums->complete - books->published.complete;

    series_publish(books->cycle->live, SERIES_COUNTED,
                   &(struct series_batch){.operations = complete,
                                          .sum_ns = sums->latency - books->published.latency,
                                          .min_ns = books->published.min_ns,
                                          .max_ns = books->published.max_ns,
                                          .last_ns = books->published.last_ns,
                                          .end_ns = end_ns},
                   in_flight);
    books->published.complete = sums->complete;
    books->published.latency = sums->latency;
    books->published.max_ns = 0;
    books->published.min_ns = UINT64_MAX;
}

uint64_t async_close_books(struct loop *loop)
{
    uint64_t done = 0;

    for (uint32_t i = 0; loop->clocks && i < loop->cycle->work->depth; i++)
        async_clock_rest(loop, &loop->cycle->slots[i]);
    loop->cycle->rng = loop->rng;
    loop->cycle->slot_ns += loop->slot_ns;
    if (loop->cycle->slots_used < loop->slots_used)
        loop->cycle->slots_used = loop->slots_used;
    for (unsigned k = 0; k < async_kinds(loop); k++) {
        struct books *const books = &loop->books[k];

        book_sums(books->cycle->tally, &books->sums, loop->opens, false);
        books->cycle->tally->sum_ns += books->sums.latency;
        books->cycle->tally->failed_ns += books->sums.failed_ns;
        done += books->sums.complete + books->sums.bad + books->aside;
    }
    return done;
}
