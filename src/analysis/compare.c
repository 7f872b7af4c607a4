/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* compare.c - from samples to verdicts; compare.h tells the method and why it is so.  The order of
 * work: what each cell has for evidence and its estimate from rounds or intervals; then, per test
 * and kind of evidence, the spread over the units; then Holm over everything, and the verdicts. */
#include "base/compat.h"

#include "analysis/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/chance.h"
#include "analysis/ranks.h"
#include "analysis/reference.h"
#include "analysis/spread.h"
#include "base/mem.h"
#include "base/stats.h"

#define AVERAGED_LEAST 12  /* rounds: with fewer, neighbours are not averaged (any more) */
#define SINGLE_SPREAD  4.5 /* times what the rounds predict: how much single sweeps differ */
#define SINGLE_SCALED  2.5 /* the same in units of the reference */
/* standard error, of the change of the reference, both in logarithms */
#define REFERENCE_REST  0.1
#define SINGLE_INTERVAL 3.0 /* the same for intervals, whose widths were added already */
#define FAMILIES        2.0 /* cells and overalls: each has its share of the level */
#define Z_95            1.96
#define MAD_TO_SIGMA    1.4826             /* for a normal distribution */
#define MEDIAN_VARIANCE 1.5707963267948966 /* times that of the mean, likewise: pi / 2 */
#define NOISE_LEAST     1e-4               /* clocks have steps, and no machine is as quiet */
#define DISSENT         4                  /* one pair in 4 may point the other way, ... */
#define DISSENT_LEAST   4                  /* ... if there are at least 4 */

/* What is known of a cell besides its judgement. */
struct estimate {
    /* standard error, by the rounds alone: of a single pair, of its ratio; else of the median of a
     * sweep, mean square over all sweeps */
    double noise;
    double df;      /* of the noise of a single pair */
    double least_p; /* of the first gate; NAN: there is none */
};

struct judging { /* one call of compare_judge */
    struct compare_cell *cells;
    struct estimate *estimates;
    size_t count;
    unsigned pairs;
    double tolerance_log;
};

/* Cells of one test with the same evidence. */
struct selection {
    size_t *cell, count; /* which of the study */
};

static const struct compare_sample *sample_of(const struct compare_cell *cell, int side,
                                              unsigned pair)
{
    return side == 0 ? &cell->before[pair] : &cell->after[pair];
}

/* --- evidence and estimates of single cells -------------------------------------------------- */

/* The interval of the median, from the rounds when the file does not tell it. */
static void sample_interval(const struct compare_sample *sample, double *low, double *high)
{
    *low = sample->low_ns;
    *high = sample->high_ns;
    if ((isnan(*low) || isnan(*high)) && sample->round_count > 0) {
        double *scratch = mem_calloc(sample->round_count, 2 * sizeof(*scratch));
        struct stats_summary summary =
            stats_summarize(sample->round_ns, sample->round_count, scratch);
        *low = summary.interval_known ? summary.low : NAN;
        *high = summary.interval_known ? summary.high : NAN;
        free(scratch);
    }
}

static bool has_rounds(const struct compare_sample *sample)
{
    if (!sample->round_ns || sample->round_count < COMPARE_ROUNDS_MIN)
        return false;
    for (size_t r = 0; r < sample->round_count; r++) {
        if (!(sample->round_ns[r] > 0) || !isfinite(sample->round_ns[r]))
            return false;
    }
    return true;
}

static bool has_interval(const struct compare_sample *sample)
{
    double low, high;
    sample_interval(sample, &low, &high);
    return low > 0 && isfinite(high) && high >= low;
}

static enum compare_evidence evidence_of(const struct compare_cell *cell, unsigned pairs)
{
    bool medians = true, intervals = true, rounds = true;
    for (unsigned i = 0; i < 2 * pairs; i++) {
        const struct compare_sample *sample = sample_of(cell, (int)(i % 2), i / 2);
        medians = medians && sample->median_ns > 0 && isfinite(sample->median_ns);
        rounds = rounds && has_rounds(sample);
    }
    for (unsigned i = 0; i < 2 * pairs && medians && !rounds; i++)
        intervals = intervals && has_interval(sample_of(cell, (int)(i % 2), i / 2));
    return !medians    ? COMPARE_NOTHING
           : rounds    ? COMPARE_ROUNDS
           : intervals ? COMPARE_INTERVALS
                       : COMPARE_RATIO;
}

