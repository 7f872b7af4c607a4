/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop for asynchronous engines on a scripted ring and clock: counts and nanoseconds are known
 * before, and after every kind of failure no slot is lost and no file left open. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/cycle.h"
#include "unit/fake_async.h"

#define IO_BYTES 512u

static uint64_t lengths[64];
static struct store store;
static struct workload work;
static struct tally tally;
static char buffer[FAKE_SLOTS * IO_BYTES], scratch[FAKE_SLOTS * IO_BYTES];
static char pool[CYCLE_POOL_BYTES + IO_BYTES], check_buffer[IO_BYTES];
static struct async_event events[3 * FAKE_SLOTS];
static struct cycle_slot *slots;

static struct cycle make(const struct engine *engine, uint32_t depth)
{
    static const struct engine_thread thread;
    struct error err = ERROR_INIT;
    struct cycle cycle = {.engine = engine,
                          .work = &work,
                          .align_bytes = IO_BYTES,
                          .clock = &fake_clock,
                          .deadline_ns = UINT64_MAX,
                          .stop = &fake_script.stop,
                          .buffer = buffer,
                          .pool = pool,
                          .scratch = scratch,
                          .check_buffer = check_buffer,
                          .events = events,
                          .slots = slots,
                          .tally = &tally};

    store = fake_store(lengths, 64, 65536);
    work = (struct workload){.store = &store,
                             .size_bytes = IO_BYTES,
                             .io_bytes = IO_BYTES,
                             .slot_bytes = IO_BYTES,
                             .object_count = 64,
                             .depth = depth,
                             .test = TEST_READ};
    fake_script.align_bytes = IO_BYTES;
    assert_int_equal(engine->setup(&work, &thread, &cycle.ctx, &err), 0);
    rng_seed(&cycle.rng, 42, 0);
    tally_reset(&tally);
    return cycle;
}

/* After each run, whatever happened. */
static void check_clean(uint64_t n)
{
    assert_int_equal(fake_ring.faults, 0);
    assert_int_equal(fake_ring.open_files, 0);
    assert_int_equal(fake_ring.in_flight, 0);
    assert_int_equal(fake_script.misaligned, 0);
    assert_true(fake_script.highest_end <= 65536);
    assert_int_equal(tally.operations + tally.failed + tally.short_count, n);
    assert_int_equal(hist_total(&tally.latency), tally.operations);
}

static void counts_phases_exactly(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    cycle = make(&engine_fake_ring, 4);
    assert_int_equal(cycle_run(&cycle, 8), 8);
    check_clean(8);
    assert_int_equal(tally.operations, 8);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 8 * 10);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 8 * 100);
    assert_int_equal(tally.phase_ns[PHASE_CLOSE], 8 * 5);
    assert_int_equal(tally.phase_ns[PHASE_SEEK], 0);
    assert_int_equal(tally.sum_ns, 8 * 115);
    assert_int_equal(tally.min_ns, 115);
    assert_int_equal(tally.max_ns, 115);
    assert_int_equal(tally.moved_bytes, 8 * IO_BYTES);
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
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct cycle cycle;
        fake_ring_reset(3, 100, 2);
        fake_ring.slowest_slot_ns = 1000; /* the others do not wait for it */
        cycle = make(&engine_fake_ring, rows[r].depth);
        assert_int_equal(cycle_run(&cycle, rows[r].n), rows[r].n);
        check_clean(rows[r].n);
        assert_int_equal(fake_ring.in_flight_most, rows[r].most);
    }
}

static void kept_open_never_opens(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    cycle = make(&engine_fake_ring, 4);
    work.keep_open = fake_ring.kept_open = true;
    assert_int_equal(cycle_run(&cycle, 10), 10);
    check_clean(10);
    assert_int_equal(fake_ring.calls[ASYNC_OPEN], 0);
    assert_int_equal(fake_ring.calls[ASYNC_CLOSE], 0);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 0);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 10 * 100);
    assert_int_equal(tally.phase_ns[PHASE_CLOSE], 0);
    assert_int_equal(fake_now_ns - 1000, 300); /* 4 + 4 + 2 */
}

