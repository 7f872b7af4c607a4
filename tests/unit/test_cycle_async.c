/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The loop for asynchronous engines on a scripted ring and clock: counts and nanoseconds are known
 * in advance, and after every kind of failure no slot is lost and no file left open. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "unit/async_fixture.h"

static void counts_phases_exactly(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    run_clean(&cycle, 8);
    assert_int_equal(tally.operations, 8);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 8 * 10);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 8 * 100);
    assert_int_equal(tally.phase_ns[PHASE_CLOSE], 8 * 5);
    assert_int_equal(tally.phase_ns[PHASE_SEEK], 0);
    assert_int_equal(tally.sum_ns, 8 * 115);
    assert_int_equal(tally.min_ns, 115);
    assert_int_equal(tally.max_ns, 115);
    assert_int_equal(tally.excluded_ns, 0);
    assert_int_equal(fake_now_ns - 1000, 2 * 115); /* four at a time */
    assert_int_equal(fake_ring.in_flight_most, 4);
    assert_int_equal(fake_ring.reaps, 6);
    assert_int_equal(fake_readings, 1 + 6); /* one per batch */
    assert_int_equal(fake_ring.calls[ASYNC_WRITE], 0);
}

static void no_more_in_flight_than_asked(void **state)
{
    static const struct {
        uint32_t depth;
        uint64_t n;
        uint32_t most;
    } rows[] = {{1, 5, 1}, {8, 3, 3}, {8, 8, 8}, {8, 100, 8}, {64, 1000, 64}, {64, 1, 1}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        struct cycle cycle;
        fake_ring_reset(3, 100, 2);
        fake_ring.slowest_slot_ns = 1000; /* the other slots do not wait for it */
        cycle = make(&engine_fake_ring, rows[r].depth);
        run_clean(&cycle, rows[r].n);
        assert_int_equal(fake_ring.in_flight_most, rows[r].most);
    }
}

static void kept_open_never_opens(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    work.keep_open = fake_ring.kept_open = true;
    run_clean(&cycle, 10);
    assert_int_equal(fake_ring.calls[ASYNC_OPEN], 0);
    assert_int_equal(fake_ring.calls[ASYNC_CLOSE], 0);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 0);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 10 * 100);
    assert_int_equal(tally.phase_ns[PHASE_CLOSE], 0);
    assert_int_equal(fake_now_ns - 1000, 300); /* 4 + 4 + 2 */
}

/* --- failures: which step, which of its calls, and the result --- */

static enum async_step bad_step;
static uint64_t bad_from, bad_count;
static int64_t bad_result;

static int64_t go_wrong(enum async_step step, uint64_t nth, int64_t good)
{
    return step == bad_step && nth >= bad_from && nth < bad_from + bad_count ? bad_result : good;
}

static void failures_are_counted_and_leave_nothing(void **state)
{
    static const struct {
        const char *remark;
        enum async_step step;
        int64_t result;
        uint64_t failed, short_count, closes_missing;
        enum phase phase;
    } rows[] = {
        {"no such file", ASYNC_OPEN, -ENOENT, 3, 0, 3, PHASE_OPEN},
        {"too many open files", ASYNC_OPEN, -EMFILE, 3, 0, 3, PHASE_OPEN},
        {"I/O error", ASYNC_READ, -EIO, 3, 0, 0, PHASE_TRANSFER},
        {"short read at the end", ASYNC_READ, 100, 0, 3, 0, PHASE_TRANSFER},
        {"nothing at the end", ASYNC_READ, 0, 0, 3, 0, PHASE_TRANSFER},
        {"close fails", ASYNC_CLOSE, -EDQUOT, 3, 0, 0, PHASE_CLOSE},
    };
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++)
        for (unsigned way = 0; way < 3; way++) { /* ring, ring with chains, all synchronous */
            struct cycle cycle = usual(way == 2 ? &engine_fake_aio : &engine_fake_ring, 4);
            print_message("%s, way %u\n", rows[r].remark, way);
            fake_ring.chains = way == 1;
            fake_ring.at_once = way == 2 ? 1u << ASYNC_OPEN | 1u << ASYNC_CLOSE : 0;
            fake_ring.result = go_wrong;
            bad_step = rows[r].step, bad_result = rows[r].result, bad_from = 2, bad_count = 3;
            run_clean(&cycle, 20);
            assert_int_equal(tally.failed, rows[r].failed);
            assert_int_equal(tally.short_count, rows[r].short_count);
            assert_int_equal(fake_ring.calls[ASYNC_CLOSE], 20 - rows[r].closes_missing);
            assert_int_equal(tally.first_errno, rows[r].failed ? -rows[r].result : 0);
            if (rows[r].failed)
                assert_int_equal(tally.first_phase, rows[r].phase);
            assert_true(tally.failed_ns > 0);
            assert_int_equal(tally.excluded_ns, 0);
            assert_int_equal(fake_ring.chained, way == 1 ? 20 : 0);
        }
}

