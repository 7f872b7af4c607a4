/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_async_window.c - the window (cycle.h) of the loop for asynchronous engines.
 *
 * The loop looks at the clock no more often than without a window: the moments at which something
 * is to be done are one after the other the edge of see_stop.  Slots that are busy at the beginning
 * or the end of the window are marked there; only what is marked is treated apart. */
#include "base/compat.h"

#include "run/cycle_async.h"

uint64_t async_inside_ns(const struct loop *loop, const struct cycle_slot *slot)
{
    const struct cycle_window *window = loop->cycle->window;
    const uint64_t begin_ns = slot->start_ns > window->begin_ns ? slot->start_ns : window->begin_ns;
    const uint64_t end_ns = slot->marks & MARK_LATE ? window->end_ns : loop->now_ns;

    return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

bool async_window_finish(struct loop *loop, struct cycle_slot *slot)
{
    struct books *const books = &loop->books[slot->reads];

    window_share(books->cycle->window, slot->start_ns, loop->now_ns);
    if (slot->marks & MARK_EARLY) {
        slot->unchecked = books->cycle->check;
        books->early_ns += async_inside_ns(loop, slot);
        books->early++;
        books->told.complete--; /* --interval counts it */
        books->told.latency -= loop->now_ns - slot->due_ns;
        tell(books, loop->now_ns - slot->due_ns);
        return false;
    }
    if (slot->marks & MARK_LATE)
        books->late_ns += loop->now_ns - slot->start_ns - async_inside_ns(loop, slot);
    return true;
}

static void mark_busy(struct loop *loop, uint8_t mark)
{
    struct cycle_slot *const slots = loop->cycle->slots;

    for (uint32_t i = 0; i < loop->cycle->work->depth; i++)
        if (slots[i].busy)
            slots[i].marks |= mark;
}

/* What was timed so far is forgotten, but for failures. */
static void open_window(struct loop *loop)
{
    mark_busy(loop, MARK_EARLY);
    for (unsigned k = 0; k < async_kinds(loop); k++) {
        struct books *const books = &loop->books[k];

        books->outside = books->sums.complete;
        books->done = books->sums.complete + books->sums.bad;
        books->told.complete -= books->sums.complete; /* told before; wraps, and so back */
        books->told.latency -= books->sums.latency;
        books->sums = (struct sums){0};
        tally_forget_times(books->cycle->tally);
    }
    loop->window.excluded_ns = 0;
    loop->window.state = WINDOW_OPEN;
}

static void end_batch(struct loop *loop)
{
    const uint64_t excluded_ns = loop->cycle->tally->excluded_ns;

    for (unsigned k = 0; k < async_kinds(loop); k++) {
        struct books *const books = &loop->books[k];
        const uint64_t ended = books->sums.complete + books->early;

        books->cycle->window->batch[loop->window.batch].operations = ended - books->told_ended;
        books->told_ended = ended;
    }
    loop->cycle->window->batch[loop->window.batch].excluded_ns =
        excluded_ns - loop->window.excluded_ns;
    loop->window.excluded_ns = excluded_ns;
    loop->window.batch++;
    mark_busy(loop, MARK_PARTS);
}

/* The end of the window: as planned, or now. */
static void close_window(struct loop *loop, uint64_t end_ns)
{
    struct cycle_window *window = loop->cycle->window;

    if (loop->window.state == WINDOW_RAMP) {
        open_window(loop);
        window->begin_ns = end_ns; /* nothing of it was seen */
    }
    if (loop->window.batch < window->batches)
        end_batch(loop);
    window->end_ns = end_ns;
    mark_busy(loop, MARK_LATE);
    loop->window.state = WINDOW_DRAIN;
}

/* When the window begins, or the batch under way ends. */
static uint64_t next_moment(const struct loop *loop)
{
    const struct cycle_window *window = loop->cycle->window;

    return window->begin_ns +
           (loop->window.state == WINDOW_OPEN ? window->batch_ns * (loop->window.batch + 1) : 0);
}

static bool is_waiting(const struct loop *loop)
{
    return loop->window.state == WINDOW_RAMP || loop->window.state == WINDOW_OPEN;
}

void async_window_begin(struct loop *loop)
{
    loop->edge_ns = loop->cycle->deadline_ns;
    if (is_waiting(loop) && next_moment(loop) < loop->edge_ns)
        loop->edge_ns = next_moment(loop);
}

void async_window_turn(struct loop *loop)
{
    const struct cycle_window *window = loop->cycle->window;
    const bool stop = flag_read(loop->cycle->stop) || loop->now_ns >= loop->cycle->deadline_ns;

    while (is_waiting(loop) && loop->now_ns >= next_moment(loop)) {
        if (loop->window.state == WINDOW_RAMP)
            open_window(loop);
        else
            end_batch(loop);
        if (loop->window.batch == window->batches)
            close_window(loop, window->begin_ns + window->batch_ns * window->batches);
    }
    if (stop && is_waiting(loop))
        close_window(loop, loop->now_ns);
    loop->stopping = loop->stopping || stop || !is_waiting(loop);
    if (loop->stopping)
        loop->edge_ns = UINT64_MAX;
    else
        async_window_begin(loop);
}

void async_window_close(struct loop *loop)
{
    if (loop->window.state != WINDOW_DRAIN) /* operations ran out, or the engine broke */
        close_window(loop, loop->now_ns);
    for (unsigned k = 0; k < async_kinds(loop); k++) {
        const struct books *const books = &loop->books[k];

        books->cycle->window->flight_ns =
            books->sums.end - books->sums.start + books->early_ns - books->late_ns;
    }
}

/* The operations of the ramp are forgotten: no others are in the tally. */
void async_window_count(struct loop *loop)
{
    for (unsigned k = 0; k < async_kinds(loop); k++) {
        const struct books *const books = &loop->books[k];
        const struct cycle_window *const window = books->cycle->window;
        struct tally *const tally = books->cycle->tally;

        tally->operations = 0;
        for (uint32_t i = 0; i < window->batches; i++)
            tally->operations += window->batch[i].operations;
        tally->begun_more = (int64_t)(books->sums.complete - tally->operations);
        tally->outside = books->outside + books->early;
    }
}
