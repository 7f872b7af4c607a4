/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Windows: what of concurrent operations is timed, exactly, on a scripted ring and a fake clock;
 * and how long windows are made. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "run/window.h"
#include "unit/async_fixture.h"

#define RAMP  1000u
#define BATCH 500u
#define MS    UINT64_C(1000000)

static struct cycle_window window;

static struct cycle make_windowed(const struct engine *engine, uint32_t depth, uint32_t batches)
{
    struct cycle cycle = make(engine, depth);

    window = (struct cycle_window){
        .begin_ns = fake_now_ns + RAMP, .batch_ns = BATCH, .batches = batches};
    cycle.window = &window;
    return cycle;
}

/* Of operations, or parts of them, that were done in a batch. */
static long thousandths(unsigned batch)
{
    return lround(1000 * ((double)window.batch[batch].operations + window.batch[batch].shifted));
}

/* Operations of 100 ns end at 100, 200 ... 2000 ns.  Those that end at 1000 belong to the window,
 * those that end at 2000 do not. */
static void a_ring_in_step(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(0, 100, 0);
    cycle = make_windowed(&engine_fake_ring, 4, 2);
    work.keep_open = fake_ring.kept_open = true;
    assert_int_equal(cycle_run(&cycle, UINT64_MAX), 4 * 20);
    assert_int_equal(window.batch[0].operations, 4 * 5);
    assert_int_equal(window.batch[1].operations, 4 * 5);
    assert_int_equal(window.flight_ns, 4 * 2 * BATCH);
    assert_int_equal(window.end_ns, window.begin_ns + 2 * BATCH);
    assert_int_equal(tally.operations, 4 * 10);
    assert_int_equal(tally.begun_more, 0);
    assert_int_equal(tally.outside, 4 * 10);
    assert_int_equal(tally.sum_ns, 4 * 10 * 100);
    assert_int_equal(hist_total(&tally.latency), 4 * 10);
    assert_int_equal(fake_ring.faults, 0);
    assert_int_equal(fake_ring.in_flight, 0);
}

/* 320 ns each: waves end at 1280, 1600, 1920, so counting alone finds 4 and then 8 of them. */
static void waves_are_shared_between_batches(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(0, 320, 0);
    cycle = make_windowed(&engine_fake_ring, 4, 2);
    work.keep_open = fake_ring.kept_open = true;
    (void)cycle_run(&cycle, UINT64_MAX);
    assert_int_equal(window.batch[0].operations, 4);
    assert_int_equal(window.batch[1].operations, 4 * 2);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(thousandths(i), 4 * BATCH * 1000 / 320);
}

/* Slot 0 takes 800 ns each time: it ends at 800, 1600 and, begun in the window, in the drain. */
static void slow_operations_are_not_cut_off(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(0, 100, 0);
    fake_ring.slowest_slot_ns = 700;
    cycle = make_windowed(&engine_fake_ring, 4, 2);
    work.keep_open = fake_ring.kept_open = true;
    (void)cycle_run(&cycle, UINT64_MAX);
    assert_int_equal(window.batch[0].operations, 3 * 5);
    assert_int_equal(window.batch[1].operations, 3 * 5 + 1);
    assert_int_equal(window.flight_ns, 4 * 2 * BATCH);
    assert_int_equal(tally.max_ns, 800); /* begun at 1600, ended at 2400 */
    assert_int_equal(tally_sampled(&tally), 3 * 10 + 1);
    assert_int_equal(tally.latency.count[hist_index(800)], 1);
}

/* An operation that is under way in all of the window. */
static void longer_than_the_window(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(0, 100, 0);
    fake_ring.slowest_slot_ns = 4900;
    cycle = make_windowed(&engine_fake_ring, 2, 1);
    work.keep_open = fake_ring.kept_open = true;
    (void)cycle_run(&cycle, UINT64_MAX);
    assert_int_equal(window.batch[0].operations, 5);
    assert_int_equal(window.flight_ns, 2 * BATCH);
    assert_int_equal(tally.max_ns, 100);
    assert_int_equal(fake_ring.in_flight, 0);
}

static uint64_t bad_from;

static int64_t fail_some(enum async_step step, uint64_t nth, int64_t good)
{
    return step == ASYNC_READ && nth >= bad_from && nth < bad_from + 2 ? -EIO : good;
}

/* Failures before the window are failures, too; inside it they take time. */
static void failures_take_time(void **state)
{
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        struct cycle cycle;
        fake_ring_reset(0, 100, 0);
        fake_ring.result = fail_some;
        bad_from = inside ? 4 * 12 : 4;
        cycle = make_windowed(&engine_fake_ring, 4, 2);
        work.keep_open = fake_ring.kept_open = true;
        (void)cycle_run(&cycle, UINT64_MAX);
        assert_int_equal(tally.failed, 2);
        assert_int_equal(tally.first_errno, EIO);
        assert_int_equal(tally.failed_ns, inside ? 2 * 100 : 0);
        assert_int_equal(window.batch[0].operations + window.batch[1].operations,
                         4 * 10 - (inside ? 2 : 0));
        assert_int_equal(window.flight_ns, 4 * 2 * BATCH);
    }
}

static void a_window_that_is_cut(void **state)
{
    struct cycle cycle;
    (void)state;
    for (int early = 0; early < 2; early++) {
        fake_ring_reset(0, 100, 0);
        cycle = make_windowed(&engine_fake_ring, 4, 2);
        work.keep_open = fake_ring.kept_open = true;
        cycle.deadline_ns = fake_now_ns + (early ? 500 : 1700);
        (void)cycle_run(&cycle, UINT64_MAX);
        assert_int_equal(tally.operations, early ? 0 : 4 * 7);
        assert_int_equal(window.end_ns, cycle.deadline_ns);
        assert_int_equal(window.flight_ns, early ? 0 : 4 * 700);
        assert_int_equal(fake_ring.in_flight, 0);
    }
}