/* --- failures: which step, which call of it, what it answers --- */

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
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (unsigned way = 0; way < 3; way++) { /* ring, ring with chains, calls done at once */
            struct cycle cycle;
            print_message("%s, way %u\n", rows[r].remark, way);
            fake_ring_reset(10, 100, 5);
            fake_ring.chains = way == 1;
            fake_ring.at_once = way == 2 ? 1u << ASYNC_OPEN | 1u << ASYNC_CLOSE : 0;
            fake_ring.result = go_wrong;
            bad_step = rows[r].step, bad_result = rows[r].result, bad_from = 2, bad_count = 3;
            cycle = make(way == 2 ? &engine_fake_aio : &engine_fake_ring, 4);
            assert_int_equal(cycle_run(&cycle, 20), 20);
            check_clean(20);
            assert_int_equal(tally.failed, rows[r].failed);
            assert_int_equal(tally.short_count, rows[r].short_count);
            assert_int_equal(fake_ring.calls[ASYNC_CLOSE], 20 - rows[r].closes_missing);
            assert_int_equal(tally.first_errno, rows[r].failed ? -rows[r].result : 0);
            if (rows[r].failed)
                assert_int_equal(tally.first_phase, rows[r].phase);
            assert_true(tally.excluded_ns > 0);
            assert_int_equal(fake_ring.chained, way == 1 ? 20 : 0);
        }
}

static void asked_again_is_no_failure(void **state)
{
    static const int codes[] = {-EAGAIN, -EINTR};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct cycle cycle;
        fake_ring_reset(10, 100, 5);
        fake_ring.result = go_wrong;
        bad_step = ASYNC_READ, bad_result = codes[c], bad_from = 1, bad_count = 5;
        cycle = make(&engine_fake_ring, 2);
        assert_int_equal(cycle_run(&cycle, 6), 6);
        check_clean(6);
        assert_int_equal(tally.operations, 6);
        assert_int_equal(fake_ring.calls[ASYNC_READ], 6 + 5);
        assert_true(tally.max_ns >= 215); /* the repetition is part of the operation */

        bad_from = 0, bad_count = UINT64_MAX; /* for ever: an error after all */
        fake_ring_reset(10, 100, 5);
        fake_ring.result = go_wrong;
        cycle = make(&engine_fake_ring, 2);
        assert_int_equal(cycle_run(&cycle, 3), 3);
        check_clean(3);
        assert_int_equal(tally.failed, 3);
        assert_int_equal(tally.first_errno, -codes[c]);
        assert_int_equal(fake_ring.calls[ASYNC_READ], 3 * 17);
    }
}

static void failed_time_is_taken_out_by_its_share(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_ring.result = go_wrong;
    bad_step = ASYNC_READ, bad_result = -EIO, bad_from = 0, bad_count = 2;
    cycle = make(&engine_fake_ring, 4);
    assert_int_equal(cycle_run(&cycle, 4), 4);
    check_clean(4);
    assert_int_equal(tally.excluded_ns, 2 * 115 / 4);
    assert_int_equal(tally.sum_ns, 2 * 115);
}

static void everything_at_once_comes_to_an_end(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_ring.at_once = ~0u;
    cycle = make(&engine_fake_ring, 4);
    assert_int_equal(cycle_run(&cycle, 10), 10);
    check_clean(10);
    assert_int_equal(fake_ring.reaps, 0);
    assert_int_equal(tally.sum_ns, 10 * 115);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 100);
    assert_int_equal(fake_now_ns - 1000, 10 * 115);
    cycle.check = false;
    fake_ring.result = go_wrong; /* all opens fail at once, as without permission */
    bad_step = ASYNC_OPEN, bad_result = -EACCES, bad_from = 0, bad_count = UINT64_MAX;
    tally_reset(&tally);
    assert_int_equal(cycle_run(&cycle, 10), 10);
    check_clean(10);
    assert_int_equal(tally.failed, 10);
}

