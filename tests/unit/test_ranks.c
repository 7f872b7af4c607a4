/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_ranks.c - what comparisons are made of: tails of distributions and rank tests against
 * published values and against brute force, and the parts of a spread against their closed form. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>

#include "analysis/chance.h"
#include "analysis/ranks.h"
#include "analysis/spread.h"
#include "base/rng.h"
#include "base/stats.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void close_to(double value, double expected, double tolerance, const char *remark)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.12g instead of %.12g", remark, value, expected);
}

/* --- distributions -------------------------------------------------------------------------- */

/* Two-sided 5 % points, as printed in tables of Student's distribution. */
static void test_student(void **state)
{
    static const struct {
        double df, bound;
    } five[] = {{1, 12.7062},  {2, 4.30265},  {3, 3.18245},  {4, 2.77645},
                {10, 2.22814}, {30, 2.04227}, {120, 1.97993}};
    (void)state;
    for (size_t i = 0; i < COUNT(five); i++) {
        close_to(chance_student_bound(0.05, five[i].df), five[i].bound, 6e-5, "5 % point");
        close_to(chance_student(-five[i].bound, five[i].df), 0.05, 1e-6, "tail");
    }
    close_to(chance_student(1, 1), 0.5, 1e-14, "Cauchy");
    close_to(chance_student(0, 3), 1, 1e-14, "in the middle");
    /* df = 2 has a closed form: 1 - t / sqrt(2 + t^2), also far out and for tiny t */
    close_to(chance_student(0.001, 2), 1 - 0.001 / sqrt(2.000001), 1e-12, "near 0");
    close_to(chance_student(1e6, 2) / 1e-12, 1, 1e-6, "far out");
    close_to(chance_student(2.5, 1e7), chance_normal(2.5), 1e-7, "many degrees");
    assert_true(chance_student(INFINITY, 2) <= 0);
    close_to(chance_normal(1.959963985), 0.05, 1e-10, "normal");
    close_to(chance_student_bound(chance_student(3.7, 2.6), 2.6), 3.7, 1e-9, "there and back");
}

static void test_holm(void **state)
{
    double p[] = {0.01, NAN, 0.04, 0.03, 0.005, 0.9};
    static const double expected[] = {0.04, 0, 0.09, 0.09, 0.025, 0.9};
    (void)state;
    chance_holm(p, COUNT(p));
    for (size_t i = 0; i < COUNT(p); i++) {
        if (i == 1)
            assert_true(isnan(p[i]));
        else
            close_to(p[i], expected[i], 1e-12, "adjusted");
    }
    chance_holm(p, 0);
}

/* --- ranks ---------------------------------------------------------------------------------- */

static double uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(struct rng *rng)
{
    const double r = sqrt(-2 * log(uniform(rng)));
    return r * cos(6.283185307179586 * uniform(rng));
}

/* Hollander and Wolfe, table 4.1: permeability of membranes.  The Mann-Whitney statistic there is
 * 35 of 50, its two-sided chance 0.2544, the estimate 0.305. */
static void test_published_ranks(void **state)
{
    double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    const struct ranks_pair pair = {early, term, COUNT(early), COUNT(term)};
    struct ranks_shift shift;
    (void)state;
    stats_sort(term, COUNT(term));
    stats_sort(early, COUNT(early));
    shift = ranks_compare(&pair, 1);
    close_to(shift.p, 0.2544, 5e-5, "p");
    close_to(shift.shift, 0.305, 1e-12, "shift");
    assert_true(shift.low < 0 && shift.high > 0.305);
}

static void test_small_ranks(void **state)
{
    static const double low[] = {1, 2, 3}, high[] = {4, 5, 6}, ties[] = {1, 2, 2, 3},
                        tied[] = {2, 3, 4}, five[] = {7, 8, 9, 10, 11}, equal[] = {5, 5, 5, 5};
    const struct ranks_pair apart = {low, high, 3, 3}, some = {ties, tied, 4, 3},
                            more = {low, five, 3, 5}, none = {equal, equal, 4, 4},
                            two[] = {{low, high, 3, 3}, {low, low, 3, 3}};
    struct ranks_shift shift = ranks_compare(&apart, 1);
    (void)state;
    close_to(shift.p, 0.1, 1e-15, "2 of 20 arrangements");
    close_to(shift.least_p, shift.p, 1e-15, "no less is possible");
    close_to(shift.shift, 3, 0, "apart");
    assert_true(isnan(shift.low) && isnan(shift.high)); /* 3 and 3 cannot give 95 % */
    close_to(ranks_compare(&more, 1).p, 2 / 56.0, 1e-15, "2 of 56 arrangements");
    assert_true(!isnan(ranks_compare(&more, 1).low));
    /* U = 9.5 of 12, variance 12 / 12 * (8 - 30 / 42), continuity 1 / 2 */
    close_to(ranks_compare(&some, 1).p, 0.2663799233424826, 1e-12, "ties");
    close_to(ranks_compare(&some, 1).least_p, 2 / 35.0, 1e-15, "2 of 35 arrangements");
    /* pairs: each U is 4.5 off, weights 1 / 7, variance 9 / 12 / 7 each, step 1 / 14 */
    close_to(ranks_compare(two, 2).least_p, chance_normal((9 - 0.5) / 7 / sqrt(1.5 / 7)), 1e-12,
             "two pairs");
    close_to(ranks_compare(&none, 1).p, 1, 0, "all equal");
    close_to(ranks_compare(&none, 1).shift, 0, 0, "all equal");
}

