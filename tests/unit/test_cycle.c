/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The hot loop on a scripted engine and clock: all counts and times are known in advance. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "run/cycle.h"
#include "unit/fake.h"

static uint64_t lengths[64];
static struct target target;
static struct workload work;
static struct tally tally;
static char buffer[4096];
static struct payload payload = {.kind = PAYLOAD_ZERO};

static struct cycle make(const struct engine *engine, uint64_t io_bytes, uint64_t align_bytes)
{
    static const struct engine_thread thread;
    static void *ctx;
    struct error err = ERROR_INIT;
    struct cycle cycle = {.engine = engine,
                          .work = &work,
                          .align_bytes = align_bytes,
                          .clock = &fake_clock,
                          .deadline_ns = UINT64_MAX,
                          .stop = &fake_script.stop,
                          .buffer = buffer,
                          .payload = &payload,
                          .scratch = buffer,
                          .tally = &tally};

    target = fake_target(lengths, 64, 65536);
    work = (struct workload){.target = &target,
                             .size_bytes = io_bytes,
                             .io_bytes = io_bytes,
                             .object_count = 64,
                             .test = TEST_READ};
    fake_script.align_bytes = align_bytes;
    assert_int_equal(engine->setup(&work, &thread, &ctx, &err), 0);
    cycle.ctx = ctx;
    rng_seed(&cycle.rng, 42, 0);
    tally_reset(&tally);
    return cycle;
}

/* 512 bytes at a time, by these steps. */
static struct cycle scripted(const struct engine *engine, const struct fake_step *steps,
                             unsigned count)
{
    fake_reset(steps, count);
    return make(engine, 512, 512);
}

static void counts_phases_exactly(void **state)
{
    static const struct fake_step steps[] = {
        {.open_ns = 40, .seek_ns = 5, .transfer_ns = 100, .close_ns = 20},
        {.open_ns = 60, .seek_ns = 7, .transfer_ns = 300, .close_ns = 30},
    };
    struct cycle cycle = scripted(&engine_fake, steps, 2);
    assert_int_equal(cycle_run(&cycle, 10), 10);
    assert_int_equal(tally.operations, 10);
    assert_int_equal(tally.failed, 0);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 5 * 100);
    assert_int_equal(tally.phase_ns[PHASE_SEEK], 5 * 12);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 5 * 400);
    assert_int_equal(tally.phase_ns[PHASE_CLOSE], 5 * 50);
    assert_int_equal(tally.sum_ns, 5 * 562);
    assert_int_equal(tally.min_ns, 165);
    assert_int_equal(tally.max_ns, 397);
    assert_int_equal(hist_total(&tally.latency), 10);
    assert_int_equal(tally.latency.count[hist_index(165)], 5);
    assert_int_equal(fake_script.opens, 10);
    assert_int_equal(fake_script.seeks, 10);
    assert_int_equal(fake_script.transfers, 10);
    assert_int_equal(fake_script.closes, 10);
    assert_int_equal(fake_readings, 10 * 5); /* four phases: five readings */
}

static void reads_the_clock_once_per_kept_operation(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 100}};
    struct handle kept[64];
    struct cycle cycle = scripted(&engine_fake_pread, steps, 1);
    cycle.kept = kept;
    assert_int_equal(cycle_run(&cycle, 10), 10);
    assert_int_equal(fake_readings, 11);
    assert_int_equal(fake_script.opens, 0);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 1000);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 0);
    assert_int_equal(tally.sum_ns, 1000);
}

