/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_series.c - the records of --interval: what workers publish adds up exactly, whatever the
 * moment at which it is read; each record says what ended in it, how long it really was, and what
 * hangs. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run/series.h"
#include "run/sweep.h"
#include "run/worker.h"
#include "unit/async_fixture.h"

#define MS UINT64_C(1000000)

/* --- the grid --- */

static const volatile int no_stop;

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

static void publish(struct series_live *live, uint64_t operations, uint64_t bytes, uint64_t sum_ns,
                    uint64_t max_ns, uint64_t in_flight)
{
    series_publish(live,
                   &(struct series_batch){.operations = operations,
                                          .bytes = bytes,
                                          .sum_ns = sum_ns,
                                          .min_ns = operations == 1 ? sum_ns : 1,
                                          .max_ns = max_ns,
                                          .last_ns = max_ns,
                                          .end_ns = fake_now_ns},
                   in_flight);
}

/* The clock is at 1000. */
static struct series *start(uint32_t workers, uint64_t interval_ns)
{
    struct series *series = series_create(workers, interval_ns, &fake_clock, &no_stop);
    series_start(series);
    return series;
}

static struct series *start_anew(uint32_t workers, uint64_t interval_ns)
{
    fake_reset(NULL, 0);
    return start(workers, interval_ns);
}

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

/* Of all workers together, and of this interval alone; with few operations only when asked for. */
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
    for (uint32_t i = 0; i < 1000; i++)
        series_count_latency(series_live(series, 1), i < 990 ? 20 : 70);
    publish(series_live(series, 1), 1000, 0, 20500, 70, 0);
    assert_true(series_take(series, 1200, &record));
    assert_int_equal(record.latency_p99_ns, 20);
    series_count_latency(series_live(series, 0), 30);
    publish(series_live(series, 0), 1, 0, 30, 30, 0);
    assert_true(series_take(series, 1300, &record));
    assert_int_equal(record.latency_p99_ns, 0);
    series_show_all(series);
    /* 1001 is in a bucket whose middle is above it */
    series_count_latency(series_live(series, 0), 1001);
    publish(series_live(series, 0), 1, 0, 1001, 1001, 0);
    assert_true(series_take(series, 1400, &record));
    assert_int_equal(record.latency_p99_ns, 1001);
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
    struct cell cells[2] = {{.index = 0, .work = {.test = TEST_READ}},
                            {.index = 1, .work = {.test = TEST_READ, .depth = 7}}};
    struct series *series = start_anew(1, 1000);
    struct series_record record;
    (void)state;
    fake_now_ns = 1100; /* preparing for 100 */
    series_begin_part(series, TEST_READ, CACHE_CACHED);
    series_begin_slice(series, &cells[1]);
    fake_now_ns = 1300;
    publish(series_live(series, 0), 4, 400, 160, 50, 0);
    series_end_slice(series); /* 200 for row 2, then a gap */
    fake_now_ns = 1350;
    series_begin_slice(series, &cells[0]);
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
    assert_int_equal(record.busy_ns, 200);
    assert_int_equal(record.operations, 4);
    assert_int_equal(record.bytes, 400);
    assert_int_equal(record.latency_max_ns, 50); /* not that of the other row */
    assert_int_equal(record.latency_min_ns, 1);
    assert_int_equal(record.in_flight, 0);
    assert_false(series_more(series, &record));

    fake_now_ns = 2400;
    publish(series_live(series, 0), 3, 30, 900, 500, 0);
    series_end_slice(series);
    series_begin_slice(series, &cells[1]);
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
    series_begin_slice(series, &cell);
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

/* --- threads --- */

static void threads_add_up_while_somebody_looks(void **state)
{
    static const uint32_t threads[] = {1, 2, 5};
    static const volatile int go_on;
    (void)state;
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
        const struct slice slice = {.cell = &cell, .cycles = 100003, .deadline_ns = UINT64_MAX};
        struct slice_sum *sum = calloc(1, sizeof(*sum));
        struct worker_pool *workers;
        struct series_record record;
        struct error err = ERROR_INIT;
        target = fake_target(lengths, 8, 65536);
        cell.work = (struct workload){.target = &target,
                                      .size_bytes = IO_BYTES,
                                      .io_bytes = IO_BYTES,
                                      .object_count = 8,
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
        publish(arg, 1, IO_BYTES, i % 100, i % 100, 0);
        if (i % 10 == 0)
            series_count_error(arg);
    }
    return NULL;
}

/* Read in the middle of writing nothing is lost, nothing is there twice, nothing goes backwards. */
static void readers_and_writers_do_not_disturb_each_other(void **state)
{
    struct series *series = start_anew(2, 1);
    struct series_record record, all = {.time_ns = 0};
    pthread_t threads[2];
    uint64_t t = 1000;
    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_on, series_live(series, i)), 0);
    for (unsigned i = 0; i < 20000; i++) {
        assert_true(series_take(series, ++t, &record));
        assert_true(record.operations <= 2 * WRITES);
        assert_true(record.in_flight <= 2);
        all.operations += record.operations;
        all.bytes += record.bytes;
        all.errors += record.errors;
        all.latency_sum_ns += record.latency_sum_ns;
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert_true(series_take(series, ++t, &record));
    assert_int_equal(all.operations + record.operations, 2 * WRITES);
    assert_int_equal(all.bytes + record.bytes, UINT64_C(2) * WRITES * IO_BYTES);
    assert_int_equal(all.errors + record.errors, 2 * WRITES / 10);
    assert_int_equal(all.latency_sum_ns + record.latency_sum_ns, UINT64_C(99) * WRITES);
    series_free(series);
}

struct heard {
    atomic_uint records, partial;
    uint64_t length_ns, time_ns;
    unsigned fail_at; /* this record cannot be written */
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

/* A series that is told to `heard` until there are so many records; it ends as it must. */
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
    (void)state;
    assert_int_equal(heard.length_ns, heard.time_ns); /* no gap between records */
    assert_true(heard.partial <= 1);
    /* an interval longer than any run: told at once at the end, with its real length */
    heard = tell(UINT64_MAX, 0, true, 0);
    assert_int_equal(heard.records, 1);
    assert_int_equal(heard.partial, 1);
    /* never started: nothing to tell */
    heard = tell(MS, 0, false, 0);
    assert_int_equal(heard.records, 0);
}

static void a_record_that_cannot_be_written_is_the_last(void **state)
{
    const struct heard heard = tell(SERIES_LEAST_NS, 2, true, 0);
    (void)state;
    assert_int_equal(heard.records, 2);
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
        cmocka_unit_test(threads_add_up_while_somebody_looks),
        cmocka_unit_test(readers_and_writers_do_not_disturb_each_other),
        cmocka_unit_test(the_thread_wakes_by_itself_and_ends_when_told),
        cmocka_unit_test(a_record_that_cannot_be_written_is_the_last),
    };
    return cmocka_run_group_tests(tests, get_slots, free_slots);
}