static void asked_again_is_no_failure(void **state)
{
    static const int codes[] = {-EAGAIN, -EINTR};
    for (size_t c = 0; c < 2; c++) {
        struct cycle cycle = usual(&engine_fake_ring, 2);
        fake_ring.result = go_wrong;
        bad_step = ASYNC_READ, bad_result = codes[c], bad_from = 1, bad_count = 5;
        run_clean(&cycle, 6);
        assert_int_equal(tally.operations, 6);
        assert_int_equal(fake_ring.calls[ASYNC_READ], 6 + 5);
        assert_true(tally.max_ns >= 215); /* the retry is part of the operation */

        bad_from = 0, bad_count = UINT64_MAX; /* for ever: finally an error */
        cycle = usual(&engine_fake_ring, 2);
        fake_ring.result = go_wrong;
        run_clean(&cycle, 3);
        assert_int_equal(tally.failed, 3);
        assert_int_equal(tally.first_errno, -codes[c]);
        assert_int_equal(fake_ring.calls[ASYNC_READ], 3 * 17);
    }
}

static void failed_time_is_counted_apart(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    fake_ring.result = go_wrong;
    bad_step = ASYNC_READ, bad_result = -EIO, bad_from = 0, bad_count = 2;
    run_clean(&cycle, 4);
    assert_int_equal(tally.failed_ns, 2 * 115);
    assert_int_equal(tally.sum_ns, 2 * 115);
}

static void everything_at_once_comes_to_an_end(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    fake_ring.at_once = ~0u;
    run_clean(&cycle, 10);
    assert_int_equal(fake_ring.reaps, 0);
    assert_int_equal(tally.sum_ns, 10 * 115);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 100);
    assert_int_equal(fake_now_ns - 1000, 10 * 115);
    cycle.check = false;
    fake_ring.result = go_wrong; /* all opens fail at once, as without permission */
    bad_step = ASYNC_OPEN, bad_result = -EACCES, bad_from = 0, bad_count = UINT64_MAX;
    tally_reset(&tally);
    run_clean(&cycle, 10);
    assert_int_equal(tally.failed, 10);
}

static int64_t fail_and_stop(enum async_step step, uint64_t nth, int64_t good)
{
    if (nth == 20)
        fake_script.stop = 2;
    return step == ASYNC_OPEN ? -EACCES : 0;
}

/* ... and can be stopped, although the loop never waits for events. */
static void everything_at_once_can_be_stopped(void **state)
{
    for (int deadline = 0; deadline < 2; deadline++)
        for (int way = 0; way < 3; way++) { /* plain, with a schedule, with verification */
            struct cycle cycle = usual(&engine_fake_ring, 4);
            uint64_t done;
            fake_ring.at_once = ~0u;
            fake_ring.result = deadline ? NULL : fail_and_stop;
            fake_reading_ns = 1;
            if (way == 1) {
                cycle.pace_step = (uint64_t)50 << CYCLE_PACE_BITS;
                cycle.pace_start_ns = fake_now_ns;
            }
            cycle.check = way == 2 && !deadline; /* failures are not verified */
            if (deadline)
                cycle.deadline_ns = fake_now_ns + 1000;
            done = cycle_run(&cycle, 1000000);
            check_clean(done);
            assert_within(done, 5, 40);
        }
}

static void batches_follow_the_cache_mode(void **state)
{
    static const struct {
        enum cache_mode cache;
        uint32_t depth;
        unsigned asked;
    } rows[] = {{CACHE_CACHED, 32, 96},  {CACHE_ASIS, 32, 96},  {CACHE_DIRECT, 32, 4},
                {CACHE_DIRECT, 8, 1},    {CACHE_DIRECT, 1, 1},  {CACHE_UNCACHED, 64, 8},
                {CACHE_UNCACHED, 16, 2}, {CACHE_UNCACHED, 4, 1}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        struct cycle cycle = usual(&engine_fake_ring, rows[r].depth);
        work.cache = rows[r].cache;
        run_clean(&cycle, 200);
        assert_int_equal(fake_ring.asked_most, rows[r].asked);
        assert_int_equal(fake_ring.forgets, rows[r].cache == CACHE_UNCACHED ? 200 : 0);
    }
}

