/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker.c - threads and slices.  One slice: every active worker sets its engine up, all meet at a
 * barrier, each takes chunks of cycles until they are used up, all meet again, each cleans up.  The
 * caller then merges the private sums. */
#include "base/compat.h"

#include "run/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "os/usage.h"
#include "run/buffers.h"
#include "run/cycle.h"
#include "os/pin.h"
#include "run/sweep.h"

/* Enough chunks that no thread works alone for long at the end of a slice. */
#define CHUNKS_PER_THREAD 16
#define KEPT_SHARE        20 /* a schedule is kept when the last operation is late by at most 1/20 */

struct worker {
    _Alignas(64) struct worker_pool *pool;
    uint32_t index;
    pthread_t thread;
    struct buffers buffers;
    void
        *homes[SETTINGS_ENGINES_MAX + 1]; /* what engines keep on this thread, as in engine_table */
    struct payload written; /* the data of the next write */
    struct handle *kept;
    uint32_t kept_capacity;
    struct slice_sum sum; /* of this thread alone; time_ns and elapsed_ns are those of all */
    struct error error;
    struct cycle_window window;
    uint64_t start_ns, end_ns, deadline_ns;
    bool took_share; /* of a slice on a schedule */
};

struct worker_pool {
    struct worker *workers;
    uint32_t count;   /* of workers */
    uint32_t started; /* threads beside the caller's */
    const struct settings *settings;
    const struct plan *plan;
    struct series *series; /* --interval: is told of all operations; NULL: nobody is */
    struct pattern pattern; /* of the data written; const while workers run */
    const struct clock *clock;
    const volatile int *stop;
    struct pin *home; /* where the caller's thread may run without --pin; NULL: not pinned */
    atomic_uint_fast64_t failures; /* written on the cold path only */

    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t generation; /* under lock, as the next two: a new slice, or the end */
    uint32_t active;     /* the first so many workers take part in the slice of this generation */
    uint32_t running;    /* of them, without the caller, have not ended it yet */
    bool quit;

    const struct slice *slice; /* const while workers run */
    uint32_t slices;           /* run so far */
    pthread_barrier_t barrier;
    atomic_bool broken;         /* some worker could not set up: nobody runs */
    atomic_uint_fast64_t taken; /* cycles handed out */
    atomic_uint_fast64_t began_ns; /* the start for all: that of the first thread; 0: none yet */
    uint64_t chunk;
};

static bool on_failure(void *arg)
{
    struct worker_pool *pool = arg;
    uint64_t failures = atomic_fetch_add(&pool->failures, 1) + 1;
    return !pool->settings->max_errors || failures < pool->settings->max_errors;
}

static bool gave_up(struct worker_pool *pool)
{
    return pool->settings->max_errors && atomic_load(&pool->failures) >= pool->settings->max_errors;
}

/* Too many failures, or a thread that cannot go on. */
static bool slice_ended(void *arg)
{
    struct worker_pool *pool = arg;
    return gave_up(pool) || atomic_load(&pool->broken);
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
                             work->target->name ? work->target->name[i] : work->target->label);
        }
    }
    return 0;
}

/* On a schedule the threads take turns: each has its share, once. */
static uint64_t take_share(struct worker *worker)
{
    const uint64_t all = worker->pool->slice->cycles, threads = worker->pool->slice->cell->threads;

    if (worker->took_share)
        return 0;
    worker->took_share = true;
    return all / threads + (worker->index < all % threads ? 1 : 0);
}

/* The next share of the slice's cycles; 0: all are taken. */
static uint64_t take_chunk(void *arg)
{
    struct worker *worker = arg;
    struct worker_pool *pool = worker->pool;
    const uint64_t all = pool->slice->cycles, chunk = pool->chunk;
    uint64_t first;

    if (flag_read(pool->stop) || gave_up(pool))
        return 0;
    if (pool->settings->rate)
        return take_share(worker);
    first = atomic_fetch_add(&pool->taken, chunk);
    return first >= all ? 0 : all - first < chunk ? all - first : chunk;
}

/* How long so many operations take on a schedule. */
static uint64_t planned_ns(const struct worker_pool *pool, uint64_t cycles)
{
    return (uint64_t)((double)cycles * 1e9 / (double)pool->settings->rate);
}

