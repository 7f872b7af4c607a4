/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* worker_slice.c - a slice on one thread: sets up the engine, runs the loop until the slice ends,
 * and books its counts and usage. */
#include "base/compat.h"

#include "run/worker_pool.h"

#include <sched.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "os/os.h"
#include "run/cycle_book.h"
#include "run/team.h"

#define WAKE_SLACK_NS UINT64_C(1000)

static bool on_failure(void *arg)
{
    struct worker_pool *pool = arg;
    uint64_t failures = atomic_fetch_add(&pool->failures, 1) + 1;
    return !pool_gave_up(pool, failures);
}

/* Whether there were too many failures, or a thread cannot continue. */
static bool slice_ended(void *arg)
{
    struct worker_pool *pool = arg;
    return pool_gave_up(pool, atomic_load(&pool->failures)) || atomic_load(&pool->broken);
}

/* Opens every object once; the engine is not aware that they stay open. */
static int open_kept(struct worker *worker, const struct cell *cell, unsigned kind, void *ctx)
{
    const struct workload *work = &cell->work;
    struct kept *const kept = &worker->kept[kind];

    if (kept->capacity < work->object_count) {
        kept->handle = mem_realloc_array(kept->handle, work->object_count, sizeof(*kept->handle));
        kept->capacity = work->object_count;
    }
    for (kept->count = 0; kept->count < work->object_count; kept->count++) {
        const int code = cell->engine->open(ctx, kept->count, &kept->handle[kept->count]);
        if (code < 0)
            return error_set(&worker->error, STATUS_TARGET, -code, "cannot open",
                             work->target->name ? work->target->name[kept->count]
                                                : work->target->label);
    }
    return 0;
}

/* On a schedule the threads take turns, and -n N/thread requires equal work: each takes its share,
 * once. */
static uint64_t take_share(struct worker *worker)
{
    const struct slice *slice = worker->pool->slice;

    if (worker->took_share)
        return 0;
    worker->took_share = true;
    return number_share(slice->plan.cycles, worker->index, slice->cell->threads);
}

/* Takes the next chunk of the slice's cycles; 0: none left. */
static uint64_t take_cycles(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    const uint64_t all = pool->slice->plan.cycles, chunk = pool->chunk;
    uint64_t first;

    if (pool->settings->rate || pool->slice->cell->stop.per_thread)
        return take_share(worker);
    first = atomic_fetch_add(&pool->taken, chunk);
    return number_least(number_minus(all, first), chunk);
}

/* The same with places, if each exists once. Places left over by this thread from an earlier slice
 * come first, independent of the other threads. */
static uint64_t take_chunk(void *arg)
{
    struct worker *worker = arg;
    struct worker_pool *pool = worker->pool;
    struct order *order = pool->slice->order;
    uint64_t left;

    if (!pool->slice->plan.cycles || flag_read(pool->stop) ||
        pool_gave_up(pool, atomic_load(&pool->failures)))
        return 0;
    if (!order || !order->once)
        return take_cycles(worker);
    left = order_take(order, &worker->cursor, 0);
    if (!left)
        return order_take(order, &worker->cursor, take_cycles(worker));
    atomic_fetch_add(&pool->taken, left);
    return left;
}

static void run_chunks(struct worker *worker, struct cycle *cycle)
{
    struct worker_pool *pool = worker->pool;
    uint64_t n;
    bool ended = false;

    if (cycle->clocks) {
        (void)cycle_run(cycle, UINT64_MAX);
        return;
    }
    while (!ended && (n = take_chunk(worker)) > 0)
        ended =
            cycle_run(cycle, n) < n || cycle->broken_errno ||
            (worker->deadline_ns != UINT64_MAX && clock_now(pool->clock) >= worker->deadline_ns);
    /* The slice ends when its next operation would be due, not when the last one has ended: of all,
     * or of this thread if it has fewer places than planned. */
    if (cycle->pace_step && !ended && !flag_read(pool->stop))
        (void)cycle_wait(cycle, number_least(cycle_due_ns(cycle),
                                             cycle->pace_start_ns +
                                                 pool_planned_ns(pool, pool->slice->plan.cycles)));
}