static double *average_neighbours(double *values, size_t *count, size_t width)
{
    size_t groups = *count / width;
    for (size_t g = 0; g < groups; g++)
        values[g] = stats_mean(values + g * width, width);
    *count = groups;
    return values;
}

/* How many neighbours must be averaged until they are independent. */
static size_t averaging_width(const struct compare_sample *sample)
{
    double *values = mem_calloc(sample->round_count, sizeof(*values));
    size_t width = 1, count = sample->round_count;
    memcpy(values, sample->round_ns, count * sizeof(*values));
    while (count >= AVERAGED_LEAST && stats_lag1(values, count) > 2 / sqrt((double)count)) {
        average_neighbours(values, &count, 2);
        width *= 2;
    }
    free(values);
    return width;
}

/* Ascending logarithms of the rounds, to free; neighbours averaged. */
static double *log_rounds(const struct compare_sample *sample, size_t width, size_t *count)
{
    double *values = mem_calloc(sample->round_count, sizeof(*values));
    *count = sample->round_count;
    memcpy(values, sample->round_ns, *count * sizeof(*values));
    average_neighbours(values, count, width);
    for (size_t i = 0; i < *count; i++)
        values[i] = log(values[i]);
    stats_sort(values, *count);
    return values;
}

/* Both sides with the same width, or skewed rounds would shift one of them. */
static size_t pair_width(const struct compare_sample *before, const struct compare_sample *after)
{
    size_t width = averaging_width(before), other = averaging_width(after);
    size_t few =
        before->round_count < after->round_count ? before->round_count : after->round_count;
    width = width > other ? width : other;
    while (width > 1 && few / width < COMPARE_ROUNDS_MIN)
        width /= 2;
    return width;
}

/* Variance of the median of ascending values, unless they are normal a rough one: a few wild rounds
 * must not matter here. */
static double median_variance(const double *sorted, size_t count)
{
    double *off = mem_calloc(count, sizeof(*off));
    const double sigma = MAD_TO_SIGMA * stats_distance(sorted, count, off);
    free(off);
    return MEDIAN_VARIANCE * sigma * sigma / (double)count;
}

static struct ranks_shift shift_of_rounds(const struct compare_cell *cell, unsigned pairs,
                                          struct estimate *estimate)
{
    struct ranks_pair *ranked = mem_calloc(pairs, sizeof(*ranked));
    double **values = mem_calloc(pairs, 2 * sizeof(*values)), variance = 0.0;
    struct ranks_shift shift;
    for (unsigned i = 0; i < pairs; i++) {
        const size_t width = pair_width(&cell->before[i], &cell->after[i]);
        values[2 * i] = log_rounds(&cell->before[i], width, &ranked[i].before_count);
        values[2 * i + 1] = log_rounds(&cell->after[i], width, &ranked[i].after_count);
        ranked[i].before = values[2 * i];
        ranked[i].after = values[2 * i + 1];
        variance += (median_variance(ranked[i].before, ranked[i].before_count) +
                     median_variance(ranked[i].after, ranked[i].after_count)) /
                    (2 * pairs);
    }
    shift = ranks_compare(ranked, pairs);
    estimate->noise = pairs > 1 ? sqrt(variance) : (shift.high - shift.low) / 2 / Z_95;
    estimate->df = (double)(ranked[0].before_count + ranked[0].after_count) - 2;
    estimate->least_p = shift.least_p;
    for (unsigned i = 0; i < 2 * pairs; i++)
        free(values[i]);
    free(values);
    free(ranked);
    return shift;
}

/* [low_new / high_old, high_new / low_old], means over the pairs; logarithms. */
static void combine_intervals(const struct compare_cell *cell, unsigned pairs,
                              struct compare_judgement *is, struct estimate *estimate)
{
    double variance = 0.0;
    is->low = is->high = 0.0;
    for (unsigned i = 0; i < pairs; i++) {
        double before[2], after[2];
        sample_interval(&cell->before[i], &before[0], &before[1]);
        sample_interval(&cell->after[i], &after[0], &after[1]);
        is->low += log(after[0] / before[1]) / pairs;
        is->high += log(after[1] / before[0]) / pairs;
        variance += (pow(log(before[1] / before[0]) / 2 / Z_95, 2) +
                     pow(log(after[1] / after[0]) / 2 / Z_95, 2)) /
                    (2 * pairs);
    }
    estimate->noise = sqrt(variance);
    if (pairs == 1) { /* whole sweeps differ by more than their rounds show */
        is->low = is->ratio - SINGLE_INTERVAL * (is->ratio - is->low);
        is->high = is->ratio + SINGLE_INTERVAL * (is->high - is->ratio);
    }
}