static void run_chunks(struct worker *worker, struct cycle *cycle)
{
    struct worker_pool *pool = worker->pool;
    uint64_t n;
    bool ended = false;

    if (cycle->window) {
        n = cycle->engine->async && pool->slice->cycles != UINT64_MAX ? take_chunk(worker)
                                                                      : UINT64_MAX;
        (void)cycle_run(cycle, n);
        return;
    }
    while (!ended && (n = take_chunk(worker)) > 0)
        ended =
            cycle_run(cycle, n) < n || cycle->broken_errno ||
            (worker->deadline_ns != UINT64_MAX && clock_now(pool->clock) >= worker->deadline_ns);
    /* The slice is over when its next operation would be due, not when the last one has ended. */
    if (cycle->pace_step && !ended && !flag_read(pool->stop))
        (void)cycle_wait(cycle, cycle->pace_start_ns + planned_ns(pool, pool->slice->cycles));
}

/* An operation of this thread every so often; the threads take turns. */
static void set_schedule(const struct worker *worker, struct cycle *cycle)
{
    const struct worker_pool *pool = worker->pool;
    const uint64_t threads = pool->slice->cell->threads;
    const double step_ns = 1e9 * (double)threads / (double)pool->settings->rate;

    cycle->pace_step = (uint64_t)(step_ns * (double)(1u << CYCLE_PACE_BITS) + 0.5);
    if (!cycle->pace_step)
        cycle->pace_step = 1;
    cycle->pace_next = cycle->pace_step / threads * worker->index;
}

static struct cycle make_cycle(struct worker *worker, void *ctx, bool keep)
{
    struct worker_pool *pool = worker->pool;
    const struct slice *slice = pool->slice;
    const struct workload *work = &slice->cell->work;
    struct cycle cycle = {
        .engine = slice->cell->engine,
        .ctx = ctx,
        .work = work,
        .align_bytes = slice->cell->align_bytes,
        .clock = pool->clock,
        .stop = pool->stop,
        .on_failure = on_failure,
        .on_failure_arg = pool,
        .allow_short = pool->settings->allow_short,
        .buffer = worker->buffers.buffer,
        .payload = &worker->written,
        .scratch = worker->buffers.scratch,
        .kept = keep ? worker->kept : NULL,
        .tally = &worker->sum.tally,
        .ended = slice_ended,
        .ended_arg = pool,
        .more = take_chunk,
        .more_arg = worker,
        .events = worker->buffers.events,
        .slots = worker->buffers.slots,
        .check = slice->cell->verified,
        .shared = slice->cell->threads > 1 || work->depth > 1,
        .generation = 1 + pool->slices % (TARGET_GENERATIONS - 1), /* 0 is what was filled in */
        .check_buffer = worker->buffers.check_buffer,
    };

    if (slice->streams)
        cycle.rng = slice->streams[worker->index];
    else
        rng_seed(&cycle.rng, 0, worker->index);
    if (pool->settings->rate)
        set_schedule(worker, &cycle);
    if (pool->series)
        cycle.live = series_live(pool->series, worker->index);
    return cycle;
}

static void report(const struct worker *worker, void *ctx, struct engine_report *report)
{
    const struct engine *engine = worker->pool->slice->cell->engine;

    memset(report, 0, sizeof *report);
    if (engine->report && ctx)
        engine->report(ctx, report);
}

/* Kernel threads come and go; what a gone one has used is not to be known any more. */
static uint64_t grown(uint64_t before, uint64_t after)
{
    return after > before ? after - before : 0;
}

static void copy_text(char *to, size_t room, const char *text)
{
    snprintf(to, room, "%s", text ? text : "");
}

/* What the engine tells about this slice, having told `old` before it. */
static void book_report(struct slice_sum *sum, const struct engine_report *old,
                        const struct engine_report *new)
{
    sum->helpers_asked = new->helpers_asked;
    sum->plain_buffers = new->plain_buffers;
    sum->has_requests = new->has_requests;
    sum->requests = slice_requests_since(&old->requests, &new->requests);
    copy_text(sum->protocol, sizeof sum->protocol, new->protocol);
    copy_text(sum->connection, sizeof sum->connection, new->connection);
    copy_text(sum->payload, sizeof sum->payload, new->payload);
    if (sum->tally.failed)
        copy_text(sum->first_failure, sizeof sum->first_failure, new->first_failure);
}

