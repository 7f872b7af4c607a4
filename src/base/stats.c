/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stats.c - statistics of a row's rounds. I/O times are a floor plus delays: skewed, with spikes,
 * sometimes in two clusters. The mean of a row is elapsed time divided by operations, so its
 * interval is derived from the rounds' times, and is wider where they are correlated. Outliers are
 * counted, never removed: they happened. */
#include "base/compat.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define INTERVAL_MIN_N    3
#define BATCHES           8
#define CORRELATION_MOST  0.9
#define TREND_Z           2.58 /* 99 %, two-sided */
#define TREND_CHANGE      0.10 /* of the mean */
#define CORRELATION_MIN_N 12
#define OUTLIER_LIMIT     10.0

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void stats_sort(double *values, size_t n)
{
    qsort(values, n, sizeof(*values), compare_doubles);
}

double stats_median(const double *sorted, size_t n)
{
    if (n % 2 == 1)
        return sorted[n / 2];
    return sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

double stats_median_of(const double *values, size_t n)
{
    double *sorted = mem_calloc(n, sizeof(*sorted)), median;
    memcpy(sorted, values, n * sizeof(*sorted));
    stats_sort(sorted, n);
    median = stats_median(sorted, n);
    free(sorted);
    return median;
}

double stats_mean(const double *values, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return n > 0 ? sum / (double)n : 0.0;
}

/* Two passes: subtracting two large sums would lose the significant digits. */
double stats_stddev(const double *values, size_t n)
{
    double mean = stats_mean(values, n), squares = 0.0;
    if (n < 2)
        return 0.0;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

double stats_t_975(size_t freedom)
{
    static const double z = 1.959963985, few[] = {12.70620, 4.302653};
    const double n = (double)freedom, z2 = z * z;
    const double one = z * (z2 + 1) / 4, two = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double three = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    const double four = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;

    return freedom <= 2 ? few[freedom - 1] : z + (one + (two + (three + four / n) / n) / n) / n;
}

/* Sums `group` consecutive rounds; an incomplete last group is left out. */
static void put_together(const double *rounds, const double *weights, size_t group, size_t i,
                         double *time, double *weight)
{
    *time = *weight = 0;
    for (size_t k = i * group; k < (i + 1) * group; k++) {
        *time += rounds[k] * weights[k];
        *weight += weights[k];
    }
}

/* For n groups of rounds: the ratio estimator (Cochran, Sampling Techniques, 3rd ed., section 6.4)
 * with t intervals of its residuals. *lag: sum of products of neighbours over sum of squares. */
static double ratio_of(const double *rounds, const double *weights, size_t group, size_t n,
                       double *half, double *lag)
{
    double times = 0, all = 0, squares = 0, products = 0, before = 0, time, weight, mean;

    for (size_t i = 0; i < n; i++) {
        put_together(rounds, weights, group, i, &time, &weight);
        times += time;
        all += weight;
    }
    mean = times / all;
    for (size_t i = 0; i < n; i++) {
        put_together(rounds, weights, group, i, &time, &weight);
        time -= mean * weight;
        squares += time * time;
        products += time * before;
        before = time;
    }
    *half = stats_t_975(n - 1) * sqrt(squares / (double)(n - 1) * (double)n) / all;
    *lag = squares > 0 ? products / squares : 0;
    return mean;
}

/* Correlated neighbours carry less information: the interval grows by the root of (1 + r) / (1 -
 * r), where r is the lag-1 autocorrelation, with Kendall's correction for the bias of short
 * series. */
static double dependence(double lag, size_t n)
{
    const double r = fmin(fmax(lag + (1 + 3 * lag) / (double)n, 0), CORRELATION_MOST);

    return sqrt((1 + r) / (1 - r));
}

/* Longer correlations are caught by eight batches of many rounds. */
double stats_ratio(const double *rounds, const double *weights, size_t n, double *half, double *lag)
{
    double ignored, batches;
    const double mean = ratio_of(rounds, weights, 1, n, half, lag);

    *half *= dependence(*lag, n);
    if (n >= BATCHES * BATCHES) {
        (void)ratio_of(rounds, weights, n / BATCHES, BATCHES, &batches, &ignored);
        *half = fmax(*half, batches);
    }
    return mean;
}

double stats_z_975(size_t count)
{
    const double t = sqrt(-2 * log(0.025 / (double)count));

    return t - (2.515517 + (0.802853 + 0.010328 * t) * t) /
                   (1 + (1.432788 + (0.189269 + 0.001308 * t) * t) * t);
}

double stats_trimmed(const double *values, size_t n, double *error, size_t *freedom)
{
    const size_t cut = n / 5, kept = n - 2 * cut;
    double *sorted = mem_calloc(n, sizeof(*sorted)), low, high, middle;
    double trimmed, squares = 0, products = 0, before = 0, lag;

    memcpy(sorted, values, n * sizeof(*sorted));
    stats_sort(sorted, n);
    low = sorted[cut];
    high = sorted[n - 1 - cut];
    trimmed = stats_mean(sorted + cut, kept);
    middle = (trimmed * (double)kept + (low + high) * (double)cut) / (double)n;
    free(sorted);
    for (size_t i = 0; i < n; i++) {
        const double rest = fmin(fmax(values[i], low), high) - middle;
        squares += rest * rest;
        products += rest * before;
        before = rest;
    }
    lag = squares > 0 ? products / squares : 0;
    *freedom = kept - 1;
    *error =
        sqrt(squares / (double)(n - 1) / (double)n) * (double)n / (double)kept * dependence(lag, n);
    return trimmed;
}

/* Sorts values and returns how many pairs were in strictly descending order; bottom-up merge sort,
 * so that runs with many rounds stay cheap. spare: n doubles. */
static double count_inversions(double *values, size_t n, double *spare)
{
    double inversions = 0.0;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n;
            size_t end = middle + width < n ? middle + width : n;
            size_t left = start, right = middle;
            for (size_t to = start; to < end; to++) {
                if (right >= end || (left < middle && values[left] <= values[right])) {
                    spare[to] = values[left++];
                } else {
                    spare[to] = values[right++];
                    inversions += (double)(middle - left);
                }
            }
        }
        memcpy(values, spare, n * sizeof(*values));
    }
    return inversions;
}