/* Logarithms, here and until the verdict, in ratio, low and high; those not known stay NAN. */
static void estimate_cell(struct compare_cell *cell, unsigned pairs, struct estimate *estimate)
{
    struct compare_judgement *is = &cell->is;
    double before = 0.0, after = 0.0;
    *is = (struct compare_judgement){.ratio = NAN, .low = NAN, .high = NAN, .p = NAN};
    *estimate = (struct estimate){.noise = NOISE_LEAST, .least_p = NAN};
    is->evidence = evidence_of(cell, pairs);
    for (unsigned i = 0; i < pairs; i++) {
        before += log(cell->before[i].median_ns) / pairs;
        after += log(cell->after[i].median_ns) / pairs;
    }
    cell->before_ns = exp(before);
    cell->after_ns = exp(after);
    if (is->evidence == COMPARE_NOTHING)
        return;
    is->ratio = after - before;
    if (is->evidence == COMPARE_INTERVALS)
        combine_intervals(cell, pairs, is, estimate);
    if (is->evidence == COMPARE_ROUNDS) {
        const struct ranks_shift shift = shift_of_rounds(cell, pairs, estimate);
        is->ratio = shift.shift;
        is->low = shift.low;
        is->high = shift.high;
        is->p = shift.p;
    }
    estimate->noise = fmax(estimate->noise, NOISE_LEAST);
}

/* The reference takes most of what a change of the machine's speed does, not all of it. */
static double reference_error(const struct compare_cell *cell)
{
    return isnan(cell->reference_ratio) ? 0.0 : REFERENCE_REST * fabs(log(cell->reference_ratio));
}

/* Samples in units of the reference, where the cell is judged so; the times shown remain those of
 * the files. */
static void estimate_scaled(struct compare_cell *cell, unsigned pairs,
                            struct compare_sample *scaled, struct estimate *estimate)
{
    double before_ns, after_ns;
    cell->measured_ratio = cell->reference_ratio = NAN;
    estimate_cell(cell, pairs, estimate);
    if (!reference_scale(cell, pairs, scaled, &cell->reference_ratio)) {
        cell->reference_ratio = NAN;
        return;
    }
    cell->measured_ratio = exp(cell->is.ratio);
    before_ns = cell->before_ns;
    after_ns = cell->after_ns;
    cell->before = scaled;
    cell->after = scaled + pairs;
    estimate_cell(cell, pairs, estimate);
    cell->before_ns = before_ns;
    cell->after_ns = after_ns;
    if (pairs == 1 && cell->is.evidence == COMPARE_INTERVALS) {
        cell->is.low -= Z_95 * reference_error(cell);
        cell->is.high += Z_95 * reference_error(cell);
    }
}

/* Many tests, adjusted by Holm, can ask for a smaller p than a few rounds could ever give.  Such
 * cells have no first gate: no difference, however great, could pass it. */
static void drop_hopeless_tests(const struct judging *study)
{
    const enum compare_evidence least = study->pairs > 1 ? COMPARE_INTERVALS : COMPARE_ROUNDS;
    double tests = 0.0;
    for (size_t c = 0; c < study->count; c++)
        tests += study->cells[c].is.evidence >= least ? 1 : 0;
    tests *= study->pairs > 1 ? FAMILIES : 1.0;
    for (size_t c = 0; c < study->count; c++) {
        if (study->estimates[c].least_p * tests >= COMPARE_LEVEL)
            study->cells[c].is.p = NAN;
    }
}

/* --- the spread over units ------------------------------------------------------------------ */

static double median_log(const double *values, size_t count)
{
    double *copy = mem_calloc(count, sizeof(*copy)), median;
    for (size_t i = 0; i < count; i++)
        copy[i] = log(values[i]);
    stats_sort(copy, count);
    median = stats_median(copy, count);
    free(copy);
    return median;
}

