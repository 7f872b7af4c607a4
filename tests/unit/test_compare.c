/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_compare.c - verdicts on sweeps: each rule of a verdict on its own; and, by simulation with
 * fixed seeds, that false alarms stay below 5 % of comparisons however much sweeps differ from each
 * other, and that a change of 5 % is found. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "base/rng.h"
#include "base/stats.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void close_to(double value, double expected, double tolerance, const char *remark)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.12g instead of %.12g", remark, value, expected);
}

static double uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(struct rng *rng)
{
    const double r = sqrt(-2 * log(uniform(rng)));
    return r * cos(6.283185307179586 * uniform(rng));
}

#define NO_REFERENCE 0, NULL, false

/* --- verdicts ------------------------------------------------------------------------------- */

#define NOTHING_KNOWN                        \
    {                                        \
        NULL, 0, NAN, NAN, NAN, NO_REFERENCE \
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
    const struct compare_sample old = {NULL, 0, 100, 99, 101, NO_REFERENCE},
                                slower = {NULL, 0, 110, 109, 111, NO_REFERENCE},
                                near = {NULL, 0, 104, 103.9, 104.1, NO_REFERENCE},
                                faster = {NULL, 0, 90, 89.5, 90.5, NO_REFERENCE};
    const double low = 1.1 * pow(109 / 101.0 / 1.1, 3), high = 1.1 * pow(111 / 99.0 / 1.1, 3);
    struct compare_overall overall;
    struct compare_cell cell = judge_one(&old, &slower, 1, &overall);
    (void)state;
    assert_int_equal(cell.is.evidence, COMPARE_INTERVALS);
    assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
    close_to(cell.is.ratio, 1.1, 1e-12, "ratio");
    close_to(cell.is.low, low, 1e-12, "low");
    close_to(cell.is.high, high, 1e-12, "high");
    assert_true(isnan(cell.is.p));
    assert_int_equal(overall.is.verdict, COMPARE_SLOWER);
    close_to(overall.is.low, low, 1e-12, "low overall");
    /* the intervals are apart, by more than the tolerance, but one sweep of each is no more */
    assert_int_equal(judge_one(&old, &near, 1, &overall).is.verdict, COMPARE_UNCLEAR);
    assert_int_equal(judge_one(&old, &faster, 1, &overall).is.verdict, COMPARE_FASTER);
    assert_int_equal(overall.counts[COMPARE_FASTER], 1);
}

static void test_no_interval(void **state)
{
    static const double rounds[] = {100, 101, 99};
    const struct compare_sample old = {NULL, 0, 100, NAN, NAN, NO_REFERENCE},
                                new = {NULL, 0, 500, NAN, NAN, NO_REFERENCE},
                                unknown = NOTHING_KNOWN,
                                few = {rounds, 3, 100, NAN, NAN, NO_REFERENCE};
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
    return (struct compare_sample){round_ns, ROUNDS, base, NAN, NAN, NO_REFERENCE};
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
    assert_int_equal(cell.is.verdict, COMPARE_UNCLEAR);
    assert_int_equal(overall.is.verdict, COMPARE_UNCLEAR);
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
    samples[0].median_ns = 1001;
    samples[1].median_ns = 1015;
    cell = judge_one(&samples[0], &samples[1], 1, &overall);
    assert_true(cell.is.p < 0.001);
    assert_int_equal(cell.is.verdict, COMPARE_SAME);
}

/* `same` is said when the whole interval is within the tolerance, never because little is known. */
static void test_same_and_unclear(void **state)
{
    static const struct {
        double low, high; /* of the new median, about 1000; the old one is exact */
        enum compare_verdict verdict;
    } cases[] = {
        {999, 1001, COMPARE_SAME},    {1, 1e9, COMPARE_UNCLEAR},
        {990, 1001, COMPARE_UNCLEAR}, /* three times as far: below 1 / 1.02 */
        {999, 1010, COMPARE_UNCLEAR}, {995, 1005, COMPARE_SAME},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct compare_sample old = {NULL, 0, 1000, 1000, 1000, NO_REFERENCE},
                                    new = {NULL,          0,           1000, cases[i].low,
                                           cases[i].high, NO_REFERENCE};
        struct compare_overall overall;
        const struct compare_cell cell = judge_one(&old, &new, 1, &overall);
        assert_int_equal(cell.is.verdict, cases[i].verdict);
        assert_int_equal(overall.is.verdict, cases[i].verdict);
        assert_int_equal(overall.counts[cases[i].verdict], 1);
    }
}

