/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_reference.c - comparing in units of a reference: what a change of the machine's speed does
 * to rows that are bound by the processor is taken away, and nothing else is. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "analysis/compare.h"
#include "analysis/reference.h"

#define ROUNDS 24

/* Times of a sweep: factor 1000 ns, times the speed of the machine in each round, times 0.2 % of
 * noise that two sweeps do not share. */
struct sweep {
    double round_ns[ROUNDS], reference_ns[ROUNDS];
};

static double noise(unsigned i, unsigned seed)
{
    return 1 + 0.0002 * (double)((i * 7 + seed * 5 + i * i * seed) % 21) - 0.002;
}

static struct compare_sample make(struct sweep *sweep, double op_ns, const double *speeds,
                                  unsigned speed_count, unsigned seed)
{
    double sorted[2][ROUNDS];
    for (unsigned i = 0; i < ROUNDS; i++) {
        const double speed = speeds[i % speed_count];
        sweep->round_ns[i] = sorted[0][i] = op_ns * speed * noise(i, seed);
        sweep->reference_ns[i] = sorted[1][i] = 600 * speed * noise(i, seed + 3);
    }
    for (unsigned k = 0; k < 2; k++) /* straight insertion */
        for (unsigned i = 1; i < ROUNDS; i++)
            for (unsigned j = i; j > 0 && sorted[k][j] < sorted[k][j - 1]; j--) {
                const double held = sorted[k][j];
                sorted[k][j] = sorted[k][j - 1];
                sorted[k][j - 1] = held;
            }
    return (struct compare_sample){
        .round_ns = sweep->round_ns,
        .round_count = ROUNDS,
        .median_ns = (sorted[0][ROUNDS / 2 - 1] + sorted[0][ROUNDS / 2]) / 2,
        .low_ns = NAN,
        .high_ns = NAN,
        .reference_ns = (sorted[1][ROUNDS / 2 - 1] + sorted[1][ROUNDS / 2]) / 2,
        .reference_round_ns = sweep->reference_ns,
        .bound = true,
    };
}

static struct compare_cell judge(const struct compare_sample *samples)
{
    struct compare_cell cell = {.before = &samples[0], .after = &samples[1]};
    struct compare_overall overall;
    compare_judge(&cell, 1, 1, 0.02, &overall, 1);
    assert_ptr_equal(cell.before, &samples[0]); /* as they were given */
    assert_ptr_equal(cell.after, &samples[1]);
    assert_int_equal(cell.is.verdict, overall.is.verdict);
    return cell;
}

static void test_bound(void **state)
{
    (void)state;
    assert_true(reference_bound(900, 1000, 1));
    assert_true(reference_bound(800, 1000, 1));
    assert_false(reference_bound(790, 1000, 1));
    assert_false(reference_bound(900, 1000, 2)); /* each thread waits for half of its time */
    assert_true(reference_bound(1900, 1000, 2));
    assert_false(reference_bound(NAN, 1000, 1));
    assert_false(reference_bound(900, NAN, 1));
    assert_false(reference_bound(900, 0, 1));
}

/* A machine that is slower by 5 % in the new sweep; and by so much that the reference does not tell
 * all of what that does. */
static void test_speed_between_sweeps(void **state)
{
    static const double usual[] = {1}, slow[] = {1.05};
    struct sweep sweeps[2];
    struct compare_sample samples[2];
    struct compare_cell cell;
    (void)state;
    samples[0] = make(&sweeps[0], 1000, usual, 1, 1);
    samples[1] = make(&sweeps[1], 1000, slow, 1, 2);
    cell = judge(samples);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
    assert_true(fabs(cell.is.ratio - 1) < 0.005);
    assert_true(fabs(cell.measured_ratio - 1.05) < 0.005);
    assert_true(fabs(cell.reference_ratio - 1.05) < 0.005);
    assert_true(fabs(cell.before_ns - samples[0].median_ns) < 1e-9);
    assert_true(fabs(cell.shifted_ns / cell.before_ns - cell.is.ratio) < 1e-12);
    assert_false(cell.medians_disagree);
    samples[1] = make(&sweeps[1], 1060, slow, 1, 2); /* and a slower program */
    cell = judge(samples);
    assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
    assert_true(fabs(cell.is.ratio - 1.06) < 0.005);
    samples[1] = make(&sweeps[1], 1000 / 1.05, slow, 1, 2); /* hidden by the slower machine */
    cell = judge(samples);
    assert_int_equal(cell.is.verdict, COMPARE_FASTER);
    assert_true(fabs(cell.measured_ratio - 1) < 0.005);
    samples[1] = make(&sweeps[1], 2080, usual, 1, 2);
    for (unsigned i = 0; i < ROUNDS; i++)
        sweeps[1].reference_ns[i] *= 2;
    samples[1].reference_ns *= 2;
    cell = judge(samples);
    assert_int_equal(cell.is.verdict, COMPARE_UNCLEAR);
    assert_true(fabs(cell.is.ratio - 1.04) < 0.005);
}

