/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_stats.c - statistics against published numbers and values computed elsewhere with exact
 * integers: ranks of the interval of the median, trend, correlation, outliers, and the summary. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void close_to(double value, double expected, double tolerance, const char *remark)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.12g instead of %.12g", remark, value, expected);
}

static void equal(double value, double expected, const char *remark)
{
    close_to(value, expected, 1e-12 * fabs(expected), remark);
}

/* Numbers printed by other benchmarks' documentation, recomputed. */
static void test_published(void **state)
{
    static const double mb_per_s[] = {32, 440, 352, 392, 416, 344, 400, 384, 408, 376};
    static const double write_iops[] = {4, 55, 44, 49, 52, 43, 50, 48, 51, 47};
    static const double read_iops[] = {54, 99, 82, 84, 88};
    double times[] = {13.642, 3.91824, 3.68479}, rates[3];
    (void)state;
    close_to(stats_stddev(mb_per_s, 10), 116.851, 0.0005, "write MB/s");
    close_to(stats_stddev(write_iops, 10), 14.6063, 0.00005, "write IOPS");
    close_to(stats_stddev(read_iops, 5), 16.6673, 0.00005, "read IOPS");
    for (size_t i = 0; i < COUNT(times); i++)
        rates[i] = 1.37926e9 / times[i];
    close_to(stats_mean(times, 3), 7.08168, 0.000005, "mean time");
    close_to(stats_stddev(times, 3), 5.6826, 0.00005, "stddev of time");
    close_to(100 * stats_stddev(times, 3) / stats_mean(times, 3), 80.24, 0.005, "cv of time");
    /* Why times are summed and rates never averaged: the two differ by 42 %. */
    close_to(stats_mean(rates, 3) / 1e6, 275.809, 0.0005, "mean of rates");
    close_to(1.37926e9 / stats_mean(times, 3) / 1e6, 194.76, 0.005, "bytes by time");
    stats_sort(times, 3);
    equal(stats_median(times, 3), 3.91824, "median time");
}

static void test_small_arrays(void **state)
{
    static const double one[] = {5}, two[] = {4, 8}, four[] = {1, 2, 4, 100};
    double values[] = {3, -1, 2, 2, 1e9, 0}, scratch[8];
    static const double ascending[] = {-1, 0, 2, 2, 3, 1e9};
    (void)state;
    equal(stats_median(one, 1), 5, "median of one");
    equal(stats_median(two, 2), 6, "median of two");
    equal(stats_median(four, 4), 3, "median of four");
    equal(stats_stddev(one, 1), 0, "stddev of one");
    equal(stats_stddev(two, 2), sqrt(8.0), "stddev of two");
    equal(stats_mean(four, 4), 26.75, "mean of four");
    equal(stats_mann_kendall_z(two, 2), 0, "trend of two");
    equal(stats_lag1(two, 2), 0, "correlation of two");
    equal(stats_linear_change(one, 1), 0, "change of one");
    equal(stats_linear_change(two, 2), 4, "change of two");
    assert_int_equal(stats_outliers(one, 1, 10, scratch), 0);
    stats_sort(values, COUNT(values));
    assert_memory_equal(values, ascending, sizeof(values));
}

/* A small spread on a large value must not drown. */
static void test_stddev_of_large_values(void **state)
{
    static const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    (void)state;
    equal(stats_stddev(values, 4), sqrt(30.0), "stddev of large values");
}

static void test_median_ranks(void **state)
{
    static const struct {
        size_t first, last, rank;
    } rows[] = {
        {0, 5, 0},      {6, 8, 1},       {9, 11, 2},      {12, 14, 3},       {15, 16, 4},
        {17, 19, 5},    {20, 22, 6},     {23, 24, 7},     {25, 27, 8},       {28, 29, 9},
        {30, 32, 10},   {33, 34, 11},    {35, 35, 12},    {51, 51, 19},      {100, 100, 40},
        {101, 101, 41}, {500, 500, 228}, {999, 999, 469}, {1000, 1000, 469},
    };
    size_t before = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t n = rows[i].first; n <= rows[i].last; n++) {
            if (stats_median_rank(n) != rows[i].rank)
                fail_msg("n = %zu: rank %zu instead of %zu", n, stats_median_rank(n), rows[i].rank);
        }
    }
    /* Beyond where 2^-n can be held: grows slowly, never crosses the middle. */
    for (size_t n = 6; n < 5000; n++) {
        size_t rank = stats_median_rank(n);
        if (rank < before || rank > before + 1 || 2 * rank > n)
            fail_msg("n = %zu: rank %zu after %zu", n, rank, before);
        before = rank;
    }
    /* 0.975 quantile of the normal: n/2 - 0.98 sqrt(n), within 1. */
    close_to((double)stats_median_rank(100000), 50000 - 0.98 * sqrt(100000.0), 1.0, "n = 100000");
}