static void dropping_pages_is_taken_out_when_nothing_else_runs(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 1);
    work.cache = CACHE_UNCACHED;
    run_clean(&cycle, 10);
    assert_int_equal(tally.excluded_ns, 10 * 7);
    assert_int_equal(tally.sum_ns, 10 * 115);

    cycle = usual(&engine_fake_ring, 2);
    work.cache = CACHE_UNCACHED;
    run_clean(&cycle, 10);
    assert_true(tally.excluded_ns <= 7); /* at most the last one was alone */
}

static void writes_take_fresh_data_and_sync(void **state)
{
    for (int keep = 0; keep < 2; keep++) {
        struct cycle cycle = usual(&engine_fake_ring, 4);
        fake_ring.step_ns[ASYNC_SYNC] = 1000;
        work.test = TEST_WRITE;
        work.sync = SYNC_END;
        work.keep_open = fake_ring.kept_open = keep;
        run_clean(&cycle, 12);
        assert_int_equal(fake_ring.calls[ASYNC_WRITE], 12);
        assert_int_equal(fake_ring.calls[ASYNC_READ], 0);
        assert_int_equal(fake_ring.calls[ASYNC_SYNC], 12);
        assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 12 * (keep ? 1100 : 100));
        assert_int_equal(tally.phase_ns[PHASE_CLOSE], keep ? 0 : 12 * 1005);

        fake_ring.result = go_wrong;
        bad_step = ASYNC_SYNC, bad_result = -EIO, bad_from = 12, bad_count = 1;
        tally_reset(&tally);
        run_clean(&cycle, 5);
        assert_int_equal(tally.failed, 1);
        assert_int_equal(tally.first_phase, keep ? PHASE_TRANSFER : PHASE_CLOSE);
    }
}

static void small_direct_writes_read_first(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    work.test = TEST_WRITE;
    work.cache = CACHE_DIRECT;
    work.size_bytes = 8;
    work.rmw = true;
    cycle.payload = &(struct payload){.kind = PAYLOAD_ZERO};
    memset(cycle.buffer, 'b', 8);
    memset(scratch, 's', sizeof(scratch)); /* as read from the file */
    run_clean(&cycle, 9);
    assert_int_equal(fake_ring.calls[ASYNC_READ], 9);
    assert_int_equal(fake_ring.calls[ASYNC_WRITE], 9);
    assert_memory_equal(scratch, "\0\0\0\0\0\0\0\0ssss", 12);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 9 * 200);

    fake_ring_reset(10, 100, 5); /* after a failed read nothing is written */
    fake_ring.result = go_wrong;
    bad_step = ASYNC_READ, bad_result = -EIO, bad_from = 3, bad_count = 2;
    tally_reset(&tally);
    fake_ring.io_bytes = IO_BYTES;
    run_clean(&cycle, 9);
    assert_int_equal(fake_ring.calls[ASYNC_WRITE], 7);
    assert_int_equal(tally.failed, 2);
}

static int64_t stop_at_20(enum async_step step, uint64_t nth, int64_t good)
{
    if (step == ASYNC_READ && nth == 20)
        fake_script.stop = 2;
    return good;
}

static int64_t cancelled_at_20(enum async_step step, uint64_t nth, int64_t good)
{
    return go_wrong(step, nth, stop_at_20(step, nth, good));
}

static void a_stop_lets_what_is_in_flight_end(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 8);
    uint64_t done;
    fake_ring.result = stop_at_20;
    done = cycle_run(&cycle, 1000);
    check_clean(done);
    assert_within(done, 21, 20 + 8);
    assert_int_equal(tally.operations, done);
}

static void a_deadline_starts_nothing_more(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 8);
    cycle.deadline_ns = fake_now_ns + 300; /* 115 each: the third generation is in flight */
    assert_int_equal(cycle_run(&cycle, 1000), 24);
    check_clean(24);
}

static bool refuse(void *arg)
{
    return --*(int *)arg > 0;
}

static void too_many_failures_end_it(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    int allowed = 3;
    uint64_t done;
    fake_ring.result = go_wrong;
    bad_step = ASYNC_READ, bad_result = -EIO, bad_from = 0, bad_count = UINT64_MAX;
    cycle.on_failure = refuse;
    cycle.on_failure_arg = &allowed;
    done = cycle_run(&cycle, 1000);
    check_clean(done);
    assert_within(tally.failed, 3, 3 + 4); /* operations in flight still complete */
}

static bool never_called(void *arg)
{
    fail_msg("counted as a failure");
    return false;
}

