/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_async_books.c - what the loop for asynchronous engines came to: told during it (--interval)
 * and booked after it, for each kind of operations. */
#include "base/compat.h"

#include "run/cycle_async.h"

void async_publish(struct books *books, uint64_t end_ns, uint32_t in_flight)
{
    const struct sums *sums = &books->sums;
    const uint64_t complete = sums->complete - books->told.complete;

    series_publish(books->cycle->live, SERIES_COUNTED,
                   &(struct series_batch){.operations = complete,
                                          .sum_ns = sums->latency - books->told.latency,
                                          .min_ns = books->told.min_ns,
                                          .max_ns = books->told.max_ns,
                                          .last_ns = books->told.last_ns,
                                          .end_ns = end_ns},
                   in_flight);
    books->told.complete = sums->complete;
    books->told.latency = sums->latency;
    books->told.max_ns = 0;
    books->told.min_ns = UINT64_MAX;
}

static void close_kind(const struct loop *loop, const struct books *books)
{
    const struct sums *sums = &books->sums;
    struct tally *tally = books->cycle->tally;
    const uint64_t open_sum = loop->opens ? sums->open : sums->start;
    const uint64_t transfer_sum = loop->opens ? sums->transfer : sums->end;

    tally->operations += sums->complete;
    tally->sum_ns += sums->latency;
    tally->phase_ns[PHASE_OPEN] += open_sum - sums->start;
    tally->phase_ns[PHASE_TRANSFER] += transfer_sum - open_sum;
    tally->phase_ns[PHASE_CLOSE] += sums->end - transfer_sum;
    tally->failed_ns += sums->failed_ns;
}

uint64_t async_close_books(struct loop *loop)
{
    uint64_t done = 0;

    async_clocks_end(loop);
    loop->cycle->rng = loop->rng;
    loop->cycle->slot_ns += loop->slot_ns;
    if (loop->cycle->slots_used < loop->slots_used)
        loop->cycle->slots_used = loop->slots_used;
    for (unsigned k = 0; k < async_kinds(loop); k++) {
        const struct books *const books = &loop->books[k];

        close_kind(loop, books);
        done += books->sums.complete + books->sums.bad + books->aside;
    }
    return done;
}

void async_add_reads(struct loop *loop, struct cycle *reads)
{
    const struct cycle_mate *const mate = loop->cycle->mate;

    *reads = *loop->cycle;
    reads->work = mate->work;
    reads->tally = mate->tally;
    reads->check = mate->check;
    reads->live = mate->live;
    reads->checked = (struct usage){0};
    loop->books[1] = (struct books){.cycle = reads, .told = {.min_ns = UINT64_MAX}};
    loop->mixed = true;
    loop->mark = mate->mark;
    loop->chains = false;
    loop->checks = loop->checks || mate->check;
    loop->forgets = engine_forgets(loop->cycle->engine, mate->work);
}