/* Sets a fixed interval between operations of this thread; the threads take turns. */
static void set_schedule(const struct worker *worker, struct cycle *cycle)
{
    const struct worker_pool *pool = worker->pool;
    const uint64_t threads = pool->slice->cell->threads;
    const double step_ns = 1e9 * (double)threads / settings_own_rate(pool->settings);

    cycle->pace_step = (uint64_t)(step_ns * (double)(1u << CYCLE_PACE_BITS) + 0.5);
    if (!cycle->pace_step)
        cycle->pace_step = 1;
    cycle->pace_next = cycle->pace_step / threads * worker->index;
}

/* --mix: the cycle of the reads, which shares the rest with that of the writes. */
static void add_reads(struct worker *worker, struct cycle *cycle, void *ctx, bool keep)
{
    struct worker_pool *pool = worker->pool;
    const struct cell *cell = pool->slice->mate;
    struct cycle *const reads = &worker->reads;

    *reads = *cycle;
    reads->work = &cell->work;
    reads->ctx = ctx;
    reads->align_bytes = cell->align_bytes;
    reads->kept = keep ? worker->kept[1].handle : NULL;
    reads->tally = &worker->sums[1].tally;
    reads->check = cell->verified;
    if (pool->series)
        reads->live = series_live(pool->series, pool->count + worker->index);
    cycle->reads = reads;
    /* a 64-bit draw is below it in that percentage of cases */
    cycle->mark = (uint64_t)((long double)cell->read_percent / 100 * 18446744073709551615.0L);
}

static struct cycle make_cycle(struct worker *worker, void *const ctx[2], bool keep)
{
    struct worker_pool *pool = worker->pool;
    const struct slice *slice = pool->slice;
    const struct workload *work = &slice->cell->work;
    const bool shared = slice->cell->threads > 1 || work->depth > 1 ||
                        (slice->cell->peers && pool->settings->share == TEAM_SHARE_ALL);
    struct cycle cycle = {
        .engine = slice->cell->engine,
        .ctx = ctx[0],
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
        .kept = keep ? worker->kept[0].handle : NULL,
        .tally = &worker->sums[0].tally,
        .ended = slice_ended,
        .ended_arg = pool,
        .more = take_chunk,
        .more_arg = worker,
        .events = worker->buffers.events,
        .slots = worker->buffers.slots,
        .check = slice->cell->verified,
        .shared = shared,
        .races = shared && slice->mate,
        .generation = 1 + pool->slices % (TARGET_GENERATIONS - 1), /* 0: the initial content */
        .check_buffer = worker->buffers.check_buffer,
    };

    if (slice->streams)
        cycle.rng = slice->streams[worker->index];
    else
        rng_seed(&cycle.rng, 0, worker->index);
    if (slice->order) {
        worker->cursor = slice->order->cursor[worker->index];
        cycle.cursor = &worker->cursor;
    }
    if (pool->settings->rate)
        set_schedule(worker, &cycle);
    if (pool->series)
        cycle.live = series_live(pool->series, worker->index);
    if (slice->mate)
        add_reads(worker, &cycle, ctx[1], keep);
    return cycle;
}

static void report(const struct worker *worker, void *ctx, struct engine_report *report)
{
    const struct engine *engine = worker->pool->slice->cell->engine;

    memset(report, 0, sizeof(*report));
    if (engine->report && ctx)
        engine->report(ctx, report);
}

/* If a separate request opens an object before its transfer, the loop sees one transfer: the engine
 * reports the mean time of opening, since not all of its requests count. */
static void part_openings(const struct worker *worker, struct slice_sum *sum)
{
    const struct cell *cell = worker->pool->slice->cell;
    const struct engine_requests *const requests = &sum->requests;
    struct tally *const tally = &sum->tally;
    const uint64_t transfer_ns = tally->phase_ns[PHASE_TRANSFER];
    uint64_t open_ns;

    if (!requests->opened || engine_phases(cell->engine, &cell->work) & 1u << PHASE_OPEN)
        return;
    open_ns = (uint64_t)((long double)requests->open_ns / (long double)requests->opened *
                         (long double)tally->operations);
    open_ns = number_least(open_ns, transfer_ns);
    tally->phase_ns[PHASE_OPEN] += open_ns;
    tally->phase_ns[PHASE_TRANSFER] -= open_ns;
}

