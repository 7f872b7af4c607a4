/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The null engine: delays have the requested proportions, and the same order for the same seed;
 * operations in flight complete in the order in which they are due; and the scheduled ones fail.
 * Only order and minimum times are checked, so nothing depends on the machine's speed. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/null_delay.h"

#define DEPTH 64u

static struct null_delay parse(const char *word)
{
    struct error err = ERROR_INIT;
    struct null_delay delay;
    if (null_delay_parse(word, &delay, &err) < 0)
        fail_msg("%s: %s %s", word, err.action, err.object);
    return delay;
}

static void times_are_read(void **state)
{
    static const char *const wrong[] = {
        "",
        "0",
        "fast",
        "mix",
        "mix:",
        "mix:1",
        "mix:x1ms",
        "mix:0x1ms",
        "mix:-1x1ms",
        "mix:1x1ms,",
        "mix:2x",
        "tail:1ms,5%=1s",
        "mix:1000001x1ms",
        "mix:1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1,1x1",
        "mix:1x10000000000000000000000000000000000000000000000000000000000000000000000ns",
    };
    struct null_delay delay = parse("61us");
    assert_int_equal(delay.longest_ns, 61000);
    delay = parse("mix:35x0,5x3ms");
    assert_int_equal(delay.cycle, 40);
    assert_int_equal(delay.longest_ns, 3000000);
    assert_int_equal(delay.shortest_ns, 3000000);
    delay = parse("mix:94x20ms,5x400ms,1x2s");
    assert_int_equal(delay.kinds, 3);
    assert_int_equal(delay.longest_ns, 2000000000);
    assert_int_equal(delay.shortest_ns, 20000000);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct error err = ERROR_INIT;
        struct null_delay kept = delay;
        if (null_delay_parse(wrong[i], &kept, &err) == 0)
            fail_msg("'%s' was taken", wrong[i]);
        assert_int_equal(err.status, STATUS_USAGE);
        assert_memory_equal(&kept, &delay, sizeof(kept));
    }
}

static void a_mix_is_dealt_out_exactly(void **state)
{
    const struct null_delay delay = parse("mix:35x0,5x3ms");
    struct null_draw draw, again, other;
    unsigned differ = 0, in_order = 0;
    null_draw_start(&draw, 7, 1);
    null_draw_start(&again, 7, 1);
    null_draw_start(&other, 8, 1);
    for (unsigned cycle = 0; cycle < 100; cycle++) {
        unsigned slow = 0, last = 0;
        for (unsigned i = 0; i < 40; i++) {
            const uint64_t ns = null_draw_next(&draw, &delay);
            assert_int_equal(null_draw_next(&again, &delay), ns);
            differ += null_draw_next(&other, &delay) != ns;
            assert_true(ns == 0 || ns == 3000000);
            slow += ns > 0;
            last = ns > 0 ? i : last;
        }
        assert_int_equal(slow, 5);
        in_order += last == 39;
    }
    assert_true(differ > 0);
    assert_within(in_order, 1, 40); /* of 100 cycles, 12.5 are expected to end with a slow one */
}

/* --- in flight --- */

static void *home;
static struct target target;

static void *set_up_engine(const char *delay, const char *fail, struct workload *work)
{
    const struct engine *engine = engine_find("null");
    const struct engine_thread thread = {.home = &home};
    static char block[1024];
    struct error err = ERROR_INIT;
    void *ctx = NULL;
    assert_true(engine->options_bytes <= sizeof(block));
    memset(block, 0, sizeof(block));
    option_defaults(engine->options, block);
    for (const struct option_row *row = engine->options; row->name; row++) {
        const char *word = strcmp(row->name, "null.delay") == 0  ? delay
                           : strcmp(row->name, "null.fail") == 0 ? fail
                                                                 : NULL;
        if (word)
            assert_int_equal(option_apply(row, block, word, &err), 0);
    }
    *work = (struct workload){.target = &target,
                              .test = TEST_READ,
                              .size_bytes = 4096,
                              .io_bytes = 4096,
                              .depth = DEPTH,
                              .options = block};
    assert_int_equal(engine->setup(work, &thread, &ctx, &err), 0);
    return ctx;
}

static void begin(void *ctx, uint32_t slot)
{
    const struct async_op op = {.slot = slot};
    assert_true(engine_find("null")->async->read(ctx, &op) == ASYNC_PENDING);
}