static int64_t fail_and_stop(enum async_step step, uint64_t nth, int64_t good)
{
    (void)good;
    if (nth == 20)
        fake_script.stop = 2;
    return step == ASYNC_OPEN ? -EACCES : 0;
}

/* ... and can be stopped, although no event is ever waited for. */
static void everything_at_once_can_be_stopped(void **state)
{
    (void)state;
    for (int deadline = 0; deadline < 2; deadline++)
        for (int way = 0; way < 3; way++) { /* plain, with a schedule, with verification */
            struct cycle cycle;
            uint64_t done;
            fake_ring_reset(10, 100, 5);
            fake_ring.at_once = ~0u;
            fake_ring.result = deadline ? NULL : fail_and_stop;
            fake_reading_ns = 1;
            cycle = make(&engine_fake_ring, 4);
            if (way == 1) {
                cycle.pace_step = (uint64_t)50 << CYCLE_PACE_BITS;
                cycle.pace_start_ns = fake_now_ns;
            }
            cycle.check = way == 2 && !deadline; /* what fails is not looked at */
            if (deadline)
                cycle.deadline_ns = fake_now_ns + 1000;
            done = cycle_run(&cycle, 1000000);
            check_clean(done);
            assert_in_range(done, 5, 40);
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
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct cycle cycle;
        fake_ring_reset(10, 100, 5);
        cycle = make(&engine_fake_ring, rows[r].depth);
        work.cache = rows[r].cache;
        assert_int_equal(cycle_run(&cycle, 200), 200);
        check_clean(200);
        assert_int_equal(fake_ring.asked_most, rows[r].asked);
        assert_int_equal(fake_ring.forgets, rows[r].cache == CACHE_UNCACHED ? 200 : 0);
    }
}

static void dropping_pages_is_taken_out_when_nothing_else_runs(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    cycle = make(&engine_fake_ring, 1);
    work.cache = CACHE_UNCACHED;
    assert_int_equal(cycle_run(&cycle, 10), 10);
    check_clean(10);
    assert_int_equal(tally.excluded_ns, 10 * 7);
    assert_int_equal(tally.sum_ns, 10 * 115);

    fake_ring_reset(10, 100, 5);
    cycle = make(&engine_fake_ring, 2);
    work.cache = CACHE_UNCACHED;
    assert_int_equal(cycle_run(&cycle, 10), 10);
    check_clean(10);
    assert_true(tally.excluded_ns <= 7); /* at most the last one was alone */
}

static void writes_take_fresh_data_and_sync(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        struct cycle cycle;
        fake_ring_reset(10, 100, 5);
        fake_ring.step_ns[ASYNC_SYNC] = 1000;
        cycle = make(&engine_fake_ring, 4);
        work.test = TEST_WRITE;
        work.sync = SYNC_END;
        work.keep_open = fake_ring.kept_open = keep;
        assert_int_equal(cycle_run(&cycle, 12), 12);
        check_clean(12);
        assert_int_equal(fake_ring.calls[ASYNC_WRITE], 12);
        assert_int_equal(fake_ring.calls[ASYNC_READ], 0);
        assert_int_equal(fake_ring.calls[ASYNC_SYNC], 12);
        assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 12 * (keep ? 1100 : 100));
        assert_int_equal(tally.phase_ns[PHASE_CLOSE], keep ? 0 : 12 * 1005);

        fake_ring.result = go_wrong;
        bad_step = ASYNC_SYNC, bad_result = -EIO, bad_from = 12, bad_count = 1;
        tally_reset(&tally);
        assert_int_equal(cycle_run(&cycle, 5), 5);
        check_clean(5);
        assert_int_equal(tally.failed, 1);
        assert_int_equal(tally.first_phase, keep ? PHASE_TRANSFER : PHASE_CLOSE);
    }
}

