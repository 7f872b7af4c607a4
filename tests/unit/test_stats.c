/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_stats.c - statistics against published numbers and values computed elsewhere with exact
 * integers: trend, correlation, outliers, and the summary with the interval of the mean. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
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

/* Numbers from the documentation of other benchmarks, recomputed. */
static void test_published(void **state)
{
    static const double mb_per_s[] = {32, 440, 352, 392, 416, 344, 400, 384, 408, 376};
    static const double write_iops[] = {4, 55, 44, 49, 52, 43, 50, 48, 51, 47};
    static const double read_iops[] = {54, 99, 82, 84, 88};
    double times[] = {13.642, 3.91824, 3.68479}, rates[3];
    close_to(stats_stddev(mb_per_s, 10), 116.851, 0.0005, "write MB/s");
    close_to(stats_stddev(write_iops, 10), 14.6063, 0.00005, "write IOPS");
    close_to(stats_stddev(read_iops, 5), 16.6673, 0.00005, "read IOPS");
    for (size_t i = 0; i < COUNT(times); i++)
        rates[i] = 1.37926e9 / times[i];
    close_to(stats_mean(times, 3), 7.08168, 0.000005, "mean time");
    close_to(stats_stddev(times, 3), 5.6826, 0.00005, "stddev of time");
    close_to(100 * stats_stddev(times, 3) / stats_mean(times, 3), 80.24, 0.005, "cv of time");
    /* Why times are summed and rates never averaged: the results differ by 42 %. */
    close_to(stats_mean(rates, 3) / 1e6, 275.809, 0.0005, "mean of rates");
    close_to(1.37926e9 / stats_mean(times, 3) / 1e6, 194.76, 0.005, "bytes by time");
    stats_sort(times, 3);
    equal(stats_median(times, 3), 3.91824, "median time");
}

static void test_small_arrays(void **state)
{
    static const double one[] = {5}, two[] = {4, 8}, four[] = {1, 2, 4, 100};
    double values[] = {3, -1, 2, 2, 1e9, 0};
    static const double ascending[] = {-1, 0, 2, 2, 3, 1e9};
    equal(stats_median(one, 1), 5, "median of one");
    equal(stats_median(two, 2), 6, "median of two");
    equal(stats_median(four, 4), 3, "median of four");
    equal(stats_stddev(one, 1), 0, "stddev of one");
    equal(stats_stddev(two, 2), sqrt(8.0), "stddev of two");
    equal(stats_mean(four, 4), 26.75, "mean of four");
    equal(stats_mann_kendall_z(two, 2), 0, "trend of two");
    equal(stats_linear_change(one, 1), 0, "change of one");
    equal(stats_linear_change(two, 2), 4, "change of two");
    assert_int_equal(stats_outliers(one, 1, 10), 0);
    stats_sort(values, COUNT(values));
    assert_memory_equal(values, ascending, sizeof(values));
}

/* A small spread around a large value must not be lost. */
static void test_stddev_of_large_values(void **state)
{
    static const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    equal(stats_stddev(values, 4), sqrt(30.0), "stddev of large values");
}