/* What waits for a device, or has no reference on one side, is compared as it was measured. */
static void test_without(void **state)
{
    static const double usual[] = {1}, slow[] = {1.3};
    struct sweep sweeps[2];
    struct compare_sample samples[2];
    struct compare_cell cell;
    (void)state;
    for (int i = 0; i < 4; i++) {
        samples[0] = make(&sweeps[0], 1000, usual, 1, 1);
        samples[1] = make(&sweeps[1], 1000, slow, 1, 2);
        if (i < 2)
            samples[i].bound = false;
        else
            samples[i - 2].reference_ns = i == 2 ? NAN : 0;
        cell = judge(samples);
        assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
        assert_true(fabs(cell.is.ratio - 1.3) < 0.005);
        assert_true(isnan(cell.measured_ratio) && isnan(cell.reference_ratio));
    }
}

/* A round without a reference is no reason to divide by nothing: the median serves all of them. */
static void test_round_without(void **state)
{
    static const double turns[] = {1, 1, 1.5, 1, 1.5};
    static const double none[] = {0, -1, NAN, INFINITY};
    struct sweep sweeps[2];
    struct compare_sample samples[2];
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct compare_cell cell, by_median;

        samples[0] = make(&sweeps[0], 1000, turns, 5, 1);
        samples[1] = make(&sweeps[1], 1000, turns, 5, 2);
        sweeps[i % 2].reference_ns[i] = none[i];
        cell = judge(samples);
        samples[i % 2].reference_round_ns = NULL;
        by_median = judge(samples);
        assert_true(isfinite(cell.is.ratio));
        assert_true(cell.is.ratio == by_median.is.ratio);
        assert_true(cell.is.low == by_median.is.low && cell.is.high == by_median.is.high);
    }
}

/* A machine of two speeds: each round by its own reference is as good as on a quiet one. */
static void test_speed_within_sweeps(void **state)
{
    static const double turns[] = {1, 1, 1.5, 1, 1.5}, others[] = {1, 1.5, 1, 1.5, 1, 1};
    struct sweep sweeps[2];
    struct compare_sample samples[2];
    struct compare_cell cell;
    (void)state;
    samples[0] = make(&sweeps[0], 1000, turns, 5, 1);
    samples[1] = make(&sweeps[1], 1000, others, 6, 2);
    cell = judge(samples);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
    assert_true(cell.is.low > 0.98 && cell.is.high < 1.02);
    assert_true(cell.is.high / cell.is.low < 1.02);
    samples[1] = make(&sweeps[1], 1000, others + 1, 1, 2); /* only at the slower speed */
    cell = judge(samples);
    assert_true(cell.measured_ratio > 1.4 && fabs(cell.is.ratio - 1) < 0.005);
}

/* A reference that is noisier than what it is for is used by its median. */
static void test_noisy_reference(void **state)
{
    static const double usual[] = {1}, slow[] = {1.05};
    struct sweep sweeps[2];
    struct compare_sample samples[2];
    struct compare_cell cell;
    (void)state;
    samples[0] = make(&sweeps[0], 1000, usual, 1, 1);
    samples[1] = make(&sweeps[1], 1000, slow, 1, 2);
    for (unsigned s = 0; s < 2; s++)
        for (unsigned i = 0; i < ROUNDS; i++)
            sweeps[s].reference_ns[i] *= i % 2 == 0 ? 0.8 : 1.25;
    cell = judge(samples);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
    assert_true(cell.is.low > 0.98 && cell.is.high < 1.02);
    sweeps[1].reference_ns[5] = 0; /* not known there */
    assert_int_equal(judge(samples).is.verdict, COMPARE_SAME);
}

/* Files without rounds have medians of both. */
static void test_medians(void **state)
{
    const struct compare_sample samples[] = {
        {.median_ns = 1000, .low_ns = 999, .high_ns = 1001, .reference_ns = 500, .bound = true},
        {.median_ns = 1050, .low_ns = 1049, .high_ns = 1051, .reference_ns = 525, .bound = true}};
    const struct compare_cell cell = judge(samples);
    (void)state;
    assert_int_equal(cell.is.evidence, COMPARE_INTERVALS);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
    assert_true(fabs(cell.is.ratio - 1) < 1e-12);
    assert_true(fabs(cell.measured_ratio - 1.05) < 1e-12);
    assert_true(cell.is.low < 1 && cell.is.high > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_speed_between_sweeps),
        cmocka_unit_test(test_without),
        cmocka_unit_test(test_round_without),
        cmocka_unit_test(test_speed_within_sweeps),
        cmocka_unit_test(test_noisy_reference),
        cmocka_unit_test(test_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
