/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker.c - the threads. In a slice every active worker sets up its engine, all meet at a barrier,
 * each takes chunks of cycles until none are left, all meet again, each cleans up (worker_slice.c).
 * The caller then merges the private sums. */
#include "base/compat.h"

#include "run/worker_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/units.h"
#include "os/memory.h"
#include "os/os.h"

#define BUFFERS_ADVICE "use a smaller --max-size, a lower --depth or fewer --threads"

/* Enough chunks that no thread works alone for long at the end of a slice. */
#define CHUNKS_PER_THREAD 16
/* An outage at the edge of a slice: an operation set aside lasts more than this multiple of the
 * 99th percentile. */
#define ASIDE_RATIO 10

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
                pthread_cond_signal(&pool->done); /* results can be read now */
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

/* Adds operations set aside to those of their kind; if they do not count, drops their times. */
static void add_aside(struct slice_sum *sum, struct tally *aside, bool counts)
{
    const uint64_t done = tally_done(aside);

    if (!counts) {
        tally_forget_times(aside);
        aside->outside = done;
    }
    tally_merge(&sum->tally, aside);
    sum->flight_ns = sum->tally.sum_ns + sum->tally.failed_ns;
}

/* Decides which operations set aside count in addition to those in `counted`. Usually none do. If
 * one of them took much longer than others, omitting it would hide an outage; and if a counted one
 * outlasts the slice by far, the work of the other slots meanwhile counts as well. */
static void settle_clocks(struct worker_pool *pool, uint32_t threads, const struct tally *counted)
{
    const uint64_t p99_ns = pool->slice->plan.p99_ns ? pool->slice->plan.p99_ns
                                                     : hist_quantile_ns(&counted->latency, 0.99);
    const unsigned kinds = slice_kinds(pool->slice);
    uint64_t aside_ns = 0, ended_ns = 0;
    bool counts[ASIDE_KINDS];

    for (uint32_t i = 0; i < threads; i++) {
        const struct worker *worker = &pool->workers[i];

        ended_ns = number_most(ended_ns, worker->counted_ns);
        for (unsigned k = 0; k < ASIDE_KINDS * kinds; k++) {
            const struct tally *tally = worker->clocks.aside[k / kinds][k % kinds];
            aside_ns = number_most(aside_ns, number_most(tally->max_ns, tally->hung_max_ns));
        }
    }
    counts[ASIDE_WARM] = aside_ns / ASIDE_RATIO > p99_ns;
    counts[ASIDE_LOAD] =
        counts[ASIDE_WARM] ||
        (counted->operations &&
         ended_ns > pool->workers[0].clocks.end_ns +
                        SLICE_LATE_MEANS * (counted->sum_ns / counted->operations));
    for (uint32_t i = 0; i < threads; i++) {
        struct worker *worker = &pool->workers[i];
        struct slice_sum *sum = &worker->sums[0];
        for (int aside = 0; aside < ASIDE_KINDS; aside++) {
            for (unsigned kind = 0; kind < kinds; kind++)
                add_aside(&worker->sums[kind], worker->clocks.aside[aside][kind], counts[aside]);
            if (counts[aside])
                sum->slot_ns += worker->clocks.aside_ns[aside];
        }
        sum->time_ns = sum->slots ? sum->slot_ns / sum->slots : 0;
    }
}

/* If the schedule was kept, the slice ends when the next operation would have been due: waiting for
 * the last ones does not affect the rate. */
static void keep_schedule(const struct worker_pool *pool, struct slice_sum *sum)
{
    sum->wanted_ns = pool_planned_ns(pool, sum->cycles);
    if (sum->cycles && sum->behind_ns <= sum->wanted_ns / SLICE_KEPT_SHARE)
        sum->time_ns = sum->elapsed_ns = sum->wanted_ns + sum->behind_ns;
    sum->slot_ns = sum->time_ns * sum->slots;
}

static struct slice_times times_of(const struct worker_pool *pool, uint32_t threads)
{
    struct slice_times times = {.at_ns = atomic_load(&pool->began_ns),
                                .missed = pool->missed,
                                .start_ns = UINT64_MAX,
                                .began_ns = UINT64_MAX};

    for (uint32_t i = 0; i < threads; i++) {
        const struct worker *worker = &pool->workers[i];

        times.start_ns = number_least(times.start_ns, worker->start_ns);
        times.began_ns = number_least(times.began_ns, worker->arrived_ns);
        times.ended_ns = number_most(times.ended_ns, worker->end_ns);
    }
    return times;
}

/* Adds the sums of the workers, of one kind of operations or of all (kind 2). */
static void merge_workers(const struct worker_pool *pool, uint32_t threads, unsigned kind,
                          struct slice_sum *sum)
{
    slice_sum_reset(sum);
    for (unsigned k = 0; k < slice_kinds(pool->slice); k++)
        for (uint32_t i = 0; i < threads && (kind == 2 || k == kind); i++)
            slice_sum_merge(sum, &pool->workers[i].sums[k], SLICE_BESIDE);
}

/* --mix: the sums of each kind of operations. Both had the same time. */
static void gather_kinds(const struct worker_pool *pool, uint32_t threads,
                         const struct slice_sum *all)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        struct slice_sum *sum = &pool->slice->sums[kind];

        merge_workers(pool, threads, kind, sum);
        sum->slot_ns = all->slot_ns;
        sum->slots = all->slots;
        sum->time_ns = all->time_ns;
        sum->elapsed_ns = all->elapsed_ns;
        sum->wanted_ns = all->wanted_ns;
        sum->behind_ns = all->behind_ns;
        sum->gave_up = all->gave_up;
    }
}

