/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker.c - threads and slices.  One slice: every active worker sets its engine up, all meet at a
 * barrier, each takes chunks of cycles until they are used up, all meet again, each cleans up.  The
 * caller then adds the private tallies. */
#include "base/compat.h"

#include "run/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/usage.h"
#include "run/cycle.h"

/* Enough chunks that no thread works alone for long at the end of a slice. */
#define CHUNKS_PER_THREAD 16

struct worker {
    _Alignas(64) struct worker_pool *pool;
    uint32_t index;
    pthread_t thread;
    void *buffer, *pool_data, *scratch;
    struct handle *kept;
    uint32_t kept_capacity;
    struct tally tally;
    struct error error;
    uint64_t cycles, start_ns, end_ns, deadline_ns, cpu_ns, device_bytes;
    bool io_known;
};

struct worker_pool {
    struct worker *workers;
    uint32_t count;   /* of workers */
    uint32_t started; /* threads beside the caller's */
    const struct clock *clock;
    const volatile int *stop;
    uint64_t max_errors;
    atomic_uint_fast64_t failures; /* written on the cold path only */

    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t generation; /* under lock, as the next two: a new slice, or the end */
    uint32_t active;     /* the first so many workers take part in the slice of this generation */
    uint32_t running;    /* of them, without the caller, have not ended it yet */
    bool quit;

    const struct slice *slice; /* const while workers run */
    pthread_barrier_t barrier;
    atomic_bool broken;         /* some worker could not set up: nobody runs */
    atomic_uint_fast64_t taken; /* cycles handed out */
    uint64_t chunk;
};

static bool on_failure(void *arg)
{
    struct worker_pool *pool = arg;
    uint64_t failures = atomic_fetch_add(&pool->failures, 1) + 1;
    return !pool->max_errors || failures < pool->max_errors;
}

static bool gave_up(struct worker_pool *pool)
{
    return pool->max_errors && atomic_load(&pool->failures) >= pool->max_errors;
}

static void close_kept(struct worker *worker, const struct engine *engine, void *ctx,
                       uint32_t opened)
{
    for (uint32_t i = 0; i < opened; i++)
        engine->close(ctx, &worker->kept[i]);
}

/* Opens every object once; the engine does not know that they stay open. */
static int open_kept(struct worker *worker, const struct cell *cell, void *ctx)
{
    const struct workload *work = &cell->work;

    if (worker->kept_capacity < work->object_count) {
        worker->kept = mem_realloc_array(worker->kept, work->object_count, sizeof *worker->kept);
        worker->kept_capacity = work->object_count;
    }
    for (uint32_t i = 0; i < work->object_count; i++) {
        int result = cell->engine->open(ctx, i, &worker->kept[i]);
        if (result < 0) {
            close_kept(worker, cell->engine, ctx, i);
            return error_set(&worker->error, STATUS_TARGET, -result, "cannot open",
                             work->store->name ? work->store->name[i] : work->store->label);
        }
    }
    return 0;
}

static void run_chunks(struct worker *worker, struct cycle *cycle)
{
    struct worker_pool *pool = worker->pool;
    const uint64_t all = pool->slice->cycles, chunk = pool->chunk;

    while (!*pool->stop && !gave_up(pool)) {
        const uint64_t first = atomic_fetch_add(&pool->taken, chunk);
        uint64_t n;
        if (first >= all)
            break;
        n = all - first < chunk ? all - first : chunk;
        if (cycle_run(cycle, n) < n)
            break;
        if (worker->deadline_ns != UINT64_MAX && clock_now(pool->clock) >= worker->deadline_ns)
            break;
    }
}

