/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_book.c - --interval: reading what workers have done, and booking it into the accounts of
 * rows. */
#include "base/compat.h"

#include "run/series_book.h"

#include <sched.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "run/cell.h"

/* A worker is inside series_publish for some nanoseconds, unless it loses its processor there.
 * After so many looks its counts are those of the last time when they belonged together: what came
 * since is in the next record. */
#define LOOKS_MOST  200
#define LOOKS_QUICK 100 /* after so many of them others may run in between */

/* --- reading --- */

struct live_state { /* of one worker, at one moment */
    struct totals totals;
    uint64_t in_flight, own_interval, max_ns, max_before_ns, min_ns, min_before_ns;
    uint64_t last_ns, last_end_ns;
};

/* Returns false when the worker was writing meanwhile. */
static bool look(const struct series_live *live, struct live_state *seen)
{
#define GET(field) atomic_load_explicit(&live->field, memory_order_acquire)
    const uint64_t version = atomic_load(&live->version);

    *seen = (struct live_state){.totals = {.operations = GET(operations),
                                           .bytes = GET(bytes),
                                           .errors = GET(errors),
                                           .latency_sum_ns = GET(latency_sum_ns),
                                           .between_ns = GET(between_ns)},
                                .in_flight = GET(in_flight),
                                .own_interval = GET(own_interval),
                                .max_ns = GET(max_ns),
                                .max_before_ns = GET(max_before_ns),
                                .min_ns = GET(min_ns),
                                .min_before_ns = GET(min_before_ns),
                                .last_ns = GET(last_ns),
                                .last_end_ns = GET(last_end_ns)};
    return version % 2 == 0 && GET(version) == version;
#undef GET
}

/* The longest and shortest latency of the interval numbered `ended`.  What a worker booked in the
 * moment between the end of that interval and this look is in its counts, so it is looked at, too:
 * the longest latency may be reported twice, but is never lost. */
static void add_extremes(const struct live_state *seen, uint64_t ended, struct account *account)
{
    const bool before = seen->own_interval == ended + 1;

    if (seen->own_interval != ended && !before)
        return;
    if (seen->max_ns > account->max_ns)
        account->max_ns = seen->max_ns;
    if (seen->min_ns < account->min_ns)
        account->min_ns = seen->min_ns;
    if (before && seen->max_before_ns > account->max_ns)
        account->max_ns = seen->max_before_ns;
    if (before && seen->min_before_ns < account->min_ns)
        account->min_ns = seen->min_before_ns;
}

static void add_worker(const struct series_live *live, struct totals *known, uint64_t ended,
                       struct totals *totals, struct account *account)
{
    struct live_state seen;
    bool whole = look(live, &seen);

    for (int looks = 0; !whole && looks < LOOKS_MOST; looks++) {
        if (looks > LOOKS_QUICK)
            sched_yield();
        whole = look(live, &seen);
    }
    if (whole)
        *known = seen.totals;
    totals->operations += known->operations;
    totals->bytes += known->bytes;
    totals->errors += known->errors;
    totals->latency_sum_ns += known->latency_sum_ns;
    totals->between_ns += known->between_ns;
    account->in_flight += seen.in_flight;
    add_extremes(&seen, ended, account);
    if (seen.last_end_ns > account->last_end_ns) {
        account->last_end_ns = seen.last_end_ns;
        account->last_ns = seen.last_ns;
    }
}

/* --- accounts; all of it under the lock --- */

void series_reset_account(struct account *account)
{
    account->busy_ns = account->in_flight = account->max_ns = 0;
    account->min_ns = UINT64_MAX;
    account->interval = (struct totals){.operations = 0};
}

static void make_accounts(struct series *series, unsigned count)
{
    if (count <= series->account_count)
        return;
    series->accounts = mem_realloc_array(series->accounts, count, sizeof(*series->accounts));
    for (unsigned i = series->account_count; i < count; i++) {
        series->accounts[i] = (struct account){.all = {.latency_min_ns = UINT64_MAX}};
        series_reset_account(&series->accounts[i]);
    }
    series->account_count = count;
}

