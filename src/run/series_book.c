/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_book.c - --interval: reads the progress of workers, and adds it to the accounts of
 * rows. */
#include "base/compat.h"

#include "run/series_book.h"

#include <sched.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "run/cell.h"
#include "run/sink.h"
#include "run/worker.h"

/* A worker is inside series_publish for some nanoseconds, unless it is preempted there. After this
 * number of attempts its last consistent counts are used: later ones go to the next record. */
#define LOOKS_MOST  200
#define LOOKS_QUICK 100 /* attempts before yielding the processor */

/* --- reading --- */

struct live_state { /* state of one worker, at one moment */
    struct totals totals;
    uint64_t in_flight, last_ns, last_end_ns;
};

/* Returns false if the worker was writing meanwhile. */
static bool look(const struct series_live *live, struct live_state *seen)
{
#define GET(field) atomic_load_explicit(&live->field, memory_order_acquire)
    const uint64_t version = atomic_load(&live->version);

    *seen = (struct live_state){.totals = {.errors = GET(errors)},
                                .in_flight = GET(in_flight),
                                .last_ns = GET(last_ns),
                                .last_end_ns = GET(last_end_ns)};
    for (int part = 0; part < SERIES_PARTS; part++)
        seen->totals.part[part] =
            (struct part_totals){GET(count[part].operations), GET(count[part].latency_sum_ns),
                                 GET(count[part].running), GET(count[part].spent_ns)};
    return version % 2 == 0 && GET(version) == version;
#undef GET
}

static void add_worker(struct series_live *live, struct totals *known, struct totals *totals,
                       struct account *account)
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
    slice_counters_add(totals, known, sizeof(*totals));
    account->in_flight += seen.in_flight;
    account->max_ns = number_most(account->max_ns, atomic_exchange(&live->max_ns, 0));
    account->min_ns = number_least(account->min_ns, atomic_exchange(&live->min_ns, UINT64_MAX));
    if (seen.last_end_ns > account->last_end_ns) {
        account->last_end_ns = seen.last_end_ns;
        account->last_ns = seen.last_ns;
    }
}

/* --- accounts; all of it under the lock --- */

void series_reset_account(struct account *account)
{
    account->in_flight = account->max_ns = 0;
    account->min_ns = UINT64_MAX;
    account->before = account->all;
}