/* Every order statistic of the differences, with ties, negative values and several pairs; and the
 * interval of 11 rounds each: k = floor(60.5 - 1.96 * sqrt(121 * 23 / 12)) = 30. */
static void test_differences(void **state)
{
    double values[4][13], all[500];
    struct rng rng;
    struct ranks_pair pairs[2] = {{values[0], values[1], 11, 11}, {values[2], values[3], 5, 13}};
    (void)state;
    rng_seed(&rng, 7, 7);
    for (int repeat = 0; repeat < 20; repeat++) {
        size_t n = 0;
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 13; j++)
                values[i][j] = repeat % 2 == 0 ? gauss(&rng) : floor(5 * uniform(&rng)) - 2;
        }
        for (size_t i = 0; i < 2; i++) {
            stats_sort(values[2 * i], pairs[i].before_count);
            stats_sort(values[2 * i + 1], pairs[i].after_count);
            for (size_t a = 0; a < pairs[i].before_count; a++) {
                for (size_t b = 0; b < pairs[i].after_count; b++)
                    all[n++] = pairs[i].after[b] - pairs[i].before[a];
            }
            if (i == 0) {
                struct ranks_shift shift = ranks_compare(pairs, 1);
                stats_sort(all, n);
                close_to(shift.shift, all[60], 1e-14, "median of 121");
                close_to(shift.low, all[30], 1e-14, "low");
                close_to(shift.high, all[90], 1e-14, "high");
            }
        }
        stats_sort(all, n);
        for (size_t k = 0; k < n; k++)
            close_to(ranks_difference(pairs, 2, (double)k), all[k], 1e-14, "order statistic");
    }
}

/* --- spread --------------------------------------------------------------------------------- */

#define CELLS 5
#define UNITS 3

/* A table of random values; its first cell is louder by that factor.  rest: M2, the mean square of
 * what is left without cells and units; common: variance of the units' means. */
static struct spread random_table(double noise, double loud, double *rest, double *common)
{
    struct spread spread = spread_new(CELLS, UNITS);
    struct rng rng;
    rng_seed(&rng, 11, 3);
    *rest = *common = 0.0;
    for (size_t side = 0; side < 2; side++) {
        double *x = spread.x + side * UNITS * CELLS, by_cell[CELLS] = {0}, by_unit[UNITS] = {0};
        double grand = 0.0;
        for (size_t i = 0; i < UNITS * CELLS; i++) {
            x[i] = 5 + 0.1 * gauss(&rng) * (i % CELLS == 0 ? loud : 1);
            by_cell[i % CELLS] += x[i] / UNITS;
            by_unit[i / CELLS] += x[i] / CELLS;
            grand += x[i] / (UNITS * CELLS);
        }
        for (size_t i = 0; i < UNITS * CELLS; i++) {
            const double shift = by_unit[i / CELLS] - grand;
            *rest += pow(x[i] - by_cell[i % CELLS] - shift, 2) / (2 * (UNITS - 1) * (CELLS - 1));
            *common += shift * shift / (2 * (UNITS - 1) * CELLS);
        }
    }
    for (size_t c = 0; c < CELLS; c++)
        spread.noise[c] = noise * (c == 0 ? loud : 1);
    spread_fit(&spread);
    return spread;
}

/* Equal noise: all weights are equal, and the parts those of a two-way table, whether the noise
 * explains less or more than there is. */
static void test_equal_cells(void **state)
{
    static const double noises[] = {1e-4, 10};
    (void)state;
    for (size_t i = 0; i < COUNT(noises); i++) {
        double rest, common, df, own = 0.0;
        struct spread spread = random_table(noises[i], 1, &rest, &common);
        close_to(spread.scale * (noises[i] * noises[i] + spread.extra), rest, 1e-9, "rest");
        close_to(spread.common, common, 1e-12, "common");
        close_to(spread_of_mean(&spread), common, 1e-12, "plain mean");
        for (size_t s = 0; s < 2 * UNITS; s++)
            own += pow(spread.x[s * CELLS + 1], 2) / (2 * (UNITS - 1));
        close_to(spread_of_cell(&spread, 1, &df), fmax(own, common + rest * (CELLS - 1) / CELLS),
                 1e-9, "cell");
        assert_true(df >= 2 * (UNITS - 1) && df <= 2 * (UNITS - 1) * CELLS);
        spread_free(&spread);
    }
}

/* A cell 50 times as loud whose rounds say so: the others have the spread that they had. */
static void test_loud_cell(void **state)
{
    double rest, common, df, quiet[CELLS];
    struct spread spread = random_table(0.1, 1, &rest, &common);
    (void)state;
    for (size_t c = 1; c < CELLS; c++)
        quiet[c] = spread_of_cell(&spread, c, &df);
    spread_free(&spread);
    spread = random_table(0.1, 50, &rest, &common);
    assert_true(rest > 1); /* where all cells count the same */
    for (size_t c = 1; c < CELLS; c++) {
        const double now = spread_of_cell(&spread, c, &df);
        assert_true(now < 2 * quiet[c] && now > quiet[c] / 2);
    }
    assert_true(spread_of_cell(&spread, 0, &df) > 1);
    spread_free(&spread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student),         cmocka_unit_test(test_holm),
        cmocka_unit_test(test_published_ranks), cmocka_unit_test(test_small_ranks),
        cmocka_unit_test(test_differences),     cmocka_unit_test(test_equal_cells),
        cmocka_unit_test(test_loud_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