static uint64_t cycles_of(const struct tally *tally)
{
    return tally_done(tally) + tally->failed + tally->short_count;
}

/* Books the loop's counts for a kind of operations (0, or with --mix 1 for the reads), and the
 * engine's report on them minus its earlier report `old`. */
static void book_kind(struct worker *worker, const struct cycle *cycle, unsigned kind,
                      const struct engine_report *old, const struct engine_report *new)
{
    struct slice_sum *sum = &worker->sums[kind];
    const struct tally *tally = &sum->tally;

    sum->slices = sum->threads = 1;
    sum->cycles = cycles_of(tally);
    for (int aside = 0; cycle->clocks && aside < ASIDE_KINDS; aside++)
        sum->cycles += cycles_of(cycle->clocks->aside[aside][kind]);
    sum->fewest = sum->most = sum->cycles;
    sum->behind_ns = cycle->behind_ns;
    sum->flight_ns = tally->sum_ns + tally->failed_ns;
    sum->helpers_asked = new->helpers_asked;
    sum->plain_buffers = new->plain_buffers;
    sum->has_requests = new->has_requests;
    sum->requests = kind ? new->read_requests : new->requests;
    slice_counters_since(&sum->requests, kind ? &old->read_requests : &old->requests,
                         sizeof(sum->requests));
    part_openings(worker, sum);
    text_copy(sum->protocol, sizeof(sum->protocol), new->protocol);
    text_copy(sum->connection, sizeof(sum->connection), new->connection);
    if (tally->failed)
        text_copy(sum->first[TROUBLE_FAILED], TROUBLE_BYTES, new->first_failure);
    if (kind)
        return;
    sum->found = new->found;
    slice_counters_since(&sum->found, &old->found, sizeof(sum->found));
    text_copy(sum->payload, sizeof(sum->payload), new->payload);
}

/* Books the time of the slots of this thread. On a schedule, and if operations wait for each other
 * to be checked, all slots have the time of the thread; a schedule includes the time between
 * operations. */
static void book_slots(struct worker *worker, const struct cycle *cycle)
{
    struct slice_sum *sum = &worker->sums[0];
    const bool in_flight = engine_in_flight(cycle->engine, cycle->work->depth);
    const uint64_t excluded_ns = cycle->pace_step ? 0 : sum->tally.excluded_ns;

    sum->slots = cycle->slots_used;
    sum->slot_ns = cycle->slot_ns;
    if (!cycle->clocks && (!in_flight || cycle->pace_step || cycle->check)) {
        sum->slots = in_flight ? cycle->slots_used
                               : sum->cycles + (cycle->reads ? worker->sums[1].cycles : 0) > 0;
        sum->slot_ns = sum->slots * number_minus(worker->end_ns, worker->start_ns + excluded_ns);
    }
    sum->time_ns = sum->slots ? sum->slot_ns / sum->slots : 0;
}

/* Bytes read from storage belong to the reads of --mix, bytes written to its writes. */
static void book_bytes(struct worker *worker, const struct usage *used)
{
    const struct slice *slice = worker->pool->slice;

    worker->sums[0].io_known = worker->sums[0].io_known && used->io_known;
    worker->sums[slice_kinds(slice) - 1].device_bytes += used->read_bytes;
    if (test_writes(slice->cell->work.test))
        worker->sums[0].device_bytes += used->write_bytes;
}