static void book_usage(struct worker *worker, const struct usage *before, const struct usage *after,
                       const struct cycle *cycle, const struct usage *old_helpers,
                       const struct usage *helpers)
{
    struct slice_sum *sum = &worker->sum;
    const struct usage *checked = &cycle->checked;
    struct usage used = {.cpu_ns = grown(before->cpu_ns + checked->cpu_ns, after->cpu_ns),
                         .queued_ns = grown(before->queued_ns, after->queued_ns)};

    usage_leave_out(&used, cycle->made_ns);
    sum->helper_cpu_ns = grown(old_helpers->cpu_ns, helpers->cpu_ns);
    sum->cpu_ns = used.cpu_ns + sum->helper_cpu_ns;
    sum->queued_ns = used.queued_ns;
    sum->io_known = before->io_known && after->io_known;
    sum->device_bytes = grown(before->read_bytes + checked->read_bytes, after->read_bytes) +
                        grown(old_helpers->read_bytes, helpers->read_bytes);
    if (test_writes(cycle->work->test))
        sum->device_bytes += grown(before->write_bytes + checked->write_bytes, after->write_bytes) +
                             grown(old_helpers->write_bytes, helpers->write_bytes);
}

/* What the loop has counted. */
static void book_cycles(struct worker *worker, const struct cycle *cycle)
{
    struct slice_sum *sum = &worker->sum;
    const struct tally *tally = &sum->tally;

    sum->slices = sum->threads = 1;
    sum->cycles = tally_done(tally) + tally->failed + tally->short_count;
    sum->fewest = sum->most = sum->cycles;
    sum->behind_ns = cycle->behind_ns;
    sum->flight_ns = cycle->window ? cycle->window->flight_ns : tally->sum_ns + tally->failed_ns;
    if (cycle->window) {
        sum->batches = cycle->window->batches;
        memcpy(sum->batch, cycle->window->batch, sizeof sum->batch);
    }
}

/* The start of the slice.  A window is the same time for all threads, so the first one that gets to
 * run says when; else each begins when it can. */
static uint64_t begin(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    const uint64_t now_ns = clock_now(pool->clock);
    uint64_t began_ns = 0;

    if (!pool->slice->batches ||
        atomic_compare_exchange_strong(&pool->began_ns, &began_ns, now_ns))
        return now_ns;
    return began_ns;
}

static void measure(struct worker *worker, void *ctx, bool keep)
{
    struct worker_pool *pool = worker->pool;
    const struct slice *slice = pool->slice;
    struct usage before, after;
    struct engine_report old, new;
    struct cycle cycle = make_cycle(worker, ctx, keep);

    report(worker, ctx, &old);
    usage_read(&before);
    if (worker->index == 0 && pool->series)
        series_begin_slice(pool->series, slice->cell);
    pthread_barrier_wait(&pool->barrier);
    worker->start_ns = cycle.pace_start_ns = begin(worker);
    if (slice->batches) {
        worker->window = (struct cycle_window){.begin_ns = worker->start_ns + slice->ramp_ns,
                                               .batch_ns = slice->batch_ns,
                                               .batches = slice->batches};
        cycle.window = &worker->window;
    }
    worker->deadline_ns = slice->deadline_ns;
    if (slice->duration_ns && slice->duration_ns < UINT64_MAX - worker->start_ns &&
        worker->start_ns + slice->duration_ns < worker->deadline_ns)
        worker->deadline_ns = worker->start_ns + slice->duration_ns;
    cycle.deadline_ns = worker->deadline_ns;
    if (!atomic_load(&pool->broken))
        run_chunks(worker, &cycle);
    worker->end_ns = clock_now(pool->clock);
    if (slice->streams)
        slice->streams[worker->index] = cycle.rng;
    usage_read(&after);
    report(worker, ctx, &new);
    book_cycles(worker, &cycle);
    book_usage(worker, &before, &after, &cycle, &old.helpers, &new.helpers);
    book_report(&worker->sum, &old, &new);
    if (cycle.broken_errno) {
        atomic_store(&pool->broken, true);
        error_set(&worker->error, STATUS_TARGET, cycle.broken_errno,
                  "the kernel takes no more requests of engine", slice->cell->engine->name);
        error_advise(&worker->error, "try --engine posix, or a lower --depth");
    }
    pthread_barrier_wait(&pool->barrier);
    if (worker->index == 0 && pool->series)
        series_end_slice(pool->series);
}