static void make_accounts(struct series *series, unsigned count)
{
    if (count <= series->account_count)
        return;
    series->accounts = mem_realloc_array(series->accounts, count, sizeof(*series->accounts));
    for (unsigned i = series->account_count; i < count; i++) {
        series->accounts[i] = (struct account){.cell = NULL};
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

/* The totals of some workers in the slice so far; adds latencies to the account. */
static struct totals look_at_workers(struct series *series, uint32_t first, uint32_t end,
                                     struct account *account, uint64_t *errors,
                                     struct account *failed)
{
    struct totals now = {.errors = 0};

    for (uint32_t i = first; i < end; i++)
        add_worker(&series->live[i], &series->known[i], &now, account);
    if (!account->latency)
        account->latency = mem_calloc(1, sizeof(*account->latency));
    for (uint32_t i = first; i < end; i++)
        add_latencies(&series->live[i], &series->counted[i], account->latency);
    /* failures belong to the row even if the slice does not count */
    failed->all.errors += now.errors - *errors;
    *errors = now.errors;
    return now;
}

/* Whether operations that keep up the load are certain to count, since a counted operation outlasts
 * the slice by SLICE_LATE_MEANS mean latencies (settle_clocks of worker.c); those in flight may
 * have begun with the slice, and raise the mean while they last. */
static bool load_counts(const struct series *series, const struct totals *all, uint64_t now_ns)
{
    const uint64_t begin_ns = atomic_load(&series->live[0].clocks_begin_ns);
    const uint64_t end_ns = atomic_load(&series->live[0].clocks_end_ns);
    const double running = (double)all->part[SERIES_COUNTED].running;
    const double count = running + (double)all->part[SERIES_COUNTED].operations;
    const double sum_ns = (double)all->part[SERIES_COUNTED].latency_sum_ns +
                          running * ((double)now_ns - (double)begin_ns);

    return now_ns > end_ns && running > 0 && SLICE_LATE_MEANS * running <= count &&
           (double)(now_ns - end_ns) * count > SLICE_LATE_MEANS * sum_ns;
}

/* The time of all slots / their number; limited by the schedule while it can still be kept. */
static uint64_t time_of(const struct series *series, const struct totals *all, uint64_t in_flight,
                        bool load, uint64_t now_ns)
{
    const struct cell *cell = series->accounts[series->current].cell;
    const uint64_t longest_ns = series->longest_ns, late_ns = longest_ns / SLICE_KEPT_SHARE;
    const uint64_t begun = all->part[SERIES_COUNTED].operations + all->errors + in_flight;
    int64_t slot_ns = 0;
    uint64_t time_ns;

    for (int part = 0; part < SERIES_PARTS; part++)
        if (part == SERIES_COUNTED || (load && part == SERIES_LOAD))
            slot_ns += (int64_t)(all->part[part].running * now_ns + all->part[part].spent_ns);
    if (slot_ns <= 0 || !cell)
        return 0; /* a slot began after now_ns was read */
    time_ns = (uint64_t)slot_ns / ((uint64_t)cell->threads * cell->work.depth);
    if (time_ns <= longest_ns || (begun < series->cycles && time_ns - longest_ns > late_ns))
        return time_ns;
    return longest_ns;
}

static struct series_sums sums_of(const struct totals *now, bool load, uint64_t time_ns,
                                  uint64_t size_bytes)
{
    const struct part_totals *const counted = &now->part[SERIES_COUNTED],
                                    *const after = &now->part[SERIES_LOAD];
    const uint64_t operations = counted->operations + (load ? after->operations : 0);

    return (struct series_sums){.operations = operations,
                                .bytes = operations * size_bytes,
                                .busy_ns = time_ns,
                                .latency_sum_ns =
                                    counted->latency_sum_ns + (load ? after->latency_sum_ns : 0)};
}

static void add_sums(struct series_sums *into, const struct series_sums *from)
{
    slice_counters_add(into, from, sizeof(*into));
}

/* Updates the figures of a row, which never decrease from one record to the next. */
static void show(struct account *account, const struct series_sums *under_way)
{
    struct series_sums sums = account->reported;

    add_sums(&sums, under_way);
    for (size_t i = 0; i < sizeof(sums) / sizeof(uint64_t); i++) {
        uint64_t *const shown = (uint64_t *)&account->all + i;
        *shown = number_most(*shown, ((const uint64_t *)&sums)[i]);
    }
}

void series_book(struct series *series, uint64_t now_ns)
{
    struct account *own, *mate, *failed;
    struct totals kinds[2] = {{.errors = 0}}, all;
    struct series_sums sums[2];
    uint64_t size_bytes, time_ns;
    bool load;

    make_accounts(series, SERIES_ROWLESS);
    failed = &series->accounts[series->current];
    own = series->counts ? failed : &series->accounts[0];
    mate = !series->mate ? own : &series->accounts[series->counts ? series->mate : 1];
    size_bytes = failed->cell ? failed->cell->work.size_bytes : 0;
    own->in_flight = mate->in_flight = 0;
    all = kinds[0] = look_at_workers(series, 0, series->own, own, &series->errors[0], failed);
    if (series->mate) {
        kinds[1] = look_at_workers(series, series->own, series->workers, mate, &series->errors[1],
                                   &series->accounts[series->mate]);
        slice_counters_add(&all, &kinds[1], sizeof(all));
    }
    load = load_counts(series, &all, now_ns);
    time_ns =
        time_of(series, &all, own->in_flight + (mate == own ? 0 : mate->in_flight), load, now_ns);
    sums[0] = sums_of(own == mate ? &all : &kinds[0], load, time_ns, size_bytes);
    sums[1] = sums_of(&kinds[1], load, time_ns, size_bytes);
    show(own, &sums[0]);
    if (mate != own)
        show(mate, &sums[1]);
    series->looked_ns = now_ns;
    if (!series->ending)
        return;
    if (!series->counts) { /* the others are included by series_add_slice */
        add_sums(&own->reported, &sums[0]);
        if (mate != own)
            add_sums(&mate->reported, &sums[1]);
    }
    own->in_flight = mate->in_flight = 0;
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
        (struct series_phase){.under_way = true, .test = test, .cache = cache};
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
    const unsigned at = cell->index + SERIES_ROWLESS;

    make_accounts(series, at + 1);
    series->accounts[at].cell = series->accounts[at].kind = cell;
    series->accounts[at].last_end_ns = series->looked_ns;
    return at;
}

void series_reset_lives(struct series *series)
{
    for (uint32_t i = 0; i < series->workers; i++) {
        struct series_live *live = &series->live[i];

        for (int part = 0; part < SERIES_PARTS; part++) {
            struct series_count *count = &live->count[part];
            count->operations = count->latency_sum_ns = count->running = count->spent_ns = 0;
        }
        live->errors = live->in_flight = 0;
        live->clocks_begin_ns = live->clocks_end_ns = UINT64_MAX;
        live->part = SERIES_COUNTED;
        series->known[i] = (struct totals){.errors = 0};
    }
    series->errors[0] = series->errors[1] = 0;
}

void series_begin_slice(struct series *series, const struct slice *slice, uint64_t longest_ns)
{
    pthread_mutex_lock(&series->lock);
    series->looked_ns = clock_now(series->clock);
    series_reset_lives(series);
    series->current = begin_account(series, slice->cell);
    series->mate = slice->mate ? begin_account(series, slice->mate) : 0;
    series->accounts[0].kind = slice->cell;
    series->accounts[1].kind = slice->mate;
    series->counts = slice->plan.counts;
    series->longest_ns = longest_ns;
    series->cycles = slice->plan.cycles;
    pthread_mutex_unlock(&series->lock);
}

void series_end_slice(struct series *series)
{
    pthread_mutex_lock(&series->lock);
    series->ending = true;
    series_book(series, clock_now(series->clock));
    series_reset_lives(series);
    series->current = series->mate = 0;
    series->ending = series->counts = false;
    pthread_mutex_unlock(&series->lock);
}

void series_add_slice(struct series *series, const struct slice_record *slice)
{
    const struct series_sums none = {.operations = 0};
    struct account *account;

    pthread_mutex_lock(&series->lock);
    account = &series->accounts[begin_account(series, slice->cell)];
    add_sums(&account->reported,
             &(struct series_sums){.operations = slice->operations,
                                   .bytes = slice->operations * slice->cell->work.size_bytes,
                                   .busy_ns = slice->time_ns,
                                   .latency_sum_ns = slice->latency_ns_sum});
    show(account, &none);
    pthread_mutex_unlock(&series->lock);
}