static void measure(struct worker *worker, void *ctx, bool keep)
{
    struct worker_pool *pool = worker->pool;
    const struct slice *slice = pool->slice;
    struct usage before, after;
    struct cycle cycle = {
        .engine = slice->cell->engine,
        .ctx = ctx,
        .work = &slice->cell->work,
        .align_bytes = slice->cell->align_bytes,
        .clock = pool->clock,
        .stop = pool->stop,
        .on_failure = on_failure,
        .on_failure_arg = pool,
        .buffer = worker->buffer,
        .pool = worker->pool_data,
        .scratch = worker->scratch,
        .kept = keep ? worker->kept : NULL,
        .tally = &worker->tally,
    };

    rng_seed(&cycle.rng, slice->seed, worker->index);
    usage_read(&before);
    pthread_barrier_wait(&pool->barrier);
    worker->start_ns = clock_now(pool->clock);
    worker->deadline_ns = slice->deadline_ns;
    if (slice->duration_ns && slice->duration_ns < UINT64_MAX - worker->start_ns &&
        worker->start_ns + slice->duration_ns < worker->deadline_ns)
        worker->deadline_ns = worker->start_ns + slice->duration_ns;
    cycle.deadline_ns = worker->deadline_ns;
    if (!atomic_load(&pool->broken))
        run_chunks(worker, &cycle);
    worker->end_ns = clock_now(pool->clock);
    usage_read(&after);
    worker->cpu_ns = after.cpu_ns - before.cpu_ns;
    worker->io_known = before.io_known && after.io_known;
    worker->device_bytes = after.read_bytes - before.read_bytes;
    if (slice->cell->work.test == TEST_WRITE)
        worker->device_bytes += after.write_bytes - before.write_bytes;
    pthread_barrier_wait(&pool->barrier);
}

static void run_slice(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    const struct cell *cell = pool->slice->cell;
    const bool keep = cell->work.keep_open && (cell->engine->phases & (1u << PHASE_OPEN));
    void *ctx = NULL;
    bool ready = false, kept = false;

    tally_reset(&worker->tally);
    worker->error = ERROR_INIT;
    if (cell->engine->setup(&cell->work, &ctx, &worker->error) == 0) {
        ready = true;
        kept = keep && open_kept(worker, cell, ctx) == 0;
    }
    if (!ready || (keep && !kept))
        atomic_store(&pool->broken, true);
    measure(worker, ctx, keep);
    if (kept)
        close_kept(worker, cell->engine, ctx, cell->work.object_count);
    if (ready)
        cell->engine->teardown(ctx);
    worker->cycles = worker->tally.operations + worker->tally.failed + worker->tally.short_count;
}