static double unit_value(const struct compare_cell *cell, int side, unsigned unit)
{
    const struct compare_sample *sample = sample_of(cell, side, unit);
    return cell->is.evidence == COMPARE_ROUNDS ? median_log(sample->round_ns, sample->round_count)
                                               : log(sample->median_ns);
}

static struct selection select_cells(const struct judging *study, unsigned test,
                                     enum compare_evidence evidence)
{
    struct selection selection = {.cell = mem_calloc(study->count + 1, sizeof(size_t))};
    for (size_t c = 0; c < study->count; c++) {
        if (study->cells[c].test == test && study->cells[c].is.evidence == evidence)
            selection.cell[selection.count++] = c;
    }
    return selection;
}

static struct spread spread_of_sweeps(const struct judging *study,
                                      const struct selection *selection)
{
    struct spread spread = spread_new(selection->count, study->pairs);
    for (size_t i = 0; i < 2 * study->pairs * selection->count; i++) {
        const size_t sweep = i / selection->count, c = selection->cell[i % selection->count];
        spread.x[i] =
            unit_value(&study->cells[c], sweep >= study->pairs, (unsigned)(sweep % study->pairs));
        spread.noise[i % selection->count] = study->estimates[c].noise;
    }
    spread_fit(&spread);
    return spread;
}

/* The second gate: widens the interval and raises p.  mean: difference of means over the units. */
static void judge_spread(struct compare_judgement *is, double mean, double variance, double df)
{
    const double error = sqrt(variance), bound = chance_student_bound(COMPARE_LEVEL, df) * error;
    double least = fmin(fabs(is->ratio), fabs(mean)), p;
    if ((is->ratio > 0) != (mean > 0) || !(least > 0))
        least = 0.0;
    p = least > 0 ? chance_student(least / error, df) : 1.0; /* without any spread: 0 */
    is->p = isnan(is->p) ? p : fmax(is->p, p);
    is->low = isnan(is->low) ? is->ratio - bound : fmin(is->low, is->ratio - bound);
    is->high = isnan(is->high) ? is->ratio + bound : fmax(is->high, is->ratio + bound);
}

static double mean_ratio(const struct judging *study, const struct selection *selection)
{
    double mean = 0.0;
    for (size_t i = 0; i < selection->count; i++)
        mean += study->cells[selection->cell[i]].is.ratio / (double)selection->count;
    return mean;
}

/* The overall of a test before its spread: the geometric mean over its cells. */
static void estimate_overall(const struct judging *study, const struct selection *selection,
                             struct compare_overall *overall)
{
    struct compare_judgement *is = &overall->is;
    const double cells = (double)selection->count;
    overall->cells = selection->count;
    is->evidence = study->cells[selection->cell[0]].is.evidence;
    is->ratio = mean_ratio(study, selection);
    if (is->evidence == COMPARE_INTERVALS) {
        is->low = is->high = 0.0;
        for (size_t i = 0; i < selection->count; i++) {
            is->low += study->cells[selection->cell[i]].is.low / cells;
            is->high += study->cells[selection->cell[i]].is.high / cells;
        }
    }
}

/* Several pairs.  overall: NULL when it rests on other cells. */
static void judge_by_sweeps(const struct judging *study, const struct selection *selection,
                            struct compare_judgement *overall)
{
    struct spread spread = spread_of_sweeps(study, selection);
    double mean = 0.0;
    for (size_t i = 0; i < selection->count; i++) {
        double df, variance = spread_of_cell(&spread, i, &df);
        mean += spread_difference(&spread, i) / (double)selection->count;
        judge_spread(&study->cells[selection->cell[i]].is, spread_difference(&spread, i),
                     2.0 / study->pairs * variance, df);
    }
    if (overall)
        judge_spread(overall, mean, 2.0 / study->pairs * spread_of_mean(&spread),
                     2.0 * (study->pairs - 1));
    spread_free(&spread);
}

static double single_error(const struct compare_cell *cell, const struct estimate *estimate)
{
    const double spread = isnan(cell->reference_ratio) ? SINGLE_SPREAD : SINGLE_SCALED;
    return hypot(spread * estimate->noise, reference_error(cell));
}