/* Rounds at two speeds, more of them slow in the new sweep: the medians are far apart, the rounds
 * as a whole are not.  What is shown agrees with the ratio, and the rest is said. */
static void test_times_agree_with_the_ratio(void **state)
{
    double rounds[2][40];
    struct compare_sample samples[2] = {{rounds[0], 40, 0, NAN, NAN, NO_REFERENCE},
                                        {rounds[1], 40, 0, NAN, NAN, NO_REFERENCE}};
    struct compare_overall overall;
    struct compare_cell cell;
    (void)state;
    for (int i = 0; i < 40; i++) {
        rounds[0][i] = (i % 5 < 2 ? 126.0 : 61.7) + i % 7 * 0.1;
        rounds[1][i] = (i % 5 < 3 ? 126.0 : 61.7) + i % 7 * 0.1;
    }
    samples[0].median_ns = 61.9;
    samples[1].median_ns = 126.1;
    cell = judge_one(&samples[0], &samples[1], 1, &overall);
    assert_true(cell.medians_disagree);
    assert_int_equal(cell.is.verdict, COMPARE_UNCLEAR);
    assert_int_equal(overall.is.verdict, COMPARE_UNCLEAR);
    assert_true(cell.is.low > 0.98 && cell.is.high < 1.02);
    close_to(cell.shifted_ns / cell.before_ns, cell.is.ratio, 1e-12, "shifted");
    samples[1] = samples[0];
    cell = judge_one(&samples[0], &samples[1], 1, &overall);
    assert_false(cell.medians_disagree);
    close_to(cell.is.ratio, 1, 1e-12, "itself");
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
    static const enum compare_verdict verdicts[] = {COMPARE_SLOWER, COMPARE_UNCLEAR,
                                                    COMPARE_UNCLEAR};
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

/* So many of the pairs show no change, all others 6 %, which is certain in each case: with 4 pairs
 * or more, one in four may disagree. */
static void test_dissent(void **state)
{
    static const struct {
        unsigned pairs, dissenters;
        enum compare_verdict verdict;
    } cases[] = {{8, 0, COMPARE_SLOWER}, {8, 2, COMPARE_SLOWER},  {8, 3, COMPARE_UNCLEAR},
                 {7, 1, COMPARE_SLOWER}, {7, 2, COMPARE_UNCLEAR}, {3, 0, COMPARE_SLOWER}};
    double rounds[16][ROUNDS];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct compare_sample before[8], after[8];
        struct compare_overall overall;
        struct compare_cell cell;
        for (unsigned pair = 0; pair < cases[i].pairs; pair++) {
            before[pair] = sweep(rounds[2 * pair], 1000, 100 * i + 2 * pair);
            after[pair] = sweep(rounds[2 * pair + 1], pair < cases[i].dissenters ? 999 : 1060,
                                100 * i + 2 * pair + 1);
        }
        cell = judge_one(before, after, cases[i].pairs, &overall);
        assert_true(cell.is.p < 0.05 && cell.is.ratio > 1.02);
        assert_int_equal(cell.is.verdict, cases[i].verdict);
        assert_int_equal(overall.is.verdict, cases[i].verdict);
    }
}