/* Adds the private sums of the active workers. */
static void gather(struct worker_pool *pool, uint32_t threads, struct slice_sum *sum)
{
    const struct slice *slice = pool->slice;
    const struct slice_times times = times_of(pool, threads);

    if (slice->times)
        *slice->times = times;
    merge_workers(pool, threads, 2, sum);
    if (slice->plan.clocks && !atomic_load(&pool->broken)) {
        settle_clocks(pool, threads, &sum->tally);
        merge_workers(pool, threads, 2, sum);
    }
    sum->threads = threads;
    sum->elapsed_ns = number_minus(times.ended_ns, times.start_ns);
    if (pool->settings->rate)
        keep_schedule(pool, sum);
    sum->gave_up = pool_gave_up(pool, atomic_load(&pool->failures));
    for (unsigned kind = 0; kind < slice_kinds(slice); kind++)
        for (uint32_t i = 0; slice->threads[kind] && i < threads; i++) {
            const struct slice_sum *own = pool->workers[i].sums;

            slice->threads[kind][i] = (struct slice_thread){
                .operations = own[kind].tally.operations,
                .time_ns = pool->settings->rate ? sum->time_ns : own->time_ns};
        }
    if (slice->mate)
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
    atomic_store(&pool->counting, threads);
    flag_set(&pool->over, 0);
    pool->chunk =
        threads == 1 ? slice->plan.cycles : slice->plan.cycles / (threads * CHUNKS_PER_THREAD);
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
        .cell = cell, .mate = mate, .sums = sum + 1, .plan.deadline_ns = UINT64_MAX};
    const int code = worker_run(pool, &nothing, sum, err);

    free(sum);
    return code;
}

/* Refuses buffers larger than the free memory. They are touched when allocated, and allocating more
 * memory than exists does not fail: the kernel then kills this program or another one. */
int worker_check_buffers(const struct plan *plan, bool verify, struct error *err)
{
    /* with 32-bit addresses the machine may have more memory than a process can use */
    const uint64_t known_bytes = os_memory().allocatable_bytes;
    const uint64_t available_bytes =
        known_bytes > 0 && known_bytes < PTRDIFF_MAX ? known_bytes : PTRDIFF_MAX;
    const double each = (double)plan->buffer_bytes_max + (double)plan->scratch_bytes_max +
                        (verify ? (double)plan->call_bytes_max : 0);
    char text[UNITS_TEXT], available[UNITS_TEXT];

    if (each * plan->threads_max < (double)available_bytes)
        return 0;
    return error_refuse(
        err, STATUS_TARGET, "the buffers need more memory than is available:",
        units_format_bytes(each * plan->threads_max, text),
        "%s are available (free memory, address space, cgroup limits, ulimit): " BUFFERS_ADVICE,
        units_format_bytes((double)available_bytes, available));
}

/* Allocates for the largest cell of the plan. After a failure the caller frees with
 * free_buffers. */
static int make_buffers(struct buffers *buffers, const struct plan *plan, bool verify,
                        struct error *err)
{
    const size_t align = plan->memory_align_max_bytes;

    buffers->events = mem_calloc((size_t)plan->depth_max * 3, sizeof(*buffers->events));
    buffers->slots = mem_calloc(plan->depth_max, cycle_slot_bytes());
    buffers->buffer = mem_buffer((size_t)plan->buffer_bytes_max, align, err);
    if (!buffers->buffer)
        return -1;
    if (verify && !(buffers->check_buffer = mem_buffer((size_t)plan->call_bytes_max, align, err)))
        return -1;
    if (plan->scratch_bytes_max &&
        !(buffers->scratch = mem_buffer((size_t)plan->scratch_bytes_max, align, err)))
        return -1;
    return 0;
}

static void free_buffers(struct buffers *buffers)
{
    mem_buffer_free(buffers->buffer);
    mem_buffer_free(buffers->scratch);
    mem_buffer_free(buffers->check_buffer);
    free(buffers->events);
    free(buffers->slots);
    *buffers = (struct buffers){.buffer = NULL};
}

static int start_threads(struct worker_pool *pool, struct error *err)
{
    const uint32_t threads = pool->count;

    for (uint32_t i = 0; i < threads; i++)
        if (make_buffers(&pool->workers[i].buffers, pool->plan, pool->settings->verify, err) < 0)
            return error_advise(err, BUFFERS_ADVICE);
    for (uint32_t i = 1; i < threads; i++) {
        const int code =
            pthread_create(&pool->workers[i].thread, NULL, thread_main, &pool->workers[i]);
        if (code) {
            char text[32];
            snprintf(text, sizeof(text), "%u of %u", i + 1, threads);
            error_set(err, STATUS_TARGET, code, "cannot start thread", text);
            return error_advise(err, "use fewer --threads, or raise the limits of tasks and memory "
                                     "(ulimit -u, ulimit -v, those of the control group)");
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
    if (worker_check_buffers(sweep->plan, settings->verify, err) < 0)
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
    /* Starts the other threads before the caller's is pinned, because they inherit its
     * processors. */
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
        free_buffers(&pool->workers[i].buffers);
        free(pool->workers[i].kept[0].handle);
        free(pool->workers[i].kept[1].handle);
        free(pool->workers[i].aside);
    }
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    pattern_end(&pool->pattern);
    os_aligned_free(pool->workers);
    free(pool);
}