static void small_direct_writes_read_first(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    cycle = make(&engine_fake_ring, 4);
    work.test = TEST_WRITE;
    work.cache = CACHE_DIRECT;
    work.size_bytes = 8;
    work.rmw = true;
    memset(pool, 'p', sizeof pool);
    memset(scratch, 's', sizeof scratch); /* as read from the file */
    assert_int_equal(cycle_run(&cycle, 9), 9);
    check_clean(9);
    assert_int_equal(fake_ring.calls[ASYNC_READ], 9);
    assert_int_equal(fake_ring.calls[ASYNC_WRITE], 9);
    assert_memory_equal(scratch, "ppppppppssss", 12);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 9 * 200);

    fake_ring_reset(10, 100, 5); /* what could not be read is not written */
    fake_ring.result = go_wrong;
    bad_step = ASYNC_READ, bad_result = -EIO, bad_from = 3, bad_count = 2;
    tally_reset(&tally);
    fake_ring.io_bytes = IO_BYTES;
    assert_int_equal(cycle_run(&cycle, 9), 9);
    check_clean(9);
    assert_int_equal(fake_ring.calls[ASYNC_WRITE], 7);
    assert_int_equal(tally.failed, 2);
}

static int64_t stop_at_20(enum async_step step, uint64_t nth, int64_t good)
{
    if (step == ASYNC_READ && nth == 20)
        fake_script.stop = 2;
    return good;
}

static void a_stop_lets_what_is_in_flight_end(void **state)
{
    struct cycle cycle;
    uint64_t done;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_ring.result = stop_at_20;
    cycle = make(&engine_fake_ring, 8);
    done = cycle_run(&cycle, 1000);
    check_clean(done);
    assert_in_range(done, 21, 20 + 8);
    assert_int_equal(tally.operations, done);
}

static void a_deadline_starts_nothing_more(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    cycle = make(&engine_fake_ring, 8);
    cycle.deadline_ns = fake_now_ns + 300; /* 115 each: the third generation is under way */
    assert_int_equal(cycle_run(&cycle, 1000), 24);
    check_clean(24);
}

static bool refuse(void *arg)
{
    return --*(int *)arg > 0;
}

static void too_many_failures_end_it(void **state)
{
    struct cycle cycle;
    int allowed = 3;
    uint64_t done;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_ring.result = go_wrong;
    bad_step = ASYNC_READ, bad_result = -EIO, bad_from = 0, bad_count = UINT64_MAX;
    cycle = make(&engine_fake_ring, 4);
    cycle.on_failure = refuse;
    cycle.on_failure_arg = &allowed;
    done = cycle_run(&cycle, 1000);
    check_clean(done);
    assert_in_range(tally.failed, 3, 3 + 4); /* what is in flight still ends */
}

static void a_broken_engine_ends_it(void **state)
{
    struct cycle cycle;
    uint64_t done;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_ring.reap_error = -EBADF;
    fake_ring.reap_error_at = 5;
    cycle = make(&engine_fake_ring, 4);
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
    (void)state;
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
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_ring.at_once = 1u << ASYNC_OPEN | 1u << ASYNC_CLOSE;
    fake_ring.submit_ns = 30;
    cycle = make(&engine_fake_aio, 1);
    assert_int_equal(cycle_run(&cycle, 10), 10);
    check_clean(10);
    assert_int_equal(fake_ring.submits, 10);
    assert_int_equal(tally.submit_ns, 300);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 100);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 1000);
    assert_int_equal(tally.phase_ns[PHASE_CLOSE], 50);
}

/* --- a schedule --- */

static void set_rate(struct cycle *cycle, uint64_t step_ns)
{
    cycle->pace_step = step_ns << CYCLE_PACE_BITS;
    cycle->pace_next = 0;
    cycle->pace_start_ns = fake_now_ns;
}

