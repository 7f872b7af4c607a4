/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker.c - the threads.  One slice: every active worker sets its engine up, all meet at a
 * barrier, each takes chunks of cycles until they are used up, all meet again, each cleans up
 * (worker_slice.c).  The caller then merges the private sums. */
#include "base/compat.h"

#include "run/worker_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "os/os.h"

/* Enough chunks that no thread works alone for long at the end of a slice. */
#define CHUNKS_PER_THREAD 16
/* a schedule is kept when the last operation is late by at most 1/20 */
#define KEPT_SHARE 20

/* On the thread that ran the slices: an engine's home belongs to it. */
static void retire_engines(struct worker *worker)
{
    for (unsigned i = 0; engine_table[i]; i++)
        if (worker->homes[i]) {
            engine_table[i]->retire(worker->homes[i]);
            worker->homes[i] = NULL;
        }
}

static void *thread_main(void *arg)
{
    struct worker *worker = arg;
    struct worker_pool *pool = worker->pool;
    uint64_t seen = 0;

    if (pool->settings->pin)
        os_pin(worker->index, NULL);
    for (;;) {
        bool active, quit;
        pthread_mutex_lock(&pool->lock);
        while (pool->generation == seen)
            pthread_cond_wait(&pool->wake, &pool->lock);
        seen = pool->generation;
        quit = pool->quit;
        active = !quit && worker->index < pool->active;
        pthread_mutex_unlock(&pool->lock);
        if (quit) {
            retire_engines(worker);
            return NULL;
        }
        if (active) {
            worker_slice(worker);
            pthread_mutex_lock(&pool->lock);
            if (--pool->running == 0)
                pthread_cond_signal(&pool->done); /* the results may be read now */
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

static void wake_all(struct worker_pool *pool, uint32_t active, bool quit)
{
    pthread_mutex_lock(&pool->lock);
    pool->active = active;
    pool->running = active > 0 ? active - 1 : 0;
    pool->quit = quit;
    pool->generation++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

/* What was timed, of a slice with a window. */
static void time_window(const struct worker_pool *pool, uint32_t threads, struct slice_sum *sum)
{
    const struct slice *slice = pool->slice;
    const uint64_t begin_ns = atomic_load(&pool->began_ns) + slice->ramp_ns;
    uint64_t spans_ns = 0, excluded_ns = 0;
    bool cut = false;

    for (uint32_t i = 0; i < threads; i++) {
        const struct cycle_window *window = &pool->workers[i].window;
        cut = cut || window->end_ns != begin_ns + slice->batch_ns * slice->batches;
        spans_ns += window->end_ns > begin_ns ? window->end_ns - begin_ns : 0;
    }
    for (uint32_t b = 0; b < slice->batches; b++) {
        const uint64_t less_ns = sum->batch[b].excluded_ns / threads;
        excluded_ns += sum->batch[b].excluded_ns;
        sum->batch[b].time_ns = slice->batch_ns - (slice->batch_ns > less_ns ? less_ns : 0);
    }
    /* All the same, unless cut: then each thread goes to the end of its operation, and the last of
     * them does not stand for those that have ended. */
    sum->elapsed_ns = spans_ns / threads;
    excluded_ns /= threads;
    /* Where checks took all of a short window, or more with its edges, they cannot be told
     * apart. */
    sum->time_ns = sum->elapsed_ns - (sum->elapsed_ns > excluded_ns ? excluded_ns : 0);
    if (!cut)
        return;
    sum->batches = 1; /* threads ended at different moments: only the whole can be told */
    sum->batch[0] =
        (struct slice_batch){.operations = sum->tally.operations, .time_ns = sum->time_ns};
}

/* Where the schedule was kept, the slice lasted until the next operation would have been due: that
 * the last ones were waited for then is no part of the rate at which they came. */
static void keep_schedule(const struct worker_pool *pool, struct slice_sum *sum)
{
    sum->wanted_ns = pool_planned_ns(pool, sum->cycles);
    if (sum->cycles && sum->behind_ns <= sum->wanted_ns / KEPT_SHARE)
        sum->time_ns = sum->elapsed_ns = sum->wanted_ns + sum->behind_ns;
}

/* Of one without: from the first start to the last end. */
static void time_all(const struct worker_pool *pool, uint32_t threads, struct slice_sum *sum)
{
    uint64_t start_ns = UINT64_MAX, end_ns = 0, busy_ns = 0;

    for (uint32_t i = 0; i < threads; i++) {
        const struct worker *worker = &pool->workers[i];
        /* On a schedule a slice lasts as long as planned, whatever is done between operations. */
        const uint64_t excluded_ns = pool->settings->rate ? 0 : worker->sum.tally.excluded_ns;
        if (worker->start_ns < start_ns)
            start_ns = worker->start_ns;
        if (worker->end_ns > end_ns)
            end_ns = worker->end_ns;
        if (worker->end_ns - excluded_ns > busy_ns)
            busy_ns = worker->end_ns - excluded_ns;
    }
    sum->elapsed_ns = end_ns > start_ns ? end_ns - start_ns : 0;
    sum->time_ns = busy_ns > start_ns ? busy_ns - start_ns : 0;
    if (pool->settings->rate)
        keep_schedule(pool, sum);
    sum->batches = 1;
    sum->batch[0] =
        (struct slice_batch){.operations = sum->tally.operations, .time_ns = sum->time_ns};
}

/* The time of one thread, without what it did between operations; on a schedule that of all. */
static uint64_t thread_ns(const struct worker_pool *pool, const struct worker *worker,
                          const struct slice_sum *sum)
{
    const struct slice *slice = pool->slice;
    const uint64_t begin_ns = worker->start_ns + slice->ramp_ns;
    uint64_t excluded_ns = 0;

    if (pool->settings->rate)
        return sum->time_ns;
    if (!slice->batches)
        return number_minus(number_minus(worker->end_ns, worker->start_ns),
                            worker->sum.tally.excluded_ns);
    for (uint32_t b = 0; b < slice->batches; b++)
        excluded_ns += worker->window.batch[b].excluded_ns;
    return number_minus(number_minus(worker->window.end_ns, begin_ns), excluded_ns);
}

/* --mix: both kinds of operations had the same time. */
static void share_times(const struct slice_sum *all, struct slice_sum *sum)
{
    sum->time_ns = all->time_ns;
    sum->elapsed_ns = all->elapsed_ns;
    sum->wanted_ns = all->wanted_ns;
    sum->behind_ns = all->behind_ns;
    sum->batches = all->batches;
    sum->gave_up = all->gave_up;
    for (uint32_t b = 0; b < all->batches; b++)
        sum->batch[b].time_ns = all->batch[b].time_ns;
    if (all->batches == 1) {
        sum->batch[0].operations = sum->tally.operations;
        sum->batch[0].shifted = 0;
    }
}

/* --mix: what each kind of operations came to, in slice->sums. */
static void gather_kinds(const struct worker_pool *pool, uint32_t threads,
                         const struct slice_sum *all)
{
    const struct slice *slice = pool->slice;

    slice_sum_reset(&slice->sums[0]);
    slice_sum_reset(&slice->sums[1]);
    for (uint32_t i = 0; i < threads; i++) {
        slice_sum_merge(&slice->sums[0], &pool->workers[i].sum, SLICE_BESIDE);
        slice_sum_merge(&slice->sums[1], &pool->workers[i].mate_sum, SLICE_BESIDE);
        if (slice->mate_threads)
            slice->mate_threads[i] =
                (struct slice_thread){.operations = pool->workers[i].mate_sum.tally.operations,
                                      .time_ns = slice->threads[i].time_ns};
    }
    share_times(all, &slice->sums[0]);
    share_times(all, &slice->sums[1]);
}

/* Adds the private sums of the active workers. */
static void gather(struct worker_pool *pool, uint32_t threads, struct slice_sum *sum)
{
    slice_sum_reset(sum);
    for (uint32_t i = 0; i < threads; i++)
        slice_sum_merge(sum, &pool->workers[i].sum, SLICE_BESIDE);
    for (uint32_t i = 0; pool->slice->mate && i < threads; i++)
        slice_sum_merge(sum, &pool->workers[i].mate_sum, SLICE_BESIDE);
    sum->threads = threads;
    (pool->slice->batches ? time_window : time_all)(pool, threads, sum);
    sum->gave_up = pool_gave_up(pool, atomic_load(&pool->failures));
    for (uint32_t i = 0; pool->slice->threads && i < threads; i++)
        pool->slice->threads[i] =
            (struct slice_thread){.operations = pool->workers[i].sum.tally.operations,
                                  .time_ns = thread_ns(pool, &pool->workers[i], sum)};
    if (pool->slice->mate)
        gather_kinds(pool, threads, sum);
}

void worker_limit_errors(struct worker_pool *pool, uint64_t errors)
{
    pool->failures_end = errors ? atomic_load(&pool->failures) + errors : 0;
}

bool worker_gave_up(struct worker_pool *pool)
{
    const uint64_t most = pool->settings->max_errors;

    return most && atomic_load(&pool->failures) >= most;
}

int worker_run(struct worker_pool *pool, const struct slice *slice, struct slice_sum *sum,
               struct error *err)
{
    const uint32_t threads = slice->cell->threads;
    int failed = 0;

    pool->slice = slice;
    pool->slices++;
    atomic_store(&pool->broken, slice->unready);
    pool->called_off = false;
    atomic_store(&pool->taken, 0);
    atomic_store(&pool->began_ns, 0);
    pool->chunk = threads == 1 ? slice->cycles : slice->cycles / (threads * CHUNKS_PER_THREAD);
    if (!pool->chunk)
        pool->chunk = 1;
    barrier_init(&pool->barrier, threads);
    if (threads > 1)
        wake_all(pool, threads, false);
    worker_slice(&pool->workers[0]);
    pthread_mutex_lock(&pool->lock);
    while (pool->running > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    barrier_destroy(&pool->barrier);
    gather(pool, threads, sum);
    if (slice->times)
        worker_tell_times(pool, threads);
    failed = pool->called_off ? -1 : 0;
    for (uint32_t i = 0; i < threads && !failed; i++)
        if (error_is_set(&pool->workers[i].error)) {
            *err = pool->workers[i].error;
            failed = -1;
        }
    return failed;
}

int worker_try(struct worker_pool *pool, const struct cell *cell, const struct cell *mate,
               struct error *err)
{
    struct slice_sum *sum = mem_calloc(3, sizeof(*sum));
    const struct slice nothing = {
        .cell = cell, .mate = mate, .sums = sum + 1, .deadline_ns = UINT64_MAX};
    const int code = worker_run(pool, &nothing, sum, err);

    free(sum);
    return code;
}

static int start_threads(struct worker_pool *pool, struct error *err)
{
    const uint32_t threads = pool->count;

    for (uint32_t i = 0; i < threads; i++)
        if (buffers_make(&pool->workers[i].buffers, pool->plan, pool->settings->verify, err) < 0)
            return -1;
    for (uint32_t i = 1; i < threads; i++) {
        const int code =
            pthread_create(&pool->workers[i].thread, NULL, thread_main, &pool->workers[i]);
        if (code) {
            char text[32];
            snprintf(text, sizeof(text), "%u of %u", i + 1, threads);
            error_set(err, STATUS_TARGET, code, "cannot start thread", text);
            return error_advise(err, "use fewer --threads, or raise the limit (ulimit -u)");
        }
        pool->started = i;
    }
    return 0;
}

int worker_pool_create(struct worker_pool **out, const struct sweep *sweep, struct series *series,
                       struct error *err)
{
    const struct settings *settings = sweep->settings;
    const uint32_t threads = sweep->plan->threads_max;
    struct worker_pool *pool;
    struct worker *workers = NULL;
    int code;

    *out = NULL;
    if (buffers_check(sweep->plan, settings->verify, err) < 0)
        return -1;
    code = os_aligned((void **)&workers, 64, threads * sizeof(*workers));
    if (code)
        return error_set(err, STATUS_TARGET, code, "cannot get memory for the threads", NULL);
    pool = mem_calloc(1, sizeof(*pool));
    memset(workers, 0, threads * sizeof(*workers));
    pool->workers = workers;
    pool->count = threads;
    pool->settings = settings;
    pool->plan = sweep->plan;
    pool->series = series;
    pool->clock = sweep->clock;
    pool->stop = sweep->stop;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (uint32_t i = 0; i < threads; i++) {
        workers[i].pool = pool;
        workers[i].index = i;
        workers[i].written =
            (struct payload){&pool->pattern, i, 0, (enum payload_kind)settings->payload};
    }
    /* The other threads are started before the caller's is pinned:
     * they inherit where it may run. */
    if (payload_start(&pool->pattern, settings->seed, err) < 0 || start_threads(pool, err) < 0) {
        worker_pool_destroy(pool);
        return -1;
    }
    if (settings->pin)
        os_pin(0, &pool->home);
    *out = pool;
    return 0;
}

void worker_pool_destroy(struct worker_pool *pool)
{
    if (!pool)
        return;
    wake_all(pool, 0, true);
    for (uint32_t i = 1; i <= pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    retire_engines(&pool->workers[0]);
    os_unpin(pool->home);
    for (uint32_t i = 0; i < pool->count; i++) {
        buffers_free(&pool->workers[i].buffers);
        free(pool->workers[i].kept);
        free(pool->workers[i].kept_reads);
    }
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    pattern_end(&pool->pattern);
    os_aligned_free(pool->workers);
    free(pool);
}
