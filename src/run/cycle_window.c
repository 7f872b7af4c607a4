/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_window.c - a window (see cycle.h) for engines that do one operation at a time, on each of
 * several threads.  The hot loop is left as it is: it runs until a moment, again and again, and
 * what it says of the operation that went beyond that moment is enough to know what ended when. */
#include "base/compat.h"

#include "run/cycle_book.h"

struct crossing {  /* the operation that was under way when a batch ended */
    bool complete; /* else it failed */
    unsigned kind; /* see below */
    uint64_t end_ns;
};

COLD void window_share(struct cycle_window *window, uint64_t start_ns, uint64_t end_ns)
{
    for (uint32_t i = 0; i < window->batches && end_ns > start_ns; i++) {
        const uint64_t begin_ns = window->begin_ns + window->batch_ns * i;
        const uint64_t edge_ns = begin_ns + window->batch_ns;
        const uint64_t from_ns = start_ns > begin_ns ? start_ns : begin_ns;
        const uint64_t to_ns = end_ns < edge_ns ? end_ns : edge_ns;

        if (to_ns > from_ns)
            window->batch[i].shifted += (double)(to_ns - from_ns) / (double)(end_ns - start_ns);
        if (end_ns >= begin_ns && end_ns < edge_ns)
            window->batch[i].shifted -= 1; /* counted as a whole */
    }
}

/* With --mix there are two kinds of operations, each with a window and a tally: 0 writes, 1 reads.
 * What both share is in the first. */
static unsigned kinds(const struct cycle *cycle)
{
    return cycle->mate ? 2 : 1;
}

static struct cycle_window *window_of(const struct cycle *cycle, unsigned kind)
{
    return kind ? cycle->mate->window : cycle->window;
}

static struct tally *tally_of(const struct cycle *cycle, unsigned kind)
{
    return kind ? cycle->mate->tally : cycle->tally;
}

/* The operation, if any, that was complete beyond the moment to which cycle_run went. */
static struct crossing crossing_of(const struct cycle *cycle)
{
    const unsigned kind = cycle->mate && cycle->last_read;

    if (cycle->overran)
        window_share(window_of(cycle, kind), cycle->overrun_start_ns, cycle->end_ns);
    return (struct crossing){.complete = cycle->overran, .kind = kind, .end_ns = cycle->end_ns};
}

/* Runs until a moment.  Returns whether the slice goes on. */
static bool run_until(struct cycle *cycle, uint64_t edge_ns, uint64_t *cycles)
{
    cycle->deadline_ns = edge_ns;
    *cycles += cycle_run(cycle, UINT64_MAX);
    return cycle->end_ns >= edge_ns && !flag_read(cycle->stop);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* One batch; `crossing` is that of its beginning, and then of its end. */
static bool run_batch(struct cycle *cycle, uint32_t batch, uint64_t edge_ns,
                      struct crossing *crossing, uint64_t *cycles)
{
    const uint64_t excluded_ns = cycle->tally->excluded_ns;
    const unsigned count = kinds(cycle);
    uint64_t before[2];
    bool go_on;

    if (crossing->end_ns >= edge_ns)
        return true; /* nothing ended in all of it */
    for (unsigned k = 0; k < count; k++)
        before[k] = tally_of(cycle, k)->operations;
    window_of(cycle, crossing->kind)->batch[batch].operations = crossing->complete;
    go_on = run_until(cycle, edge_ns, cycles);
    for (unsigned k = 0; k < count; k++)
        window_of(cycle, k)->batch[batch].operations += tally_of(cycle, k)->operations - before[k];
    cycle->window->batch[batch].excluded_ns = cycle->tally->excluded_ns - excluded_ns;
    *crossing = crossing_of(cycle);
    window_of(cycle, crossing->kind)->batch[batch].operations -= crossing->complete;
    return go_on;
}

/* Of one kind, what began inside, without what of it came after the end, and the rest of what was
 * under way at the beginning. */
static void book_flight(const struct cycle *cycle, unsigned kind, const struct crossing *first,
                        const struct crossing *last)
{
    const struct cycle_window *const all = cycle->window;
    struct cycle_window *const window = window_of(cycle, kind);
    struct tally *const tally = tally_of(cycle, kind);
    const bool begun = tally->sum_ns + tally->failed_ns > 0 && last->kind == kind;
    const uint64_t late_ns = begun && cycle->end_ns > all->end_ns ? cycle->end_ns - all->end_ns : 0;
    const uint64_t first_ns = first->kind == kind ? least(first->end_ns, all->end_ns) : 0;
    const uint64_t early_ns = first_ns > all->begin_ns ? first_ns - all->begin_ns : 0;

    window->flight_ns = tally->sum_ns + tally->failed_ns + early_ns;
    window->flight_ns -= least(late_ns, window->flight_ns);
    if (!cycle->overran)
        tally->failed_ns -= least(late_ns, tally->failed_ns);
    if (!first->complete)
        tally->failed_ns += early_ns;
}

/* The counts of one kind, when all is over; `outside` is how many came before the window. */
static void book_counts(const struct cycle *cycle, unsigned kind, uint64_t outside)
{
    struct tally *const tally = tally_of(cycle, kind);
    const struct cycle_window *const window = window_of(cycle, kind);
    uint64_t ended = 0;

    for (uint32_t i = 0; i < cycle->window->batches; i++)
        ended += window->batch[i].operations;
    tally->begun_more = (int64_t)(tally->operations - ended);
    tally->operations = ended;
    tally->outside = outside;
}

uint64_t cycle_run_window(struct cycle *cycle)
{
    struct cycle_window *const window = cycle->window;
    const uint64_t end_ns = window->begin_ns + window->batch_ns * window->batches;
    struct crossing crossing, first;
    uint64_t cycles = 0, outside[2];
    bool go_on;

    window->inside = true;
    window->end_ns = end_ns;
    go_on = run_until(cycle, window->begin_ns, &cycles);
    crossing = crossing_of(cycle);
    first = crossing;
    for (unsigned k = 0; k < kinds(cycle); k++) {
        outside[k] = tally_of(cycle, k)->operations;
        tally_forget_times(tally_of(cycle, k));
    }
    for (uint32_t i = 0; i < window->batches && go_on; i++)
        go_on =
            run_batch(cycle, i, window->begin_ns + window->batch_ns * (i + 1), &crossing, &cycles);
    if (!go_on)
        window->end_ns =
            cycle->end_ns < window->begin_ns ? window->begin_ns : least(cycle->end_ns, end_ns);
    for (unsigned k = 0; k < kinds(cycle); k++) {
        book_flight(cycle, k, &first, &crossing);
        book_counts(cycle, k, outside[k]);
    }
    window->inside = false;
    return cycles;
}
