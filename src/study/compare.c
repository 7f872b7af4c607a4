/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.c - from samples to verdicts; compare.h tells the method and why it is so.  The order of
 * work: what each cell has for evidence and its estimate from rounds or intervals; then, per test
 * and kind of evidence, the spread over the units; then Holm over everything, and the verdicts. */
#include "base/compat.h"

#include "study/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/stats.h"
#include "study/chance.h"
#include "study/ranks.h"

#define PARTS_LEAST     2 /* of the only sweep of a side */
#define PARTS_MOST      4
#define ROUNDS_PER_PART 5   /* at least, while there are more parts than the least */
#define AVERAGED_LEAST  12  /* rounds: with fewer, neighbours are not averaged (any more) */
#define SINGLE_SPREAD   4.0 /* times that of the parts of a sweep: assumed of whole sweeps */
#define SINGLE_INTERVAL 3.0 /* the same for intervals, whose widths were added already */
#define OWN_SPREAD      3.0 /* times the common variance: then a cell stands for itself */

struct study { /* one call of compare_judge */
    struct compare_cell *cells;
    size_t count;
    unsigned pairs;
    double tolerance_log;
};

/* The units of both sides of some cells of one test: x[(side * units + unit) * count + cell]. */
struct table {
    size_t *cell, count; /* which of the study */
    unsigned units;      /* of each side; below 2: nothing is known about their spread */
    double *x;
    double common, rest; /* M1 and M2 */
    double widen;        /* the spread of units is taken to be so many times what was seen */
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
    if (sample->round_ns == NULL || sample->round_count < COMPARE_ROUNDS_MIN)
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

static struct ranks_shift shift_of_rounds(const struct compare_cell *cell, unsigned pairs)
{
    struct ranks_pair *ranked = mem_calloc(pairs, sizeof(*ranked));
    double **values = mem_calloc(pairs, 2 * sizeof(*values));
    struct ranks_shift shift;
    for (unsigned i = 0; i < pairs; i++) {
        const size_t width = pair_width(&cell->before[i], &cell->after[i]);
        values[2 * i] = log_rounds(&cell->before[i], width, &ranked[i].before_count);
        values[2 * i + 1] = log_rounds(&cell->after[i], width, &ranked[i].after_count);
        ranked[i].before = values[2 * i];
        ranked[i].after = values[2 * i + 1];
    }
    shift = ranks_compare(ranked, pairs);
    for (unsigned i = 0; i < 2 * pairs; i++)
        free(values[i]);
    free(values);
    free(ranked);
    return shift;
}

/* [low_new / high_old, high_new / low_old], means over the pairs; logarithms. */
static void combine_intervals(const struct compare_cell *cell, unsigned pairs,
                              struct compare_judgement *is)
{
    is->low = is->high = 0.0;
    for (unsigned i = 0; i < pairs; i++) {
        double before[2], after[2];
        sample_interval(&cell->before[i], &before[0], &before[1]);
        sample_interval(&cell->after[i], &after[0], &after[1]);
        is->low += log(after[0] / before[1]) / pairs;
        is->high += log(after[1] / before[0]) / pairs;
    }
    if (pairs == 1) { /* whole sweeps differ by more than their rounds show */
        is->low = is->ratio - SINGLE_INTERVAL * (is->ratio - is->low);
        is->high = is->ratio + SINGLE_INTERVAL * (is->high - is->ratio);
    }
}

/* Logarithms, here and until the verdict, in ratio, low and high; those not known stay NAN. */
static void estimate_cell(struct compare_cell *cell, unsigned pairs)
{
    struct compare_judgement *is = &cell->is;
    double before = 0.0, after = 0.0;
    *is = (struct compare_judgement){.ratio = NAN, .low = NAN, .high = NAN, .p = NAN};
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
        combine_intervals(cell, pairs, is);
    if (is->evidence == COMPARE_ROUNDS) {
        const struct ranks_shift shift = shift_of_rounds(cell, pairs);
        is->ratio = shift.shift;
        is->low = shift.low;
        is->high = shift.high;
        is->p = shift.p;
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

static double *table_x(const struct table *table, int side, unsigned unit)
{
    return table->x + ((size_t)side * table->units + unit) * table->count;
}

static double unit_value(const struct study *study, const struct compare_cell *cell, int side,
                         unsigned unit, unsigned units)
{
    const struct compare_sample *sample;
    size_t first, end;
    if (study->pairs > 1) {
        sample = sample_of(cell, side, unit);
        return cell->is.evidence == COMPARE_ROUNDS
                   ? median_log(sample->round_ns, sample->round_count)
                   : log(sample->median_ns);
    }
    sample = sample_of(cell, side, 0);
    first = sample->round_count * unit / units;
    end = sample->round_count * (unit + 1) / units;
    return median_log(sample->round_ns + first, end - first);
}

/* Cells of a test with that evidence. */
static void table_select(struct table *table, const struct study *study, unsigned test,
                         enum compare_evidence evidence)
{
    size_t few = PARTS_MOST * ROUNDS_PER_PART;
    *table = (struct table){.cell = mem_calloc(study->count + 1, sizeof(*table->cell))};
    for (size_t c = 0; c < study->count; c++) {
        const struct compare_cell *cell = &study->cells[c];
        if (cell->test != test || cell->is.evidence != evidence)
            continue;
        table->cell[table->count++] = c;
        if (cell->before[0].round_count < few)
            few = cell->before[0].round_count;
        if (cell->after[0].round_count < few)
            few = cell->after[0].round_count;
    }
    table->widen = study->pairs > 1 ? 1.0 : SINGLE_SPREAD;
    if (study->pairs > 1)
        table->units = study->pairs;
    else if (evidence == COMPARE_ROUNDS)
        table->units =
            few < PARTS_LEAST * ROUNDS_PER_PART ? PARTS_LEAST : (unsigned)(few / ROUNDS_PER_PART);
}

static void table_fill(struct table *table, const struct study *study)
{
    table->x = mem_calloc(2 * (size_t)table->units * table->count + 1, sizeof(*table->x));
    for (int side = 0; side < 2; side++) {
        for (unsigned unit = 0; unit < table->units; unit++) {
            for (size_t c = 0; c < table->count; c++)
                table_x(table, side, unit)[c] =
                    unit_value(study, &study->cells[table->cell[c]], side, unit, table->units);
        }
    }
}

static double mean_of_cell(const struct table *table, int side, size_t c)
{
    double sum = 0.0;
    for (unsigned unit = 0; unit < table->units; unit++)
        sum += table_x(table, side, unit)[c];
    return sum / table->units;
}

/* M1 and M2. */
static void table_spread(struct table *table)
{
    const double cells = (double)table->count, degrees = 2.0 * (table->units - 1);
    double *cell_mean = mem_calloc(table->count + 1, sizeof(*cell_mean));
    table->common = table->rest = 0.0;
    for (int side = 0; side < 2; side++) {
        double grand = 0.0;
        for (size_t c = 0; c < table->count; c++) {
            cell_mean[c] = mean_of_cell(table, side, c);
            grand += cell_mean[c] / cells;
        }
        for (unsigned unit = 0; unit < table->units; unit++) {
            const double *x = table_x(table, side, unit),
                         shift = stats_mean(x, table->count) - grand;
            table->common += cells * shift * shift / degrees;
            for (size_t c = 0; c < table->count; c++) {
                const double rest = x[c] - cell_mean[c] - shift;
                table->rest += table->count > 1 ? rest * rest / (degrees * (cells - 1)) : 0.0;
            }
        }
    }
    free(cell_mean);
}

/* Variance of one x[c][s] and its degrees of freedom. */
static double cell_variance(const struct table *table, size_t c, double *df)
{
    const double cells = (double)table->count, degrees = 2.0 * (table->units - 1);
    const double from_common = table->common / cells, from_rest = (cells - 1) / cells * table->rest;
    const double pooled = from_common + from_rest;
    double own = 0.0, uncertainty = from_common * from_common / degrees;
    for (int side = 0; side < 2; side++) {
        const double mean = mean_of_cell(table, side, c);
        for (unsigned unit = 0; unit < table->units; unit++) {
            const double off = table_x(table, side, unit)[c] - mean;
            own += off * off / degrees;
        }
    }
    if (table->count > 1)
        uncertainty += from_rest * from_rest / (degrees * (cells - 1));
    *df = uncertainty > 0.0 && own <= OWN_SPREAD * pooled ? pooled * pooled / uncertainty : degrees;
    return fmax(own, pooled);
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

static void judge_cells(const struct table *table, const struct study *study)
{
    for (size_t c = 0; c < table->count; c++) {
        double df, variance = cell_variance(table, c, &df);
        judge_spread(&study->cells[table->cell[c]].is,
                     mean_of_cell(table, 1, c) - mean_of_cell(table, 0, c),
                     2.0 / table->units * variance * table->widen * table->widen, df);
    }
}

/* The geometric mean over the cells of a table. */
static void judge_overall(const struct table *table, const struct study *study,
                          struct compare_overall *overall)
{
    struct compare_judgement *is = &overall->is;
    const double cells = (double)table->count;
    double mean = 0.0;
    overall->cells = table->count;
    is->ratio = 0.0;
    for (size_t c = 0; c < table->count; c++)
        is->ratio += study->cells[table->cell[c]].is.ratio / cells;
    if (is->evidence == COMPARE_INTERVALS) {
        is->low = is->high = 0.0;
        for (size_t c = 0; c < table->count; c++) {
            is->low += study->cells[table->cell[c]].is.low / cells;
            is->high += study->cells[table->cell[c]].is.high / cells;
        }
    }
    if (table->units < 2 || is->evidence == COMPARE_RATIO)
        return;
    for (size_t c = 0; c < table->count; c++)
        mean += (mean_of_cell(table, 1, c) - mean_of_cell(table, 0, c)) / cells;
    judge_spread(is, mean, 2.0 / table->units * table->common / cells * table->widen * table->widen,
                 2.0 * (table->units - 1));
}

static void study_test(const struct study *study, unsigned test, struct compare_overall *overall)
{
    *overall = (struct compare_overall){.cells = 0};
    overall->is = (struct compare_judgement){.ratio = NAN, .low = NAN, .high = NAN, .p = NAN};
    for (int evidence = COMPARE_ROUNDS; evidence > COMPARE_NOTHING; evidence--) {
        struct table table;
        table_select(&table, study, test, (enum compare_evidence)evidence);
        if (table.count > 0) {
            table_fill(&table, study);
            if (table.units > 1)
                table_spread(&table);
            if (overall->cells == 0) { /* the best there is */
                overall->is.evidence = (enum compare_evidence)evidence;
                judge_overall(&table, study, overall);
            }
            if (table.units > 1 && evidence != COMPARE_RATIO)
                judge_cells(&table, study);
            free(table.x);
        }
        free(table.cell);
    }
}

/* --- verdicts ------------------------------------------------------------------------------- */

/* Whether the medians of a cell lie on the same side of 1 in all pairs, as the ratio does. */
static bool pairs_agree(const struct compare_cell *cell, unsigned pairs)
{
    for (unsigned i = 0; pairs > 1 && i < pairs; i++) {
        const double off = log(cell->after[i].median_ns / cell->before[i].median_ns);
        if (!(cell->is.ratio > 0 ? off > 0 : off < 0))
            return false;
    }
    return true;
}

/* The same for the mean over the cells that a test rests on. */
static bool test_agrees(const struct study *study, unsigned test,
                        const struct compare_judgement *is)
{
    for (unsigned i = 0; study->pairs > 1 && i < study->pairs; i++) {
        double off = 0.0;
        for (size_t c = 0; c < study->count; c++) {
            const struct compare_cell *cell = &study->cells[c];
            if (cell->test == test && cell->is.evidence == is->evidence)
                off += log(cell->after[i].median_ns / cell->before[i].median_ns);
        }
        if (!(is->ratio > 0 ? off > 0 : off < 0))
            return false;
    }
    return true;
}

/* Holm over one family: the cells, or the tests.  With several pairs, where the level is a promise,
 * each family has half of it. */
static void adjust(double *p, size_t count, unsigned pairs)
{
    chance_holm(p, count);
    for (size_t i = 0; pairs > 1 && i < count; i++)
        p[i] = isnan(p[i]) ? NAN : fmin(1.0, 2 * p[i]);
}

/* Logarithms become ratios. */
static void decide(struct compare_judgement *is, bool agree, double tolerance_log)
{
    bool differs = agree && fabs(is->ratio) > tolerance_log;
    if (!isnan(is->p))
        differs = differs && is->p < COMPARE_LEVEL;
    if (is->evidence == COMPARE_INTERVALS)
        differs = differs && (is->low > tolerance_log || is->high < -tolerance_log);
    if (is->evidence >= COMPARE_INTERVALS && !isnan(is->low))
        is->verdict = !differs ? COMPARE_SAME : is->ratio > 0 ? COMPARE_SLOWER : COMPARE_FASTER;
    is->ratio = exp(is->ratio);
    is->low = exp(is->low);
    is->high = exp(is->high);
}

void compare_judge(struct compare_cell *cells, size_t count, unsigned pairs, double tolerance,
                   struct compare_overall *overall, unsigned test_count)
{
    const struct study study = {cells, count, pairs, log1p(tolerance)};
    double *p = mem_calloc(count + test_count + 1, sizeof(*p)), *overall_p = p + count;

    for (size_t c = 0; c < count; c++)
        estimate_cell(&cells[c], pairs);
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
        decide(is, test_agrees(&study, test, is), study.tolerance_log);
    }
    for (size_t c = 0; c < count; c++) {
        cells[c].is.p = p[c];
        decide(&cells[c].is, pairs_agree(&cells[c], pairs), study.tolerance_log);
        overall[cells[c].test].counts[cells[c].is.verdict]++;
    }
    free(p);
}
