/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The loop of --mix on an engine whose reads take 100 ns and whose writes take 1000 ns of a clock
 * that it advances: each kind of operation has separate counters, but they share one time. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "base/flag.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/cycle.h"
#include "run/order.h"
#include "unit/fake.h"

#define READ_NS  100
#define WRITE_NS 1000
#define MARK_70  UINT64_C(12912720851596686131) /* 0.7 * 2^64 */

static struct script { /* what the engine did, and what it must do */
    uint64_t reads, writes, opens[2], closes[2], forgets;
    int64_t read_result, write_result; /* 0: all bytes */
    char order[64];                    /* of the first operations */
    uint64_t next_place;               /* if ordered: 128 in each of 64 objects */
    bool ordered;
} script;

/* The context is the workload it was made for. */
static int setup(const struct workload *work, const struct engine_thread *thread, void **ctx,
                 struct error *err)
{
    memcpy(ctx, &work, sizeof(work));
    return 0;
}

static void teardown(void *ctx) {}

static bool is_write(void *ctx)
{
    return test_writes(((const struct workload *)ctx)->test);
}

static int open_object(void *ctx, uint32_t object, struct handle *file)
{
    if (script.ordered)
        assert_int_equal(object, script.next_place / 128 % 64);
    script.opens[is_write(ctx)]++;
    fake_now_ns += 10;
    file->fd = is_write(ctx) ? 2 : 1;
    return 0;
}

static void note(char kind, const struct io *io)
{
    const size_t length = strlen(script.order);
    if (script.ordered)
        assert_int_equal(io->offset_bytes, script.next_place++ % 128 * 512);
    if (length + 1 < sizeof(script.order))
        script.order[length] = kind;
}

static int64_t read_some(void *ctx, struct io *io)
{
    assert_false(is_write(ctx));
    assert_int_equal(io->file->fd, 1);
    script.reads++;
    note('r', io);
    fake_now_ns += READ_NS;
    return script.read_result ? script.read_result : 512;
}

static int64_t write_some(void *ctx, struct io *io)
{
    assert_true(is_write(ctx));
    assert_int_equal(io->file->fd, 2);
    script.writes++;
    note('w', io);
    fake_now_ns += WRITE_NS;
    return script.write_result ? script.write_result : 512;
}

static int close_object(void *ctx, struct handle *file)
{
    assert_int_equal(file->fd, is_write(ctx) ? 2 : 1);
    script.closes[is_write(ctx)]++;
    fake_now_ns += 5;
    return 0;
}

static void forget(const struct workload *work, uint32_t object, uint64_t offset_bytes)
{
    assert_int_equal(work->test, TEST_READ);
    script.forgets++;
    fake_now_ns += 7;
}

static const struct engine engine = {
    .name = "two",
    .capabilities = ENGINE_WRITES | ENGINE_UNCACHED | ENGINE_KEEP_OPEN,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .setup = setup,
    .teardown = teardown,
    .open = open_object,
    .read = read_some,
    .write = write_some,
    .close = close_object,
    .forget = forget,
};

static struct bench {
    uint64_t lengths[64];
    struct target target;
    struct workload writes, reads;
    struct tally written, read;
    struct cycle_clocks clocks;
    struct tally aside[4];
    struct cycle cycle, of_reads;
    struct payload payload;
    char buffer[512];
} b;

static int set_up(void **state)
{
    memset(&b, 0, sizeof(b));
    memset(&script, 0, sizeof(script));
    fake_reset(NULL, 0);
    b.payload.kind = PAYLOAD_ZERO;
    b.target = fake_target(b.lengths, 64, 65536);
    b.writes = b.reads = (struct workload){.target = &b.target,
                                           .size_bytes = 512,
                                           .io_bytes = 512,
                                           .object_count = 64,
                                           .depth = 1,
                                           .test = TEST_WRITE};
    b.reads.test = TEST_READ;
    b.cycle = (struct cycle){.engine = &engine,
                             .ctx = &b.writes,
                             .work = &b.writes,
                             .align_bytes = 512,
                             .clock = &fake_clock,
                             .deadline_ns = UINT64_MAX,
                             .stop = &fake_script.stop,
                             .buffer = b.buffer,
                             .payload = &b.payload,
                             .tally = &b.written};
    b.of_reads = b.cycle;
    b.of_reads.work = &b.reads;
    b.of_reads.ctx = &b.reads;
    b.of_reads.tally = &b.read;
    b.cycle.reads = &b.of_reads;
    b.cycle.mark = MARK_70;
    rng_seed(&b.cycle.rng, 42, 0);
    tally_reset(&b.written);
    tally_reset(&b.read);
    return 0;
}

