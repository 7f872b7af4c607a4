/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_series.c - the records of --interval: what workers publish adds up exactly, whenever it is
 * read; each record contains what ended in it, its real length, and operations that hang. (With
 * threads: test_series_threads.c.) */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "run/cycle_book.h"
#include "unit/async_fixture.h"
#include "unit/series_fixture.h"

/* --- the grid --- */

static void intervals_end_on_a_grid(void **state)
{
    assert_int_equal(series_next_ns(100, 10, 100), 110);
    assert_int_equal(series_next_ns(100, 10, 109), 110);
    assert_int_equal(series_next_ns(100, 10, 110), 120);
    assert_int_equal(series_next_ns(100, 10, 134), 140); /* two intervals missed: no record */
    assert_true(series_next_ns(100, UINT64_MAX, 100) == UINT64_MAX);
    assert_true(series_next_ns(UINT64_MAX - 5, 10, UINT64_MAX - 1) == UINT64_MAX);
}

/* --- contents of a record --- */

static struct series_record record; /* that was taken last */

static void a_record_is_what_ended_since_the_one_before(void **state)
{
    struct series *series = start_anew(2, 100);
    publish(series_live(series, 0), 1, 40, 40, 0);
    publish(series_live(series, 1), 3, 90, 50, 2);
    assert_true(series_take(series, 1100, &record));
    assert_int_equal(record.time_ns, 100);
    assert_int_equal(record.length_ns, 100);
    assert_int_equal(record.operations, 4);
    assert_int_equal(record.latency_sum_ns, 130);
    assert_int_equal(record.latency_max_ns, 50);
    assert_int_equal(record.in_flight, 2);
    assert_int_equal(record.errors, 0);

    series_count_error(series_live(series, 1));
    series_set_in_flight(series_live(series, 0), 1);
    assert_true(series_take(series, 1230, &record)); /* late: has its real length */
    assert_int_equal(record.time_ns, 230);
    assert_int_equal(record.length_ns, 130);
    assert_int_equal(record.operations, 0);
    assert_int_equal(record.latency_sum_ns, 0);
    assert_int_equal(record.latency_max_ns, 0); /* the previous interval's is not repeated */
    assert_int_equal(record.in_flight, 3);
    assert_int_equal(record.errors, 1);

    publish(series_live(series, 0), 1, 7, 7, 0);
    assert_true(series_take(series, 1300, &record));
    assert_int_equal(record.operations, 1);
    assert_int_equal(record.latency_max_ns, 7);
    assert_int_equal(record.errors, 0);
    assert_int_equal(record.in_flight, 2);
    assert_false(series_take(series, 1300, &record)); /* no time has passed */
    series_free(series);
}

/* Over all workers, and of this interval only, even for few operations. */
static void p99_is_that_of_the_interval(void **state)
{
    struct series *series = start_anew(2, 100);
    for (uint32_t i = 0; i < 1000; i++)
        series_count_latency(series_live(series, i % 2), i < 989 ? 10 : 50);
    publish(series_live(series, 0), 1000, 10440, 50, 0);
    assert_true(series_take(series, 1100, &record));
    assert_int_equal(record.latency_p99_ns, 50);
    assert_int_equal(record.latency_p50_ns, 10);
    for (uint32_t i = 0; i < 1000; i++)
        series_count_latency(series_live(series, 1), i < 990 ? 20 : 70);
    publish(series_live(series, 1), 1000, 20500, 70, 0);
    assert_true(series_take(series, 1200, &record));
    assert_int_equal(record.latency_p99_ns, 20);
    assert_int_equal(record.latency_p50_ns, 20);
    series_count_latency(series_live(series, 0), 30);
    publish(series_live(series, 0), 1, 30, 30, 0);
    assert_true(series_take(series, 1300, &record));
    assert_int_equal(record.latency_p99_ns, 30);
    assert_int_equal(record.latency_p50_ns, 30);
    /* 1001 is in a bucket whose middle is higher */
    for (uint32_t i = 0; i < 1000; i++)
        series_count_latency(series_live(series, 0), 1001);
    publish(series_live(series, 0), 1000, 1001000, 1001, 0);
    assert_true(series_take(series, 1400, &record));
    assert_int_equal(record.latency_p99_ns, 1001);
    assert_int_equal(record.latency_p50_ns, 1001);
    assert_true(series_take(series, 1500, &record));
    assert_int_equal(record.latency_p99_ns, 0);
    series_free(series);
}