static unsigned engine_index(const struct engine *engine)
{
    unsigned i = 0;

    while (engine_table[i] && engine_table[i] != engine)
        i++;
    return i; /* beside the table: an engine of a test */
}

static struct engine_thread lend(struct worker *worker, const struct cell *cell)
{
    struct engine_thread thread = {.sharers = worker->pool->plan->threads_max,
                                   .depth_most = worker->pool->plan->depth_max,
                                   .index = worker->index,
                                   .give_up_ns = worker->pool->slice->give_up_ns,
                                   .cycles = worker->pool->slice->cycles,
                                   .home = &worker->homes[engine_index(cell->engine)]};

    buffers_lend(&worker->buffers, &cell->work, &thread);
    return thread;
}

static void run_slice(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    const struct cell *cell = pool->slice->cell;
    const bool keep =
        cell->work.keep_open && (cell->engine->phases & (1u << PHASE_OPEN)) &&
        !engine_in_flight(cell->engine, cell->work.depth);
    const struct engine_thread thread = lend(worker, cell);
    void *ctx = NULL;
    bool ready = false, kept = false;

    slice_sum_reset(&worker->sum);
    worker->error = ERROR_INIT;
    worker->took_share = false;
    if (cell->engine->setup(&cell->work, &thread, &ctx, &worker->error) == 0) {
        ready = true;
        kept = keep && open_kept(worker, cell, ctx) == 0;
    }
    if (!ready || (keep && !kept))
        atomic_store(&pool->broken, true);
    measure(worker, ready ? ctx : NULL, keep);
    if (kept)
        close_kept(worker, cell->engine, ctx, cell->work.object_count);
    if (ready)
        cell->engine->teardown(ctx);
}

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
        pin_thread(worker->index);
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
    /* Where checks took all of a short window, or more with its edges, they cannot be told apart. */
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
    sum->wanted_ns = planned_ns(pool, sum->cycles);
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

/* Adds the private sums of the active workers. */
static void gather(struct worker_pool *pool, uint32_t threads, struct slice_sum *sum)
{
    slice_sum_reset(sum);
    for (uint32_t i = 0; i < threads; i++)
        slice_sum_merge(sum, &pool->workers[i].sum, SLICE_BESIDE);
    (pool->slice->batches ? time_window : time_all)(pool, threads, sum);
    sum->gave_up = gave_up(pool);
}

int worker_run(struct worker_pool *pool, const struct slice *slice, struct slice_sum *sum,
               struct error *err)
{
    const uint32_t threads = slice->cell->threads;
    int failed = 0;

    pool->slice = slice;
    pool->slices++;
    atomic_store(&pool->broken, false);
    atomic_store(&pool->taken, 0);
    atomic_store(&pool->began_ns, 0);
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
    gather(pool, threads, sum);
    for (uint32_t i = 0; i < threads && !failed; i++)
        if (error_is_set(&pool->workers[i].error)) {
            *err = pool->workers[i].error;
            failed = -1;
        }
    return failed;
}

int worker_try(struct worker_pool *pool, const struct cell *cell, struct error *err)
{
    const struct slice nothing = {.cell = cell, .deadline_ns = UINT64_MAX};
    struct slice_sum *sum = mem_calloc(1, sizeof *sum);
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
            snprintf(text, sizeof text, "%u of %u", i + 1, threads);
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
    code = posix_memalign((void **)&workers, 64, threads * sizeof *workers);
    if (code)
        return error_set(err, STATUS_TARGET, code, "cannot get memory for the threads", NULL);
    pool = mem_calloc(1, sizeof *pool);
    memset(workers, 0, threads * sizeof *workers);
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
        workers[i].written = (struct payload){&pool->pattern, i, 0, (enum payload_kind)settings->payload};
    }
    /* The other threads are started before the caller's is pinned: they inherit where it may run.
     */
    if (payload_start(&pool->pattern, settings->seed, err) < 0 || start_threads(pool, err) < 0) {
        worker_pool_destroy(pool);
        return -1;
    }
    if (settings->pin)
        pool->home = pin_caller();
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
    pin_undo(pool->home);
    for (uint32_t i = 0; i < pool->count; i++) {
        buffers_free(&pool->workers[i].buffers);
        free(pool->workers[i].kept);
    }
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    pattern_end(&pool->pattern);
    free(pool->workers);
    free(pool);
}
