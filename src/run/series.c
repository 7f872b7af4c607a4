/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.c - the thread that looks at what all workers have done, at fixed moments.  It is late
 * when the machine or the reader of its output is: the record then tells the real length, and the
 * next one ends on the grid again.  No record is made up for a moment that was missed. */
#include "base/compat.h"

#include "run/series.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/flag.h"
#include "base/mem.h"

/* A worker is inside series_publish for some nanoseconds, unless it loses its processor there.
 * After so many looks its figures are taken as they are: each of them is right, and what does not
 * belong together yet is in the next record. */
#define LOOKS_MOST  200
#define LOOKS_QUICK 100 /* after so many of them others may run in between */

#define NS_PER_S UINT64_C(1000000000)

#define KICK_SIGNAL SIGURG /* does nothing by itself, and nobody sends it to others */

struct totals { /* of all workers since the start */
    uint64_t operations, bytes, errors, latency_sum_ns;
};

struct part {
    bool under_way;
    enum io_test test;
    enum cache_mode cache;
};

struct series {
    struct series_live *live; /* of each worker, in `memory` */
    void *memory;
    uint32_t workers;
    uint64_t interval_ns;
    const struct clock *clock;
    const volatile int *stop; /* not 0: the run is to end soon */
    uint64_t start_ns;
    atomic_uint_fast64_t interval; /* number of the one under way; the workers look at it */

    uint64_t last_ns; /* end of the interval before; by whoever calls series_take */
    struct totals last;

    int (*emit)(void *arg, const struct series_record *record, struct error *err);
    void *arg;
    struct error error; /* of emit; read when the thread has ended */
    atomic_bool failed;
    pthread_t thread;
    bool running;

    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool started, quit;       /* under lock */
    struct part part, latest; /* under lock: now; the last one seen in this interval */
};