static void a_schedule_that_can_be_held(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_reading_ns = 1; /* waiting reads the clock until it is time */
    cycle = make(&engine_fake_ring, 4);
    set_rate(&cycle, 50); /* 115 ns each, four at a time: 29 ns would do */
    assert_int_equal(cycle_run(&cycle, 100), 100);
    check_clean(100);
    assert_int_equal(tally.operations, 100);
    assert_in_range(fake_now_ns - 1000, 99 * 50 + 115, 99 * 50 + 200);
    assert_in_range(tally.max_ns, 115, 170);
    assert_true(cycle.behind_ns < 50);
    assert_true(fake_ring.waits_timed > 0);
}

static void a_schedule_that_cannot_be_held(void **state)
{
    struct cycle cycle;
    (void)state;
    fake_ring_reset(10, 100, 5);
    fake_reading_ns = 1;
    cycle = make(&engine_fake_ring, 4);
    set_rate(&cycle, 10); /* 29 ns at best */
    assert_int_equal(cycle_run(&cycle, 400), 400);
    check_clean(400);
    /* The last one was due at 3990 and began when the 99 generations before it had ended. */
    assert_in_range(cycle.behind_ns, 99 * 115 - 3990, 99 * 119 - 3990);
    assert_true(tally.max_ns >= cycle.behind_ns + 100); /* waiting in line counts */
    assert_true(tally.sum_ns > 400 * 1000);
    assert_in_range(tally.phase_ns[PHASE_OPEN], 400 * 10, 400 * 12); /* but in no phase */
}

static void synchronous_engines_keep_schedules_too(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 40, .transfer_ns = 100, .close_ns = 20}};
    struct cycle cycle;
    (void)state;
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
            assert_in_range(fake_now_ns - 1000, 49 * 1000 + 160, 49 * 1000 + 200);
            assert_in_range(tally.max_ns, 160, 170);
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
    uint32_t generation;
    uint64_t wrong_at; /* this check, from 1, finds wrong data */
    int64_t read_back_result;
} seen;

static void make_content(const struct store *s, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *to)
{
    (void)s, (void)object, (void)offset_bytes;
    seen.makes++;
    seen.in_flight_seen += fake_ring.in_flight;
    fake_now_ns += 1000;
    memset(to, (int)('0' + generation), size_bytes);
}

static bool check_content(const struct store *s, uint32_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, uint32_t generation, const void *data,
                          struct store_mismatch *mismatch)
{
    (void)s, (void)size_bytes, (void)data;
    seen.checks++;
    seen.in_flight_seen += fake_ring.in_flight;
    seen.generation = generation;
    fake_now_ns += 500;
    if (seen.checks != seen.wrong_at)
        return true;
    *mismatch = (struct store_mismatch){.offset_bytes = offset_bytes + 3, .shown = 1};
    (void)object;
    return false;
}

static int64_t read_back(const struct store *s, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *to)
{
    (void)s, (void)object, (void)offset_bytes, (void)direct, (void)to;
    seen.read_backs++;
    return seen.read_back_result ? seen.read_back_result : (int64_t)size_bytes;
}

static void verification_is_no_part_of_the_time(void **state)
{
    static struct store_driver driver;
    (void)state;
    for (int async = 0; async < 2; async++)
        for (int writes = 0; writes < 2; writes++) {
            static const struct fake_step steps[] = {
                {.open_ns = 10, .transfer_ns = 100, .close_ns = 5}};
            struct cycle cycle;
            uint64_t start_ns;
            fake_ring_reset(10, 100, 5);
            if (!async)
                fake_reset(steps, 1);
            memset(&seen, 0, sizeof seen);
            seen.wrong_at = 4;
            cycle = make(async ? &engine_fake_ring : &engine_fake_pread, async ? 4 : 1);
            driver = *store.driver;
            driver.make_content = make_content;
            driver.check_content = check_content;
            driver.read_back = read_back;
            store.driver = &driver;
            work.test = writes ? TEST_WRITE : TEST_READ;
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
            assert_int_equal(seen.generation, writes ? 2 : STORE_ANY_GENERATION);
            assert_int_equal(tally.sum_ns, 10 * 115);
            assert_int_equal(tally.excluded_ns, 10 * (writes ? 1500 : 500));
            assert_int_equal(fake_now_ns - start_ns - tally.excluded_ns, (async ? 3 : 10) * 115);
            if (writes)
                assert_memory_equal(buffer, "2222", 4);

            seen.read_back_result = -EIO; /* what cannot be read back is a failure */
            tally_reset(&tally);
            cycle_run(&cycle, 10);
            assert_int_equal(tally.failed, writes ? 10 : 0);
        }
}

