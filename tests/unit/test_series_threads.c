/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_series_threads.c - records of --interval taken while threads work, and written by another
 * thread: nothing is lost or duplicated. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run/sweep.h"
#include "run/worker.h"
#include "unit/series_fixture.h"

#define IO_BYTES 512u

static uint64_t lengths[64];
static struct target target;

static void threads_add_up_while_somebody_looks(void **state)
{
    static const uint32_t threads[] = {1, 2, 5};
    static const volatile int go_on;
    for (size_t t = 0; t < sizeof(threads) / sizeof(*threads); t++) {
        struct series *series = series_create(threads[t], MS, &clock_monotonic, &no_stop);
        const struct settings asked = {.seed = 1};
        const struct plan plan = {.threads_max = threads[t],
                                  .depth_max = 1,
                                  .call_bytes_max = IO_BYTES,
                                  .buffer_bytes_max = IO_BYTES,
                                  .memory_align_max_bytes = IO_BYTES};
        const struct sweep sweep = {
            .settings = &asked, .plan = &plan, .clock = &clock_monotonic, .stop = &go_on};
        struct cell cell = {
            .engine = engine_find("null"), .threads = threads[t], .align_bytes = IO_BYTES};
        const struct slice slice = {
            .cell = &cell, .plan.cycles = 100003, .plan.deadline_ns = UINT64_MAX};
        struct slice_sum *sum = calloc(1, sizeof(*sum));
        struct worker_pool *workers;
        struct series_record record;
        struct error err = ERROR_INIT;
        target = fake_target(lengths, 8, 65536);
        cell.work = (struct workload){.target = &target,
                                      .size_bytes = IO_BYTES,
                                      .io_bytes = IO_BYTES,
                                      .object_count = 8,
                                      .depth = 1,
                                      .test = TEST_READ};
        assert_non_null(sum);
        assert_int_equal(worker_pool_create(&workers, &sweep, series, &err), 0);
        series_start(series);
        assert_int_equal(worker_run(workers, &slice, sum, &err), 0);
        assert_true(series_take(series, clock_now(&clock_monotonic), &record));
        assert_int_equal(record.operations, 100003);
        assert_int_equal(record.operations, sum->tally.operations);
        assert_int_equal(record.bytes, 100003 * IO_BYTES);
        assert_int_equal(record.latency_sum_ns, sum->tally.sum_ns);
        assert_int_equal(record.latency_max_ns, sum->tally.max_ns);
        assert_int_equal(record.in_flight, 0);
        worker_pool_destroy(workers);
        series_free(series);
        free(sum);
    }
}

#define WRITES 200000u

static void *write_on(void *arg)
{
    for (unsigned i = 0; i < WRITES; i++) {
        series_set_in_flight(arg, 1);
        publish(arg, 1, i % 100, i % 100, 0);
        if (i % 10 == 0)
            series_count_error(arg);
    }
    return NULL;
}

/* Reading during writes loses and duplicates nothing, and nothing decreases. */
static void readers_and_writers_do_not_disturb_each_other(void **state)
{
    struct series *series = start_anew(2, 1);
    struct series_record record, all = {.time_ns = 0};
    pthread_t threads[2];
    uint64_t t = 1000;
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_on, series_live(series, i)), 0);
    for (unsigned i = 0; i < 20000; i++) {
        assert_true(series_take(series, ++t, &record));
        assert_true(record.operations <= 2 * WRITES);
        assert_true(record.in_flight <= 2);
        all.operations += record.operations;
        all.errors += record.errors;
        all.latency_sum_ns += record.latency_sum_ns;
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert_true(series_take(series, ++t, &record));
    assert_int_equal(all.operations + record.operations, 2 * WRITES);
    assert_int_equal(all.errors + record.errors, 2 * WRITES / 10);
    assert_int_equal(all.latency_sum_ns + record.latency_sum_ns, UINT64_C(99) * WRITES);
    series_free(series);
}

struct heard {
    atomic_uint records, partial;
    uint64_t length_ns, time_ns;
    unsigned fail_at; /* writing this record fails */
};

static int hear(void *arg, const struct series_record *record, struct error *err)
{
    struct heard *heard = arg;
    heard->length_ns += record->length_ns;
    heard->time_ns = record->time_ns;
    heard->partial += record->partial;
    if (++heard->records == heard->fail_at)
        return error_set(err, STATUS_PARTIAL, ENOSPC, "cannot write the results to", "x");
    return 0;
}

/* Records a series to `heard` until there are `least` records; checks that it ends properly. */
static struct heard tell(uint64_t interval_ns, unsigned fail_at, bool starts, unsigned least)
{
    struct series *series = series_create(1, interval_ns, &clock_monotonic, &no_stop);
    struct heard heard = {.fail_at = fail_at};
    struct error err = ERROR_INIT;

    assert_int_equal(series_run(series, hear, &heard, &err), 0);
    if (starts)
        series_start(series);
    while (atomic_load(&heard.records) < least || (fail_at && !series_failed(series)))
        sched_yield();
    assert_int_equal(series_stop(series, &err), fail_at ? -1 : 0);
    assert_int_equal(err.errnum, fail_at ? ENOSPC : 0);
    assert_int_equal(error_is_set(&err), fail_at > 0);
    series_free(series);
    return heard;
}

static void the_thread_wakes_by_itself_and_ends_when_told(void **state)
{
    struct heard heard = tell(SERIES_LEAST_NS, 0, true, 3);
    assert_int_equal(heard.length_ns, heard.time_ns); /* no gap between records */
    assert_true(heard.partial <= 1);
    /* an interval longer than any run: written once at the end, with its real length */
    heard = tell(UINT64_MAX, 0, true, 0);
    assert_int_equal(heard.records, 1);
    assert_int_equal(heard.partial, 1);
    /* never started: no records */
    heard = tell(MS, 0, false, 0);
    assert_int_equal(heard.records, 0);
}

static void a_record_that_cannot_be_written_is_the_last(void **state)
{
    const struct heard heard = tell(SERIES_LEAST_NS, 2, true, 0);
    assert_int_equal(heard.records, 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_add_up_while_somebody_looks),
        cmocka_unit_test(readers_and_writers_do_not_disturb_each_other),
        cmocka_unit_test(the_thread_wakes_by_itself_and_ends_when_told),
        cmocka_unit_test(a_record_that_cannot_be_written_is_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
