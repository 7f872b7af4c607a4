/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_compare.c - verdicts on sweeps: tails of distributions and rank tests against published
 * values and against brute force; each rule of a verdict on its own; and, by simulation with fixed
 * seeds, that false alarms stay below 5 % of comparisons however much sweeps differ from each
 * other, and that a change of 5 % is found. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "run/stats.h"
#include "study/chance.h"
#include "study/compare.h"
#include "study/ranks.h"

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
                            more = {low, five, 3, 5}, none = {equal, equal, 4, 4};
    struct ranks_shift shift = ranks_compare(&apart, 1);
    (void)state;
    close_to(shift.p, 0.1, 1e-15, "2 of 20 arrangements");
    close_to(shift.shift, 3, 0, "apart");
    assert_true(isnan(shift.low) && isnan(shift.high)); /* 3 and 3 cannot give 95 % */
    close_to(ranks_compare(&more, 1).p, 2 / 56.0, 1e-15, "2 of 56 arrangements");
    assert_true(!isnan(ranks_compare(&more, 1).low));
    /* U = 9.5 of 12, variance 12 / 12 * (8 - 30 / 42), continuity 1 / 2 */
    close_to(ranks_compare(&some, 1).p, 0.2663799233424826, 1e-12, "ties");
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

/* --- verdicts ------------------------------------------------------------------------------- */

#define NOTHING_KNOWN          \
    {                          \
        NULL, 0, NAN, NAN, NAN \
    }

static struct compare_cell judge_one(const struct compare_sample *before,
                                     const struct compare_sample *after, unsigned pairs,
                                     struct compare_overall *overall)
{
    struct compare_cell cell = {.before = before, .after = after};
    compare_judge(&cell, 1, pairs, 0.02, overall, 1);
    return cell;
}

static void test_intervals_only(void **state)
{
    const struct compare_sample old = {NULL, 0, 100, 98, 103}, slower = {NULL, 0, 110, 108, 112},
                                near = {NULL, 0, 106, 104, 109}, faster = {NULL, 0, 90, 89, 91};
    struct compare_overall overall;
    struct compare_cell cell = judge_one(&old, &slower, 1, &overall);
    (void)state;
    assert_int_equal(cell.is.evidence, COMPARE_INTERVALS);
    assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
    close_to(cell.is.ratio, 1.1, 1e-12, "ratio");
    close_to(cell.is.low, 108 / 103.0, 1e-12, "low");
    close_to(cell.is.high, 112 / 98.0, 1e-12, "high");
    assert_true(isnan(cell.is.p));
    assert_int_equal(overall.is.verdict, COMPARE_SLOWER);
    close_to(overall.is.low, 108 / 103.0, 1e-12, "low overall");
    /* beyond 1, but not beyond the tolerance */
    assert_int_equal(judge_one(&old, &near, 1, &overall).is.verdict, COMPARE_SAME);
    assert_int_equal(judge_one(&old, &faster, 1, &overall).is.verdict, COMPARE_FASTER);
    assert_int_equal(overall.counts[COMPARE_FASTER], 1);
}

static void test_no_interval(void **state)
{
    static const double rounds[] = {100, 101, 99};
    const struct compare_sample old = {NULL, 0, 100, NAN, NAN}, new = {NULL, 0, 500, NAN, NAN},
                                unknown = NOTHING_KNOWN, few = {rounds, 3, 100, NAN, NAN};
    struct compare_overall overall;
    struct compare_cell cell = judge_one(&old, &new, 1, &overall);
    (void)state;
    assert_int_equal(cell.is.evidence, COMPARE_RATIO);
    assert_int_equal(cell.is.verdict, COMPARE_UNKNOWN);
    close_to(cell.is.ratio, 5, 1e-12, "ratio");
    assert_true(isnan(cell.is.low) && isnan(cell.is.p));
    close_to(overall.is.ratio, 5, 1e-12, "overall");
    assert_int_equal(overall.is.verdict, COMPARE_UNKNOWN);
    assert_int_equal(judge_one(&few, &new, 1, &overall).is.evidence, COMPARE_RATIO);
    cell = judge_one(&old, &unknown, 1, &overall);
    assert_int_equal(cell.is.evidence, COMPARE_NOTHING);
    assert_true(isnan(cell.is.ratio) && isnan(cell.after_ns) && isnan(overall.is.ratio));
    assert_int_equal(overall.counts[COMPARE_UNKNOWN], 1);
}

