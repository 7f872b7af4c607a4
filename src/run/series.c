/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series.c - the thread that reads the progress of all workers at fixed moments. If the machine or
 * the reader of its output delays it, the record contains the actual length, and the next one ends
 * on the grid again. Missed moments get no record. */
#include "base/compat.h"

#include "run/series.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/mem.h"
#include "base/threads.h"
#include "run/cell.h"
#include "run/series_book.h"

#define KICK_SIGNAL SIGURG /* ignored by default, and not sent by other programs */

struct series *series_create(uint32_t workers, uint64_t interval_ns, const struct clock *clock,
                             const volatile int *stop)
{
    const uintptr_t mask = _Alignof(struct series_live) - 1;
    struct series *series = mem_calloc(1, sizeof(*series));

    series->memory = mem_calloc((size_t)workers + 1, sizeof(*series->live));
    series->live = (struct series_live *)(((uintptr_t)series->memory + mask) & ~mask);
    series->known = mem_calloc((size_t)workers + 1, sizeof(*series->known));
    series->counted = mem_calloc((size_t)workers + 1, sizeof(*series->counted));
    for (uint32_t i = 0; i < workers; i++)
        atomic_init(&series->live[i].min_ns, UINT64_MAX);
    series->workers = series->own = workers;
    series_reset_lives(series);
    series->interval_ns = interval_ns;
    series->clock = clock;
    series->stop = stop;
    pthread_mutex_init(&series->lock, NULL);
    condition_init(&series->wake);
    return series;
}

void series_free(struct series *series)
{
    if (!series)
        return;
    pthread_cond_destroy(&series->wake);
    pthread_mutex_destroy(&series->lock);
    free(series->memory);
    free(series->known);
    for (unsigned i = 0; i < series->account_count; i++)
        free(series->accounts[i].latency);
    free(series->counted);
    free(series->accounts);
    free(series->records);
    free(series);
}

void series_split(struct series *series, uint32_t own)
{
    series->own = own;
}

struct series_live *series_live(struct series *series, uint32_t index)
{
    return &series->live[index];
}

uint64_t series_next_ns(uint64_t start_ns, uint64_t interval_ns, uint64_t now_ns)
{
    const uint64_t whole = (now_ns - start_ns) / interval_ns + 1;
    uint64_t after_ns, next_ns;

    if (__builtin_mul_overflow(whole, interval_ns, &after_ns) ||
        __builtin_add_overflow(start_ns, after_ns, &next_ns))
        return UINT64_MAX;
    return next_ns;
}

void series_start(struct series *series)
{
    pthread_mutex_lock(&series->lock);
    series->start_ns = series->last_ns = series->idle_from_ns = series->looked_ns =
        clock_now(series->clock);
    for (unsigned i = 0; i < series->account_count; i++)
        free(series->accounts[i].latency);
    free(series->accounts); /* engines were tried before */
    series->accounts = NULL;
    series->account_count = 0;
    series->started = true;
    pthread_cond_signal(&series->wake);
    pthread_mutex_unlock(&series->lock);
}

/* --- records --- */

/* Adjusts the extremes, of which some may have been missed, so that the mean is between them. */
static void settle_extremes(struct account *account, const struct series_sums *now)
{
    const uint64_t n = now->operations, sum_ns = now->latency_sum_ns;
    const uint64_t least_ns = n ? sum_ns / n + (sum_ns % n != 0) : 0;

    if (!n || account->max_ns < least_ns)
        account->max_ns = least_ns;
    if (!n || account->min_ns > sum_ns / n)
        account->min_ns = n ? sum_ns / n : 0;
}

static struct series_record *add_record(struct series *series, const struct series_record *frame)
{
    series->records = mem_grow(series->records, &series->record_room, series->record_count + 1,
                               sizeof(*series->records));
    series->records[series->record_count] = *frame;
    return &series->records[series->record_count++];
}

static void make_record(struct series *series, struct account *account,
                        const struct series_record *frame)
{
    struct series_record *record = add_record(series, frame);
    struct series_sums now = account->all;

    slice_counters_since(&now, &account->before, sizeof(now));
    settle_extremes(account, &now);
    record->operations = now.operations;
    if (record->operations && account->latency && hist_total(account->latency)) {
        record->latency_p50_ns =
            hist_quantile_within_ns(account->latency, 0.5, account->min_ns, account->max_ns);
        record->latency_p99_ns =
            hist_quantile_within_ns(account->latency, 0.99, account->min_ns, account->max_ns);
    }
    record->cell = account->cell;
    record->busy_ns = now.busy_ns;
    record->in_flight = account->in_flight;
    record->bytes = now.bytes;
    record->errors = now.errors;
    record->latency_sum_ns = now.latency_sum_ns;
    record->latency_min_ns = account->min_ns;
    record->latency_max_ns = account->max_ns;
    record->latency_last_ns = account->last_ns;
    record->all = account->all;
    if (account->kind) {
        record->test = cell_test(account->kind);
        record->cache = account->kind->work.cache;
    }
}