static void add_latencies(const struct series_live *live, struct hist *known, struct hist *into)
{
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        const uint64_t now = atomic_load_explicit(&live->latencies[i], memory_order_relaxed);
        into->count[i] += now - known->count[i];
        known->count[i] = now;
    }
}

/* What some workers have done since the last look belongs to the account under way.  Returns the
 * time that they spent between operations. */
static uint64_t book_workers(struct series *series, uint32_t first, uint32_t end, uint64_t ended,
                             struct account *account, struct totals *last)
{
    struct totals now = {.operations = 0};
    uint64_t between_ns;

    account->in_flight = 0;
    for (uint32_t i = first; i < end; i++)
        add_worker(&series->live[i], &series->known[i], ended, &now, account);
    if (!account->latency)
        account->latency = mem_calloc(1, sizeof(*account->latency));
    for (uint32_t i = first; i < end; i++)
        add_latencies(&series->live[i], &series->counted[i], account->latency);
    account->interval.operations += now.operations - last->operations;
    account->interval.bytes += now.bytes - last->bytes;
    account->interval.errors += now.errors - last->errors;
    account->interval.latency_sum_ns += now.latency_sum_ns - last->latency_sum_ns;
    between_ns = now.between_ns - last->between_ns;
    *last = now;
    return between_ns;
}

static void add_busy(struct account *account, uint64_t spent_ns, uint64_t between_ns)
{
    const uint64_t each_ns = between_ns && account->cell ? between_ns / account->cell->threads : 0;

    account->busy_ns = number_minus(account->busy_ns + spent_ns, each_ns);
}

void series_book(struct series *series, uint64_t now_ns)
{
    const uint64_t ended = atomic_load(&series->interval);
    uint64_t between_ns;

    make_accounts(series, 1);
    atomic_store(&series->interval, ended + 1);
    between_ns = book_workers(series, 0, series->own, ended, &series->accounts[series->current],
                              &series->last[0]);
    if (series->mate)
        between_ns += book_workers(series, series->own, series->workers, ended,
                                   &series->accounts[series->mate], &series->last[1]);
    if (!series->current)
        return;
    add_busy(&series->accounts[series->current], now_ns - series->busy_from_ns, between_ns);
    if (series->mate)
        add_busy(&series->accounts[series->mate], now_ns - series->busy_from_ns, between_ns);
    series->busy_from_ns = now_ns;
}

void series_book_idle(struct series *series, uint64_t now_ns)
{
    if (!series->part.under_way)
        series->idle_ns += now_ns - series->idle_from_ns;
    series->idle_from_ns = now_ns;
}

void series_begin_part(struct series *series, enum io_test test, enum cache_mode cache)
{
    pthread_mutex_lock(&series->lock);
    series_book_idle(series, clock_now(series->clock));
    series->part = series->latest =
        (struct series_part){.under_way = true, .test = test, .cache = cache};
    pthread_mutex_unlock(&series->lock);
}

void series_end_part(struct series *series)
{
    pthread_mutex_lock(&series->lock);
    series_book_idle(series, clock_now(series->clock));
    series->part.under_way = false;
    pthread_mutex_unlock(&series->lock);
}

static unsigned begin_account(struct series *series, const struct cell *cell)
{
    make_accounts(series, cell->index + 2);
    series->accounts[cell->index + 1].cell = cell;
    series->accounts[cell->index + 1].last_end_ns = series->busy_from_ns;
    return cell->index + 1;
}

void series_begin_slice(struct series *series, const struct cell *cell, const struct cell *mate)
{
    pthread_mutex_lock(&series->lock);
    series->busy_from_ns = clock_now(series->clock);
    series->current = begin_account(series, cell);
    series->mate = mate ? begin_account(series, mate) : 0;
    pthread_mutex_unlock(&series->lock);
}

void series_end_slice(struct series *series)
{
    pthread_mutex_lock(&series->lock);
    series_book(series, clock_now(series->clock));
    series->accounts[series->current].in_flight = 0;
    series->accounts[series->mate].in_flight = 0;
    series->current = series->mate = 0;
    pthread_mutex_unlock(&series->lock);
}