#define ROUNDS 15

/* A sweep of one cell: base with that share of noise. */
static struct compare_sample sweep_of(double *round_ns, double base, double noise, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed, 0);
    for (int i = 0; i < ROUNDS; i++)
        round_ns[i] = base * exp(noise * gauss(&rng));
    return (struct compare_sample){round_ns, ROUNDS, base, NAN, NAN};
}

static struct compare_sample sweep(double *round_ns, double base, uint64_t seed)
{
    return sweep_of(round_ns, base, 0.002, seed);
}

/* What would be certain if sweeps did not differ anyway: a single pair that is noisy has no verdict
 * but for large differences. */
static void test_single_pairs_are_not_trusted(void **state)
{
    double rounds[2][ROUNDS];
    struct compare_sample samples[2];
    struct compare_overall overall;
    struct compare_cell cell;
    (void)state;
    samples[0] = sweep_of(rounds[0], 1000, 0.02, 1);
    samples[1] = sweep_of(rounds[1], 1060, 0.02, 2);
    cell = judge_one(&samples[0], &samples[1], 1, &overall);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
    assert_int_equal(overall.is.verdict, COMPARE_SAME);
    assert_true(cell.is.ratio > 1.04 && cell.is.low < 1 && cell.is.high > 1.1);
    samples[1] = sweep_of(rounds[1], 1500, 0.02, 2);
    cell = judge_one(&samples[0], &samples[1], 1, &overall);
    assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
}

static void test_rounds(void **state)
{
    double rounds[2][ROUNDS];
    struct compare_sample samples[2];
    struct compare_overall overall;
    struct compare_cell cell, mirrored;
    (void)state;
    samples[0] = sweep(rounds[0], 1000, 1);
    samples[1] = sweep(rounds[1], 1060, 2);
    cell = judge_one(&samples[0], &samples[1], 1, &overall);
    assert_int_equal(cell.is.evidence, COMPARE_ROUNDS);
    assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
    assert_true(cell.is.low > 1.02 && cell.is.ratio > 1.04 && cell.is.ratio < 1.08);
    assert_true(cell.is.p < 0.05);
    close_to(cell.before_ns, 1000, 1e-9, "old");
    mirrored = judge_one(&samples[1], &samples[0], 1, &overall);
    assert_int_equal(mirrored.is.verdict, COMPARE_FASTER);
    close_to(mirrored.is.ratio * cell.is.ratio, 1, 1e-12, "mirrored");
    close_to(mirrored.is.low * cell.is.high, 1, 1e-12, "mirrored bounds");
    close_to(mirrored.is.p, cell.is.p, 1e-12, "mirrored p");
    /* certain, but within the tolerance */
    for (int i = 0; i < ROUNDS; i++) {
        rounds[0][i] = 1000 + i % 3;
        rounds[1][i] = 1015 + i % 2;
    }
    cell = judge_one(&samples[0], &samples[1], 1, &overall);
    assert_true(cell.is.p < 0.001);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
}

/* Three pairs that all show 6 %; then pairs of opposite sign; then a machine that grows slower with
 * each sweep, where old and new are the same but new comes second. */
static void test_pairs(void **state)
{
    static const double bases[][6] = {
        {1000, 1060, 1001, 1061, 999, 1059},
        {1000, 1200, 1000, 1200, 1000, 990},
        {1000, 1040, 1080, 1120, 1160, 1200},
    };
    static const enum compare_verdict verdicts[] = {COMPARE_SLOWER, COMPARE_SAME, COMPARE_SAME};
    double rounds[6][ROUNDS];
    (void)state;
    for (size_t i = 0; i < COUNT(bases); i++) {
        struct compare_sample before[3], after[3];
        struct compare_overall overall;
        struct compare_cell cell;
        for (unsigned s = 0; s < 6; s++)
            *(s % 2 == 0 ? &before[s / 2] : &after[s / 2]) =
                sweep(rounds[s], bases[i][s], 10 * i + s);
        cell = judge_one(before, after, 3, &overall);
        assert_int_equal(cell.is.verdict, verdicts[i]);
        assert_int_equal(overall.is.verdict, verdicts[i]);
        /* each pair alone would be taken for a difference */
        if (i != 1)
            assert_int_equal(judge_one(&before[2], &after[2], 1, &overall).is.verdict,
                             COMPARE_SLOWER);
    }
}

