/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_summaries.c - summaries over loops and repeats: figures computed elsewhere, and the rows
 * they include. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "report/summaries/summaries.h"

#define CELLS 12

static struct cell cells[CELLS];

/* Two sizes in each part; parts for 3 loops of a step that is repeated twice in each. */
static struct run_info make_run(struct settings *settings)
{
    static struct engine engine = {.name = "posix"};

    *settings = (struct settings){.loops = 3, .repeats = 2, .tests = {.count = 1}};
    for (unsigned i = 0; i < CELLS; i++)
        cells[i] = (struct cell){.index = i,
                                 .part = i / 2,
                                 .step = 1,
                                 .loop = i / 4 + 1,
                                 .repeat = i / 2 % 2 + 1,
                                 .threads = 1,
                                 .engine = &engine,
                                 .work = {.test = TEST_READ, .size_bytes = 1000 + i % 2}};
    return (struct run_info){
        .settings = settings, .cells = cells, .cell_count = CELLS, .part_count = CELLS / 2};
}

static void add(struct summaries *summaries, unsigned cell, enum result_state state,
                uint64_t operations, uint64_t time_ns)
{
    static struct result result; /* histograms are large */

    memset(&result, 0, sizeof(result));
    result.cell = &cells[cell];
    result.state = state;
    result.notes = cells[cell].repeat == 1 ? NOTE_COLD : 0;
    result.sum.tally.operations = operations;
    result.sum.time_ns = time_ns;
    summaries_add(summaries, &result);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 5e-6 * fabs(b);
}

/* Three reads of 1.37926e9 bytes, as printed by a file system benchmark. */
static void figures_are_those_of_the_rows(void **state)
{
    static const uint64_t times_ns[] = {13642000000, 3918240000, 3684790000};
    struct summary_figure time, rate, throughput;
    struct summaries summaries = {.count = 0};
    struct settings settings;
    struct run_info info = make_run(&settings);
    (void)state;
    for (unsigned i = 0; i < CELLS; i++)
        cells[i].work.size_bytes = 1379260000;
    summaries_begin(&summaries, &info);
    for (unsigned i = 0; i < 3; i++)
        add(&summaries, 4 * i, RESULT_CLOSED, 1, times_ns[i]);
    time = summary_figure(&summaries.all[0], SUMMARY_TIME);
    rate = summary_figure(&summaries.all[0], SUMMARY_RATE);
    throughput = summary_figure(&summaries.all[0], SUMMARY_THROUGHPUT);
    assert_int_equal(time.count, 3);
    assert_true(near(time.mean, 7.08168));
    assert_true(near(time.median, 3.91824));
    assert_true(fabs(time.stddev - 5.6826) < 5e-5);
    assert_true(fabs(time.cv - 0.8024) < 5e-5);
    assert_true(near(time.min, 3.68479));
    assert_true(near(time.max, 13.642));
    assert_true(fabs(throughput.mean - 275.809e6) < 5e2);
    assert_true(fabs(summary_overall(&summaries.all[0], SUMMARY_THROUGHPUT) - 194.76e6) < 5e3);
    assert_true(near(rate.mean, (1 / 13.642 + 1 / 3.91824 + 1 / 3.68479) / 3));
    assert_true(
        near(summary_overall(&summaries.all[0], SUMMARY_RATE), 3 / (13.642 + 3.91824 + 3.68479)));
    summaries_free(&summaries);
}

static void loops_and_repeats_are_one_group(void **state)
{
    struct summaries summaries = {.count = 0};
    struct settings settings;
    struct run_info info = make_run(&settings);
    (void)state;
    summaries_begin(&summaries, &info);
    assert_int_equal(summaries.count, 2); /* the sizes */
    for (unsigned i = 0; i < CELLS; i++)
        add(&summaries, i,
            i == 5   ? RESULT_INCOMPLETE
            : i == 7 ? RESULT_SKIPPED
                     : RESULT_CLOSED,
            10, 1000);
    assert_ptr_equal(summaries.all[0].cell, &cells[0]);
    assert_int_equal(summaries.all[0].rows, 6);
    assert_int_equal(summaries.all[0].cold, 3);
    assert_int_equal(summaries.all[0].left_out, 0);
    assert_int_equal(summaries.all[0].operations, 60);
    assert_int_equal(summaries.all[0].bytes, 60000);
    assert_int_equal(summaries.all[0].time_ns, 6000);
    assert_int_equal(summaries.all[1].rows, 4);
    assert_int_equal(summaries.all[1].cold, 2);
    assert_int_equal(summaries.all[1].left_out, 2);
    assert_int_equal(summaries.all[1].bytes, 40040);
    summaries_free(&summaries);

    /* Another step, or another cache mode, is another group. */
    for (unsigned i = 0; i < CELLS; i++)
        cells[i].step = i / 2 % 2 + 1;
    summaries_begin(&summaries, &info);
    assert_int_equal(summaries.count, 4);
    summaries_free(&summaries);
    for (unsigned i = 0; i < CELLS; i++)
        cells[i].work.cache = i < 4 ? CACHE_CACHED : CACHE_DIRECT;
    summaries_begin(&summaries, &info);
    assert_int_equal(summaries.count, 8);
    summaries_free(&summaries);
}

static void one_row_has_no_spread(void **state)
{
    double values[] = {5, 1, 3, 4};
    struct summary summary = {.values = {values}};
    struct summary_figure none, one, four;
    (void)state;
    none = summary_figure(&summary, SUMMARY_TIME);
    summary.counts[SUMMARY_TIME] = 1;
    one = summary_figure(&summary, SUMMARY_TIME);
    summary.counts[SUMMARY_TIME] = 4;
    four = summary_figure(&summary, SUMMARY_TIME);
    assert_int_equal(none.count, 0);
    assert_true(one.mean == 5 && one.median == 5 && one.min == 5 && one.max == 5);
    assert_true(one.stddev < 0 && one.cv < 0);
    assert_true(four.mean == 3.25 && four.median == 3.5 && four.min == 1 && four.max == 5);
    assert_true(near(four.stddev, 1.707825));
}

static void what_is_measured_once_is_not_summed_up(void **state)
{
    struct summaries summaries = {.count = 0};
    struct settings settings;
    struct run_info info = make_run(&settings);
    (void)state;
    settings.loops = settings.repeats = 1;
    summaries_begin(&summaries, &info);
    add(&summaries, 0, RESULT_CLOSED, 1, 1);
    assert_int_equal(summaries.count, 0);
    summaries_free(&summaries);
}

/* Each is a part and represents its position in the file. */
static void rows_of_fill_are_told_apart(void **state)
{
    struct summaries summaries = {.count = 0};
    struct settings settings;
    struct run_info info = make_run(&settings);
    (void)state;
    for (unsigned i = 0; i < CELLS; i++) {
        cells[i].part = i;
        cells[i].loop = i / 4 + 1;
        cells[i].repeat = 1;
        cells[i].fills = true;
        cells[i].work.size_bytes = 1000;
        cells[i].place_first = 8 * (i % 4);
    }
    summaries_begin(&summaries, &info);
    assert_int_equal(summaries.count, 4);
    for (unsigned i = 0; i < CELLS; i++)
        assert_int_equal(summaries.group[i], i % 4);
    summaries_free(&summaries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_rows),
        cmocka_unit_test(loops_and_repeats_are_one_group),
        cmocka_unit_test(one_row_has_no_spread),
        cmocka_unit_test(what_is_measured_once_is_not_summed_up),
        cmocka_unit_test(rows_of_fill_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