/* A single pair: sweeps are taken to differ by a multiple of what the rounds let expect; a test by
 * as much as its middle cell, since what happens between sweeps happens to all cells. */
static void judge_by_rounds(const struct judging *study, const struct selection *selection,
                            struct compare_judgement *overall)
{
    double *noise = mem_calloc(selection->count, sizeof(*noise)), df = INFINITY, error;
    for (size_t i = 0; i < selection->count; i++) {
        const struct estimate *estimate = &study->estimates[selection->cell[i]];
        struct compare_judgement *is = &study->cells[selection->cell[i]].is;
        error = single_error(&study->cells[selection->cell[i]], estimate);
        judge_spread(is, is->ratio, error * error, estimate->df);
        noise[i] = error;
        df = fmin(df, estimate->df);
    }
    stats_sort(noise, selection->count);
    error = stats_median(noise, selection->count);
    judge_spread(overall, overall->ratio, error * error, df);
    free(noise);
}

static void study_test(const struct judging *study, unsigned test, struct compare_overall *overall)
{
    *overall = (struct compare_overall){.cells = 0};
    overall->is = (struct compare_judgement){.ratio = NAN, .low = NAN, .high = NAN, .p = NAN};
    for (int evidence = COMPARE_ROUNDS; evidence > COMPARE_NOTHING; evidence--) {
        struct selection selection = select_cells(study, test, (enum compare_evidence)evidence);
        const bool best = selection.count > 0 && overall->cells == 0;
        if (best)
            estimate_overall(study, &selection, overall);
        if (selection.count > 0 && evidence != COMPARE_RATIO && study->pairs > 1)
            judge_by_sweeps(study, &selection, best ? &overall->is : NULL);
        else if (selection.count > 0 && evidence == COMPARE_ROUNDS)
            judge_by_rounds(study, &selection, &overall->is);
        free(selection.cell);
    }
}

/* --- verdicts ------------------------------------------------------------------------------- */

/* Whether few enough of several pairs point the other way for the rest to be believed. */
static bool is_agreement(unsigned dissenters, unsigned pairs)
{
    return dissenters <= (pairs < DISSENT_LEAST ? 0 : pairs / DISSENT);
}

/* Whether the medians of a cell lie on the same side of 1 in all pairs, or all but few. */
static bool pairs_agree(const struct compare_cell *cell, unsigned pairs)
{
    unsigned dissenters = 0;
    for (unsigned i = 0; pairs > 1 && i < pairs; i++) {
        const double off = log(cell->after[i].median_ns / cell->before[i].median_ns);
        dissenters += !(cell->is.ratio > 0 ? off > 0 : off < 0);
    }
    return is_agreement(dissenters, pairs);
}

/* The same for the mean over the cells that a test rests on. */
static bool test_agrees(const struct judging *study, unsigned test,
                        const struct compare_judgement *is)
{
    unsigned dissenters = 0;
    for (unsigned i = 0; study->pairs > 1 && i < study->pairs; i++) {
        double off = 0.0;
        for (size_t c = 0; c < study->count; c++) {
            const struct compare_cell *cell = &study->cells[c];
            if (cell->test == test && cell->is.evidence == is->evidence)
                off += log(cell->after[i].median_ns / cell->before[i].median_ns);
        }
        dissenters += !(is->ratio > 0 ? off > 0 : off < 0);
    }
    return is_agreement(dissenters, study->pairs);
}

/* Holm over one family: the cells, or the tests.  With several pairs, where the level is a promise,
 * each family has half of it. */
static void adjust(double *p, size_t count, unsigned pairs)
{
    chance_holm(p, count);
    for (size_t i = 0; pairs > 1 && i < count; i++)
        p[i] = isnan(p[i]) ? NAN : fmin(1.0, FAMILIES * p[i]);
}

/* By how much the medians differ: of a cell, or of all cells that a test rests on. */
static double median_shift(const struct compare_cell *cell, unsigned pairs)
{
    double shift = 0.0;
    for (unsigned i = 0; i < pairs; i++)
        shift += log(cell->after[i].median_ns / cell->before[i].median_ns) / pairs;
    return shift;
}

