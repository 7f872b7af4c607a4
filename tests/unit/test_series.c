/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_series.c - the records of --interval: what workers publish adds up exactly, whatever the
 * moment at which it is read; each record says what ended in it, how long it really was, and what
 * hangs.  (With threads: test_series_threads.c.) */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit/async_fixture.h"
#include "unit/series_fixture.h"

/* --- the grid --- */

static void intervals_end_on_a_grid(void **state)
{
    (void)state;
    assert_int_equal(series_next_ns(100, 10, 100), 110);
    assert_int_equal(series_next_ns(100, 10, 109), 110);
    assert_int_equal(series_next_ns(100, 10, 110), 120);
    assert_int_equal(series_next_ns(100, 10, 134), 140); /* two were missed: no record for them */
    assert_true(series_next_ns(100, UINT64_MAX, 100) == UINT64_MAX);
    assert_true(series_next_ns(UINT64_MAX - 5, 10, UINT64_MAX - 1) == UINT64_MAX);
}

/* --- what a record says --- */

static void a_record_is_what_ended_since_the_one_before(void **state)
{
    struct series *series = start_anew(2, 100);
    struct series_record record;
    (void)state;
    publish(series_live(series, 0), 1, 512, 40, 40, 0);
    publish(series_live(series, 1), 3, 1536, 90, 50, 2);
    assert_true(series_take(series, 1100, &record));
    assert_int_equal(record.time_ns, 100);
    assert_int_equal(record.length_ns, 100);
    assert_int_equal(record.operations, 4);
    assert_int_equal(record.bytes, 2048);
    assert_int_equal(record.latency_sum_ns, 130);
    assert_int_equal(record.latency_max_ns, 50);
    assert_int_equal(record.in_flight, 2);
    assert_int_equal(record.errors, 0);

    series_count_error(series_live(series, 1));
    series_set_in_flight(series_live(series, 0), 1);
    assert_true(series_take(series, 1230, &record)); /* late: the real length */
    assert_int_equal(record.time_ns, 230);
    assert_int_equal(record.length_ns, 130);
    assert_int_equal(record.operations, 0);
    assert_int_equal(record.latency_sum_ns, 0);
    assert_int_equal(record.latency_max_ns, 0); /* that of the interval before is not told again */
    assert_int_equal(record.in_flight, 3);
    assert_int_equal(record.errors, 1);

    publish(series_live(series, 0), 1, 512, 7, 7, 0);
    assert_true(series_take(series, 1300, &record));
    assert_int_equal(record.operations, 1);
    assert_int_equal(record.latency_max_ns, 7);
    assert_int_equal(record.errors, 0);
    assert_int_equal(record.in_flight, 2);
    assert_false(series_take(series, 1300, &record)); /* no time has passed */
    series_free(series);
}

/* Of all workers together, and of this interval alone, of however few operations. */
static void p99_is_that_of_the_interval(void **state)
{
    struct series *series = start_anew(2, 100);
    struct series_record record;
    (void)state;
    for (uint32_t i = 0; i < 1000; i++)
        series_count_latency(series_live(series, i % 2), i < 989 ? 10 : 50);
    publish(series_live(series, 0), 1000, 0, 10440, 50, 0);
    assert_true(series_take(series, 1100, &record));
    assert_int_equal(record.latency_p99_ns, 50);
    assert_int_equal(record.latency_p50_ns, 10);
    for (uint32_t i = 0; i < 1000; i++)
        series_count_latency(series_live(series, 1), i < 990 ? 20 : 70);
    publish(series_live(series, 1), 1000, 0, 20500, 70, 0);
    assert_true(series_take(series, 1200, &record));
    assert_int_equal(record.latency_p99_ns, 20);
    assert_int_equal(record.latency_p50_ns, 20);
    series_count_latency(series_live(series, 0), 30);
    publish(series_live(series, 0), 1, 0, 30, 30, 0);
    assert_true(series_take(series, 1300, &record));
    assert_int_equal(record.latency_p99_ns, 30);
    assert_int_equal(record.latency_p50_ns, 30);
    /* 1001 is in a bucket whose middle is above it */
    for (uint32_t i = 0; i < 1000; i++)
        series_count_latency(series_live(series, 0), 1001);
    publish(series_live(series, 0), 1000, 0, 1001000, 1001, 0);
    assert_true(series_take(series, 1400, &record));
    assert_int_equal(record.latency_p99_ns, 1001);
    assert_int_equal(record.latency_p50_ns, 1001);
    assert_true(series_take(series, 1500, &record));
    assert_int_equal(record.latency_p99_ns, 0);
    series_free(series);
}

/* A worker that lost its processor between counting an operation and counting its bytes. */
static void what_is_half_published_is_in_the_next_record(void **state)
{
    struct series *series = start_anew(1, 100);
    struct series_record record;
    struct series_live *live = series_live(series, 0);
    (void)state;
    publish(live, 2, 1024, 40, 30, 0);
    atomic_fetch_add(&live->version, 1);
    atomic_fetch_add(&live->operations, 1);
    assert_true(series_take(series, 1100, &record));
    assert_int_equal(record.operations, 0);
    assert_int_equal(record.bytes, 0);
    atomic_fetch_add(&live->bytes, 512);
    atomic_fetch_add(&live->version, 1);
    assert_true(series_take(series, 1200, &record));
    assert_int_equal(record.operations, 3);
    assert_int_equal(record.bytes, 3 * 512);
    series_free(series);
}