static void each_kind_has_its_own_books(void **state)
{
    uint64_t begin_ns;
    begin_ns = fake_now_ns;
    assert_int_equal(cycle_run(&b.cycle, 10000), 10000);
    assert_int_equal(b.read.operations, script.reads);
    assert_int_equal(b.written.operations, script.writes);
    assert_int_equal(script.reads + script.writes, 10000);
    assert_within(script.reads, 7000 - 5 * 46, 7000 + 5 * 46); /* root of 10000 * 0.7 * 0.3 */
    assert_int_equal(script.opens[0], script.reads);
    assert_int_equal(script.closes[1], script.writes);
    assert_int_equal(b.read.sum_ns, script.reads * (READ_NS + 15));
    assert_int_equal(b.written.sum_ns, script.writes * (WRITE_NS + 15));
    assert_int_equal(b.read.min_ns, READ_NS + 15);
    assert_int_equal(b.read.max_ns, READ_NS + 15);
    assert_int_equal(b.written.min_ns, WRITE_NS + 15);
    assert_int_equal(b.written.max_ns, WRITE_NS + 15);
    assert_int_equal(b.read.phase_ns[PHASE_TRANSFER], script.reads * READ_NS);
    assert_int_equal(b.written.phase_ns[PHASE_OPEN], script.writes * 10);
    assert_int_equal(b.written.phase_ns[PHASE_CLOSE], script.writes * 5);
    assert_int_equal(hist_total(&b.read.latency), script.reads);
    assert_int_equal(hist_total(&b.written.close), script.writes);
    assert_int_equal(b.read.sum_ns + b.written.sum_ns, fake_now_ns - begin_ns);
}

static void the_seed_decides_the_order(void **state)
{
    char before[sizeof(script.order)];
    (void)cycle_run(&b.cycle, 60);
    memcpy(before, script.order, sizeof(before));
    assert_non_null(strchr(before, 'r'));
    assert_non_null(strchr(before, 'w'));
    (void)set_up(NULL);
    (void)cycle_run(&b.cycle, 60);
    assert_string_equal(script.order, before);
    (void)set_up(NULL);
    rng_seed(&b.cycle.rng, 43, 0);
    (void)cycle_run(&b.cycle, 60);
    assert_string_not_equal(script.order, before);
}

static void kept_open_files_are_those_of_the_kind(void **state)
{
    struct handle of_writes[64], of_reads[64];
    for (int i = 0; i < 64; i++) {
        of_writes[i].fd = 2;
        of_reads[i].fd = 1;
    }
    b.cycle.kept = of_writes;
    b.of_reads.kept = of_reads;
    assert_int_equal(cycle_run(&b.cycle, 1000), 1000);
    assert_int_equal(script.opens[0] + script.opens[1], 0);
    assert_int_equal(b.read.sum_ns, script.reads * READ_NS);
    assert_int_equal(b.written.sum_ns, script.writes * WRITE_NS);
    /* one at the start, one for each operation, and one more before each write */
    assert_int_equal(fake_readings, 1 + 1000 + script.writes);
}

static void failures_belong_to_their_kind(void **state)
{
    script.write_result = -EIO;
    script.read_result = 100;
    assert_int_equal(cycle_run(&b.cycle, 100), 100);
    assert_int_equal(b.written.failed, script.writes);
    assert_int_equal(b.written.first_errno, EIO);
    assert_int_equal(b.written.short_count, 0);
    assert_int_equal(b.read.short_count, script.reads);
    assert_int_equal(b.read.short_bytes, 100);
    assert_int_equal(b.read.failed, 0);
    assert_int_equal(b.read.operations + b.written.operations, 0);
    assert_int_equal(b.read.failed_ns, script.reads * (READ_NS + 15));
}

static void pages_of_reads_are_dropped(void **state)
{
    b.writes.cache = b.reads.cache = CACHE_UNCACHED;
    assert_int_equal(cycle_run(&b.cycle, 100), 100);
    assert_int_equal(script.forgets, script.reads);
    assert_int_equal(b.written.excluded_ns, 7 * script.reads);
    assert_int_equal(b.read.sum_ns, script.reads * (READ_NS + 15));
}