/* Medians of several sweeps tell their spread, though nothing is known within them. */
static void test_pairs_of_intervals(void **state)
{
    const struct compare_sample before[] = {{NULL, 0, 100, 99, 101, NO_REFERENCE},
                                            {NULL, 0, 100.2, 99, 101, NO_REFERENCE}};
    const struct compare_sample after[] = {{NULL, 0, 110, 109, 111, NO_REFERENCE},
                                           {NULL, 0, 110.2, 109, 111, NO_REFERENCE}};
    const struct compare_sample wild[] = {{NULL, 0, 105, 104.9, 105.1, NO_REFERENCE},
                                          {NULL, 0, 130, 129, 131, NO_REFERENCE}};
    struct compare_overall overall;
    struct compare_cell cell = judge_one(before, after, 2, &overall);
    (void)state;
    assert_int_equal(cell.is.evidence, COMPARE_INTERVALS);
    assert_int_equal(cell.is.verdict, COMPARE_SLOWER);
    assert_true(cell.is.p < 0.05);
    cell = judge_one(before, wild, 2, &overall);
    assert_int_equal(cell.is.verdict, COMPARE_UNCLEAR);
    assert_true(cell.is.p > 0.05 && cell.is.low < 1);
}

/* --- simulation ----------------------------------------------------------------------------- */

#define CELLS_MOST  24 /* of two tests, by turns */
#define PAIRS_MOST  8
#define SIM_ROUNDS  15
#define ROUND_NOISE 0.03 /* where a model does not say */
#define CELLS       12   /* likewise */

struct model {
    const char *name;
    double common, single; /* by how much sweeps differ: all cells alike, each on its own */
    double wild;           /* and one cell more than the others */
    double correlation;    /* of the noise of neighbouring rounds */
    double drift;          /* per sweep */
    bool spikes;           /* 10 % of the rounds take up to 3 times as long */
    double power[2];       /* least share found of +5 % in all cells, by 2 and by 3 pairs */
    double alone;          /* false alarms of a single pair at most */
    /* not of all models; 0: the usual */
    unsigned cells, rounds;
    double noise, noisy; /* of rounds; of those of the first cell */
};

static const struct model models[] = {
    {"quiet", 0, 0, 0, 0, 0, false, {0.95, 0.99}, .02, 0, 0, 0, 0},
    {"spikes", 0, 0, 0, 0, 0, true, {0.90, 0.97}, .02, 0, 0, 0, 0},
    {"ordinary", .005, .005, 0, 0, 0, true, {0.70, 0.95}, .02, 0, 0, 0, 0},
    {"restless", .01, .01, 0, 0, 0, false, {0.30, 0.65}, .05, 0, 0, 0, 0},
    {"common", .03, 0, 0, 0, 0, false, {0, 0}, .05, 0, 0, 0, 0},
    {"single", 0, .03, 0, 0, 0, false, {0, 0.5}, .05, 0, 0, 0, 0},
    {"wild", .05, .05, 0, 0, 0, false, {0, 0}, 1, 0, 0, 0, 0},
    {"one cell", .005, .005, .1, 0, 0, false, {0.5, 0.9}, 1, 0, 0, 0, 0},
    {"correlated", 0, 0, 0, .6, 0, false, {0, 0.3}, .02, 0, 0, 0, 0},
    {"drift", 0, 0, 0, 0, .04, false, {0, 0}, .05, 0, 0, 0, 0},
};

struct simulation {
    struct rng rng;
    double round_ns[CELLS_MOST][2 * PAIRS_MOST][SIM_ROUNDS];
    struct compare_sample samples[CELLS_MOST][2][PAIRS_MOST];
    unsigned cells;
    /* counted */
    unsigned trials, differing, found; /* comparisons with a verdict; cells said to be slower */
};