static uint64_t give_two(void *arg)
{
    int *chunks = arg;
    return (*chunks)-- > 0 ? 2 : 0;
}

/* Threads take their share in small pieces: that must not make the waves smaller. */
static void waves_span_chunks(void **state)
{
    static struct store_driver driver;
    struct cycle cycle;
    int chunks = 15;
    (void)state;
    fake_ring_reset(10, 100, 5);
    memset(&seen, 0, sizeof seen);
    cycle = make(&engine_fake_ring, 8);
    driver = *store.driver;
    driver.check_content = check_content;
    store.driver = &driver;
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

/* What would begin after the deadline is not waited for. */
static void a_schedule_ends_at_the_deadline(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 40, .transfer_ns = 100, .close_ns = 20}};
    (void)state;
    for (int async = 0; async < 2; async++) {
        struct cycle cycle;
        fake_ring_reset(10, 100, 5);
        if (!async)
            fake_reset(steps, 1);
        fake_reading_ns = 1;
        cycle = make(async ? &engine_fake_ring : &engine_fake_pread, async ? 4 : 1);
        set_rate(&cycle, 1000);
        cycle.deadline_ns = fake_now_ns + 2500;
        assert_int_equal(cycle_run(&cycle, 10), 3);
        assert_int_equal(tally.operations, 3);
        assert_in_range(fake_now_ns - 1000, 2500, 2600);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_phases_exactly),
        cmocka_unit_test(no_more_in_flight_than_asked),
        cmocka_unit_test(kept_open_never_opens),
        cmocka_unit_test(failures_are_counted_and_leave_nothing),
        cmocka_unit_test(asked_again_is_no_failure),
        cmocka_unit_test(failed_time_is_taken_out_by_its_share),
        cmocka_unit_test(everything_at_once_comes_to_an_end),
        cmocka_unit_test(everything_at_once_can_be_stopped),
        cmocka_unit_test(batches_follow_the_cache_mode),
        cmocka_unit_test(dropping_pages_is_taken_out_when_nothing_else_runs),
        cmocka_unit_test(writes_take_fresh_data_and_sync),
        cmocka_unit_test(small_direct_writes_read_first),
        cmocka_unit_test(a_stop_lets_what_is_in_flight_end),
        cmocka_unit_test(a_deadline_starts_nothing_more),
        cmocka_unit_test(too_many_failures_end_it),
        cmocka_unit_test(a_broken_engine_ends_it),
        cmocka_unit_test(chunks_do_not_drain_the_queue),
        cmocka_unit_test(submitting_is_timed),
        cmocka_unit_test(a_schedule_that_can_be_held),
        cmocka_unit_test(a_schedule_that_cannot_be_held),
        cmocka_unit_test(synchronous_engines_keep_schedules_too),
        cmocka_unit_test(verification_is_no_part_of_the_time),
        cmocka_unit_test(waves_span_chunks),
        cmocka_unit_test(a_schedule_ends_at_the_deadline),
    };
    int result;

    slots = calloc(FAKE_SLOTS, cycle_slot_bytes());
    result = cmocka_run_group_tests(tests, NULL, NULL);
    free(slots);
    return result;
}