static bool exhausted;

static bool is_exhausted(const struct target *asked, char *text, size_t room)
{
    assert_ptr_equal(asked, &target);
    assert_null(text);
    assert_int_equal(room, 0);
    return exhausted;
}

/* Operations abandoned because the run is ending, or the target accepts no more requests. */
static void an_end_is_no_failure(void **state)
{
    static const struct storage_driver far = {.name = "far", .exhausted = is_exhausted};
    struct cycle cycle;
    uint64_t done;
    for (unsigned limit = 0; limit < 2; limit++) {
        cycle = usual(&engine_fake_ring, 4);
        fake_ring.result = go_wrong;
        bad_step = ASYNC_READ, bad_from = 20, bad_count = 1000;
        bad_result = -ECANCELED;
        exhausted = limit;
        cycle.on_failure = never_called;
        target.driver = &far;
        if (!limit)
            fake_ring.result = cancelled_at_20;
        done = cycle_run(&cycle, 1000);
        assert_within(done, 21, 20 + 4);
        assert_int_equal(tally.operations, 20);
        assert_int_equal(tally.failed + tally.short_count, 0);
        assert_int_equal(tally.first_errno, 0);
        assert_int_equal(fake_ring.open_files, 0);
        assert_int_equal(fake_ring.in_flight, 0);
    }
    cycle = usual(&engine_fake_ring, 4); /* without either it is a failure */
    fake_ring.result = go_wrong;
    bad_result = -ECANCELED, bad_count = 1;
    exhausted = false;
    target.driver = &far;
    run_clean(&cycle, 100);
    assert_int_equal(tally.failed, 1);
}

static void a_broken_engine_ends_it(void **state)
{
    struct cycle cycle = usual(&engine_fake_ring, 4);
    uint64_t done;
    fake_ring.reap_error = -EBADF;
    fake_ring.reap_error_at = 5;
    done = cycle_run(&cycle, 1000);
    assert_int_equal(cycle.broken_errno, EBADF);
    assert_int_equal(tally.operations, 4);
    assert_int_equal(tally.failed, 4);
    assert_int_equal(done, 8);
}

static uint64_t give_more(void *arg)
{
    int *chunks = arg;
    return (*chunks)-- > 0 ? 5 : 0;
}

static void chunks_do_not_drain_the_queue(void **state)
{
    struct cycle cycle;
    int chunks = 7;
    fake_ring_reset(0, 100, 0);
    cycle = make(&engine_fake_ring, 8);
    work.keep_open = fake_ring.kept_open = true;
    cycle.more = give_more;
    cycle.more_arg = &chunks;
    assert_int_equal(cycle_run(&cycle, 5), 40);
    check_clean(40);
    assert_int_equal(fake_ring.in_flight_most, 8);
    assert_int_equal(fake_now_ns - 1000, 5 * 100); /* always eight in flight */
}

static void submitting_is_timed(void **state)
{
    struct cycle cycle = usual(&engine_fake_aio, 1);
    fake_ring.at_once = 1u << ASYNC_OPEN | 1u << ASYNC_CLOSE;
    fake_ring.submit_ns = 30;
    run_clean(&cycle, 10);
    assert_int_equal(fake_ring.submits, 10);
    assert_int_equal(tally.submit_ns, 300);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 100);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 1000);
    assert_int_equal(tally.phase_ns[PHASE_CLOSE], 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_phases_exactly),
        cmocka_unit_test(no_more_in_flight_than_asked),
        cmocka_unit_test(kept_open_never_opens),
        cmocka_unit_test(failures_are_counted_and_leave_nothing),
        cmocka_unit_test(asked_again_is_no_failure),
        cmocka_unit_test(failed_time_is_counted_apart),
        cmocka_unit_test(everything_at_once_comes_to_an_end),
        cmocka_unit_test(everything_at_once_can_be_stopped),
        cmocka_unit_test(batches_follow_the_cache_mode),
        cmocka_unit_test(dropping_pages_is_taken_out_when_nothing_else_runs),
        cmocka_unit_test(writes_take_fresh_data_and_sync),
        cmocka_unit_test(small_direct_writes_read_first),
        cmocka_unit_test(a_stop_lets_what_is_in_flight_end),
        cmocka_unit_test(a_deadline_starts_nothing_more),
        cmocka_unit_test(too_many_failures_end_it),
        cmocka_unit_test(an_end_is_no_failure),
        cmocka_unit_test(a_broken_engine_ends_it),
        cmocka_unit_test(chunks_do_not_drain_the_queue),
        cmocka_unit_test(submitting_is_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
