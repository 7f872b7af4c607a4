/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_pairs.c - rows compared round by round: figures computed by another program, which rows are
 * a pair, and how often chance is taken for a difference. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/rng.h"
#include "base/stats.h"
#include "report/formats/formats.h"
#include "report/pairs/pairs.h"

#define SIZES  4
#define ROUNDS 9

static struct engine engine = {.name = "posix"}, other_engine = {.name = "pread"};
static struct target first = {.label = "a"}, second = {.label = "b"};
static const struct target *const targets[] = {&first, &second};
static struct settings settings = {.loops = 1, .repeats = 1, .tests = {.count = 1}};
static struct cell cells[16];
static struct pairs pairs;
static char line[PAIR_LINE_TEXT];

/* All sizes of the one value of the axis, then all of the other; `value` sets it. */
static struct run_info make_run(unsigned sizes, void (*value)(struct cell *))
{
    for (unsigned i = 0; i < 2 * sizes; i++) {
        cells[i] = (struct cell){
            .index = i,
            .step = 1,
            .loop = 1,
            .repeat = 1,
            .threads = 1,
            .engine = &engine,
            .work = {.test = TEST_READ, .size_bytes = UINT64_C(512) << i % sizes, .depth = 1}};
        if (i >= sizes)
            value(&cells[i]);
    }
    return (struct run_info){
        .settings = &settings, .targets = targets, .cells = cells, .cell_count = 2 * sizes};
}

static void on_second(struct cell *cell)
{
    cell->target = 1;
}

static void of_two_threads(struct cell *cell)
{
    cell->threads = 2;
}

static void on_second_by_another_engine(struct cell *cell)
{
    cell->target = 1;
    cell->engine = &other_engine;
}

static void of_two_axes(struct cell *cell)
{
    cell->target = 1;
    cell->threads = 2;
}

static void of_another_part(struct cell *cell)
{
    cell->target = 1;
    cell->part = 1;
}

static struct sink sink;
static struct error err;

/* Free pairs with pairs_free after end. */
static void begin(const struct run_info *info)
{
    pairs = (struct pairs){0};
    format_make_pairs(&pairs, &sink);
    assert_int_equal(sink.begin(sink.arg, info, &err), 0);
}

static void add_slice(const struct cell *cell, unsigned round, double op_ns, uint64_t queued_ns)
{
    const struct slice_record record = {.cell = cell,
                                        .part_round = round,
                                        .elapsed_ns = 1000000,
                                        .queued_ns = queued_ns,
                                        .op_ns = op_ns};

    assert_int_equal(sink.slice(sink.arg, &record, &err), 0);
}

static void end(void)
{
    assert_int_equal(sink.end(sink.arg, &err), 0);
    format_free(&sink);
}

static const double rounds_ns[2 * SIZES][ROUNDS] = {
    {100, 104, 99, 101, 150, 98, 102, 100, 103},   {200, 210, 190, 205, 202, 199, 201, 203, 198},
    {400, 404, 396, 401, 399, 402, 398, 400, 403}, {800, 810, 795, 805, 799, 801, 803, 797, 802},
    {105, 110, 104, 107, 108, 102, 99, 106, 107},  {212, 220, 201, 214, 260, 209, 213, 211, 210},
    {484, 489, 479, 486, 483, 487, 482, 481, 490}, {838, 850, 840, 845, 842, 848, 839, 836, 841}};

/* Rounds as above, those of the first row from `from` on. */
static void compare(const struct run_info *info, unsigned from)
{
    begin(info);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < 2 * SIZES; i++)
            if (i > 0 || round >= from)
                add_slice(&info->cells[i], round + 1, rounds_ns[i][round], 0);
    end();
}

static void near(double value, double expected)
{
    if (fabs(value - expected) > 2e-5 * expected)
        fail_msg("%.9f instead of %.9f", value, expected);
}