double stats_mann_kendall_z(const double *values, size_t n)
{
    double *copy, count = (double)n, descending, tied = 0.0, score, variance;
    if (n < 3)
        return 0.0;
    copy = mem_calloc(n, 2 * sizeof(*copy));
    memcpy(copy, values, n * sizeof(*copy));
    descending = count_inversions(copy, n, copy + n);
    variance = count * (count - 1) * (2 * count + 5);
    for (size_t i = 0; i < n;) {
        size_t group = 1;
        while (i + group < n && copy[i + group] <= copy[i]) /* sorted, so this means equal */
            group++;
        tied += (double)group * (double)(group - 1) / 2;
        variance -= (double)group * (double)(group - 1) * (2 * (double)group + 5);
        i += group;
    }
    free(copy);
    variance /= 18;
    score = count * (count - 1) / 2 - tied - 2 * descending; /* ascending minus descending pairs */
    if (!(variance > 0.0) || score == 0.0)
        return 0.0;
    return (score > 0.0 ? score - 1 : score + 1) / sqrt(variance);
}

double stats_linear_change(const double *values, size_t n)
{
    double middle, mean = stats_mean(values, n), products = 0.0, squares = 0.0;
    if (n < 2)
        return 0.0;
    middle = (double)(n - 1) / 2;
    for (size_t i = 0; i < n; i++) {
        products += ((double)i - middle) * (values[i] - mean);
        squares += ((double)i - middle) * ((double)i - middle);
    }
    return products / squares * (double)(n - 1);
}

size_t stats_outliers(const double *values, size_t n, double limit)
{
    double *distance = mem_calloc(n, sizeof(*distance)), scale;
    const double median = n > 0 ? stats_median_of(values, n) : 0;
    size_t outliers = 0;

    for (size_t i = 0; i < n; i++)
        distance[i] = fabs(values[i] - median);
    /* estimates the standard deviation of a normal distribution from the median distance */
    scale = n > 0 ? 1.4826 * stats_median_of(distance, n) : 0;
    for (size_t i = 0; i < n; i++)
        outliers += scale > 0.0 && distance[i] / scale > limit;
    free(distance);
    return outliers;
}

struct stats_summary stats_summarize(const double *rounds, const double *weights, size_t n)
{
    struct stats_summary summary = {.interval_known = n >= INTERVAL_MIN_N, .best = rounds[0]};
    double half = 0, lag = 0;

    for (size_t i = 1; i < n; i++)
        summary.best = fmin(summary.best, rounds[i]);
    summary.mean = n > 1 ? stats_ratio(rounds, weights, n, &half, &lag) : rounds[0];
    summary.low = fmax(summary.mean - half, 0);
    summary.high = summary.mean + half;
    summary.stddev = stats_stddev(rounds, n);
    summary.outliers = stats_outliers(rounds, n, OUTLIER_LIMIT);
    summary.drift = fabs(stats_mann_kendall_z(rounds, n)) > TREND_Z &&
                    fabs(stats_linear_change(rounds, n)) > TREND_CHANGE * fabs(summary.mean);
    summary.correlated = n >= CORRELATION_MIN_N && lag > 2 / sqrt((double)n);
    return summary;
}