static void book_usage(struct worker *worker, const struct usage *before, const struct usage *after,
                       const struct cycle *cycle)
{
    struct slice_sum *sum = &worker->sums[0];
    struct usage used = worker->used = usage_since(before, after);
    uint64_t cpu_ns;

    used = usage_since(&cycle->checked, &used);
    if (cycle->reads)
        used = usage_since(&cycle->reads->checked, &used);
    used.io_known = worker->used.io_known;
    book_bytes(worker, &used);
    cpu_ns = used.cpu_ns;
    usage_leave_out(&used, cycle->made_ns);
    sum->made_cpu_ns = cpu_ns - used.cpu_ns;
    sum->user_ns = used.user_ns;
    sum->system_ns = used.system_ns;
    sum->cpu_ns = used.cpu_ns;
    sum->queued_ns = used.queued_ns;
}

/* Whether this worker is the one that books threads other than the workers, of that kind: kernel
 * threads that help those of this process (ENGINE_HELPERS), or those of the engine's library
 * (ENGINE_THREADS). */
static bool books_others(const struct worker *worker, unsigned capability)
{
    return worker->index == 0 && worker->pool->slice->cell->engine->capabilities & capability;
}

/* After all workers have finished the slice. helpers, process: the usage before it; the threads of
 * a library have used all of the process that its workers have not. */
static void book_others(struct worker *worker, const struct usage *helpers,
                        const struct usage *process)
{
    const struct worker_pool *pool = worker->pool;
    struct slice_sum *sum = &worker->sums[0];
    struct usage own = {0}, used;

    if (books_others(worker, ENGINE_THREADS)) {
        usage_read_process(&used);
        used = usage_since(process, &used);
        for (uint32_t i = 0; i < pool->slice->cell->threads; i++)
            usage_add(&own, &pool->workers[i].used);
        used = usage_since(&own, &used);
        sum->library_cpu_ns = used.cpu_ns;
        sum->cpu_ns += used.cpu_ns;
        sum->user_ns += used.user_ns;
        sum->system_ns += used.system_ns;
    }
    if (books_others(worker, ENGINE_HELPERS)) {
        usage_read_helpers(&used);
        used = usage_since(helpers, &used);
        sum->helper_cpu_ns = used.cpu_ns;
        sum->cpu_ns += used.cpu_ns;
        book_bytes(worker, &used);
    }
}

/* --mix: processor time cannot be separated, and is divided by the number of operations. */
static void part_usage(struct worker *worker)
{
    struct slice_sum *writes = &worker->sums[0], *reads = &worker->sums[1];
    const uint64_t all = writes->cycles + reads->cycles;
    uint64_t *const times[][2] = {{&writes->cpu_ns, &reads->cpu_ns},
                                  {&writes->user_ns, &reads->user_ns},
                                  {&writes->system_ns, &reads->system_ns},
                                  {&writes->queued_ns, &reads->queued_ns},
                                  {&writes->helper_cpu_ns, &reads->helper_cpu_ns},
                                  {&writes->library_cpu_ns, &reads->library_cpu_ns}};

    reads->io_known = writes->io_known;
    for (size_t i = 0; all && i < sizeof(times) / sizeof(*times); i++) {
        *times[i][1] = (uint64_t)((double)*times[i][0] * ((double)reads->cycles / (double)all));
        *times[i][0] -= *times[i][1];
    }
}

/* The start of the slice. Clocks have one time for all threads, set by the first thread that runs;
 * without clocks each begins when it can. */
static uint64_t begin(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    const uint64_t now_ns = clock_now(pool->clock);
    uint64_t began_ns = 0;

    if (pool->slice->plan.clocks && pool->slice->team) /* all ranks have agreed on it */
        return atomic_load(&pool->began_ns);
    if (!pool->slice->plan.clocks ||
        atomic_compare_exchange_strong(&pool->began_ns, &began_ns, now_ns))
        return now_ns;
    return began_ns;
}

/* Called when all clocks of this thread have ended. */
static void clocks_ended(void *arg, uint64_t now_ns)
{
    struct worker *worker = arg;

    worker->counted_ns = now_ns;
    if (atomic_fetch_sub(&worker->pool->counting, 1) == 1)
        flag_set(&worker->pool->over, 1);
}