/* A worker was preempted between counting an operation and counting its latency. */
static void what_is_half_published_is_in_the_next_record(void **state)
{
    struct series *series = start_anew(1, 100);
    struct series_live *live = series_live(series, 0);
    publish(live, 2, 40, 30, 0);
    atomic_fetch_add(&live->version, 1);
    atomic_fetch_add(&live->count[SERIES_COUNTED].operations, 1);
    assert_true(series_take(series, 1100, &record));
    assert_int_equal(record.operations, 0);
    assert_int_equal(record.latency_sum_ns, 0);
    atomic_fetch_add(&live->count[SERIES_COUNTED].latency_sum_ns, 5);
    atomic_fetch_add(&live->version, 1);
    assert_true(series_take(series, 1200, &record));
    assert_int_equal(record.operations, 3);
    assert_int_equal(record.latency_sum_ns, 45);
    series_free(series);
}

static void a_worker_that_slept_brings_no_old_latency(void **state)
{
    struct series *series = start_anew(1, 100);
    publish(series_live(series, 0), 1, 900, 900, 0);
    for (uint64_t t = 1100; t < 1500; t += 100)
        assert_true(series_take(series, t, &record));
    publish(series_live(series, 0), 2, 11, 6, 0);
    publish(series_live(series, 0), 1, 3, 3, 0);
    assert_true(series_take(series, 1500, &record));
    assert_int_equal(record.latency_max_ns, 6);
    assert_int_equal(record.latency_sum_ns, 14);
    series_free(series);
}

static void a_record_names_the_part_that_was_measured_last(void **state)
{
    struct series *series = start_anew(1, 100);
    assert_true(series_take(series, 1100, &record));
    assert_false(record.under_way); /* files are being prepared */
    series_begin_part(series, TEST_WRITE, CACHE_CACHED);
    assert_true(series_take(series, 1200, &record));
    assert_true(record.under_way);
    assert_int_equal(record.test, TEST_WRITE);
    assert_int_equal(record.cache, CACHE_CACHED);
    series_end_part(series); /* it ran during part of this interval */
    assert_true(series_take(series, 1300, &record));
    assert_true(record.under_way);
    assert_int_equal(record.test, TEST_WRITE);
    assert_true(series_take(series, 1400, &record));
    assert_false(record.under_way);
    series_begin_part(series, TEST_WRITE, CACHE_CACHED);
    series_end_part(series);
    series_begin_part(series, TEST_READ, CACHE_DIRECT);
    assert_true(series_take(series, 1500, &record));
    assert_int_equal(record.test, TEST_READ);
    assert_int_equal(record.cache, CACHE_DIRECT);
    series_free(series);
}

static void begin_slice(struct series *series, const struct cell *cell, bool counts)
{
    const struct slice slice = {.cell = cell, .plan.cycles = 1000, .plan.counts = counts};

    series_begin_slice(series, &slice, UINT64_MAX);
}

static void add_slice(struct series *series, const struct cell *cell, uint64_t operations,
                      uint64_t time_ns, uint64_t sum_ns)
{
    const struct slice_record slice = {
        .cell = cell, .time_ns = time_ns, .operations = operations, .latency_ns_sum = sum_ns};

    series_add_slice(series, &slice);
}