static void simulate_sweep(struct simulation *sim, const struct model *model, unsigned s,
                           double shift)
{
    double common = model->common * gauss(&sim->rng) + model->drift * s, wave[SIM_ROUNDS];
    const double fresh = sqrt(1 - model->correlation * model->correlation);
    const unsigned rounds = model->rounds > 0 ? model->rounds : SIM_ROUNDS;
    for (unsigned r = 0; r < rounds; r++)
        wave[r] = (r > 0 ? model->correlation * wave[r - 1] : 0) + fresh * gauss(&sim->rng);
    for (unsigned c = 0; c < sim->cells; c++) {
        const double level = log(1000 * (c + 1)) + common + shift +
                             (model->single + (c == 0 ? model->wild : 0)) * gauss(&sim->rng);
        const double deviation = c == 0 && model->noisy > 0 ? model->noisy
                                 : model->noise > 0         ? model->noise
                                                            : ROUND_NOISE;
        double *round_ns = sim->round_ns[c][s], sorted[SIM_ROUNDS];
        for (unsigned r = 0; r < rounds; r++) {
            double noise =
                model->correlation > 0 ? wave[r] + 0.3 * gauss(&sim->rng) : gauss(&sim->rng);
            if (model->spikes && uniform(&sim->rng) < 0.1)
                noise += log(1 + 2 * uniform(&sim->rng)) / ROUND_NOISE;
            round_ns[r] = exp(level + deviation * noise);
        }
        memcpy(sorted, round_ns, rounds * sizeof(*sorted));
        stats_sort(sorted, rounds);
        sim->samples[c][s % 2][s / 2] = (struct compare_sample){
            round_ns, rounds, stats_median(sorted, rounds), NAN, NAN, NO_REFERENCE};
    }
}

/* One comparison, counted. */
static void simulate(struct simulation *sim, const struct model *model, unsigned pairs,
                     double shift)
{
    struct compare_cell cells[CELLS_MOST];
    struct compare_overall overall[2];
    bool differs = false;
    for (unsigned s = 0; s < 2 * pairs; s++)
        simulate_sweep(sim, model, s, s % 2 == 1 ? shift : 0);
    for (unsigned c = 0; c < sim->cells; c++)
        cells[c] = (struct compare_cell){
            .test = c % 2, .before = sim->samples[c][0], .after = sim->samples[c][1]};
    compare_judge(cells, sim->cells, pairs, 0.02, overall, 2);
    for (unsigned t = 0; t < 2; t++) {
        differs = differs || overall[t].is.verdict >= COMPARE_SLOWER ||
                  overall[t].counts[COMPARE_SLOWER] > 0 || overall[t].counts[COMPARE_FASTER] > 0;
        sim->found += (unsigned)overall[t].counts[COMPARE_SLOWER];
    }
    sim->trials++;
    sim->differing += differs;
}

static uint64_t seed_of(const struct model *model)
{
    uint64_t seed = 0;
    for (const char *c = model->name; *c != '\0'; c++)
        seed = 31 * seed + (unsigned char)*c;
    return 100 * seed;
}

/* Share of comparisons with any verdict; found: NULL, or share of cells said to be slower. */
static double shares_of(const struct model *model, unsigned pairs, double shift, unsigned trials,
                        double *found)
{
    struct simulation *sim = calloc(1, sizeof(*sim));
    double share;
    assert_non_null(sim);
    sim->cells = model->cells > 0 ? model->cells : CELLS;
    rng_seed(&sim->rng, 20260101, seed_of(model) + pairs);
    while (sim->trials < trials)
        simulate(sim, model, pairs, shift);
    share = (double)sim->differing / trials;
    if (found)
        *found = (double)sim->found / ((double)trials * sim->cells);
    free(sim);
    return share;
}

static double share_of(const struct model *model, unsigned pairs, double shift, unsigned trials)
{
    return shares_of(model, pairs, shift, trials, NULL);
}

#define NULL_TRIALS  120
#define POWER_TRIALS 40

