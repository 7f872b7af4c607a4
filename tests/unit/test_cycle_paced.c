/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Scheduled operations (--rate) and verified operations (--verify), in both loops, on a scripted
 * engine and clock. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>

#include "unit/async_fixture.h"

/* --- a schedule --- */

static void set_rate(struct cycle *cycle, uint64_t step_ns)
{
    cycle->pace_step = step_ns << CYCLE_PACE_BITS;
    cycle->pace_next = 0;
    cycle->pace_start_ns = fake_now_ns;
}

static void a_schedule_that_can_be_held(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    fake_reading_ns = 1;  /* waiting reads the clock until the time is reached */
    set_rate(&cycle, 50); /* 115 ns each, four at a time: 29 ns would do */
    run_clean(&cycle, 100);
    assert_int_equal(tally.operations, 100);
    assert_within(fake_now_ns - 1000, 99 * 50 + 115, 99 * 50 + 200);
    assert_within(tally.max_ns, 115, 170);
    assert_true(cycle.behind_ns < 50);
    assert_true(fake_ring.waits_timed > 0);
}

static void a_schedule_that_cannot_be_held(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    fake_reading_ns = 1;
    set_rate(&cycle, 10); /* 29 ns at best */
    run_clean(&cycle, 400);
    /* The last one was due at 3990 and began when the 99 generations before it had ended. */
    assert_within(cycle.behind_ns, 99 * 115 - 3990, 99 * 119 - 3990);
    assert_true(tally.max_ns >= cycle.behind_ns + 100); /* waiting for a slot counts */
    assert_true(tally.sum_ns > 400 * 1000);
    assert_within(tally.phase_ns[PHASE_OPEN], 400 * 10, 400 * 12); /* but in no phase */
}

static void synchronous_engines_keep_schedules_too(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 40, .transfer_ns = 100, .close_ns = 20}};
    struct cycle cycle;
    for (int held = 0; held < 2; held++) {
        fake_ring_reset(0, 0, 0);
        fake_reset(steps, 1);
        cycle = make(&engine_fake_pread, 1);
        cycle.buffer = buffer;
        fake_reading_ns = (uint64_t)held;
        set_rate(&cycle, held ? 1000 : 16);
        assert_int_equal(cycle_run(&cycle, 50), 50);
        assert_int_equal(tally.operations, 50);
        if (held) {
            assert_within(fake_now_ns - 1000, 49 * 1000 + 160, 49 * 1000 + 200);
            assert_within(tally.max_ns, 160, 170);
            assert_true(cycle.behind_ns < 10);
        } else {
            assert_int_equal(cycle.behind_ns, 49 * 160 - 49 * 16);
            assert_int_equal(tally.max_ns, 49 * 160 - 49 * 16 + 160);
            assert_int_equal(tally.min_ns, 160);
            assert_int_equal(tally.phase_ns[PHASE_OPEN], 50 * 40);
        }
    }
}

/* --- verification --- */

static struct {
    uint64_t makes, checks, read_backs, in_flight_seen;
    unsigned may;
    uint64_t wrong_at; /* this check, counted from 1, finds wrong data */
    int64_t read_back_result;
} seen;

static void make_content(const struct target *s, uint64_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *to)
{
    seen.makes++;
    seen.in_flight_seen += fake_ring.in_flight;
    fake_now_ns += 1000;
    memset(to, (int)('0' + generation), (size_t)size_bytes);
}

static bool check_content(const struct target *s, uint64_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, unsigned may, const void *data,
                          struct target_mismatch *mismatch)
{
    seen.checks++;
    seen.in_flight_seen += fake_ring.in_flight;
    seen.may = may;
    fake_now_ns += 500;
    if (seen.checks != seen.wrong_at)
        return true;
    *mismatch = (struct target_mismatch){.offset_bytes = offset_bytes + 3, .shown = 1};
    return false;
}

static int64_t read_back(const struct target *s, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *to)
{
    seen.read_backs++;
    return seen.read_back_result ? seen.read_back_result : (int64_t)size_bytes;
}