/* Expected: Yuen's mean and error, weights and Student's t by numeric integration, in Python. */
static void figures_are_those_of_another_program(void **state)
{
    static const double typical[SIZES] = {1.03785776, 1.05426290, 1.21071211, 1.05064632};
    const struct run_info info = make_run(SIZES, on_second);

    compare(&info, 0);
    assert_int_equal(pairs.count, 1);
    assert_int_equal(pairs.all[0].size_count, SIZES);
    for (unsigned i = 0; i < SIZES; i++) {
        near(exp(pairs.all[0].size[i].typical), typical[i]);
        assert_int_equal(pairs.all[0].size[i].rounds, ROUNDS);
        assert_int_equal(pairs.all[0].size[i].apart, i == 2);
    }
    near(pairs.all[0].size[0].error, 0.0125215146);
    near(pairs.all[0].ratio, 1.05144204);
    near(pairs.all[0].low, 1.04493524);
    near(pairs.all[0].high, 1.05798934);
    assert_false(pairs.all[0].varied);
    pair_line(&info, &pairs.all[0], line);
    assert_string_equal(
        line, "reads: b takes 1.051 (1.045 .. 1.058) times as long as a; 1.21 times at 2 KiB");
    pairs_free(&pairs);
}

/* A row that had no slice in its first rounds: the others are compared with their own rounds. */
static void rounds_are_matched_by_number(void **state)
{
    const struct run_info info = make_run(SIZES, on_second);

    compare(&info, 2);
    assert_int_equal(pairs.all[0].size[0].rounds, ROUNDS - 2);
    near(exp(pairs.all[0].size[0].mean),
         stats_mean(rounds_ns[SIZES] + 2, ROUNDS - 2) / stats_mean(rounds_ns[0] + 2, ROUNDS - 2));
    pairs_free(&pairs);
}

static void rows_that_differ_in_one_axis_are_pairs(void **state)
{
    static const struct {
        void (*value)(struct cell *);
        size_t pairs;
        const char *axis, *line;
    } runs[] = {
        {on_second, 1, "target", "reads: b takes "},
        {on_second_by_another_engine, 1, "target", "reads: b takes "},
        {of_two_threads, 1, "threads", "reads: 2 threads: "},
        {of_two_axes, 0, NULL, NULL},
        {of_another_part, 0, NULL, NULL},
    };

    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        const struct run_info info = make_run(SIZES, runs[i].value);
        compare(&info, 0);
        assert_int_equal(pairs.count, runs[i].pairs);
        if (pairs.count) {
            pair_line(&info, &pairs.all[0], line);
            assert_string_equal(pair_axis(&pairs.all[0]), runs[i].axis);
            assert_memory_equal(line, runs[i].line, strlen(runs[i].line));
        }
        pairs_free(&pairs);
    }
}

/* Twice as much of the time of the second target passes while others have the processor. */
static void waiting_for_a_processor_is_left_out(void **state)
{
    const struct run_info info = make_run(1, on_second);

    begin(&info);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        add_slice(&cells[0], round, 100, 0);
        add_slice(&cells[1], round, 200, 500000);
    }
    end();
    near(pairs.all[0].ratio, 1);
    pairs_free(&pairs);
}

static void sentences_say_what_is_shown(void **state)
{
    const struct run_info target = make_run(SIZES, on_second);
    struct pair_size size[SIZES];
    struct pair pair = {.axes = AXIS_TARGET, .size = size, .size_count = SIZES, .mean_ratio = 1.4};

    for (unsigned i = 0; i < SIZES; i++)
        size[i] = (struct pair_size){
            .base = &cells[i], .other = &cells[SIZES + i], .typical = log(0.5 + 0.25 * i)};
    pair.ratio = 1.001, pair.low = 0.99, pair.high = 1.012;
    size[3].apart = true;
    pair_line(&target, &pair, line);
    assert_string_equal(line, "reads: b takes 1.001 (0.990 .. 1.012) times as long as a: no "
                              "difference is shown; but 1.25 times at 4 KiB");
    size[3].apart = false;
    pair.varied = pair.mean_apart = true;
    pair_line(&target, &pair, line);
    assert_string_equal(line,
                        "reads: b takes 1.001 (0.990 .. 1.012) times as long as a; sizes "
                        "differ, from 0.50 at 512 B to 1.25 at 4 KiB; 1.40 times by the mean, "
                        "slow operations included");
    make_run(SIZES, of_two_threads);
    pair.axes = AXIS_THREADS;
    pair.ratio = 0.5, pair.low = 0.4, pair.high = 0.625;
    pair.mean_apart = false;
    pair_line(&target, &pair, line);
    assert_string_equal(line, "reads: 2 threads: 2.0 (1.6 .. 2.5) times the rate of 1 thread; "
                              "sizes differ, from 0.80 at 4 KiB to 2.00 at 512 B");
}