static void failures_are_counted_apart(void **state)
{
    static const struct {
        const char *remark;
        struct fake_step step; /* times, then results, of open, seek, transfer, close */
        uint64_t failed, short_count, closes, failed_ns;
        int code;
        enum phase phase;
    } rows[] = {
        {"open fails: not closed", {9, 0, 0, 0, -ENOENT, 0, 0, 0}, 1, 0, 0, 9, ENOENT, PHASE_OPEN},
        {"seek fails: closed", {9, 2, 50, 3, 0, -ESPIPE, 0, 0}, 1, 0, 1, 14, ESPIPE, PHASE_SEEK},
        {"read fails: closed", {9, 2, 50, 3, 0, 0, -EIO, 0}, 1, 0, 1, 64, EIO, PHASE_TRANSFER},
        {"close fails", {9, 0, 0, 3, 0, 0, 0, -EDQUOT}, 1, 0, 1, 12, EDQUOT, PHASE_CLOSE},
        {"the first is told", {0, 0, 0, 0, 0, 0, -EIO, -EBADF}, 1, 0, 1, 0, EIO, PHASE_TRANSFER},
        {"short read", {9, 0, 50, 0, 0, 0, 100, 0}, 0, 1, 1, 59, 0, PHASE_OPEN},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fake_step steps[2] = {rows[i].step, {.open_ns = 10, .transfer_ns = 100}};
        struct cycle cycle = scripted(&engine_fake, steps, 2);
        print_message("%s\n", rows[i].remark);
        assert_int_equal(cycle_run(&cycle, 2), 2);
        assert_int_equal(tally.operations, 1); /* the successful one */
        assert_int_equal(tally.sum_ns, 110);
        assert_int_equal(tally.failed, rows[i].failed);
        assert_int_equal(tally.short_count, rows[i].short_count);
        assert_int_equal(tally.failed_ns, rows[i].failed_ns);
        assert_int_equal(tally.excluded_ns, 0);
        assert_int_equal(fake_script.closes, rows[i].closes + 1);
        assert_int_equal(tally.first_errno, rows[i].code);
        if (rows[i].code)
            assert_int_equal(tally.first_phase, rows[i].phase);
    }
}

/* 512 bytes by 100: six calls, the last of 12. */
static struct cycle make_pieces(const struct fake_step *steps, unsigned count, enum io_test test)
{
    struct cycle cycle = scripted(&engine_fake, steps, count);

    work.call_bytes = 100;
    work.test = test;
    return cycle;
}

static void an_operation_in_pieces_is_one(void **state)
{
    static const struct fake_step steps[] = {
        {.open_ns = 9, .seek_ns = 2, .transfer_ns = 50, .close_ns = 3}};
    struct cycle cycle = make_pieces(steps, 1, TEST_READ);
    assert_int_equal(cycle_run(&cycle, 10), 10);
    assert_int_equal(tally.operations, 10);
    assert_int_equal(fake_script.opens, 10);
    assert_int_equal(fake_script.seeks, 10);
    assert_int_equal(fake_script.transfers, 60);
    assert_int_equal(fake_script.last_pieces, 10);
    assert_int_equal(fake_script.last_bytes, 12);
    assert_true(fake_script.highest_end <= 65536);
    assert_int_equal(tally.phase_ns[PHASE_OPEN], 10 * 9);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 10 * 300);
    assert_int_equal(tally.sum_ns, 10 * 314);
    assert_int_equal(tally.excluded_ns, 0);
    assert_int_equal(fake_readings, 10 * 5); /* as many as without pieces */
}

/* A size that fits is moved in one call, as without --call-size. */
static void what_fits_the_buffer_is_no_piece(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 50}};
    struct cycle cycle = make_pieces(steps, 1, TEST_READ);
    work.call_bytes = 512;
    assert_int_equal(cycle_run(&cycle, 3), 3);
    assert_int_equal(fake_script.transfers, 3);
    assert_int_equal(fake_script.last_bytes, 512);
}

/* Each reading of the clock takes 10 ns: two around generating each piece's data except the first;
 * the reading before them is part of the transfer. */
static void data_of_pieces_are_made_between_the_calls(void **state)
{
    static const struct fake_step steps[] = {{.transfer_ns = 50}};
    struct cycle cycle = make_pieces(steps, 1, TEST_WRITE);
    fake_reading_ns = 10;
    assert_int_equal(cycle_run(&cycle, 4), 4);
    assert_int_equal(fake_script.transfers, 24);
    assert_int_equal(tally.phase_ns[PHASE_TRANSFER], 4 * (300 + 5 * 10 + 10));
    assert_int_equal(tally.excluded_ns, 4 * (5 * 10 + 10)); /* and before each operation */
    assert_int_equal(tally.sum_ns, 4 * (4 * 10 + 300 + 5 * 10));
    assert_int_equal(cycle.made_ns, tally.excluded_ns);
}