/* One operation at a time: 300 ns each, so one is under way at 1000, 1500 and 2000 is in the middle
 * of the one that ends at 2100. */
static void a_synchronous_engine(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 300}};
    struct handle kept[64];
    struct cycle cycle;
    (void)state;
    fake_reset(steps, 1);
    cycle = make_windowed(&engine_fake_pread, 1, 2);
    cycle.kept = kept;
    assert_int_equal(cycle_run(&cycle, UINT64_MAX), 7);
    assert_int_equal(window.batch[0].operations, 1); /* at 1200 */
    assert_int_equal(window.batch[1].operations, 2); /* at 1500 and 1800 */
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(thousandths(i), 1667); /* 500 / 300 */
    assert_int_equal(window.flight_ns, 2 * BATCH);
    assert_int_equal(tally.operations, 3);
    assert_int_equal(tally_sampled(&tally), 3); /* begun at 1200, 1500, 1800 */
    assert_int_equal(tally.outside, 4);
    assert_int_equal(tally.sum_ns, 3 * 300);
}

static void a_synchronous_operation_longer_than_batches(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 1400}};
    struct handle kept[64];
    struct cycle cycle;
    (void)state;
    fake_reset(steps, 1);
    cycle = make_windowed(&engine_fake_pread, 1, 4);
    cycle.kept = kept;
    (void)cycle_run(&cycle, UINT64_MAX);
    assert_int_equal(window.batch[0].operations, 1); /* at 1400; then at 2800 */
    assert_int_equal(window.batch[1].operations + window.batch[2].operations, 0);
    assert_int_equal(window.batch[3].operations, 1);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(thousandths(i), 357); /* 500 / 1400 */
    assert_int_equal(window.flight_ns, 4 * BATCH);
    assert_int_equal(tally.operations, 2);
    assert_int_equal(tally_sampled(&tally), 2); /* begun at 1400 and 2800 */
}

/* Failures at 1400, 2800 and 4200: none begins after the window. */
static void a_synchronous_failure_longer_than_batches(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 1400, .transfer_result = -EIO}};
    struct handle kept[64];
    struct cycle cycle;
    (void)state;
    fake_reset(steps, 1);
    cycle = make_windowed(&engine_fake_pread, 1, 4);
    cycle.kept = kept;
    assert_int_equal(cycle_run(&cycle, UINT64_MAX), 3);
    for (int i = 0; i < 4; i++)
        assert_int_equal(window.batch[i].operations, 0);
    assert_int_equal(window.flight_ns, 4 * BATCH);
    assert_int_equal(tally.failed, 3);
    assert_int_equal(tally.failed_ns, 4 * BATCH); /* what was inside */
    assert_int_equal(tally.hung_ns, 3 * 1400);
    assert_int_equal(tally.hung_max_ns, 1400);
}

/* What takes the time decides, not how often it happens. */
static void the_reach_of_a_tail(void **state)
{
    static struct hist hist;
    (void)state;
    hist.count[hist_index(20 * MS)] = 95;
    hist.count[hist_index(400 * MS)] = 5;
    assert_within(window_reach_ns(&hist), 400 * MS, 407 * MS);
    hist.count[hist_index(400 * MS)] = 0;
    assert_within(window_reach_ns(&hist), 20 * MS, 21 * MS);
    hist.count[hist_index(20 * MS)] = 100000;
    hist.count[hist_index(400 * MS)] = 5; /* 0.1 % of the time */
    assert_within(window_reach_ns(&hist), 20 * MS, 21 * MS);
    hist.count[hist_index(400 * MS)] = 60; /* 1.2 % */
    assert_within(window_reach_ns(&hist), 400 * MS, 407 * MS);
    hist = (struct hist){0};
    assert_int_equal(window_reach_ns(&hist), 0);
}

static void windows_are_long_enough(void **state)
{
    struct window made;
    (void)state;
    assert_int_equal(window_least_ns(1 * MS, 100000, 20 * MS), 20 * MS);
    assert_int_equal(window_least_ns(400 * MS, 39e6, 20 * MS), 2400 * MS);
    assert_int_equal(window_least_ns(21 * MS, 20e6, 20 * MS), 1000 * MS);
    made = window_make(400 * MS, 2400 * MS, 8);
    assert_int_equal(made.ramp_ns, 800 * MS);
    assert_int_equal(made.batches, 8);
    assert_int_equal(made.batch_ns, 300 * MS);
    made = window_make(400 * MS, 100 * MS, 0); /* no time for more */
    assert_int_equal(made.ramp_ns, 100 * MS);
    assert_int_equal(made.batches, 1);
    made = window_make(1, 10, 1000);
    assert_int_equal(made.batches, SLICE_BATCHES_MAX);
    assert_int_equal(made.batch_ns, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_in_step),
        cmocka_unit_test(waves_are_shared_between_batches),
        cmocka_unit_test(slow_operations_are_not_cut_off),
        cmocka_unit_test(longer_than_the_window),
        cmocka_unit_test(failures_take_time),
        cmocka_unit_test(a_window_that_is_cut),
        cmocka_unit_test(a_synchronous_engine),
        cmocka_unit_test(a_synchronous_operation_longer_than_batches),
        cmocka_unit_test(a_synchronous_failure_longer_than_batches),
        cmocka_unit_test(the_reach_of_a_tail),
        cmocka_unit_test(windows_are_long_enough),
    };
    int result;

    slots = calloc(FAKE_SLOTS, cycle_slot_bytes());
    result = cmocka_run_group_tests(tests, NULL, NULL);
    free(slots);
    return result;
}