/* Medians of several sweeps tell their spread, though nothing is known within them. */
static void test_pairs_of_intervals(void **state)
{
    const struct compare_sample before[] = {{NULL, 0, 100, 99, 101}, {NULL, 0, 100.2, 99, 101}};
    const struct compare_sample after[] = {{NULL, 0, 110, 109, 111}, {NULL, 0, 110.2, 109, 111}};
    const struct compare_sample wild[] = {{NULL, 0, 105, 104.9, 105.1}, {NULL, 0, 130, 129, 131}};
    struct compare_overall overall;
    struct compare_cell cell = judge_one(before, after, 2, &overall);
    (void)state;
    assert_int_equal(cell.is.evidence, COMPARE_INTERVALS);
    assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
    assert_true(cell.is.p < 0.05);
    cell = judge_one(before, wild, 2, &overall);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
    assert_true(cell.is.p > 0.05 && cell.is.low < 1);
}

/* --- simulation ----------------------------------------------------------------------------- */

#define CELLS       12 /* of two tests */
#define PAIRS_MOST  3
#define SIM_ROUNDS  15
#define ROUND_NOISE 0.03

struct model {
    const char *name;
    double common, single; /* by how much sweeps differ: all cells alike, each on its own */
    double wild;           /* and one cell more than the others */
    double correlation;    /* of the noise of neighbouring rounds */
    double drift;          /* per sweep */
    bool spikes;           /* 10 % of the rounds take up to 3 times as long */
    double power[2];       /* least share found of +5 % in all cells, by 2 and by 3 pairs */
    double alone;          /* false alarms of a single pair at most */
};

static const struct model models[] = {
    {"quiet", 0, 0, 0, 0, 0, false, {0.95, 0.99}, .02},
    {"spikes", 0, 0, 0, 0, 0, true, {0.90, 0.97}, .02},
    {"ordinary", .005, .005, 0, 0, 0, true, {0.70, 0.95}, .02},
    {"restless", .01, .01, 0, 0, 0, false, {0.30, 0.65}, .05},
    {"common", .03, 0, 0, 0, 0, false, {0, 0}, 1},
    {"single", 0, .03, 0, 0, 0, false, {0, 0.5}, .05},
    {"wild", .05, .05, 0, 0, 0, false, {0, 0}, 1},
    {"one cell", .005, .005, .1, 0, 0, false, {0.5, 0.9}, 1},
    {"correlated", 0, 0, 0, .6, 0, false, {0, 0.3}, .02},
    {"drift", 0, 0, 0, 0, .04, false, {0, 0}, 1},
};

struct simulation {
    struct rng rng;
    double round_ns[CELLS][2 * PAIRS_MOST][SIM_ROUNDS];
    struct compare_sample samples[CELLS][2][PAIRS_MOST];
};