static void make_clocks(struct worker *worker, struct cycle *cycle)
{
    struct cycle_clocks *clocks = &worker->clocks;

    *clocks = (struct cycle_clocks){
        .over = &worker->pool->over, .ended = clocks_ended, .ended_arg = worker};
    if (!worker->aside)
        worker->aside = mem_calloc((size_t)ASIDE_KINDS * 2, sizeof(*worker->aside));
    for (int i = 0; i < ASIDE_KINDS; i++)
        for (int kind = 0; kind < (cycle->reads ? 2 : 1); kind++) {
            clocks->aside[i][kind] = &worker->aside[2 * i + kind];
            tally_reset(clocks->aside[i][kind]);
        }
    cycle->clocks = clocks;
}

/* Called when all threads of this rank are ready, by the first one: agrees with the other ranks on
 * the start, pool->began_ns. Without agreement sets pool->broken. */
static void meet_team(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    struct team *team = pool->slice->team;

    if (worker->index == 0) {
        const bool ready = !pool->slice->unready && !atomic_load(&pool->broken);
        uint64_t at_ns = 0;
        if (team->start(team, ready, pool->slice->plan.in_ns, &at_ns) < 0 || !at_ns) {
            pool->called_off = ready;
            atomic_store(&pool->broken, true);
        }
        atomic_store(&pool->began_ns, at_ns);
        pool->missed = at_ns && clock_now(pool->clock) > at_ns;
    }
    barrier_wait(&pool->barrier);
}

/* Sleeps until that moment; worker->arrived_ns is when it was ready. With more ranks than
 * processors, the first one to begin on a processor would occupy it for some ms before the next one
 * runs: it yields once, so that all have begun. */
static void wait_for_moment(struct worker *worker)
{
    const struct worker_pool *pool = worker->pool;
    const uint64_t at_ns = atomic_load(&pool->began_ns);

    if (pool->clock == &clock_monotonic) {
        const uint64_t slack_ns = os_timer_slack(WAKE_SLACK_NS);
        clock_rest_until(at_ns);
        (void)os_timer_slack(slack_ns);
    }
    while ((worker->arrived_ns = clock_now(pool->clock)) < at_ns)
        continue;
    sched_yield();
}

static void time_slice(struct worker *worker, void *const ctx[2], bool keep)
{
    struct worker_pool *pool = worker->pool;
    const struct slice *slice = pool->slice;
    struct usage before, after, process, helpers;
    struct engine_report old, new;
    struct cycle cycle = make_cycle(worker, ctx, keep);

    if (slice->plan.clocks)
        make_clocks(worker, &cycle);
    report(worker, ctx[0], &old);
    if (slice->cell->engine->capabilities & ENGINE_HELPERS)
        barrier_wait(&pool->barrier); /* what helped to set up is not part of the slice */
    if (books_others(worker, ENGINE_HELPERS))
        usage_read_helpers(&helpers);
    usage_read(&before);
    if (worker->index == 0 && pool->series)
        series_begin_slice(pool->series, slice,
                           pool->settings->rate ? pool_planned_ns(pool, slice->plan.cycles)
                                                : UINT64_MAX);
    barrier_wait(&pool->barrier);
    if (slice->team) {
        meet_team(worker);
        usage_read(&before); /* the wait is not part of the slice */
    }
    if (books_others(worker, ENGINE_THREADS))
        usage_read_process(&process);
    if (slice->team)
        wait_for_moment(worker);
    worker->start_ns = cycle.pace_start_ns = begin(worker);
    worker->counted_ns = worker->start_ns;
    worker->deadline_ns = slice->plan.deadline_ns;
    if (slice->plan.duration_ns && slice->plan.duration_ns < UINT64_MAX - worker->start_ns &&
        worker->start_ns + slice->plan.duration_ns < worker->deadline_ns)
        worker->deadline_ns = worker->start_ns + slice->plan.duration_ns;
    cycle.deadline_ns = worker->deadline_ns;
    worker->clocks.begin_ns = worker->start_ns;
    worker->clocks.end_ns = worker->deadline_ns;
    worker->clocks.load_ns = worker->deadline_ns + slice->plan.load_ns;
    if (worker->index == 0 && pool->series && slice->plan.clocks) {
        atomic_store(&cycle.live->clocks_begin_ns, worker->start_ns);
        atomic_store(&cycle.live->clocks_end_ns, worker->deadline_ns);
    }
    if (!atomic_load(&pool->broken))
        run_chunks(worker, &cycle);
    worker->end_ns = clock_now(pool->clock);
    if (slice->streams)
        slice->streams[worker->index] = cycle.rng;
    if (slice->order)
        slice->order->cursor[worker->index] = worker->cursor;
    usage_read(&after);
    report(worker, ctx[0], &new);
    for (unsigned kind = 0; kind < slice_kinds(slice); kind++)
        book_kind(worker, &cycle, kind, &old, &new);
    book_slots(worker, &cycle);
    book_usage(worker, &before, &after, &cycle);
    if (cycle.broken_errno) {
        atomic_store(&pool->broken, true);
        error_set(&worker->error, STATUS_TARGET, cycle.broken_errno,
                  "the kernel accepts no more requests from engine", slice->cell->engine->name);
        error_advise(&worker->error, "try --engine posix, or a lower --depth");
    }
    barrier_wait(&pool->barrier);
    book_others(worker, &helpers, &process);
    if (slice->mate)
        part_usage(worker);
    if (worker->index == 0 && pool->series)
        series_end_slice(pool->series);
}

