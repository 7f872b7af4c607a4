/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Worker threads: every cycle is done exactly once by several threads; failures stop all of them;
 * kept-open handles and contexts are paired. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "os/os.h"
#include "run/sweep.h"
#include "run/worker.h"
#include "unit/fake.h"

static uint64_t lengths[64];
static struct target target;
static struct cell cell;
static struct slice_sum sum;
static struct error err; /* of the last call */
static volatile int go_on;

/* Counts the cycles of slices with the null engine, which any number of threads may share. */
static const struct engine *null_engine(void)
{
    const struct engine *engine = engine_find("null");
    assert_non_null(engine);
    return engine;
}

/* A plan for blocks of 4 KiB, one at a time. */
static struct plan plan_of(uint32_t threads)
{
    return (struct plan){.threads_max = threads,
                         .depth_max = 1,
                         .call_bytes_max = 4096,
                         .buffer_bytes_max = 4096,
                         .memory_align_max_bytes = 4096};
}

static struct worker_pool *make(uint32_t threads, uint64_t max_errors, const struct clock *clock,
                                const volatile int *stop)
{
    struct worker_pool *pool = NULL;
    static struct settings asked; /* must outlive this function, as the pool requires */
    static struct plan plan;
    const struct sweep sweep = {.settings = &asked, .plan = &plan, .clock = clock, .stop = stop};

    asked = (struct settings){.seed = 1, .max_errors = max_errors};
    plan = plan_of(threads);

    target = fake_target(lengths, 8, 65536);
    memset(&cell, 0, sizeof(cell));
    cell.engine = null_engine();
    cell.threads = threads;
    cell.align_bytes = 512;
    cell.work = (struct workload){.target = &target,
                                  .size_bytes = 512,
                                  .io_bytes = 512,
                                  .object_count = 8,
                                  .test = TEST_READ};
    assert_int_equal(worker_pool_create(&pool, &sweep, NULL, &err), 0);
    return pool;
}

/* One thread on the scripted engine and clock. */
static struct worker_pool *make_scripted(const struct engine *engine, const struct fake_step *steps,
                                         unsigned count, uint64_t max_errors)
{
    struct worker_pool *pool;

    fake_reset(steps, count);
    pool = make(1, max_errors, &fake_clock, &fake_script.stop);
    cell.engine = engine;
    return pool;
}

static struct slice slice_of(uint64_t cycles)
{
    return (struct slice){.cell = &cell, .plan.cycles = cycles, .plan.deadline_ns = UINT64_MAX};
}

static int run(struct worker_pool *pool, struct slice slice)
{
    err = ERROR_INIT;
    return worker_run(pool, &slice, &sum, &err);
}

static void every_cycle_is_done_once(void **state)
{
    static const uint32_t threads[] = {1, 2, 3, 7};
    static const uint64_t cycles[] = {1, 2, 50, 1000, 100003};
    for (size_t t = 0; t < 4; t++) {
        struct worker_pool *pool = make(threads[t], 0, &clock_monotonic, &go_on);
        for (size_t c = 0; c < 5; c++) {
            assert_int_equal(run(pool, slice_of(cycles[c])), 0);
            assert_int_equal(sum.tally.operations, cycles[c]);
            assert_int_equal(sum.cycles, cycles[c]);
            assert_true(sum.fewest <= sum.most);
            assert_true(sum.most <= cycles[c]);
            assert_true(sum.time_ns > 0);
            assert_false(sum.gave_up);
        }
        worker_pool_destroy(pool);
    }
}

static void cells_of_fewer_threads_leave_the_others_asleep(void **state)
{
    struct worker_pool *pool = make(4, 0, &clock_monotonic, &go_on);
    for (int i = 0; i < 200; i++) {
        cell.threads = (uint32_t)(i % 4) + 1;
        assert_int_equal(run(pool, slice_of(64)), 0);
        assert_int_equal(sum.tally.operations, 64);
    }
    worker_pool_destroy(pool);
}

static void failures_end_the_slice(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 5}, {.transfer_result = -EIO}};
    struct worker_pool *pool = make_scripted(&engine_fake, steps, 2, 3);
    assert_int_equal(run(pool, slice_of(1000)), 0);
    assert_int_equal(sum.tally.failed, 3); /* exactly, also over further slices */
    assert_true(sum.gave_up);
    assert_int_equal(run(pool, slice_of(1000)), 0);
    assert_int_equal(sum.tally.failed, 0);
    assert_true(sum.gave_up);
    worker_pool_destroy(pool);
}

static void kept_open_opens_each_object_once(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 5}};
    struct worker_pool *pool = make_scripted(&engine_fake, steps, 1, 0);
    cell.work.keep_open = true;
    assert_int_equal(run(pool, slice_of(100)), 0);
    assert_int_equal(fake_script.opens, 8);
    assert_int_equal(fake_script.closes, 8);
    assert_int_equal(fake_script.transfers, 100);
    assert_int_equal(fake_script.setups, 1);
    assert_int_equal(fake_script.teardowns, 1);
    worker_pool_destroy(pool);
}