static void set_flag(void *arg, uint64_t now_ns)
{
    flag_set(arg, 1);
}

/* One operation is always in flight, so both kinds' times add up to the slot's. */
static void a_clock_counts_both_kinds(void **state)
{
    static volatile int over;
    over = 0;
    b.clocks =
        (struct cycle_clocks){.begin_ns = fake_now_ns,
                              .end_ns = fake_now_ns + 1000000,
                              .over = &over,
                              .ended = set_flag,
                              .ended_arg = (void *)(uintptr_t)&over,
                              .aside = {{&b.aside[0], &b.aside[1]}, {&b.aside[2], &b.aside[3]}}};
    b.cycle.clocks = &b.clocks;
    (void)cycle_run(&b.cycle, UINT64_MAX);
    assert_within(b.cycle.slot_ns, 1000000 - 2 * WRITE_NS, 1000000 + 2 * WRITE_NS);
    assert_int_equal(b.written.sum_ns + b.read.sum_ns, b.cycle.slot_ns);
    assert_int_equal(b.aside[0].operations + b.aside[1].operations, 1);
    assert_int_equal(b.written.operations + b.read.operations + 1, script.reads + script.writes);
    assert_int_equal(b.written.sum_ns, b.written.operations * (WRITE_NS + 15));
    assert_int_equal(b.read.sum_ns, b.read.operations * (READ_NS + 15));
    assert_within(b.written.sum_ns, 1000000 / 2, 1000000 * 19 / 20);
}

/* Every operation takes the next place, whatever its kind; the kinds are drawn as for random
 * access: with the given percentage, continuing in the next slice. */
static void both_kinds_go_one_way(void **state)
{
    struct cell cell = {.threads = 1, .align_bytes = 512};
    struct order *order;
    cell.work = b.writes;
    cell.work.access = ACCESS_SEQUENTIAL;
    order = order_make(&cell);
    b.cycle.cursor = &order->cursor[0];
    script.ordered = true;
    assert_int_equal(cycle_run(&b.cycle, 5000), 5000);
    script.write_result = -EIO; /* its place was used up */
    assert_int_equal(cycle_run(&b.cycle, 1000), 1000);
    script.write_result = 0;
    assert_int_equal(cycle_run(&b.cycle, 4000), 4000);
    assert_int_equal(script.next_place, 10000); /* of 8192: wrapped around */
    assert_within(script.reads, 7000 - 5 * 46, 7000 + 5 * 46);
    assert_int_equal(b.read.operations, script.reads);
    assert_int_equal(b.written.operations + b.written.failed, script.writes);
    assert_int_equal(script.opens[0] + script.opens[1], 10000);
    free(order);
}

/* --rate: an operation that was chosen but never due comes next, at its place. */
static void what_was_not_begun_comes_next(void **state)
{
    struct cell cell = {.threads = 1, .align_bytes = 512};
    struct order *order;
    cell.work = b.writes;
    cell.work.access = ACCESS_SEQUENTIAL;
    order = order_make(&cell);
    b.cycle.cursor = &order->cursor[0];
    fake_reading_ns = 1; /* waiting reads the clock until the time is reached */
    b.cycle.pace_step = UINT64_C(2000) << CYCLE_PACE_BITS;
    b.cycle.pace_start_ns = fake_now_ns;
    b.cycle.deadline_ns = fake_now_ns + 100 * 2000 - 1000;
    script.ordered = true;
    assert_within(cycle_run(&b.cycle, 1000), 50, 100);
    b.cycle.deadline_ns = UINT64_MAX;
    b.cycle.pace_step = fake_reading_ns = 0;
    assert_int_equal(cycle_run(&b.cycle, 100), 100);
    assert_int_equal(b.read.operations + b.written.operations, script.next_place);
    free(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_kind_has_its_own_books, set_up),
        cmocka_unit_test_setup(the_seed_decides_the_order, set_up),
        cmocka_unit_test_setup(kept_open_files_are_those_of_the_kind, set_up),
        cmocka_unit_test_setup(failures_belong_to_their_kind, set_up),
        cmocka_unit_test_setup(pages_of_reads_are_dropped, set_up),
        cmocka_unit_test_setup(a_clock_counts_both_kinds, set_up),
        cmocka_unit_test_setup(both_kinds_go_one_way, set_up),
        cmocka_unit_test_setup(what_was_not_begun_comes_next, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