static void test_mann_kendall(void **state)
{
    static const struct {
        size_t n;
        double values[10], z;
        const char *remark;
    } rows[] = {
        {10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 3.9354796403996297, "rising: S = 45"},
        {5, {5, 4, 3, 2, 1}, -2.2045407685048604, "falling: S = -10"},
        {9, {3, 1, 2, 2, 5, 4, 4, 4, 7}, 2.033122668768302, "ties of 2 and 3: S = 20"},
        {5, {10, 2, 8, 4, 6}, -0.2449489742783178, "S = -2"},
        {4, {2, 2, 2, 2}, 0, "constant"},
        {4, {1, 3, 2, 1}, 0, "S = 0"},
    };
    enum { LONG = 3001 };
    double *values = calloc(LONG, sizeof(*values));
    double score = 0, n = LONG;
    (void)state;
    assert_non_null(values);
    for (size_t i = 0; i < COUNT(rows); i++)
        close_to(stats_mann_kendall_z(rows[i].values, rows[i].n), rows[i].z, 1e-12, rows[i].remark);
    /* A long series without ties against counting all pairs. */
    for (unsigned i = 0; i < LONG; i++)
        values[i] = (double)(i * 1231u % LONG) + 0.1 * i;
    for (unsigned i = 0; i < LONG; i++) {
        for (unsigned k = i + 1; k < LONG; k++)
            score += values[k] > values[i] ? 1 : -1;
    }
    assert_true(score > 1);
    close_to(stats_mann_kendall_z(values, LONG), (score - 1) / sqrt(n * (n - 1) * (2 * n + 5) / 18),
             1e-9, "long series");
    free(values);
}

