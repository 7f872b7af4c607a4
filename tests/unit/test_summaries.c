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
static struct result results[CELLS];
static const struct result *rows[CELLS];
static unsigned row_count;
static struct settings settings;
static struct run_info info;
static struct summary summary; /* the last one */

/* Two sizes in each part; parts for 3 loops of a step that is repeated twice in each. */
static int set_up(void **state)
{
    static struct engine engine = {.name = "posix"};

    settings = (struct settings){.loops = 3, .repeats = 2, .tests = {.count = 1}};
    for (unsigned i = 0; i < CELLS; i++)
        cells[i] = (struct cell){.index = i,
                                 .part = i / 2,
                                 .step = 1,
                                 .loop = i / 4 + 1,
                                 .repeat = i / 2 % 2 + 1,
                                 .threads = 1,
                                 .engine = &engine,
                                 .work = {.test = TEST_READ, .size_bytes = 1000 + i % 2}};
    row_count = 0;
    info = (struct run_info){.settings = &settings,
                             .cells = cells,
                             .cell_count = CELLS,
                             .rows = rows,
                             .row_count = &row_count};
    return 0;
}

static void add(unsigned cell, enum result_state result_state, uint64_t operations,
                uint64_t time_ns)
{
    struct result *result = &results[row_count];

    memset(result, 0, sizeof(*result));
    result->cell = &cells[cell];
    result->state = result_state;
    result->notes = cells[cell].repeat == 1 ? NOTE_COLD : 0;
    result->sum.tally.operations = operations;
    result->sum.time_ns = time_ns;
    rows[row_count++] = result;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 5e-6 * fabs(b);
}

/* Three reads of 1.37926e9 bytes, as printed by a file system benchmark. */
static void figures_are_those_of_the_rows(void **state)
{
    static const uint64_t times_ns[] = {13642000000, 3918240000, 3684790000};
    struct summary_figure time;
    unsigned next = 0;
    for (unsigned i = 0; i < CELLS; i++)
        cells[i].work.size_bytes = 1379260000;
    for (unsigned i = 0; i < 3; i++)
        add(4 * i, RESULT_CLOSED, 1, times_ns[i]);
    assert_true(summary_next(&info, &next, &summary));
    time = summary.figures[SUMMARY_TIME];
    assert_int_equal(time.count, 3);
    assert_true(near(time.mean, 7.08168));
    assert_true(near(time.median, 3.91824));
    assert_true(fabs(time.stddev - 5.6826) < 5e-5);
    assert_true(fabs(time.cv - 0.8024) < 5e-5);
    assert_true(near(time.min, 3.68479));
    assert_true(near(time.max, 13.642));
    assert_true(fabs(summary.figures[SUMMARY_THROUGHPUT].mean - 275.809e6) < 5e2);
    assert_true(fabs(summary.throughput - 194.76e6) < 5e3);
    assert_true(
        near(summary.figures[SUMMARY_RATE].mean, (1 / 13.642 + 1 / 3.91824 + 1 / 3.68479) / 3));
    assert_true(near(summary.rate, 3 / (13.642 + 3.91824 + 3.68479)));
    assert_false(summary_next(&info, &next, &summary));
}

static unsigned count_groups(void)
{
    unsigned groups = 0;

    for (unsigned next = 0; summary_next(&info, &next, &summary);)
        groups++;
    return groups;
}

static void loops_and_repeats_are_one_group(void **state)
{
    unsigned next = 0;
    for (unsigned i = 0; i < CELLS; i++)
        add(i, i == 5 ? RESULT_INCOMPLETE : i == 7 ? RESULT_SKIPPED : RESULT_CLOSED, 10, 1000);
    assert_true(summary_next(&info, &next, &summary)); /* a size */
    assert_ptr_equal(summary.cell, &cells[0]);
    assert_int_equal(summary.rows, 6);
    assert_int_equal(summary.cold, 3);
    assert_int_equal(summary.left_out, 0);
    assert_int_equal(summary.operations, 60);
    assert_int_equal(summary.bytes, 60000);
    assert_int_equal(summary.time_ns, 6000);
    assert_true(summary_next(&info, &next, &summary));
    assert_int_equal(summary.rows, 4);
    assert_int_equal(summary.cold, 2);
    assert_int_equal(summary.left_out, 2);
    assert_int_equal(summary.bytes, 40040);
    assert_false(summary_next(&info, &next, &summary));

    /* Another step, or another cache mode, is another group. */
    for (unsigned i = 0; i < CELLS; i++)
        cells[i].step = i / 2 % 2 + 1;
    assert_int_equal(count_groups(), 4);
    for (unsigned i = 0; i < CELLS; i++)
        cells[i].work.cache = i < 4 ? CACHE_CACHED : CACHE_DIRECT;
    assert_int_equal(count_groups(), 8);
}

static void one_row_has_no_spread(void **state)
{
    static const unsigned seconds[] = {5, 1, 3, 4};
    struct summary_figure time;
    unsigned next = 0;
    add(0, RESULT_SKIPPED, 0, 0);
    assert_true(summary_next(&info, &next, &summary));
    assert_int_equal(summary.figures[SUMMARY_TIME].count, 0);
    row_count = next = 0;
    add(0, RESULT_CLOSED, 1, seconds[0] * UINT64_C(1000000000));
    assert_true(summary_next(&info, &next, &summary));
    time = summary.figures[SUMMARY_TIME];
    assert_true(time.mean == 5 && time.median == 5 && time.min == 5 && time.max == 5);
    assert_true(time.stddev < 0 && time.cv < 0);
    for (unsigned i = 1; i < 4; i++)
        add(2 * i, RESULT_CLOSED, 1, seconds[i] * UINT64_C(1000000000));
    next = 0;
    assert_true(summary_next(&info, &next, &summary));
    time = summary.figures[SUMMARY_TIME];
    assert_true(time.mean == 3.25 && time.median == 3.5 && time.min == 1 && time.max == 5);
    assert_true(near(time.stddev, 1.707825));
}

static void what_is_measured_once_is_not_summed_up(void **state)
{
    settings.loops = settings.repeats = 1;
    add(0, RESULT_CLOSED, 1, 1);
    assert_int_equal(count_groups(), 0);
}

/* Each is a part and represents its position in the file. */
static void rows_of_fill_are_told_apart(void **state)
{
    unsigned next = 0;
    for (unsigned i = 0; i < CELLS; i++) {
        cells[i].part = i;
        cells[i].loop = i / 4 + 1;
        cells[i].repeat = 1;
        cells[i].fills = true;
        cells[i].work.size_bytes = 1000;
        cells[i].place_first = 8 * (i % 4);
        add(i, RESULT_CLOSED, 1, 1);
    }
    for (unsigned i = 0; i < 4; i++) {
        assert_true(summary_next(&info, &next, &summary));
        assert_int_equal(summary.cell->place_first, 8 * i);
        assert_int_equal(summary.rows, 3);
    }
    assert_false(summary_next(&info, &next, &summary));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(figures_are_those_of_the_rows, set_up),
        cmocka_unit_test_setup(loops_and_repeats_are_one_group, set_up),
        cmocka_unit_test_setup(one_row_has_no_spread, set_up),
        cmocka_unit_test_setup(what_is_measured_once_is_not_summed_up, set_up),
        cmocka_unit_test_setup(rows_of_fill_are_told_apart, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