static void *thread_main(void *arg)
{
    struct worker *worker = arg;
    struct worker_pool *pool = worker->pool;
    uint64_t seen = 0;

    for (;;) {
        bool active, quit;
        pthread_mutex_lock(&pool->lock);
        while (pool->generation == seen)
            pthread_cond_wait(&pool->wake, &pool->lock);
        seen = pool->generation;
        quit = pool->quit;
        active = !quit && worker->index < pool->active;
        pthread_mutex_unlock(&pool->lock);
        if (quit)
            return NULL;
        if (active) {
            run_slice(worker);
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

/* Adds the private results of the active workers. */
static void gather(struct worker_pool *pool, uint32_t threads, struct tally *tally,
                   struct slice_result *result)
{
    uint64_t start_ns = UINT64_MAX, end_ns = 0;

    memset(result, 0, sizeof *result);
    result->io_known = true;
    result->fewest = UINT64_MAX;
    for (uint32_t i = 0; i < threads; i++) {
        const struct worker *worker = &pool->workers[i];
        tally_merge(tally, &worker->tally);
        if (worker->start_ns < start_ns)
            start_ns = worker->start_ns;
        if (worker->end_ns - worker->tally.excluded_ns > end_ns)
            end_ns = worker->end_ns - worker->tally.excluded_ns;
        result->cycles += worker->cycles;
        result->operations += worker->tally.operations;
        result->cpu_ns += worker->cpu_ns;
        result->device_bytes += worker->device_bytes;
        result->io_known = result->io_known && worker->io_known;
        if (worker->cycles < result->fewest)
            result->fewest = worker->cycles;
        if (worker->cycles > result->most)
            result->most = worker->cycles;
    }
    result->time_ns = end_ns > start_ns ? end_ns - start_ns : 0;
    result->gave_up = gave_up(pool);
}

int worker_run(struct worker_pool *pool, const struct slice *slice, struct tally *tally,
               struct slice_result *result, struct error *err)
{
    const uint32_t threads = slice->cell->threads;
    int failed = 0;

    pool->slice = slice;
    atomic_store(&pool->broken, false);
    atomic_store(&pool->taken, 0);
    pool->chunk = threads == 1 ? slice->cycles : slice->cycles / (threads * CHUNKS_PER_THREAD);
    if (!pool->chunk)
        pool->chunk = 1;
    pthread_barrier_init(&pool->barrier, NULL, threads);
    if (threads > 1)
        wake_all(pool, threads, false);
    run_slice(&pool->workers[0]);
    pthread_mutex_lock(&pool->lock);
    while (pool->running > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    pthread_barrier_destroy(&pool->barrier);
    gather(pool, threads, tally, result);
    for (uint32_t i = 0; i < threads && !failed; i++)
        if (error_is_set(&pool->workers[i].error)) {
            *err = pool->workers[i].error;
            failed = -1;
        }
    return failed;
}

static int make_buffers(struct worker *worker, uint64_t io_bytes, uint32_t align_bytes, bool writes,
                        uint64_t seed, struct error *err)
{
    const uint64_t pool_bytes = io_bytes + CYCLE_POOL_BYTES;

    worker->buffer = mem_buffer((size_t)io_bytes, align_bytes, err);
    if (!worker->buffer)
        return -1;
    if (!writes)
        return 0;
    worker->pool_data = mem_buffer((size_t)pool_bytes, align_bytes, err);
    worker->scratch = mem_buffer((size_t)io_bytes, align_bytes, err);
    if (!worker->pool_data || !worker->scratch)
        return -1;
    mem_fill_random(worker->pool_data, (size_t)pool_bytes, seed + worker->index);
    return 0;
}

int worker_pool_create(struct worker_pool **out, uint32_t threads, uint64_t io_bytes_max,
                       uint32_t memory_align_bytes, bool writes, uint64_t seed, uint64_t max_errors,
                       const struct clock *clock, const volatile int *stop, struct error *err)
{
    struct worker_pool *pool = mem_calloc(1, sizeof *pool);
    struct worker *workers = NULL;
    int code = posix_memalign((void **)&workers, 64, threads * sizeof *workers);

    *out = NULL;
    if (code) {
        free(pool);
        return error_set(err, STATUS_TARGET, code, "cannot get memory for the threads", NULL);
    }
    memset(workers, 0, threads * sizeof *workers);
    pool->workers = workers;
    pool->count = threads;
    pool->clock = clock;
    pool->stop = stop;
    pool->max_errors = max_errors;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (uint32_t i = 0; i < threads; i++) {
        workers[i].pool = pool;
        workers[i].index = i;
        if (make_buffers(&workers[i], io_bytes_max, memory_align_bytes, writes, seed, err) < 0) {
            error_advise(err, "use a smaller --max-size or fewer --threads");
            goto fail;
        }
    }
    for (uint32_t i = 1; i < threads; i++) {
        code = pthread_create(&workers[i].thread, NULL, thread_main, &workers[i]);
        if (code) {
            char text[32];
            snprintf(text, sizeof text, "%u of %u", i + 1, threads);
            error_set(err, STATUS_TARGET, code, "cannot start thread", text);
            error_advise(err, "use fewer --threads, or raise the limit (ulimit -u)");
            goto fail;
        }
        pool->started = i;
    }
    *out = pool;
    return 0;
fail:
    worker_pool_destroy(pool);
    return -1;
}

void worker_pool_destroy(struct worker_pool *pool)
{
    if (!pool)
        return;
    wake_all(pool, 0, true);
    for (uint32_t i = 1; i <= pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    for (uint32_t i = 0; i < pool->count; i++) {
        mem_buffer_free(pool->workers[i].buffer);
        mem_buffer_free(pool->workers[i].pool_data);
        mem_buffer_free(pool->workers[i].scratch);
        free(pool->workers[i].kept);
    }
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}