/* Reaps everything in flight, in the order of completion. */
static unsigned reap_all(void *ctx, struct async_event *events, unsigned count)
{
    unsigned n = 0;
    while (n < count) {
        const int got = engine_find("null")->async->reap(ctx, ASYNC_FOREVER, events + n, count - n);
        assert_true(got >= 0);
        n += (unsigned)got;
    }
    assert_int_equal(engine_find("null")->async->reap(ctx, 0, events + n, 1), 0);
    return n;
}

static void finish(void *ctx)
{
    engine_find("null")->teardown(ctx);
    if (home)
        engine_find("null")->retire(home);
    home = NULL;
}

static void without_delay_first_come_first_served(void **state)
{
    struct async_event events[DEPTH + 1];
    struct workload work;
    void *ctx = set_up_engine(NULL, NULL, &work);
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < DEPTH; i++)
            begin(ctx, (i * 5 + round) % DEPTH);
        assert_int_equal(engine_find("null")->async->reap(ctx, 0, events, 3), 3);
        reap_all(ctx, events + 3, DEPTH - 3);
        for (uint32_t i = 0; i < DEPTH; i++) {
            assert_int_equal(events[i].slot, (i * 5 + round) % DEPTH);
            assert_true(events[i].result == 4096);
            assert_int_equal(events[i].step, ASYNC_READ);
        }
    }
    finish(ctx);
}

static void operations_end_when_they_are_due(void **state)
{
    struct async_event events[DEPTH + 1];
    struct workload work;
    void *ctx = set_up_engine("mix:50x0,10x200ms,4x500ms", NULL, &work);
    const uint64_t begun_ns = clock_now(&clock_monotonic);
    unsigned seen[DEPTH] = {0};
    int got;
    for (uint32_t i = 0; i < DEPTH; i++)
        begin(ctx, i);
    /* The fast ones first, in order; the others not before their time. */
    got = engine_find("null")->async->reap(ctx, ASYNC_FOREVER, events, 50);
    assert_int_equal(got, 50);
    for (int i = 1; i < got; i++)
        assert_true(events[i].slot > events[i - 1].slot);
    reap_all(ctx, events + 50, DEPTH - 50);
    assert_true(clock_now(&clock_monotonic) - begun_ns >= 500000000);
    for (uint32_t i = 0; i < DEPTH; i++)
        seen[events[i].slot]++;
    for (uint32_t i = 0; i < DEPTH; i++)
        assert_int_equal(seen[i], 1);
    finish(ctx);
}

static void waiting_ends_with_its_time(void **state)
{
    struct async_event events[2];
    struct workload work;
    void *ctx = set_up_engine("30ms", NULL, &work);
    const uint64_t begun_ns = clock_now(&clock_monotonic);
    int got;
    begin(ctx, 9);
    got = engine_find("null")->async->reap(ctx, 0, events, 2);
    if (got == 0)
        got = engine_find("null")->async->reap(ctx, 1000, events, 2);
    if (got == 0)
        reap_all(ctx, events, 1);
    assert_true(clock_now(&clock_monotonic) - begun_ns >= 30000000);
    assert_int_equal(events[0].slot, 9);
    finish(ctx);
}

/* The count continues across slices. */
static void the_chosen_operation_fails(void **state)
{
    struct async_event events[DEPTH + 1];
    struct workload work;
    for (unsigned slice = 0; slice < 4; slice++) {
        void *ctx = set_up_engine(NULL, "at:100", &work);
        for (uint32_t i = 0; i < 40; i++)
            begin(ctx, i);
        reap_all(ctx, events, 40);
        for (uint32_t i = 0; i < 40; i++) /* number 100 is the 20th of the third slice */
            assert_true(events[i].result == (slice == 2 && i == 19 ? -EIO : 4096));
        engine_find("null")->teardown(ctx);
    }
    engine_find("null")->retire(home);
    home = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read),
        cmocka_unit_test(a_mix_is_dealt_out_exactly),
        cmocka_unit_test(without_delay_first_come_first_served),
        cmocka_unit_test(operations_end_when_they_are_due),
        cmocka_unit_test(waiting_ends_with_its_time),
        cmocka_unit_test(the_chosen_operation_fails),
    };
    return cmocka_run_group_tests_name("null", tests, NULL, NULL);
}
