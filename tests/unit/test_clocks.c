/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Clocks of slots: which concurrent operations count, and in which time, exactly, on a scripted
 * ring and a fake clock; and the length of slices. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>

#include "base/flag.h"
#include "run/cell.h"
#include "unit/async_fixture.h"

#define END 1950u /* end of the time, after the beginning */
#define MS  UINT64_C(1000000)

static struct tally warm, load;
static struct cycle_clocks clocks;
static volatile int over;
static uint64_t begin_ns, ended_ns;
static unsigned endings;

static void note_end(void *arg, uint64_t now_ns)
{
    endings++;
    ended_ns = now_ns - begin_ns;
    flag_set(&over, 1);
}

/* Another thread's clock runs longer. */
static void note_end_of_this(void *arg, uint64_t now_ns)
{
    note_end(arg, now_ns);
    flag_set(&over, 0);
}

static struct cycle make_clocked(const struct engine *engine, uint32_t depth)
{
    struct cycle cycle = make(engine, depth);

    tally_reset(&warm);
    tally_reset(&load);
    over = 0;
    endings = 0;
    begin_ns = fake_now_ns;
    clocks = (struct cycle_clocks){.begin_ns = begin_ns,
                                   .end_ns = begin_ns + END,
                                   .over = &over,
                                   .ended = note_end,
                                   .aside = {{&warm}, {&load}}};
    cycle.clocks = &clocks;
    work.keep_open = fake_ring.kept_open = true;
    return cycle;
}

/* On a ring of operations of 100 ns. */
static struct cycle make_ring(uint32_t depth)
{
    fake_ring_reset(0, 100, 0);
    return make_clocked(&engine_fake_ring, depth);
}

/* Invariants that hold after each run. */
static void run(struct cycle *cycle)
{
    const uint64_t done = cycle_run(cycle, UINT64_MAX);

    assert_int_equal(endings, 1);
    assert_int_equal(fake_ring.faults, 0);
    assert_int_equal(fake_ring.in_flight, 0);
    assert_int_equal(tally.sum_ns + tally.failed_ns, cycle->slot_ns);
    assert_int_equal(warm.sum_ns + warm.failed_ns, clocks.aside_ns[ASIDE_WARM]);
    assert_int_equal(load.sum_ns + load.failed_ns, clocks.aside_ns[ASIDE_LOAD]);
    assert_int_equal(hist_total(&tally.latency), tally.operations);
    assert_int_equal(tally.operations + warm.operations + load.operations + tally.failed +
                         warm.failed + load.failed,
                     done);
}

/* Operations of 100 ns end at 100, 200 ... 2000 ns: each slot's first one warms up, the one that
 * ends at 2000 is in flight when the time is over. */
static void a_ring_in_step(void **state)
{
    struct cycle cycle = make_ring(4);
    run(&cycle);
    assert_int_equal(tally.operations, 4 * 19);
    assert_int_equal(cycle.slot_ns, 4 * 1900);
    assert_int_equal(cycle.slots_used, 4);
    assert_int_equal(warm.operations, 4);
    assert_int_equal(ended_ns, 2000);
}

/* Slot 0 takes 800 ns each time: its clock runs from 800 to 2400, and the others continue until
 * then. */
static void slow_operations_are_not_cut_off(void **state)
{
    struct cycle cycle = make_ring(4);
    fake_ring.slowest_slot_ns = 700;
    run(&cycle);
    assert_int_equal(tally.operations, 3 * 19 + 2);
    assert_int_equal(cycle.slot_ns, 3 * 1900 + 1600);
    assert_int_equal(tally.latency.count[hist_index(800)], 2);
    assert_int_equal(load.operations, 3 * 4);
    assert_int_equal(ended_ns, 2400);
}

/* The first operation of slot 0 ends when the time is over: one more counts. */
static void each_slot_counts_one(void **state)
{
    struct cycle cycle = make_ring(2);
    fake_ring.slowest_slot_ns = 4900;
    run(&cycle);
    assert_int_equal(tally.operations, 19 + 1);
    assert_int_equal(cycle.slot_ns, 1900 + 5000);
    assert_int_equal(clocks.aside_ns[ASIDE_WARM], 100 + 5000);
    assert_int_equal(ended_ns, 10000);
}

static uint64_t bad_from, stop_from;

static int64_t stop_late(enum async_step step, uint64_t nth, int64_t good)
{
    if (nth >= stop_from)
        flag_set(&fake_script.stop, 1);
    return good;
}