static double test_median_shift(const struct judging *study, unsigned test,
                                const struct compare_overall *overall)
{
    double shift = 0.0;
    for (size_t c = 0; c < study->count; c++) {
        const struct compare_cell *cell = &study->cells[c];
        if (cell->test == test && cell->is.evidence == overall->is.evidence)
            shift += median_shift(cell, study->pairs) / (double)overall->cells;
    }
    return shift;
}

/* The shift between rounds that fall into groups is not a difference of medians, and its interval
 * says nothing about them. */
static bool medians_disagree(const struct compare_judgement *is, double median, double tolerance)
{
    return fabs(median - is->ratio) > tolerance && (median < is->low || median > is->high);
}

/* Logarithms become ratios.  median: what the medians alone say. */
static void decide(struct compare_judgement *is, bool agree, double median, double tolerance_log)
{
    const bool opposite = is->ratio > 0 ? median < 0 : median > 0;
    bool differs = agree && !opposite && fabs(is->ratio) > tolerance_log;
    bool same = is->low >= -tolerance_log && is->high <= tolerance_log &&
                !medians_disagree(is, median, tolerance_log);
    if (!isnan(is->p))
        differs = differs && is->p < COMPARE_LEVEL;
    if (is->evidence == COMPARE_INTERVALS)
        differs = differs && (is->low > tolerance_log || is->high < -tolerance_log);
    if (is->evidence >= COMPARE_INTERVALS && !isnan(is->low))
        is->verdict = differs ? is->ratio > 0 ? COMPARE_SLOWER : COMPARE_FASTER
                      : same  ? COMPARE_SAME
                              : COMPARE_UNCLEAR;
    is->ratio = exp(is->ratio);
    is->low = exp(is->low);
    is->high = exp(is->high);
}

static void decide_cell(const struct judging *study, struct compare_cell *cell)
{
    const double median = median_shift(cell, study->pairs);
    cell->medians_disagree = medians_disagree(&cell->is, median, study->tolerance_log);
    decide(&cell->is, pairs_agree(cell, study->pairs), median, study->tolerance_log);
    cell->shifted_ns = cell->before_ns * cell->is.ratio;
}

static struct compare_cell *copy_cells(const struct compare_cell *cells, size_t count)
{
    struct compare_cell *copy = mem_calloc(count + 1, sizeof(*copy));
    for (size_t c = 0; c < count; c++)
        copy[c] = cells[c];
    return copy;
}

void compare_judge(struct compare_cell *cells, size_t count, unsigned pairs, double tolerance,
                   struct compare_overall *overall, unsigned test_count)
{
    const struct judging study = {cells, mem_calloc(count + 1, sizeof(struct estimate)), count,
                                  pairs, log1p(tolerance)};
    double *p = mem_calloc(count + test_count + 1, sizeof(*p)), *overall_p = p + count;
    struct compare_sample *scaled = mem_calloc(count + 1, 2 * pairs * sizeof(*scaled));
    struct compare_cell *given = copy_cells(cells, count);

    for (size_t c = 0; c < count; c++)
        estimate_scaled(&cells[c], pairs, &scaled[2 * pairs * c], &study.estimates[c]);
    drop_hopeless_tests(&study);
    for (unsigned test = 0; test < test_count; test++)
        study_test(&study, test, &overall[test]);
    for (size_t c = 0; c < count; c++)
        p[c] = cells[c].is.p;
    for (unsigned test = 0; test < test_count; test++)
        overall_p[test] = overall[test].is.p;
    adjust(p, count, pairs);
    adjust(overall_p, test_count, pairs);
    for (unsigned test = 0; test < test_count; test++) {
        struct compare_judgement *is = &overall[test].is;
        is->p = overall_p[test];
        decide(is, test_agrees(&study, test, is), test_median_shift(&study, test, &overall[test]),
               study.tolerance_log);
    }
    for (size_t c = 0; c < count; c++) {
        cells[c].is.p = p[c];
        decide_cell(&study, &cells[c]);
        overall[cells[c].test].counts[cells[c].is.verdict]++;
    }
    for (size_t c = 0; c < count; c++) {
        reference_free(&scaled[2 * pairs * c], pairs);
        cells[c].before = given[c].before;
        cells[c].after = given[c].after;
    }
    free(given);
    free(scaled);
    free(study.estimates);
    free(p);
}