static unsigned engine_index(const struct engine *engine)
{
    unsigned i = 0;

    while (engine_table[i] && engine_table[i] != engine)
        i++;
    return i; /* not in the table: an engine of a test */
}

/* Sets up the engine for a cell, and opens objects that stay open. Returns 0 or -1. */
static int set_up(struct worker *worker, const struct cell *cell, void **ctx)
{
    const struct buffers *buffers = &worker->buffers;
    const struct workload *work = &cell->work;
    const struct engine_thread thread = {.memory = work->rmw ? buffers->scratch : buffers->buffer,
                                         .memory_bytes = (size_t)(work->depth * work->slot_bytes),
                                         .sharers = worker->pool->plan->threads_max,
                                         .depth_most = worker->pool->plan->depth_max,
                                         .index = worker->index,
                                         .threads = cell->threads,
                                         .give_up_ns = worker->pool->slice->plan.give_up_ns,
                                         .cycles = worker->pool->slice->plan.cycles,
                                         .home = &worker->homes[engine_index(cell->engine)]};

    if (cell->engine->setup(work, &thread, ctx, &worker->error) == 0)
        return 0;
    *ctx = NULL;
    return -1;
}

static void tear_down(struct worker *worker, const struct cell *cell, unsigned kind, void *ctx)
{
    struct kept *const kept = &worker->kept[kind];

    while (kept->count > 0)
        cell->engine->close(ctx, &kept->handle[--kept->count]);
    cell->engine->teardown(ctx);
}

void worker_slice(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;
    const struct slice *slice = pool->slice;
    const struct cell *const cells[2] = {slice->cell, slice->mate}, *cell = slice->cell;
    /* an asynchronous engine serves both kinds, and keeps files open itself */
    const bool in_flight = engine_in_flight(cell->engine, cell->work.depth);
    const bool keep =
        cell->work.keep_open && (cell->engine->phases & (1u << PHASE_OPEN)) && !in_flight;
    void *ctx[2] = {NULL, NULL};
    bool ready = true;

    slice_sum_reset(&worker->sums[0]);
    slice_sum_reset(&worker->sums[1]);
    worker->error = ERROR_INIT;
    worker->took_share = false;
    for (unsigned kind = 0; ready && kind < (in_flight ? 1 : slice_kinds(slice)); kind++)
        ready = set_up(worker, cells[kind], &ctx[kind]) == 0 &&
                (!keep || open_kept(worker, cells[kind], kind, ctx[kind]) == 0);
    if (!ready)
        atomic_store(&pool->broken, true);
    time_slice(worker, ctx, keep);
    for (unsigned kind = 2; kind-- > 0;) /* in reverse order: engines restore what they changed */
        if (ctx[kind])
            tear_down(worker, cells[kind], kind, ctx[kind]);
}