static void test_student(void **state)
{
    static const struct {
        size_t freedom;
        double t;
    } rows[] = {{1, 12.706205},   {2, 4.302653},     {3, 3.182446},  {4, 2.776445},
                {5, 2.570582},    {10, 2.228139},    {30, 2.042272}, {100, 1.983972},
                {1000, 1.962339}, {999999, 1.959966}};
    for (size_t i = 0; i < COUNT(rows); i++)
        close_to(stats_t_975(rows[i].freedom), rows[i].t,
                 rows[i].t * (rows[i].freedom < 9 ? 2e-3 : 1e-4), "Student's t");
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
    assert_non_null(values);
    for (size_t i = 0; i < COUNT(rows); i++)
        close_to(stats_mann_kendall_z(rows[i].values, rows[i].n), rows[i].z, 1e-12, rows[i].remark);
    /* A long series without ties, compared with counting all pairs. */
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

static double lag_of(const double *values, size_t n)
{
    static const double ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    double half, lag;

    stats_ratio(values, ones, n, &half, &lag);
    return lag;
}

static void test_linear_and_lag(void **state)
{
    static const double rising[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const double zigzag[] = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    static const double mixed[] = {3, 1, 2, 2, 5, 4, 4, 4, 7};
    static const double falling[] = {10, 2, 8, 4, 6}, constant[] = {3, 3, 3, 3};
    equal(stats_linear_change(rising, 10), 9, "rising");
    equal(stats_linear_change(mixed, 9), 4.133333333333334, "mixed");
    equal(stats_linear_change(falling, 5), -2.4, "falling");
    equal(stats_linear_change(constant, 4), 0, "constant");
    equal(lag_of(rising, 10), 0.7, "rising");
    equal(lag_of(zigzag, 10), -0.9, "zigzag");
    equal(lag_of(mixed, 9), 0.3102636534839924, "mixed");
    equal(lag_of(constant, 4), 0, "constant");
}

static void test_outliers(void **state)
{
    /* median 15, MAD 3: one unit of z is 4.4478 */
    static const double spike[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 1000};
    static const double both[] = {-1000, 11, 12, 13, 14, 15, 16, 17, 18, 19, 1000};
    static const double at_limit[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 15 + 44.47};
    static const double over_limit[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 15 + 44.49};
    static const double flat[] = {5, 5, 5, 5, 5, 5, 1000};
    assert_int_equal(stats_outliers(spike, 11, 10), 1);
    assert_int_equal(stats_outliers(both, 11, 10), 2);
    assert_int_equal(stats_outliers(at_limit, 11, 10), 0);
    assert_int_equal(stats_outliers(over_limit, 11, 10), 1);
    assert_int_equal(stats_outliers(spike, 11, 1), 2);
    assert_int_equal(stats_outliers(flat, 7, 10), 0); /* MAD 0: no scale */
}

/* Means and half widths below were computed by another program, with exact quantiles of t. */
#define T_OFF 1e-4

static struct stats_summary summarize(const double *rounds, const double *weights, size_t n)
{
    static double ones[100];

    for (size_t i = 0; i < COUNT(ones); i++)
        ones[i] = 1;
    return stats_summarize(rounds, weights ? weights : ones, n);
}

static void test_summary_independent(void **state)
{
    static const double rounds[] = {1012, 998, 1003, 1021, 989, 1007, 1001, 995, 1030, 1004, 1000};
    static const double weights[] = {10, 20, 10, 40, 10, 20, 10, 30, 10, 20, 10};
    struct stats_summary s = summarize(rounds, NULL, 11);
    equal(s.mean, 11060.0 / 11, "mean");
    close_to(s.high - s.mean, 7.899765, T_OFF * 8, "half width");
    close_to(s.mean - s.low, s.high - s.mean, 1e-9, "the other half");
    equal(s.best, 989, "best is the minimum");
    equal(s.stddev, 11.758942438532781, "stddev");
    assert_true(s.interval_known);
    assert_false(s.drift);
    assert_false(s.correlated);
    assert_int_equal(s.outliers, 0);
    s = summarize(rounds, weights, 11); /* elapsed time divided by operations */
    equal(s.mean, 1006.421052631579, "mean");
    close_to(s.high - s.mean, 9.412114, T_OFF * 10, "half width");
}

static void test_summary_few_rounds(void **state)
{
    static const double rounds[] = {7, 5, 9, 6, 8, 100};
    struct stats_summary s = summarize(rounds, NULL, 2);
    assert_false(s.interval_known);
    equal(s.mean, 6, "mean of two");
    s = summarize(rounds, NULL, 3);
    assert_true(s.interval_known);
    equal(s.mean, 7, "mean of three");
    close_to(s.high - s.mean, 4.968275, T_OFF * 5, "half width of three");
    s = summarize(rounds, NULL, 6);
    assert_int_equal(s.outliers, 1); /* included, and counted */
    equal(s.mean, 22.5, "mean of six");
    equal(s.low, 0, "no time is below 0");
    s = summarize(rounds, NULL, 1);
    assert_false(s.interval_known);
    equal(s.mean, 7, "mean of one");
    equal(s.best, 7, "best of one");
    equal(s.stddev, 0, "stddev of one");
}

static void test_summary_correlated(void **state)
{
    static const double wave[] = {100, 105, 109, 110, 109, 105, 100, 95, 91, 90, 91, 95};
    double rounds[24];
    struct stats_summary s;
    for (size_t i = 0; i < 24; i++)
        rounds[i] = wave[i % 12];
    s = summarize(rounds, NULL, 24);
    assert_true(s.correlated);
    assert_false(s.drift);
    equal(s.mean, 100, "mean of all rounds");
    close_to(s.high - s.mean, 13.558235, T_OFF * 14, "half width; plain 3.1");
    /* Eleven rounds are too few for this. */
    assert_false(summarize(rounds, NULL, 11).correlated);
}

/* How many of 1000 intervals contain the mean if rounds depend on the previous one: the figures of
 * iosweep-measuring(7) under `correlated`. */
static void test_coverage_of_correlated(void **state)
{
    static const struct {
        double lag;
        size_t n;
        double percent;
    } rows[] = {{0, 20, 96}, {0.5, 20, 90}, {0.5, 100, 96}, {0.8, 20, 82}, {0.8, 100, 93}};
    double rounds[100], noise = 0;
    struct rng rng;

    rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        double covered = 0;
        for (int run = 0; run < 1000; run++) {
            for (size_t k = 0; k < 50 + rows[i].n; k++) { /* the first 50 are warm-up */
                double normal = -6;
                for (int draw = 0; draw < 12; draw++)
                    normal += ldexp((double)(rng_next(&rng) >> 11), -53);
                noise = rows[i].lag * noise + normal;
                if (k >= 50)
                    rounds[k - 50] = 1000 + noise;
            }
            const struct stats_summary s = summarize(rounds, NULL, rows[i].n);
            covered += s.low <= 1000 && 1000 <= s.high;
        }
        close_to(covered / 10, rows[i].percent, 2, "intervals of 100 that cover the mean");
    }
}

/* For many rounds in long runs of equal values, only batches show the error of the mean. */
static void test_summary_batches(void **state)
{
    static const double runs[] = {100, 300, 90, 310, 80, 320, 70, 330};
    double rounds[64];
    struct stats_summary s;
    for (size_t i = 0; i < 64; i++)
        rounds[i] = runs[i / 8];
    s = summarize(rounds, NULL, 64);
    equal(s.mean, 200, "mean");
    close_to(s.high - s.mean, stats_t_975(7) * stats_stddev(runs, 8) / sqrt(8), 1e-9, "batches");
}

static void test_summary_drift(void **state)
{
    static const double restless[] = {100, 180, 90, 190, 100, 170, 120, 200, 130, 160, 150, 210};
    double rounds[72];
    struct stats_summary s;
    for (size_t i = 0; i < COUNT(rounds); i++)
        rounds[i] = 100 + (double)i;
    s = summarize(rounds, NULL, 72);
    assert_true(s.drift);
    assert_true(s.correlated);
    equal(s.mean, 135.5, "mean");
    close_to(s.high - s.mean, 21.436823, T_OFF * 22, "half width");
    /* The same clear trend, but below 10 % of the mean, is not drift. */
    for (size_t i = 0; i < COUNT(rounds); i++)
        rounds[i] += 1000;
    assert_false(summarize(rounds, NULL, 72).drift);
    /* Nor is a large change (34 % of the mean) without a clear trend (z = 1.37). */
    equal(stats_linear_change(restless, 12), 53.07692307692308, "restless");
    assert_false(summarize(restless, NULL, 12).drift);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_small_arrays),
        cmocka_unit_test(test_stddev_of_large_values),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_mann_kendall),
        cmocka_unit_test(test_linear_and_lag),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_summary_independent),
        cmocka_unit_test(test_summary_few_rounds),
        cmocka_unit_test(test_summary_correlated),
        cmocka_unit_test(test_coverage_of_correlated),
        cmocka_unit_test(test_summary_drift),
        cmocka_unit_test(test_summary_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