/* Slices of two rows alternate: each row has a record with its share. */
static void each_row_has_its_record(void **state)
{
    struct cell cells[2] = {
        {.index = 0, .threads = 1, .work = {.test = TEST_READ, .depth = 1, .size_bytes = 10}},
        {.index = 1, .threads = 2, .work = {.test = TEST_READ, .depth = 7, .size_bytes = 100}}};
    struct series *series = start_anew(2, 1000);
    struct series_live *live = series_live(series, 0);
    fake_now_ns = 1100; /* prepared for 100 */
    series_begin_part(series, TEST_READ, CACHE_CACHED);
    begin_slice(series, &cells[1], true);
    series_turn(live, SERIES_COUNTED, 7, 1120);
    publish(live, 4, 160, 50, 0);
    series_turn(live, SERIES_COUNTED, -7, 1260); /* 7 * 140 of 14 slots */
    publish_one(live, SERIES_LOAD, 9, 1270, 0);
    fake_now_ns = 1300;
    series_end_slice(series);
    add_slice(series, &cells[1], 5, 71, 169); /* it counted, too */
    fake_now_ns = 1350;
    begin_slice(series, &cells[0], true);
    series_turn(live, SERIES_COUNTED, 1, 1350);
    fake_now_ns = 1950;
    publish(live, 1, 600, 600, 3);
    fake_now_ns = 2000;
    assert_true(series_take(series, 2000, &record)); /* 650 of row 1, whose slice continues */
    assert_ptr_equal(record.cell, &cells[0]);
    assert_int_equal(record.length_ns, 1000);
    assert_int_equal(record.preparing_ns, 100);
    assert_int_equal(record.busy_ns, 650);
    assert_int_equal(record.operations, 1);
    assert_int_equal(record.bytes, 10);
    assert_int_equal(record.in_flight, 3);
    assert_int_equal(record.latency_min_ns, 600);
    assert_int_equal(record.latency_last_ns, 600);
    assert_true(series_more(series, &record));
    assert_ptr_equal(record.cell, &cells[1]);
    assert_int_equal(record.busy_ns, 71);
    assert_int_equal(record.operations, 5);
    assert_int_equal(record.bytes, 500);
    assert_int_equal(record.latency_sum_ns, 169);
    assert_int_equal(record.latency_max_ns, 50); /* not the other row's */
    assert_int_equal(record.latency_min_ns, 1);
    assert_int_equal(record.in_flight, 0);
    assert_false(series_more(series, &record));

    fake_now_ns = 2400;
    publish(live, 3, 900, 500, 0);
    series_turn(live, SERIES_COUNTED, -1, 2390);
    series_end_slice(series);
    add_slice(series, &cells[0], 4, 1040, 1500);
    begin_slice(series, &cells[1], true);
    series_turn(live, SERIES_COUNTED, 14, 2400);
    fake_now_ns = 3000;
    assert_true(series_take(series, 3000, &record));
    assert_ptr_equal(record.cell, &cells[0]);
    assert_int_equal(record.busy_ns, 390);
    assert_int_equal(record.preparing_ns, 0);
    assert_int_equal(record.operations, 3);
    assert_int_equal(record.all.operations, 4);
    assert_int_equal(record.all.bytes, 40);
    assert_int_equal(record.all.busy_ns, 1040);
    assert_int_equal(record.all.latency_sum_ns, 1500);
    assert_true(series_more(series, &record)); /* a slice that hangs: no operations, but time */
    assert_ptr_equal(record.cell, &cells[1]);
    assert_int_equal(record.busy_ns, 600);
    assert_int_equal(record.operations, 0);
    assert_int_equal(record.latency_max_ns, 0);
    assert_int_equal(record.all.operations, 5);
    assert_false(series_more(series, &record));

    series_end_slice(series);
    fake_now_ns = 4000; /* within a part, but between slices */
    assert_true(series_take(series, 4000, &record));
    assert_null(record.cell);
    assert_true(record.under_way);
    assert_int_equal(record.busy_ns, 0);
    assert_false(series_more(series, &record));
    series_free(series);
}

/* Warm-up belongs to no row, unless the row finally accepts it; failures belong to the row. */
static void a_row_has_what_it_counts(void **state)
{
    struct cell cell = {.threads = 1, .work = {.depth = 1, .size_bytes = 10}};
    struct series *series = start_anew(1, 1000);
    struct series_live *live = series_live(series, 0);
    begin_slice(series, &cell, false);
    series_turn(live, SERIES_COUNTED, 1, 1000);
    publish(live, 7, 700, 100, 1);
    series_count_error(live);
    fake_now_ns = 1800;
    series_end_slice(series);
    assert_true(series_take(series, 2000, &record));
    assert_null(record.cell);
    assert_int_equal(record.operations, 7);
    assert_int_equal(record.bytes, 70);
    assert_int_equal(record.busy_ns, 800);
    assert_int_equal(record.errors, 0);
    assert_true(series_more(series, &record));
    assert_ptr_equal(record.cell, &cell);
    assert_int_equal(record.operations, 0);
    assert_int_equal(record.busy_ns, 0);
    assert_int_equal(record.errors, 1);
    add_slice(series, &cell, 7, 800, 700);
    assert_true(series_take(series, 3000, &record));
    assert_ptr_equal(record.cell, &cell);
    assert_int_equal(record.operations, 7);
    assert_int_equal(record.busy_ns, 800);
    assert_int_equal(record.errors, 0);
    series_free(series);
}