/* Where rows of the test differ, and those of the pair do not. */
static void sentences_name_what_all_rows_of_the_pair_are(void **state)
{
    const struct run_info info = make_run(2, on_second);
    struct pair_size size[] = {{.base = &cells[1], .other = &cells[3]},
                               {.base = &cells[0], .other = &cells[2]}};
    struct pair pair = {.axes = AXIS_TARGET, .size = size, .size_count = 1};

    for (unsigned i = 1; i < 4; i += 2) {
        cells[i].mixed = true;
        cells[i].read_percent = 70;
        cells[i].work.depth = 8;
        cells[i].work.cache = CACHE_DIRECT;
    }
    pair.ratio = 7e-6, pair.low = 6.9e-6, pair.high = 7.1e-6;
    pair_line(&info, &pair, line);
    assert_string_equal(line, "reads, direct, mix 70, depth 8: b takes 0.00000700 (0.00000690 .. "
                              "0.00000710) times as long as a");
    pair.size_count = 2;
    pair.ratio = 1.05, pair.low = 1.004, pair.high = 1.1; /* 1.00 would say otherwise */
    pair_line(&info, &pair, line);
    assert_string_equal(line, "reads: b takes 1.050 (1.004 .. 1.100) times as long as a");
    pair.ratio = 12, pair.low = 11, pair.high = 13;
    pair_line(&info, &pair, line);
    assert_string_equal(line, "reads: b takes 12.0 (11.0 .. 13.0) times as long as a");
}

/* Of several threads they may be for each other: then they are not left out of the row of one,
 * either. */
static void waits_of_several_threads_count(void **state)
{
    const struct run_info info = make_run(1, of_two_threads);

    begin(&info);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        add_slice(&cells[0], round, 200, 500000);
        add_slice(&cells[1], round, 150, 1333333);
    }
    end();
    near(pairs.all[0].ratio, 0.75);
    pairs_free(&pairs);
}

static double normal(struct rng *rng)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += (double)rng_below(rng, 1u << 20) / (1u << 20);
    return sum;
}

/* Runs of eight sizes and 12 rounds in which a slice is off by 5 %, and one in ten takes up to
 * twice as long; the second target takes `times` as long.  Returns in how many a difference is
 * shown. */
static unsigned count_shown(double times, unsigned runs)
{
    const struct run_info info = make_run(8, on_second);
    struct rng rng;
    unsigned shown = 0;

    rng_seed(&rng, 7, 0);
    for (unsigned run = 0; run < runs; run++) {
        begin(&info);
        for (unsigned round = 1; round <= 12; round++)
            for (unsigned i = 0; i < 16; i++) {
                double op_ns = 1000 * exp(0.05 * normal(&rng)) * (i < 8 ? 1 : times);
                if (rng_below(&rng, 10) == 0)
                    op_ns *= 1 + (double)rng_below(&rng, 1000) / 1000;
                add_slice(&cells[i], round, op_ns, 0);
            }
        end();
        shown += pairs.all[0].low > 1 || pairs.all[0].high < 1;
        pairs_free(&pairs);
    }
    return shown;
}

static void chance_is_rarely_taken_for_a_difference(void **state)
{
    unsigned shown;
    shown = count_shown(1, 1000); /* 95 % interval */
    assert_true(shown >= 5 && shown <= 50);
    assert_true(count_shown(1.05, 200) >= 190);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_another_program),
        cmocka_unit_test(rounds_are_matched_by_number),
        cmocka_unit_test(rows_that_differ_in_one_axis_are_pairs),
        cmocka_unit_test(waiting_for_a_processor_is_left_out),
        cmocka_unit_test(sentences_say_what_is_shown),
        cmocka_unit_test(sentences_name_what_all_rows_of_the_pair_are),
        cmocka_unit_test(waits_of_several_threads_count),
        cmocka_unit_test(chance_is_rarely_taken_for_a_difference),
    };

    log_set_level(LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