/* A library with a thread of its own, which uses this much processor time per read. */
#define BURNED_NS UINT64_C(10000000)
#define BURNS     10u

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned asked, done;
    bool quit;
} library = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *library_thread(void *arg)
{
    pthread_mutex_lock(&library.lock);
    while (!library.quit || library.done < library.asked) {
        if (library.done == library.asked) {
            pthread_cond_wait(&library.changed, &library.lock);
            continue;
        }
        for (const uint64_t end_ns = usage_cpu_ns() + BURNED_NS; usage_cpu_ns() < end_ns;)
            continue;
        library.done++;
        pthread_cond_broadcast(&library.changed);
    }
    pthread_mutex_unlock(&library.lock);
    return NULL;
}

static int64_t library_read(void *ctx, struct io *io)
{
    pthread_mutex_lock(&library.lock);
    for (const unsigned mine = ++library.asked; library.done < mine;) {
        pthread_cond_broadcast(&library.changed);
        pthread_cond_wait(&library.changed, &library.lock);
    }
    pthread_mutex_unlock(&library.lock);
    return (int64_t)io->bytes;
}

/* Whether the system counts a thread's time in ticks that are long compared with it. */
static bool has_long_ticks(void)
{
    const uint64_t begin_ns = usage_cpu_ns();
    const uint64_t end_ns = clock_monotonic_ns() + UINT64_C(2000000000);
    uint64_t tick_ns;

    while ((tick_ns = usage_cpu_ns() - begin_ns) == 0 && clock_monotonic_ns() < end_ns)
        continue;
    return tick_ns >= BURNED_NS / 5;
}

static void threads_of_a_library_are_counted_once(void **state)
{
    static const unsigned capabilities[] = {0, ENGINE_THREADS};
    struct engine engine = *null_engine();
    if (has_long_ticks() && has_long_ticks()) /* the first one may have begun long before */
        skip_because("the time of threads is counted in long ticks");
    engine.async = NULL;
    engine.read = library_read;
    assert_int_equal(pthread_create(&library.thread, NULL, library_thread, NULL), 0);
    for (size_t i = 0; i < 2; i++) {
        struct worker_pool *pool = make(3, 0, &clock_monotonic, &go_on);
        engine.capabilities = null_engine()->capabilities | capabilities[i];
        cell.engine = &engine;
        assert_int_equal(run(pool, slice_of(BURNS)), 0);
        assert_int_equal(sum.tally.operations, BURNS);
        assert_true(sum.cpu_ns >= sum.library_cpu_ns);
        if (capabilities[i]) {
            /* less the workers' use between their own reading and the process's */
            assert_true(sum.library_cpu_ns >= BURNS * BURNED_NS * 9 / 10);
            assert_true(sum.library_cpu_ns < 2 * BURNS * BURNED_NS); /* not per worker */
            assert_true(sum.cpu_ns - sum.library_cpu_ns < BURNS * BURNED_NS);
        } else {
            assert_int_equal(sum.library_cpu_ns, 0);
            assert_true(sum.cpu_ns < BURNS * BURNED_NS); /* the workers wait */
        }
        worker_pool_destroy(pool);
    }
    pthread_mutex_lock(&library.lock);
    library.quit = true;
    pthread_cond_broadcast(&library.changed);
    pthread_mutex_unlock(&library.lock);
    pthread_join(library.thread, NULL);
}

/* With slow name resolution, opening takes longer than a slice: it must not reduce the slice. */
static void opening_is_no_part_of_the_duration(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 2000000, .transfer_ns = 100}};
    struct worker_pool *pool = make_scripted(&engine_fake_pread, steps, 1, 0);
    struct slice slice = slice_of(1000);
    cell.work.keep_open = true;
    slice.plan.duration_ns = 1000000;
    assert_int_equal(run(pool, slice), 0);
    assert_int_equal(sum.tally.operations, 1000);
    assert_int_equal(sum.time_ns, 1000 * 100);
    slice.plan.duration_ns = 50000; /* and it is kept */
    assert_int_equal(run(pool, slice), 0);
    assert_int_equal(sum.tally.operations, 500);
    worker_pool_destroy(pool);
}

static void kept_open_that_cannot_open_is_an_error(void **state)
{
    static const struct fake_step steps[] = {{.open_result = -EMFILE}};
    struct worker_pool *pool = make_scripted(&engine_fake, steps, 1, 0);
    cell.work.keep_open = true;
    assert_int_equal(run(pool, slice_of(100)), -1);
    assert_int_equal(err.errnum, EMFILE);
    assert_int_equal(fake_script.transfers, 0);
    assert_int_equal(fake_script.teardowns, 1);
    worker_pool_destroy(pool);
}