/* One of two slots hangs at the end of a slice of 1000; the other one continues, which certainly
 * counts once that lasts ten mean latencies, including the hanging operation. */
static void what_goes_on_beside_a_stall_is_seen(void **state)
{
    struct cell cell = {.threads = 2, .work = {.depth = 1, .size_bytes = 10}};
    struct series *series = start_anew(2, 100);
    struct series_live *live = series_live(series, 0), *other = series_live(series, 1);
    uint64_t operations = 0, busy_ns = 0;
    begin_slice(series, &cell, true);
    atomic_store(&live->clocks_begin_ns, 1000);
    atomic_store(&live->clocks_end_ns, 2000);
    series_turn(live, SERIES_COUNTED, 1, 1000);
    series_turn(other, SERIES_COUNTED, 1, 1000);
    publish(live, 98, 980, 10, 1);
    publish(other, 100, 1000, 10, 0);
    series_turn(other, SERIES_COUNTED, -1, 2000);
    series_turn(other, SERIES_LOAD, 1, 2000);
    for (uint64_t now_ns = 2100; now_ns <= 2300; now_ns += 100) {
        publish_one(other, SERIES_LOAD, 10, now_ns, 1);
        fake_now_ns = now_ns;
        assert_true(series_take(series, now_ns, &record));
        operations += record.operations;
        busy_ns += record.busy_ns;
        /* 199 * after > 10 * (1980 + 1000 + after) */
        assert_int_equal(operations, now_ns < 2200 ? 198 : 198 + (now_ns - 2000) / 100);
        assert_int_equal(busy_ns, 1000 + (now_ns - 2000) / (now_ns < 2200 ? 2 : 1));
    }
    series_free(series);
}

/* Engines are tried before the start, which belongs to no record. */
static void what_was_before_the_start_is_forgotten(void **state)
{
    struct cell cell = {.index = 3, .threads = 1, .work = {.depth = 1}};
    struct series *series;
    fake_reset(NULL, 0);
    series = series_create(1, 100, &fake_clock, &no_stop);
    begin_slice(series, &cell, true);
    fake_now_ns = 1700;
    series_end_slice(series);
    series_start(series);
    assert_true(series_take(series, 1800, &record));
    assert_null(record.cell);
    assert_int_equal(record.time_ns, 100);
    series_free(series);
}

/* --- published by the loops --- */

static struct series *seen_series;
static struct series_record seen_inside;
static unsigned seen_at;

/* An engine that hangs in its third transfer for an interval. */
static int64_t hang(void *ctx, struct io *io)
{
    if (++seen_at == 3) {
        fake_now_ns += 1000;
        assert_true(series_take(seen_series, fake_now_ns, &seen_inside));
        fake_now_ns += 500;
    }
    return engine_fake.read(ctx, io);
}

static void a_thread_that_hangs_is_seen(void **state)
{
    static const struct fake_step steps[] = {
        {.open_ns = 10, .seek_ns = 1, .transfer_ns = 100, .close_ns = 9}};
    struct engine engine = engine_fake;
    struct cycle cycle;
    fake_reset(steps, 1);
    engine.read = hang;
    cycle = make(&engine, 1);
    seen_series = start(1, 1000);
    seen_at = 0;
    cycle.live = series_live(seen_series, 0);
    assert_int_equal(cycle_run(&cycle, 5), 5);
    assert_int_equal(seen_inside.operations, 2);
    assert_int_equal(seen_inside.in_flight, 1);
    assert_int_equal(seen_inside.latency_sum_ns, 240);
    assert_int_equal(seen_inside.latency_max_ns, 120);
    assert_true(series_take(seen_series, fake_now_ns, &record));
    assert_int_equal(record.operations, 3);
    assert_int_equal(record.in_flight, 0);
    assert_int_equal(record.latency_sum_ns, 3 * 120 + 1500);
    assert_int_equal(record.latency_max_ns, 1620);
    assert_int_equal(seen_inside.latency_sum_ns + record.latency_sum_ns, tally.sum_ns);
    series_free(seen_series);
}