static void verification_is_no_part_of_the_time(void **state)
{
    static struct storage_driver driver;
    for (int async = 0; async < 2; async++)
        for (int writes = 0; writes < 2; writes++) {
            static const struct fake_step steps[] = {
                {.open_ns = 10, .transfer_ns = 100, .close_ns = 5}};
            struct cycle cycle;
            uint64_t start_ns;
            fake_ring_reset(10, 100, 5);
            if (!async)
                fake_reset(steps, 1);
            memset(&seen, 0, sizeof(seen));
            seen.wrong_at = 4;
            cycle = make(async ? &engine_fake_ring : &engine_fake_pread, async ? 4 : 1);
            driver = *target.driver;
            driver.make_content = make_content;
            driver.check_content = check_content;
            driver.read_back = read_back;
            target.driver = &driver;
            work.test = writes ? TEST_WRITE : TEST_READ;
            target.trace = trace_new(target.length_bytes, target.object_count,
                                     true); /* reads find the initial content */
            cycle.check = true;
            cycle.generation = 2;
            start_ns = fake_now_ns;
            assert_int_equal(cycle_run(&cycle, 10), 10);
            if (async)
                check_clean(10);
            assert_int_equal(tally.operations, 10);
            assert_int_equal(tally.wrong, 1);
            assert_int_equal(tally.wrong_first.offset_bytes % IO_BYTES, 3);
            assert_int_equal(seen.checks, 10);
            assert_int_equal(seen.makes, writes ? 10 : 0);
            assert_int_equal(seen.read_backs, writes ? 10 : 0);
            assert_int_equal(seen.in_flight_seen, 0);
            assert_int_equal(seen.may, writes ? 1 << 2 : 1);
            assert_int_equal(tally.sum_ns, 10 * 115);
            assert_int_equal(tally.excluded_ns, 10 * (writes ? 1500 : 500));
            assert_int_equal(fake_now_ns - start_ns - tally.excluded_ns, (async ? 3 : 10) * 115);
            if (writes)
                assert_memory_equal(buffer, "2222", 4);

            seen.read_back_result = -EIO; /* failing to read back is a failure */
            tally_reset(&tally);
            cycle_run(&cycle, 10);
            assert_int_equal(tally.failed, writes ? 10 : 0);

            seen.read_back_result = -ENOENT; /* acknowledged data that are missing are wrong */
            tally_reset(&tally);
            cycle_run(&cycle, 10);
            assert_int_equal(tally.failed, 0);
            assert_int_equal(tally.wrong, writes ? 10 : 0);
            assert_int_equal(tally.wrong_first.ended, writes);
            trace_free(target.trace);
        }
    target.trace = NULL;
}

static uint64_t give_two(void *arg)
{
    int *chunks = arg;
    return (*chunks)-- > 0 ? 2 : 0;
}

/* Threads take their share in small chunks, which must not reduce the waves. */
static void waves_span_chunks(void **state)
{
    static struct storage_driver driver;
    struct cycle cycle = usual(&engine_fake_ring, 8);
    int chunks = 15;
    memset(&seen, 0, sizeof(seen));
    driver = *target.driver;
    driver.check_content = check_content;
    target.driver = &driver;
    cycle.check = true;
    cycle.more = give_two;
    cycle.more_arg = &chunks;
    assert_int_equal(cycle_run(&cycle, 2), 32);
    check_clean(32);
    assert_int_equal(fake_ring.in_flight_most, 8);
    assert_int_equal(seen.checks, 32);
    assert_int_equal(tally.sum_ns, 32 * 115);
    assert_int_equal(fake_ring.reaps, 4 * 3);
}

/* Operations due after the deadline are not awaited. */
static void a_schedule_ends_at_the_deadline(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 40, .transfer_ns = 100, .close_ns = 20}};
    struct cycle cycle;
    for (int async = 0; async < 2; async++) {
        fake_ring_reset(10, 100, 5);
        if (!async)
            fake_reset(steps, 1);
        fake_reading_ns = 1;
        cycle = make(async ? &engine_fake_ring : &engine_fake_pread, async ? 4 : 1);
        set_rate(&cycle, 1000);
        cycle.deadline_ns = fake_now_ns + 2500;
        assert_int_equal(cycle_run(&cycle, 10), 3);
        assert_int_equal(tally.operations, 3);
        assert_within(fake_now_ns - 1000, 2500, 2600);
        /* on a machine that lets the wait last longer, what was due is late */
        fake_reading_ns = 3000;
        cycle = make(async ? &engine_fake_ring : &engine_fake_pread, 1);
        set_rate(&cycle, 4000);
        cycle.pace_next = cycle.pace_step;
        cycle.deadline_ns = fake_now_ns + 5000;
        assert_int_equal(cycle_run(&cycle, 10), 0);
        assert_within(cycle.behind_ns, 2000, 12000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schedule_that_can_be_held),
        cmocka_unit_test(a_schedule_that_cannot_be_held),
        cmocka_unit_test(synchronous_engines_keep_schedules_too),
        cmocka_unit_test(verification_is_no_part_of_the_time),
        cmocka_unit_test(waves_span_chunks),
        cmocka_unit_test(a_schedule_ends_at_the_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