static void a_piece_can_fail_or_be_short(void **state)
{
    static const struct fake_step shorter[] = {
        {.transfer_ns = 50}, {.transfer_ns = 50}, {.transfer_ns = 7, .transfer_result = 40}};
    static const struct fake_step failing[] = {{.transfer_ns = 50},
                                               {.transfer_ns = 7, .transfer_result = -EIO}};
    static const struct fake_step fine[] = {{.transfer_ns = 50}};
    struct cycle cycle = make_pieces(shorter, 3, TEST_READ);
    assert_int_equal(cycle_run(&cycle, 1), 1);
    assert_int_equal(tally.short_count, 1);
    assert_int_equal(tally.short_bytes, 240);
    assert_int_equal(tally.operations, 0);
    assert_int_equal(fake_script.transfers, 3);
    assert_int_equal(fake_script.closes, 1);
    cycle = make_pieces(failing, 2, TEST_WRITE);
    assert_int_equal(cycle_run(&cycle, 1), 1);
    assert_int_equal(tally.failed, 1);
    assert_int_equal(tally.first_errno, EIO);
    assert_int_equal(tally.first_phase, PHASE_TRANSFER);
    assert_int_equal(tally.first_offset_bytes % 512, 0); /* of the operation */
    assert_int_equal(tally.failed_ns, 57);
    assert_int_equal(fake_script.closes, 1);
    cycle = make_pieces(fine, 1, TEST_READ);
    fake_script.stop_after = 3; /* a signal interrupts a long operation, which is not a failure */
    (void)cycle_run(&cycle, 5);
    assert_int_equal(fake_script.transfers, 3);
    assert_int_equal(tally.operations + tally.failed + tally.short_count, 0);
    assert_int_equal(fake_script.closes, 1);
}

static bool give_up(void *arg)
{
    unsigned *left = arg;
    return --*left > 0;
}

static void gives_up_after_so_many_failures(void **state)
{
    static const struct fake_step steps[] = {{.transfer_result = -EIO}};
    unsigned left = 3;
    struct cycle cycle = scripted(&engine_fake, steps, 1);
    cycle.on_failure = give_up;
    cycle.on_failure_arg = &left;
    assert_int_equal(cycle_run(&cycle, 1000), 3);
    assert_int_equal(tally.failed, 3);
}

static void stops_at_flag_and_deadline(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 10, .transfer_ns = 80, .close_ns = 10}};
    struct cycle cycle = scripted(&engine_fake, steps, 1);
    fake_script.stop_after = 7;
    assert_int_equal(cycle_run(&cycle, 1000), 7); /* the one in flight is finished and counted */
    assert_int_equal(tally.operations, 7);

    cycle = scripted(&engine_fake, steps, 1);
    cycle.deadline_ns = fake_now_ns + 250;
    assert_int_equal(cycle_run(&cycle, 1000), 3);
}

static void offsets_cover_the_objects_and_stay_inside(void **state)
{
    static const struct {
        const char *remark;
        uint64_t io_bytes, align_bytes, length_bytes, highest_end;
    } rows[] = {
        {"bytes", 2, 1, 100, 100},
        {"pairs", 2, 2, 101, 100},
        {"whole file", 4096, 4096, 4096, 4096},
        {"tail that is no multiple", 512, 512, 1300, 1024},
        {"align below size", 1024, 512, 2048, 2048},
        {"one step", 3, 2, 5, 5},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cycle cycle;
        unsigned missed = 0;
        print_message("%s\n", rows[i].remark);
        fake_reset(NULL, 0);
        cycle = make(&engine_fake, rows[i].io_bytes, rows[i].align_bytes);
        for (int o = 0; o < 64; o++)
            lengths[o] = rows[i].length_bytes;
        cycle_run(&cycle, 20000);
        assert_int_equal(fake_script.lowest_offset, 0);
        assert_int_equal(fake_script.highest_end, rows[i].highest_end);
        assert_int_equal(fake_script.misaligned, 0);
        for (int o = 0; o < 64; o++)
            missed += fake_script.object_hits[o] == 0;
        assert_int_equal(missed, 0);
    }
}