struct series *series_create(uint32_t workers, uint64_t interval_ns, const struct clock *clock,
                             const volatile int *stop)
{
    const uintptr_t mask = _Alignof(struct series_live) - 1;
    struct series *series = mem_calloc(1, sizeof *series);
    pthread_condattr_t attributes;

    series->memory = mem_calloc((size_t)workers + 1, sizeof *series->live);
    series->live = (struct series_live *)(((uintptr_t)series->memory + mask) & ~mask);
    for (uint32_t i = 0; i < workers; i++)
        series->live[i].interval = &series->interval;
    series->workers = workers;
    series->interval_ns = interval_ns;
    series->clock = clock;
    series->stop = stop;
    pthread_mutex_init(&series->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&series->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    return series;
}

void series_free(struct series *series)
{
    if (!series)
        return;
    pthread_cond_destroy(&series->wake);
    pthread_mutex_destroy(&series->lock);
    free(series->memory);
    free(series);
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
    series->start_ns = series->last_ns = clock_now(series->clock);
    series->started = true;
    pthread_cond_signal(&series->wake);
    pthread_mutex_unlock(&series->lock);
}

void series_begin_part(struct series *series, enum io_test test, enum cache_mode cache)
{
    pthread_mutex_lock(&series->lock);
    series->part = series->latest = (struct part){.under_way = true, .test = test, .cache = cache};
    pthread_mutex_unlock(&series->lock);
}

void series_end_part(struct series *series)
{
    pthread_mutex_lock(&series->lock);
    series->part.under_way = false;
    pthread_mutex_unlock(&series->lock);
}

/* --- reading --- */

struct seen { /* of one worker, at one moment */
    struct totals totals;
    uint64_t in_flight, max_interval, max_ns, max_before_ns;
};

/* Returns false when the worker was writing meanwhile. */
static bool look(const struct series_live *live, struct seen *seen)
{
#define GET(field) atomic_load_explicit(&live->field, memory_order_acquire)
    const uint64_t version = atomic_load(&live->version);

    *seen = (struct seen){.totals = {.operations = GET(operations),
                                     .bytes = GET(bytes),
                                     .errors = GET(errors),
                                     .latency_sum_ns = GET(latency_sum_ns)},
                          .in_flight = GET(in_flight),
                          .max_interval = GET(max_interval),
                          .max_ns = GET(max_ns),
                          .max_before_ns = GET(max_before_ns)};
    return version % 2 == 0 && GET(version) == version;
#undef GET
}

/* The longest latency of the interval numbered `ended`.  What a worker booked in the moment between
 * the end of that interval and this look is in its counts, so it is looked at, too: the longest
 * latency may be told twice, and never not at all. */
static uint64_t longest_ns(const struct seen *seen, uint64_t ended)
{
    if (seen->max_interval == ended)
        return seen->max_ns;
    if (seen->max_interval == ended + 1)
        return seen->max_ns > seen->max_before_ns ? seen->max_ns : seen->max_before_ns;
    return 0;
}

static void add_worker(const struct series_live *live, uint64_t ended, struct totals *totals,
                       struct series_record *record)
{
    struct seen seen;
    uint64_t max_ns;

    for (int looks = 0; !look(live, &seen) && looks < LOOKS_MOST; looks++)
        if (looks > LOOKS_QUICK)
            sched_yield();
    totals->operations += seen.totals.operations;
    totals->bytes += seen.totals.bytes;
    totals->errors += seen.totals.errors;
    totals->latency_sum_ns += seen.totals.latency_sum_ns;
    record->in_flight += seen.in_flight;
    max_ns = longest_ns(&seen, ended);
    if (max_ns > record->latency_max_ns)
        record->latency_max_ns = max_ns;
}

static void name_part(struct series *series, struct series_record *record)
{
    pthread_mutex_lock(&series->lock);
    record->under_way = series->latest.under_way;
    record->test = series->latest.test;
    record->cache = series->latest.cache;
    series->latest = series->part;
    pthread_mutex_unlock(&series->lock);
}

/* No mean is above the longest, whatever was missed of it. */
static void settle_longest(struct series_record *record)
{
    const uint64_t n = record->operations, sum_ns = record->latency_sum_ns;
    const uint64_t least_ns = n ? sum_ns / n + (sum_ns % n != 0) : 0;

    if (!n || record->latency_max_ns < least_ns)
        record->latency_max_ns = least_ns;
}

bool series_take(struct series *series, uint64_t now_ns, struct series_record *record)
{
    const uint64_t ended = atomic_load(&series->interval);
    struct totals now = {.operations = 0};

    if (now_ns <= series->last_ns)
        return false;
    *record = (struct series_record){.time_ns = now_ns - series->start_ns,
                                     .length_ns = now_ns - series->last_ns};
    name_part(series, record);
    atomic_store(&series->interval, ended + 1);
    for (uint32_t i = 0; i < series->workers; i++)
        add_worker(&series->live[i], ended, &now, record);
    record->operations = now.operations - series->last.operations;
    record->bytes = now.bytes - series->last.bytes;
    record->errors = now.errors - series->last.errors;
    record->latency_sum_ns = now.latency_sum_ns - series->last.latency_sum_ns;
    settle_longest(record);
    series->last = now;
    series->last_ns = now_ns;
    return true;
}

/* --- the thread --- */

static void hand_on(struct series *series, const struct series_record *record)
{
    if (series->emit(series->arg, record, &series->error) < 0)
        atomic_store(&series->failed, true);
}

bool series_failed(const struct series *series)
{
    return atomic_load(&series->failed);
}

/* Until then, or until the series is to end; under the lock. */
static void wait_until(struct series *series, uint64_t due_ns)
{
    const uint64_t seconds = due_ns / NS_PER_S;
    const struct timespec due = {.tv_sec = seconds < INT32_MAX ? (time_t)seconds : INT32_MAX,
                                 .tv_nsec = (long)(due_ns % NS_PER_S)};

    while (!series->quit && clock_now(series->clock) < due_ns)
        if (due_ns == UINT64_MAX)
            pthread_cond_wait(&series->wake, &series->lock);
        else
            pthread_cond_timedwait(&series->wake, &series->lock, &due);
}

static void *thread_main(void *arg)
{
    struct series *series = arg;

    pthread_mutex_lock(&series->lock);
    while (!series->started && !series->quit)
        pthread_cond_wait(&series->wake, &series->lock);
    while (!series->quit) {
        struct series_record record;
        wait_until(series,
                   series_next_ns(series->start_ns, series->interval_ns, clock_now(series->clock)));
        if (series->quit || series_failed(series))
            break;
        pthread_mutex_unlock(&series->lock);
        if (series_take(series, clock_now(series->clock), &record))
            hand_on(series, &record);
        pthread_mutex_lock(&series->lock);
    }
    pthread_mutex_unlock(&series->lock);
    return NULL;
}

static void on_kick(int signum)
{
    (void)signum;
}

/* The thread may wait for somebody to read its records.  When the run was told to end, that is not
 * waited for: the signal ends the call it is in. */
static void end_thread(struct series *series)
{
    const struct timespec pause = {.tv_nsec = 5000000};

    while (pthread_tryjoin_np(series->thread, NULL) != 0) {
        if (flag_read(series->stop) != 0)
            pthread_kill(series->thread, KICK_SIGNAL);
        nanosleep(&pause, NULL);
    }
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
    /* Signals are for the threads that measure: they end the calls these wait in. */
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