static void a_worker_that_slept_brings_no_old_latency(void **state)
{
    struct series *series = start_anew(1, 100);
    struct series_record record;
    (void)state;
    publish(series_live(series, 0), 1, 512, 900, 900, 0);
    for (uint64_t t = 1100; t < 1500; t += 100)
        assert_true(series_take(series, t, &record));
    publish(series_live(series, 0), 2, 1024, 11, 6, 0);
    publish(series_live(series, 0), 1, 512, 3, 3, 0);
    assert_true(series_take(series, 1500, &record));
    assert_int_equal(record.latency_max_ns, 6);
    assert_int_equal(record.latency_sum_ns, 14);
    series_free(series);
}

static void a_record_names_the_part_that_was_measured_last(void **state)
{
    struct series *series = start_anew(1, 100);
    struct series_record record;
    (void)state;
    assert_true(series_take(series, 1100, &record));
    assert_false(record.under_way); /* files are prepared */
    series_begin_part(series, TEST_WRITE, CACHE_CACHED);
    assert_true(series_take(series, 1200, &record));
    assert_true(record.under_way);
    assert_int_equal(record.test, TEST_WRITE);
    assert_int_equal(record.cache, CACHE_CACHED);
    series_end_part(series); /* it was under way in some of this interval */
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

/* Slices of two rows in turns: each row has a record, with the time in which it ran. */
static void each_row_has_its_record(void **state)
{
    struct cell cells[2] = {{.index = 0, .threads = 1, .work = {.test = TEST_READ}},
                            {.index = 1, .threads = 2, .work = {.test = TEST_READ, .depth = 7}}};
    const struct series_batch between = {.min_ns = UINT64_MAX, .between_ns = 60};
    struct series *series = start_anew(1, 1000);
    struct series_record record;
    (void)state;
    fake_now_ns = 1100; /* preparing for 100 */
    series_begin_part(series, TEST_READ, CACHE_CACHED);
    series_begin_slice(series, &cells[1], NULL);
    fake_now_ns = 1300;
    publish(series_live(series, 0), 4, 400, 160, 50, 0);
    series_publish(series_live(series, 0), &between, 0); /* 30 for each of two threads */
    series_end_slice(series);                            /* 170 for row 2, then a gap */
    fake_now_ns = 1350;
    series_begin_slice(series, &cells[0], NULL);
    fake_now_ns = 1950;
    publish(series_live(series, 0), 1, 10, 600, 600, 3);
    fake_now_ns = 2000;
    assert_true(series_take(series, 2000, &record)); /* 650 of row 1, whose slice goes on */
    assert_ptr_equal(record.cell, &cells[0]);
    assert_int_equal(record.length_ns, 1000);
    assert_int_equal(record.preparing_ns, 100);
    assert_int_equal(record.busy_ns, 650);
    assert_int_equal(record.operations, 1);
    assert_int_equal(record.in_flight, 3);
    assert_int_equal(record.latency_min_ns, 600);
    assert_int_equal(record.latency_last_ns, 600);
    assert_true(series_more(series, &record));
    assert_ptr_equal(record.cell, &cells[1]);
    assert_int_equal(record.busy_ns, 170);
    assert_int_equal(record.operations, 4);
    assert_int_equal(record.bytes, 400);
    assert_int_equal(record.latency_max_ns, 50); /* not that of the other row */
    assert_int_equal(record.latency_min_ns, 1);
    assert_int_equal(record.in_flight, 0);
    assert_false(series_more(series, &record));

    fake_now_ns = 2400;
    publish(series_live(series, 0), 3, 30, 900, 500, 0);
    series_end_slice(series);
    series_begin_slice(series, &cells[1], NULL);
    fake_now_ns = 3000;
    assert_true(series_take(series, 3000, &record));
    assert_ptr_equal(record.cell, &cells[0]);
    assert_int_equal(record.busy_ns, 400);
    assert_int_equal(record.preparing_ns, 0);
    assert_int_equal(record.operations, 3);
    assert_int_equal(record.all.operations, 4);
    assert_int_equal(record.all.bytes, 40);
    assert_int_equal(record.all.busy_ns, 1050);
    assert_int_equal(record.all.latency_sum_ns, 1500);
    assert_int_equal(record.all.latency_max_ns, 600);
    assert_true(series_more(series, &record)); /* a slice that hangs: none, but time */
    assert_ptr_equal(record.cell, &cells[1]);
    assert_int_equal(record.busy_ns, 600);
    assert_int_equal(record.operations, 0);
    assert_int_equal(record.latency_max_ns, 0);
    assert_int_equal(record.all.operations, 4);
    assert_false(series_more(series, &record));

    series_end_slice(series);
    fake_now_ns = 4000; /* a part under way, and no slice */
    assert_true(series_take(series, 4000, &record));
    assert_null(record.cell);
    assert_true(record.under_way);
    assert_int_equal(record.busy_ns, 0);
    assert_false(series_more(series, &record));
    series_free(series);
}

/* Engines are tried before the start: that is no record's. */
static void what_was_before_the_start_is_forgotten(void **state)
{
    struct cell cell = {.index = 3};
    struct series *series;
    struct series_record record;
    (void)state;
    fake_reset(NULL, 0);
    series = series_create(1, 100, &fake_clock, &no_stop);
    series_begin_slice(series, &cell, NULL);
    fake_now_ns = 1700;
    series_end_slice(series);
    series_start(series);
    assert_true(series_take(series, 1800, &record));
    assert_null(record.cell);
    assert_int_equal(record.time_ns, 100);
    series_free(series);
}

/* --- what the loops publish --- */

static struct series *seen_series;
static struct series_record seen_inside;
static unsigned seen_at;

/* An engine that hangs in its third transfer for as long as an interval takes. */
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
    struct series_record record;
    struct cycle cycle;
    (void)state;
    fake_reset(steps, 1);
    engine.read = hang;
    cycle = make(&engine, 1);
    work.size_bytes = 500; /* covered by blocks of IO_BYTES: rows count these bytes, too */
    seen_series = start(1, 1000);
    seen_at = 0;
    cycle.live = series_live(seen_series, 0);
    assert_int_equal(cycle_run(&cycle, 5), 5);
    assert_int_equal(seen_inside.operations, 2);
    assert_int_equal(seen_inside.bytes, 1000);
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
        {.transfer_ns = 30, .transfer_result = 7}, /* short: neither, as in rows */
        {.transfer_ns = 20, .close_result = -EIO},
    };
    struct series_record record;
    struct series *series;
    struct cycle cycle;
    (void)state;
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
    assert_int_equal(record.bytes, 10 * IO_BYTES);
    assert_int_equal(record.latency_sum_ns, tally.sum_ns);
    assert_int_equal(record.latency_max_ns, 100);
    assert_int_equal(record.in_flight, 0);
    series_free(series);
}