static void simulate_sweep(struct simulation *sim, const struct model *model, unsigned s,
                           double shift)
{
    double common = model->common * gauss(&sim->rng) + model->drift * s, wave[SIM_ROUNDS];
    const double fresh = sqrt(1 - model->correlation * model->correlation);
    for (int r = 0; r < SIM_ROUNDS; r++)
        wave[r] = (r > 0 ? model->correlation * wave[r - 1] : 0) + fresh * gauss(&sim->rng);
    for (unsigned c = 0; c < CELLS; c++) {
        const double level = log(1000 * (c + 1)) + common + shift +
                             (model->single + (c == 0 ? model->wild : 0)) * gauss(&sim->rng);
        double *round_ns = sim->round_ns[c][s], sorted[SIM_ROUNDS];
        for (int r = 0; r < SIM_ROUNDS; r++) {
            double noise =
                model->correlation > 0 ? wave[r] + 0.3 * gauss(&sim->rng) : gauss(&sim->rng);
            if (model->spikes && uniform(&sim->rng) < 0.1)
                noise += log(1 + 2 * uniform(&sim->rng)) / ROUND_NOISE;
            round_ns[r] = exp(level + ROUND_NOISE * noise);
        }
        memcpy(sorted, round_ns, sizeof(sorted));
        stats_sort(sorted, SIM_ROUNDS);
        sim->samples[c][s % 2][s / 2] = (struct compare_sample){
            round_ns, SIM_ROUNDS, stats_median(sorted, SIM_ROUNDS), NAN, NAN};
    }
}

/* Whether any cell or test differs. */
static bool simulate(struct simulation *sim, const struct model *model, unsigned pairs,
                     double shift)
{
    struct compare_cell cells[CELLS];
    struct compare_overall overall[2];
    bool differs = false;
    for (unsigned s = 0; s < 2 * pairs; s++)
        simulate_sweep(sim, model, s, s % 2 == 1 ? shift : 0);
    for (unsigned c = 0; c < CELLS; c++)
        cells[c] = (struct compare_cell){
            .test = c % 2, .before = sim->samples[c][0], .after = sim->samples[c][1]};
    compare_judge(cells, CELLS, pairs, 0.02, overall, 2);
    for (unsigned t = 0; t < 2; t++) {
        differs = differs || overall[t].is.verdict >= COMPARE_SLOWER ||
                  overall[t].counts[COMPARE_SLOWER] > 0 || overall[t].counts[COMPARE_FASTER] > 0;
    }
    return differs;
}

static double share_of(const struct model *model, unsigned pairs, double shift, unsigned trials)
{
    struct simulation *sim = calloc(1, sizeof(*sim));
    unsigned found = 0;
    assert_non_null(sim);
    rng_seed(&sim->rng, 20260101, (uint64_t)(model - models) * 100 + pairs);
    for (unsigned i = 0; i < trials; i++)
        found += simulate(sim, model, pairs, shift);
    free(sim);
    return (double)found / trials;
}

#define NULL_TRIALS  300
#define POWER_TRIALS 60

static void test_false_alarms(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        for (unsigned pairs = 2; pairs <= PAIRS_MOST; pairs++) {
            double share = share_of(&models[i], pairs, 0, NULL_TRIALS);
            print_message("%-10s %u pairs: false alarms %.4f\n", models[i].name, pairs, share);
            if (share > 0.05)
                fail_msg("%s, %u pairs: %.3f false alarms", models[i].name, pairs, share);
        }
    }
    /* one pair: what sweeps differ by can only be guessed from what happens within them */
    for (size_t i = 0; i < COUNT(models); i++) {
        const double share = share_of(&models[i], 1, 0, NULL_TRIALS);
        print_message("%-10s 1 pair: false alarms %.4f\n", models[i].name, share);
        if (share > models[i].alone)
            fail_msg("%s, 1 pair: %.3f false alarms", models[i].name, share);
    }
}

static void test_power(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        for (unsigned pairs = 2; pairs <= PAIRS_MOST; pairs++) {
            const double least = models[i].power[pairs - 2];
            double share;
            if (!(least > 0))
                continue;
            share = share_of(&models[i], pairs, log(1.05), POWER_TRIALS);
            print_message("%-10s %u pairs: +5 %% found %.2f\n", models[i].name, pairs, share);
            if (share < least)
                fail_msg("%s, %u pairs: +5 %% found in %.3f", models[i].name, pairs, share);
        }
    }
    assert_true(share_of(&models[0], 1, log(1.3), POWER_TRIALS) >= 0.95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_published_ranks),
        cmocka_unit_test(test_small_ranks),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_intervals_only),
        cmocka_unit_test(test_no_interval),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_single_pairs_are_not_trusted),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_pairs_of_intervals),
        cmocka_unit_test(test_false_alarms),
        cmocka_unit_test(test_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