static void failures_are_errors_and_nothing_else(void **state)
{
    static const struct fake_step steps[] = {
        {.transfer_ns = 100},
        {.open_ns = 5, .open_result = -EMFILE},
        {.transfer_ns = 30, .transfer_result = -EIO},
        {.transfer_ns = 30, .transfer_result = 7}, /* short: not an error, as in rows */
        {.transfer_ns = 20, .close_result = -EIO},
    };
    struct series *series;
    struct cycle cycle;
    fake_reset(steps, 5);
    cycle = make(&engine_fake_pread, 1);
    series = start(1, 1000);
    cycle.live = series_live(series, 0);
    assert_int_equal(cycle_run(&cycle, 50), 50);
    assert_true(series_take(series, fake_now_ns, &record));
    assert_int_equal(tally.operations, 10);
    assert_int_equal(tally.failed, 30);
    assert_int_equal(record.operations, 10);
    assert_int_equal(record.errors, 30);
    assert_int_equal(record.latency_sum_ns, tally.sum_ns);
    assert_int_equal(record.latency_max_ns, 100);
    assert_int_equal(record.in_flight, 0);
    series_free(series);
}

/* Takes a record whenever a transfer of the ring is queued. */
static uint64_t async_operations, async_errors, async_sum_ns, async_most, async_max_ns;

static void add(void)
{
    async_operations += record.operations;
    async_errors += record.errors;
    async_sum_ns += record.latency_sum_ns;
    if (record.in_flight > async_most)
        async_most = record.in_flight;
    if (record.latency_max_ns > async_max_ns)
        async_max_ns = record.latency_max_ns;
}

static int64_t fail_some(enum async_step step, uint64_t nth, int64_t good)
{
    if (step != ASYNC_READ)
        return good;
    if (series_take(seen_series, fake_now_ns, &record))
        add();
    return nth % 7 == 3 ? -EIO : good;
}

static void an_asynchronous_loop_adds_up(void **state)
{
    static const uint32_t depths[] = {1, 2, 16, FAKE_SLOTS};
    for (size_t d = 0; d < sizeof(depths) / sizeof(*depths); d++)
        for (unsigned at_once = 0; at_once < 1u << 4; at_once++) {
            struct cycle cycle;
            fake_reset(NULL, 0);
            fake_ring_reset(10, 100, 5);
            fake_ring.at_once = at_once;
            fake_ring.result = fail_some;
            cycle = make(d % 2 ? &engine_fake_aio : &engine_fake_ring, depths[d]);
            async_operations = async_errors = async_sum_ns = 0;
            async_most = async_max_ns = 0;
            seen_series = start(1, 1000);
            cycle.live = series_live(seen_series, 0);
            run_clean(&cycle, 1000);
            fake_now_ns++;
            assert_true(series_take(seen_series, fake_now_ns, &record));
            assert_int_equal(record.in_flight, 0);
            add();
            assert_true(tally.failed > 0);
            assert_int_equal(async_operations, tally.operations);
            assert_int_equal(async_errors, tally.failed);
            assert_int_equal(async_sum_ns, tally.sum_ns);
            assert_int_equal(async_max_ns, tally.max_ns);
            assert_true(async_most <= depths[d]);
            if (!(at_once & 1u << ASYNC_READ))
                assert_true(async_most > 0);
            series_free(seen_series);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_end_on_a_grid),
        cmocka_unit_test(a_record_is_what_ended_since_the_one_before),
        cmocka_unit_test(p99_is_that_of_the_interval),
        cmocka_unit_test(what_is_half_published_is_in_the_next_record),
        cmocka_unit_test(a_worker_that_slept_brings_no_old_latency),
        cmocka_unit_test(a_record_names_the_part_that_was_measured_last),
        cmocka_unit_test(each_row_has_its_record),
        cmocka_unit_test(a_row_has_what_it_counts),
        cmocka_unit_test(what_goes_on_beside_a_stall_is_seen),
        cmocka_unit_test(what_was_before_the_start_is_forgotten),
        cmocka_unit_test(a_thread_that_hangs_is_seen),
        cmocka_unit_test(failures_are_errors_and_nothing_else),
        cmocka_unit_test(an_asynchronous_loop_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