static void same_seed_same_work(void **state)
{
    uint64_t first[64];
    struct cycle cycle = scripted(&engine_fake, NULL, 0);
    cycle_run(&cycle, 500);
    memcpy(first, fake_script.object_hits, sizeof(first));
    cycle = scripted(&engine_fake, NULL, 0);
    cycle_run(&cycle, 500);
    assert_memory_equal(first, fake_script.object_hits, sizeof(first));
}

static void forgetting_is_not_timed(void **state)
{
    static const struct fake_step steps[] = {{.open_ns = 10, .transfer_ns = 80, .close_ns = 10}};
    struct cycle cycle = scripted(&engine_fake, steps, 1);
    work.cache = CACHE_UNCACHED;
    cycle_run(&cycle, 5);
    assert_int_equal(fake_script.forgets, 5);
    assert_int_equal(tally.sum_ns, 500);
    assert_int_equal(tally.excluded_ns, 5 * 7);
}

static void each_write_has_data_of_its_own(void **state)
{
    static char expected[4096];
    struct error err = ERROR_INIT;
    struct pattern pattern;
    struct cycle cycle = scripted(&engine_fake, NULL, 0);
    assert_int_equal(payload_start(&pattern, 1, &err), 0);
    cycle.payload = &(struct payload){.pattern = &pattern, .thread = 3};
    fake_reading_ns = 1;
    work.test = TEST_WRITE;
    assert_int_equal(cycle_run(&cycle, 100), 100);
    assert_int_equal(tally.operations, 100);
    assert_int_equal(cycle.payload->made_bytes, 100 * 4096);
    pattern_make(&pattern, 3, 99 * 4096, 512, 0, expected);
    assert_memory_equal(buffer, expected, 512);
    assert_int_equal(tally.excluded_ns, 100); /* from the end of one to the start of the next */
    assert_int_equal(cycle.made_ns, 100);
    fake_reading_ns = 0;
    pattern_end(&pattern);
}

static void tallies_merge(void **state)
{
    static struct tally a, b;
    tally_reset(&a);
    tally_reset(&b);
    a.operations = 3, a.sum_ns = 30, a.min_ns = 5, a.max_ns = 20;
    b.operations = 1, b.sum_ns = 2, b.min_ns = 2, b.max_ns = 2, b.failed = 1, b.first_errno = EIO;
    b.first_object = 9;
    tally_merge(&a, &b);
    assert_int_equal(a.operations, 4);
    assert_int_equal(a.sum_ns, 32);
    assert_int_equal(a.min_ns, 2);
    assert_int_equal(a.max_ns, 20);
    assert_int_equal(a.first_errno, EIO);
    assert_int_equal(a.first_object, 9);
    tally_reset(&b);
    tally_merge(&a, &b); /* merging an empty one changes nothing */
    assert_int_equal(a.min_ns, 2);
    assert_int_equal(a.operations, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_phases_exactly),
        cmocka_unit_test(reads_the_clock_once_per_kept_operation),
        cmocka_unit_test(failures_are_counted_apart),
        cmocka_unit_test(an_operation_in_pieces_is_one),
        cmocka_unit_test(what_fits_the_buffer_is_no_piece),
        cmocka_unit_test(data_of_pieces_are_made_between_the_calls),
        cmocka_unit_test(a_piece_can_fail_or_be_short),
        cmocka_unit_test(gives_up_after_so_many_failures),
        cmocka_unit_test(stops_at_flag_and_deadline),
        cmocka_unit_test(offsets_cover_the_objects_and_stay_inside),
        cmocka_unit_test(same_seed_same_work),
        cmocka_unit_test(forgetting_is_not_timed),
        cmocka_unit_test(each_write_has_data_of_its_own),
        cmocka_unit_test(tallies_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