/* ... regardless of the slices; another seed gives other operations. */
static void the_same_seed_gives_the_same_operations(void **state)
{
    uint64_t hits[3][64];
    for (int way = 0; way < 3; way++) {
        const uint64_t slices = way == 1 ? 3 : 1;
        struct worker_pool *pool = make_scripted(&engine_fake, NULL, 0, 0);
        struct slice slice = slice_of(333 / slices);
        struct rng stream;
        rng_seed(&stream, way == 2 ? 8 : 7, 0);
        slice.streams = &stream;
        for (uint64_t i = 0; i < slices; i++)
            assert_int_equal(run(pool, slice), 0);
        memcpy(hits[way], fake_script.object_hits, sizeof(hits[way]));
        worker_pool_destroy(pool);
    }
    assert_memory_equal(hits[0], hits[1], sizeof(hits[0]));
    assert_memory_not_equal(hits[0], hits[2], sizeof(hits[0]));
}

/* A thread with its own share of a schedule leaves nothing to the others. */
static void threads_take_turns_on_a_schedule(void **state)
{
    struct worker_pool *pool = NULL;
    const struct settings asked = {.rate = 20000, .pin = true};
    const struct plan plan = plan_of(4);
    const struct sweep sweep = {
        .settings = &asked, .plan = &plan, .clock = &clock_monotonic, .stop = &go_on};
    worker_pool_destroy(make(4, 0, &clock_monotonic, &go_on)); /* fills in cell */
    assert_int_equal(worker_pool_create(&pool, &sweep, NULL, &err), 0);
    assert_int_equal(run(pool, slice_of(400)), 0);
    assert_int_equal(sum.tally.operations, 400);
    assert_int_equal(sum.fewest, 100);
    assert_int_equal(sum.most, 100);
    assert_int_equal(sum.wanted_ns, 20000000);
    assert_true(sum.time_ns >= 20000000);        /* to the time when the next one is due */
    assert_int_equal(run(pool, slice_of(7)), 0); /* the first three threads have one more */
    assert_int_equal(sum.tally.operations, 7);
    assert_int_equal(sum.fewest, 1);
    assert_int_equal(sum.most, 2);
    worker_pool_destroy(pool);
}

/* Ten operations, one every 50 us; that the last takes 200 us does not change their rate. */
static void waiting_for_the_last_is_no_part_of_a_schedule(void **state)
{
    static struct fake_step steps[10];
    struct worker_pool *pool = NULL;
    const struct settings asked = {.rate = 20000};
    const struct plan plan = plan_of(1);
    const struct sweep sweep = {
        .settings = &asked, .plan = &plan, .clock = &fake_clock, .stop = &go_on};
    for (unsigned i = 0; i < 10; i++)
        steps[i].transfer_ns = i < 9 ? 10000 : 200000;
    for (int late = 0; late < 2; late++) {
        worker_pool_destroy(make(1, 0, &fake_clock, &go_on)); /* fills in cell */
        steps[8].transfer_ns = late ? 300000 : 10000;         /* the last begins 250 us late */
        fake_reset(steps, 10);
        fake_reading_ns = 100;
        cell.engine = &engine_fake;
        assert_int_equal(worker_pool_create(&pool, &sweep, NULL, &err), 0);
        assert_int_equal(run(pool, slice_of(10)), 0);
        assert_int_equal(sum.tally.operations, 10);
        if (late)
            assert_within(sum.time_ns, 900000, 905000);
        else
            assert_within(sum.time_ns, 500000, 502000);
        assert_int_equal(sum.elapsed_ns, sum.time_ns);
        worker_pool_destroy(pool);
    }
}

static void more_memory_than_there_is_is_refused(void **state)
{
    struct worker_pool *pool = NULL;
    const struct settings asked = {.seed = 1};
    const struct plan plan = {.threads_max = 1000,
                              .depth_max = 4096,
                              .call_bytes_max = UINT64_C(1) << 30,
                              .buffer_bytes_max = UINT64_C(1) << 42,
                              .memory_align_max_bytes = 4096};
    const struct sweep sweep = {
        .settings = &asked, .plan = &plan, .clock = &clock_monotonic, .stop = &go_on};
    assert_int_equal(worker_pool_create(&pool, &sweep, NULL, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_true(err.advice[0] != '\0');
    assert_null(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cycle_is_done_once),
        cmocka_unit_test(cells_of_fewer_threads_leave_the_others_asleep),
        cmocka_unit_test(failures_end_the_slice),
        cmocka_unit_test(kept_open_opens_each_object_once),
        cmocka_unit_test(threads_of_a_library_are_counted_once),
        cmocka_unit_test(opening_is_no_part_of_the_duration),
        cmocka_unit_test(kept_open_that_cannot_open_is_an_error),
        cmocka_unit_test(the_same_seed_gives_the_same_operations),
        cmocka_unit_test(threads_take_turns_on_a_schedule),
        cmocka_unit_test(waiting_for_the_last_is_no_part_of_a_schedule),
        cmocka_unit_test(more_memory_than_there_is_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