static void test_linear_and_lag(void **state)
{
    static const double rising[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const double zigzag[] = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    static const double mixed[] = {3, 1, 2, 2, 5, 4, 4, 4, 7};
    static const double falling[] = {10, 2, 8, 4, 6}, constant[] = {3, 3, 3, 3};
    (void)state;
    equal(stats_linear_change(rising, 10), 9, "rising");
    equal(stats_linear_change(mixed, 9), 4.133333333333334, "mixed");
    equal(stats_linear_change(falling, 5), -2.4, "falling");
    equal(stats_linear_change(constant, 4), 0, "constant");
    equal(stats_lag1(rising, 10), 0.7, "rising");
    equal(stats_lag1(zigzag, 10), -0.9, "zigzag");
    equal(stats_lag1(mixed, 9), 0.3102636534839924, "mixed");
    equal(stats_lag1(constant, 4), 0, "constant");
}

static void test_outliers(void **state)
{
    /* median 15, MAD 3: one unit of z is 4.4478 */
    static const double spike[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 1000};
    static const double both[] = {-1000, 11, 12, 13, 14, 15, 16, 17, 18, 19, 1000};
    static const double at_limit[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 15 + 44.47};
    static const double over_limit[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 15 + 44.49};
    static const double flat[] = {5, 5, 5, 5, 5, 5, 1000};
    double scratch[11];
    (void)state;
    assert_int_equal(stats_outliers(spike, 11, 10, scratch), 1);
    assert_int_equal(stats_outliers(both, 11, 10, scratch), 2);
    assert_int_equal(stats_outliers(at_limit, 11, 10, scratch), 0);
    assert_int_equal(stats_outliers(over_limit, 11, 10, scratch), 1);
    assert_int_equal(stats_outliers(spike, 11, 1, scratch), 2); /* 10 and 19 are at z 1.12, 0.90 */
    assert_int_equal(stats_outliers(flat, 7, 10, scratch), 0);  /* MAD 0: no scale */
}

static void test_summary_independent(void **state)
{
    static const double rounds[] = {1012, 998, 1003, 1021, 989, 1007, 1001, 995, 1030, 1004, 1000};
    double copy[11], scratch[22];
    struct stats_summary s;
    (void)state;
    memcpy(copy, rounds, sizeof(copy));
    s = stats_summarize(copy, 11, scratch);
    assert_memory_equal(copy, rounds, sizeof(copy));
    equal(s.median, 1003, "median");
    equal(s.low, 995, "second of eleven");
    equal(s.high, 1021, "tenth of eleven");
    equal(s.best, 989, "best is the minimum");
    equal(s.stddev, 11.758942438532781, "stddev");
    assert_true(s.interval_known);
    assert_false(s.drift);
    assert_false(s.correlated);
    assert_int_equal(s.outliers, 0);
}

static void test_summary_few_rounds(void **state)
{
    static const double rounds[] = {7, 5, 9, 6, 8, 100};
    double scratch[12];
    struct stats_summary s = stats_summarize(rounds, 5, scratch);
    (void)state;
    assert_false(s.interval_known); /* 5 rounds reach only 93.75 % */
    equal(s.median, 7, "median of five");
    s = stats_summarize(rounds, 6, scratch);
    assert_true(s.interval_known);
    equal(s.low, 5, "first of six");
    equal(s.high, 100, "last of six");
    equal(s.median, 7.5, "median of six");
    assert_int_equal(s.outliers, 1); /* kept in the interval, counted */
    s = stats_summarize(rounds, 1, scratch);
    assert_false(s.interval_known);
    equal(s.median, 7, "median of one");
    equal(s.best, 7, "best of one");
    equal(s.stddev, 0, "stddev of one");
}

/* Two slow waves of twelve: averaged once, twelve values are left that pass the test. */
static void test_summary_correlated(void **state)
{
    static const double wave[] = {100, 105, 109, 110, 109, 105, 100, 95, 91, 90, 91, 95};
    double rounds[25], scratch[50];
    struct stats_summary s;
    (void)state;
    for (size_t i = 0; i < 24; i++)
        rounds[i + 1] = wave[i % 12];
    rounds[0] = 100;
    s = stats_summarize(rounds + 1, 24, scratch);
    assert_true(s.correlated);
    assert_true(s.interval_known);
    assert_false(s.drift);
    equal(s.median, 100, "median of all rounds");
    equal(s.low, 93, "third of twelve averages (plain: 95)");
    equal(s.high, 107, "tenth of twelve averages (plain: 105)");
    equal(s.stddev, 7.366197768538216, "stddev of all rounds");
    /* Odd number: the first one is left out of the averages, not of the rest. */
    rounds[0] = 85;
    s = stats_summarize(rounds, 25, scratch);
    assert_true(s.correlated);
    equal(s.low, 93, "third of twelve averages");
    equal(s.high, 107, "tenth of twelve averages");
    equal(s.best, 85, "best of all rounds");
    /* Eleven rounds are too few to tell. */
    assert_false(stats_summarize(rounds + 1, 11, scratch).correlated);
}

/* A steady rise: averaged three times, 48 -> 24 -> 12 -> 6. */
static void test_summary_drift(void **state)
{
    static const double restless[] = {100, 180, 90, 190, 100, 170, 120, 200, 130, 160, 150, 210};
    double rounds[48], scratch[96];
    struct stats_summary s;
    (void)state;
    for (size_t i = 0; i < COUNT(rounds); i++)
        rounds[i] = 100 + (double)i;
    s = stats_summarize(rounds, 48, scratch);
    assert_true(s.drift);
    assert_true(s.correlated);
    equal(s.median, 123.5, "median");
    equal(s.low, 103.5, "first of six averages");
    equal(s.high, 143.5, "last of six averages");
    /* The same trend, as clear but below 10 % of the median, is no drift. */
    for (size_t i = 0; i < COUNT(rounds); i++)
        rounds[i] += 1000;
    assert_false(stats_summarize(rounds, 48, scratch).drift);
    /* A large change (34 % of the median) without a clear trend (z = 1.37) is none either. */
    equal(stats_linear_change(restless, 12), 53.07692307692308, "restless");
    assert_false(stats_summarize(restless, 12, scratch).drift);
}

/* The interval of averages must hold the median of all rounds, whatever the shape. */
static void test_summary_interval_holds_median(void **state)
{
    static const double above[] = {100, 100, 100, 100, 300, 300, 300, 300, 300, 300, 200, 200, 200,
                                   200, 100, 100, 100, 100, 100, 100, 200, 200, 100, 100, 100};
    static const double below[] = {300, 300, 300, 300, 300, 100, 100, 100, 100, 100,
                                   100, 300, 300, 300, 300, 300, 300, 100, 100, 100,
                                   100, 100, 100, 300, 300, 300, 300, 300, 300, 200};
    double scratch[2 * COUNT(below)];
    struct stats_summary s = stats_summarize(above, COUNT(above), scratch);
    (void)state;
    assert_true(s.correlated);
    equal(s.median, 100, "median of all rounds");
    equal(s.low, 100, "the least of six averages is 125");
    equal(s.high, 300, "the largest of six averages");
    s = stats_summarize(below, COUNT(below), scratch);
    assert_true(s.correlated);
    equal(s.median, 300, "median of all rounds");
    equal(s.low, 100, "the least of seven averages");
    equal(s.high, 300, "the largest of seven averages is 275");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_small_arrays),
        cmocka_unit_test(test_stddev_of_large_values),
        cmocka_unit_test(test_median_ranks),
        cmocka_unit_test(test_mann_kendall),
        cmocka_unit_test(test_linear_and_lag),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_summary_independent),
        cmocka_unit_test(test_summary_few_rounds),
        cmocka_unit_test(test_summary_correlated),
        cmocka_unit_test(test_summary_drift),
        cmocka_unit_test(test_summary_interval_holds_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