static void make_records(struct series *series, const struct series_record *frame)
{
    series->record_count = series->next = 0;
    for (unsigned i = 0; i < series->account_count; i++) {
        struct account *account = &series->accounts[i];
        if (account->in_flight ||
            memcmp(&account->all, &account->before, sizeof(account->all)) != 0)
            make_record(series, account, frame);
        free(account->latency);
        account->latency = NULL;
        series_reset_account(account);
    }
    if (!series->record_count)
        add_record(series, frame);
}

bool series_more(struct series *series, struct series_record *record)
{
    if (series->next == series->record_count)
        return false;
    *record = series->records[series->next++];
    return true;
}

bool series_take(struct series *series, uint64_t now_ns, struct series_record *record)
{
    struct series_record frame;

    if (now_ns <= series->last_ns)
        return false;
    pthread_mutex_lock(&series->lock);
    /* Slices that began or ended since now_ns was read are booked up to then. */
    if (series->current && now_ns < series->looked_ns)
        now_ns = series->looked_ns;
    if (now_ns < series->idle_from_ns)
        now_ns = series->idle_from_ns;
    series_book(series, now_ns);
    series_book_idle(series, now_ns);
    frame = (struct series_record){.time_ns = now_ns - series->start_ns,
                                   .length_ns = now_ns - series->last_ns,
                                   .preparing_ns = series->idle_ns,
                                   .unix_ms = clock_wall_ns() / 1000000,
                                   .under_way = series->latest.under_way,
                                   .test = series->latest.test,
                                   .cache = series->latest.cache};
    series->latest = series->part;
    series->idle_ns = 0;
    make_records(series, &frame);
    series->last_ns = now_ns;
    pthread_mutex_unlock(&series->lock);
    return series_more(series, record);
}

/* --- the thread --- */

/* Emits the records of an interval; the first one is in *record. */
static void hand_on(struct series *series, struct series_record *record)
{
    const bool partial = record->partial;

    do {
        record->partial = partial;
        if (series->emit(series->arg, record, &series->error) < 0)
            atomic_store(&series->failed, true);
    } while (!series_failed(series) && series_more(series, record));
}

bool series_failed(const struct series *series)
{
    return atomic_load(&series->failed);
}

static void *thread_main(void *arg)
{
    struct series *series = arg;

    pthread_mutex_lock(&series->lock);
    while (!series->started && !series->quit)
        pthread_cond_wait(&series->wake, &series->lock);
    while (!series->quit) {
        const uint64_t due_ns =
            series_next_ns(series->start_ns, series->interval_ns, clock_now(series->clock));
        struct series_record record;
        while (!series->quit && clock_now(series->clock) < due_ns)
            (void)condition_wait_until(&series->wake, &series->lock, due_ns);
        if (series->quit || series_failed(series))
            break;
        pthread_mutex_unlock(&series->lock);
        if (series_take(series, clock_now(series->clock), &record))
            hand_on(series, &record);
        pthread_mutex_lock(&series->lock);
    }
    series->ended = true;
    pthread_mutex_unlock(&series->lock);
    return NULL;
}

static void on_kick(int signum)
{
    (void)signum;
}

/* The thread may be blocked because nothing reads its records. At the end of the run, the signal
 * interrupts the call. */
static void end_thread(struct series *series)
{
    pthread_mutex_lock(&series->lock);
    while (!series->ended) {
        if (flag_read(series->stop) != 0)
            pthread_kill(series->thread, KICK_SIGNAL);
        pthread_mutex_unlock(&series->lock);
        clock_rest(5000000);
        pthread_mutex_lock(&series->lock);
    }
    pthread_mutex_unlock(&series->lock);
    pthread_join(series->thread, NULL);
}

int series_run(struct series *series,
               int (*emit)(void *arg, const struct series_record *record, struct error *err),
               void *arg, struct error *err)
{
    const struct sigaction action = {.sa_handler = on_kick}; /* without SA_RESTART */
    sigset_t all, before;
    int code;

    series->emit = emit;
    series->arg = arg;
    sigaction(KICK_SIGNAL, &action, NULL);
    /* Signals must reach the measuring threads, whose blocking calls they interrupt. */
    sigfillset(&all);
    sigdelset(&all, KICK_SIGNAL);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&series->thread, NULL, thread_main, series);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code) {
        error_set(err, STATUS_TARGET, code, "cannot start the thread of --interval", NULL);
        return error_advise(err, "raise the limit of threads (ulimit -u)");
    }
    series->running = true;
    return 0;
}

int series_stop(struct series *series, struct error *err)
{
    struct series_record record;
    bool started;

    if (!series->running)
        return 0;
    pthread_mutex_lock(&series->lock);
    series->quit = true;
    started = series->started;
    pthread_cond_signal(&series->wake);
    pthread_mutex_unlock(&series->lock);
    end_thread(series);
    series->running = false;
    if (started && !series_failed(series) &&
        series_take(series, clock_now(series->clock), &record)) {
        record.partial = record.length_ns < series->interval_ns;
        hand_on(series, &record);
    }
    if (!series_failed(series))
        return 0;
    if (!error_is_set(err))
        *err = series->error;
    return -1;
}