/* Until the clocks of other threads have ended, and until the requested time. */
static void the_load_is_kept_on(void **state)
{
    struct cycle cycle = make_ring(4);
    clocks.load_ns = begin_ns + 3950;
    run(&cycle);
    assert_within(load.operations, 4 * 20, 4 * 21);

    cycle = make_ring(4);
    fake_ring.result = stop_late; /* as by a signal */
    stop_from = 4 * 30;
    clocks.ended = note_end_of_this;
    run(&cycle);
    assert_within(load.operations, 4 * 9, 4 * 12);
}

static int64_t fail_some(enum async_step step, uint64_t nth, int64_t good)
{
    return step == ASYNC_READ && nth >= bad_from && nth < bad_from + 2 ? -EIO : good;
}

/* Failures outside the clock are failures, too; those of others take time. */
static void failures_take_time(void **state)
{
    for (int counted = 0; counted < 2; counted++) {
        struct cycle cycle = make_ring(4);
        fake_ring.result = fail_some;
        bad_from = counted ? 4 * 12 : 1;
        run(&cycle);
        assert_int_equal(tally.failed, 2);
        assert_int_equal(tally.first_errno, EIO);
        assert_int_equal(tally.failed_ns, counted ? 2 * 100 : 0);
        assert_int_equal(tally.operations, 4 * 19 - (counted ? 2 : 0));
        assert_int_equal(cycle.slot_ns, 4 * 1900);
    }
}

/* Stopped while all slots warm up, and later: operations in flight are awaited and count. */
static void a_slice_that_is_stopped(void **state)
{
    for (int later = 0; later < 2; later++) {
        struct cycle cycle = make_ring(4);
        fake_ring.result = stop_late;
        stop_from = later ? 4 * 10 : 2;
        run(&cycle);
        assert_within(tally.operations, later ? 4 * 8 : 0, later ? 4 * 10 : 0);
        assert_int_equal(cycle.slots_used, later ? 4 : 0);
    }
}

/* One operation at a time, of 300 ns: the first warms up, the one that ends at 2100 is the last. */
static void a_synchronous_engine(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 300}};
    static const struct fake_step bad[] = {{.transfer_ns = 300, .transfer_result = -EIO}};
    struct handle kept[64];
    struct cycle cycle;
    for (int fails = 0; fails < 2; fails++) {
        fake_reset(fails ? bad : steps, 1);
        cycle = make_clocked(&engine_fake_pread, 1);
        cycle.kept = kept;
        clocks.load_ns = begin_ns + 2600; /* until 2700 */
        run(&cycle);
        assert_int_equal(tally.operations + tally.failed, 6);
        assert_int_equal(cycle.slot_ns, 1800);
        assert_int_equal(cycle.slots_used, 1);
        assert_int_equal(load.operations + load.failed, 2);
        assert_int_equal(ended_ns, 2100);
    }
}

/* An outlier counts by its share of the time, not by its frequency. */
static void the_reach_of_a_tail(void **state)
{
    static struct hist hist;
    hist.count[hist_index(20 * MS)] = 95;
    hist.count[hist_index(400 * MS)] = 5;
    assert_within(slice_reach_ns(&hist), 400 * MS, 407 * MS);
    hist.count[hist_index(400 * MS)] = 0;
    assert_within(slice_reach_ns(&hist), 20 * MS, 21 * MS);
    hist.count[hist_index(20 * MS)] = 100000;
    hist.count[hist_index(400 * MS)] = 5; /* 0.1 % of the time */
    assert_within(slice_reach_ns(&hist), 20 * MS, 21 * MS);
    hist.count[hist_index(400 * MS)] = 60; /* 1.2 % */
    assert_within(slice_reach_ns(&hist), 400 * MS, 407 * MS);
    hist = (struct hist){0};
    assert_int_equal(slice_reach_ns(&hist), 0);
}

static void slices_are_long_enough(void **state)
{
    assert_int_equal(slice_least_ns(1 * MS, 100000, 20 * MS), 20 * MS);
    assert_int_equal(slice_least_ns(400 * MS, 39e6, 20 * MS), 4000 * MS);
    assert_int_equal(slice_least_ns(21 * MS, 20e6, 20 * MS), 400 * MS);
    assert_int_equal(slice_least_ns(4000 * MS, 20e6, 20 * MS), 10000 * MS);
    assert_int_equal(slice_least_ns(4000 * MS, 4e9, 20 * MS), 80000 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_in_step),         cmocka_unit_test(slow_operations_are_not_cut_off),
        cmocka_unit_test(each_slot_counts_one),   cmocka_unit_test(the_load_is_kept_on),
        cmocka_unit_test(failures_take_time),     cmocka_unit_test(a_slice_that_is_stopped),
        cmocka_unit_test(a_synchronous_engine),   cmocka_unit_test(the_reach_of_a_tail),
        cmocka_unit_test(slices_are_long_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