static void test_false_alarms(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        for (unsigned pairs = 2; pairs <= 3; pairs++) {
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
        for (unsigned pairs = 2; pairs <= 3; pairs++) {
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
}

/* What single sweeps must show, and what a noisy cell must not hide. */
static void test_power_where_it_is_hard(void **state)
{
    static const struct {
        struct model model;
        unsigned pairs;
        double change, least, least_cells;
    } cases[] = {
        {{.name = "alone"}, 1, 1.3, 0.95, 0},
        {{.name = "alone", .cells = 1, .rounds = 11, .noise = .003}, 1, 1.05, 0.95, 0.95},
        {{.name = "alone", .cells = 12, .rounds = 11, .noise = .003}, 1, 1.05, 0.95, 0.9},
        {{.name = "alone", .cells = 1, .rounds = 11, .noise = .01}, 1, 1.2, 0.95, 0.95},
        {{.name = "alone", .cells = 12, .rounds = 11, .noise = .01}, 1, 1.2, 0.95, 0.95},
        {{.name = "few", .cells = 12, .rounds = 4, .noise = .01}, 1, 3, 0.95, 0.95},
        {{.name = "few", .cells = 12, .rounds = 4, .noise = .01}, 2, 3, 0.95, 0.95},
        {{.name = "noisy", .cells = 24, .rounds = 11, .noise = .01, .noisy = .3},
         2,
         1.05,
         .95,
         .85},
        {{.name = "noisy", .cells = 24, .rounds = 11, .noise = .01, .noisy = .3}, 3, 1.05, .95, .9},
        {{.name = "noisy", .cells = 12, .rounds = 11, .noise = .01, .noisy = .3}, 5, 1.05, .95, .9},
        {{.name = "many", .single = .01, .common = .01}, 3, 1.05, 0, 0},
        {{.name = "many", .single = .01, .common = .01}, 8, 1.05, 0, 0},
    };
    double earlier = 0.0, earlier_cells = 0.0;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double cells, share = shares_of(&cases[i].model, cases[i].pairs, log(cases[i].change),
                                        POWER_TRIALS, &cells);
        print_message("%-10s %u pairs: %g times found %.2f, of the cells %.2f\n",
                      cases[i].model.name, cases[i].pairs, cases[i].change, share, cells);
        if (share < cases[i].least || cells < cases[i].least_cells)
            fail_msg("case %zu, %s, %u pairs: found %.3f, of the cells %.3f", i,
                     cases[i].model.name, cases[i].pairs, share, cells);
        if (strcmp(cases[i].model.name, "many") == 0) { /* more pairs do not find less */
            assert_true(share >= earlier && cells >= earlier_cells);
            earlier = share;
            earlier_cells = cells;
        }
    }
}

/* Cells of unequal noise, or few rounds: still not more false alarms. */
static void test_false_alarms_of_unequal_cells(void **state)
{
    static const struct {
        struct model model;
        unsigned pairs;
    } cases[] = {
        {{.name = "noisy", .rounds = 11, .noise = .01, .noisy = .3}, 2},
        {{.name = "noisy", .rounds = 11, .noise = .01, .noisy = .3}, 3},
        {{.name = "unequal", .single = .01, .rounds = 11, .noise = .002, .noisy = .1}, 2},
        {{.name = "unequal", .single = .01, .rounds = 11, .noise = .002, .noisy = .1}, 3},
        {{.name = "few", .rounds = 4, .noise = .03}, 1},
        {{.name = "few", .rounds = 4, .noise = .03}, 2},
        {{.name = "one", .cells = 1, .rounds = 11, .single = .01}, 2},
        {{.name = "eight", .single = .01, .common = .01}, 8},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double share = share_of(&cases[i].model, cases[i].pairs, 0, NULL_TRIALS / 2);
        print_message("%-10s %u pairs: false alarms %.4f\n", cases[i].model.name, cases[i].pairs,
                      share);
        if (share > 0.05)
            fail_msg("%s, %u pairs: %.3f false alarms", cases[i].model.name, cases[i].pairs, share);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals_only),
        cmocka_unit_test(test_no_interval),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_single_pairs_are_not_trusted),
        cmocka_unit_test(test_same_and_unclear),
        cmocka_unit_test(test_times_agree_with_the_ratio),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_dissent),
        cmocka_unit_test(test_pairs_of_intervals),
        cmocka_unit_test(test_false_alarms),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_power_where_it_is_hard),
        cmocka_unit_test(test_false_alarms_of_unequal_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