/* Takes a record whenever a transfer of the ring is queued. */
static uint64_t async_operations, async_bytes, async_errors, async_sum_ns, async_most, async_max_ns;

static void add(const struct series_record *record)
{
    async_operations += record->operations;
    async_bytes += record->bytes;
    async_errors += record->errors;
    async_sum_ns += record->latency_sum_ns;
    if (record->in_flight > async_most)
        async_most = record->in_flight;
    if (record->latency_max_ns > async_max_ns)
        async_max_ns = record->latency_max_ns;
}

static int64_t fail_some(enum async_step step, uint64_t nth, int64_t good)
{
    struct series_record record;
    if (step != ASYNC_READ)
        return good;
    if (series_take(seen_series, fake_now_ns, &record))
        add(&record);
    return nth % 7 == 3 ? -EIO : good;
}

static void an_asynchronous_loop_adds_up(void **state)
{
    static const uint32_t depths[] = {1, 2, 16, FAKE_SLOTS};
    (void)state;
    for (size_t d = 0; d < sizeof(depths) / sizeof(*depths); d++)
        for (unsigned at_once = 0; at_once < 1u << 4; at_once++) {
            struct series_record record;
            struct cycle cycle;
            fake_reset(NULL, 0);
            fake_ring_reset(10, 100, 5);
            fake_ring.at_once = at_once;
            fake_ring.result = fail_some;
            cycle = make(d % 2 ? &engine_fake_aio : &engine_fake_ring, depths[d]);
            async_operations = async_bytes = async_errors = async_sum_ns = 0;
            async_most = async_max_ns = 0;
            seen_series = start(1, 1000);
            cycle.live = series_live(seen_series, 0);
            assert_int_equal(cycle_run(&cycle, 1000), 1000);
            check_clean(1000);
            fake_now_ns++;
            assert_true(series_take(seen_series, fake_now_ns, &record));
            assert_int_equal(record.in_flight, 0);
            add(&record);
            assert_true(tally.failed > 0);
            assert_int_equal(async_operations, tally.operations);
            assert_int_equal(async_bytes, tally.operations * IO_BYTES);
            assert_int_equal(async_errors, tally.failed);
            assert_int_equal(async_sum_ns, tally.sum_ns);
            assert_int_equal(async_max_ns, tally.max_ns);
            assert_true(async_most <= depths[d]);
            if (!(at_once & 1u << ASYNC_READ))
                assert_true(async_most > 0);
            series_free(seen_series);
        }
}

static int get_slots(void **state)
{
    (void)state;
    slots = calloc(FAKE_SLOTS, cycle_slot_bytes());
    return !slots;
}

static int free_slots(void **state)
{
    (void)state;
    free(slots);
    return 0;
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
        cmocka_unit_test(what_was_before_the_start_is_forgotten),
        cmocka_unit_test(a_thread_that_hangs_is_seen),
        cmocka_unit_test(failures_are_errors_and_nothing_else),
        cmocka_unit_test(an_asynchronous_loop_adds_up),
    };
    return cmocka_run_group_tests(tests, get_slots, free_slots);
}
