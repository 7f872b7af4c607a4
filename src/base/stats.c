/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stats.c - what rounds of one row say.  Times of I/O are a floor plus delays: skewed, with spikes,
 * sometimes in two clusters.  So nothing here assumes a normal distribution; the interval of the
 * median needs only independent rounds, and whether they are is tested (lag-1 correlation, trend).
 * Outliers are counted, never removed: they happened. */
#include "base/compat.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define TAIL              0.025 /* of the 95 % interval, on each side */
#define TREND_Z           2.58  /* 99 %, two-sided */
#define TREND_CHANGE      0.10  /* of the median */
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

double stats_distance(const double *sorted, size_t n, double *scratch)
{
    const double median = stats_median(sorted, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(sorted[i] - median);
    stats_sort(scratch, n);
    return stats_median(scratch, n);
}

double stats_mean(const double *values, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return n > 0 ? sum / (double)n : 0.0;
}

/* Two passes: the difference of two large sums would lose the digits that matter. */
double stats_stddev(const double *values, size_t n)
{
    double mean = stats_mean(values, n), squares = 0.0;
    if (n < 2)
        return 0.0;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

/* The weights C(n, k) are built outwards from the middle, scaled to 1 there: 2^-n would underflow
 * from n = 1075 on.  First their sum, then down from the middle until the tail is small enough.
 * Example: n = 11, P(X <= 1) = 12 / 2048 and P(X <= 2) = 67 / 2048 = 0.033 > 0.025, so l = 2. */
size_t stats_median_rank(size_t n)
{
    size_t middle = n > 0 ? (n - 1) / 2 : 0; /* ranks above it would cross */
    double weight = 1.0, lower = 0.0, total;

    if (n < 6)
        return 0;
    for (size_t k = middle + 1; k-- > 0;) {
        lower += weight;
        weight *= (double)k / (double)(n - k + 1);
    }
    total = 2 * lower;
    if (n % 2 == 0) /* the weight at n / 2, next to the middle, stands alone */
        total += (double)(n - middle) / (double)(middle + 1);
    weight = 1.0;
    for (size_t k = middle + 1; k-- > 0;) {
        if (lower <= TAIL * total)
            return k + 1; /* P(X <= l - 1) with l - 1 = k */
        lower -= weight;
        weight *= (double)k / (double)(n - k + 1);
    }
    return 0;
}

/* Sorts values and returns how many pairs stood in strictly descending order; merge sort from
 * below, so that long runs with many rounds stay cheap.  spare: n doubles. */
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
        while (i + group < n && copy[i + group] <= copy[i]) /* sorted: equal */
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

double stats_lag1(const double *values, size_t n)
{
    double mean = stats_mean(values, n), products = 0.0, squares = 0.0;
    if (n < 3)
        return 0.0;
    for (size_t i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
        if (i + 1 < n)
            products += (values[i] - mean) * (values[i + 1] - mean);
    }
    return squares > 0.0 ? products / squares : 0.0;
}

size_t stats_outliers(const double *sorted, size_t n, double limit, double *scratch)
{
    double scale;
    size_t outliers = 0;
    if (n == 0)
        return 0;
    /* estimates the standard deviation of a normal */
    scale = 1.4826 * stats_distance(sorted, n, scratch);
    if (!(scale > 0.0))
        return 0;
    for (size_t i = n; i-- > 0 && scratch[i] / scale > limit;)
        outliers++;
    return outliers;
}

static bool is_correlated(const double *values, size_t n)
{
    return n >= CORRELATION_MIN_N && stats_lag1(values, n) > 2 / sqrt((double)n);
}

/* Interval of the median from the sorted values, if there are enough. */
static void set_interval(struct stats_summary *summary, const double *sorted, size_t n)
{
    size_t rank = stats_median_rank(n);
    summary->interval_known = rank > 0;
    summary->low = sorted[rank > 0 ? rank - 1 : 0];
    summary->high = sorted[rank > 0 ? n - rank : n - 1];
}

/* Rounds that resemble their neighbours say less than their number: the plain interval would be
 * too narrow.  Averaging pairs until they look independent gives an honest one (at least 6 values
 * are left).  The median stays that of all rounds, so the interval is made to hold it. */
static void widen_interval(struct stats_summary *summary, const double *rounds, size_t n,
                           double *scratch)
{
    memcpy(scratch, rounds, n * sizeof(*scratch));
    while (is_correlated(scratch, n)) {
        size_t skip = n % 2; /* of an odd number the first stays out: it is the least settled */
        n /= 2;
        for (size_t i = 0; i < n; i++)
            scratch[i] = (scratch[skip + 2 * i] + scratch[skip + 2 * i + 1]) / 2;
    }
    stats_sort(scratch, n);
    set_interval(summary, scratch, n);
    summary->low = fmin(summary->low, summary->median);
    summary->high = fmax(summary->high, summary->median);
}

struct stats_summary stats_summarize(const double *rounds, size_t n, double *scratch)
{
    struct stats_summary summary = {.interval_known = false};
    double *sorted = scratch, *other = scratch + n;

    memcpy(sorted, rounds, n * sizeof(*sorted));
    stats_sort(sorted, n);
    summary.median = stats_median(sorted, n);
    summary.best = sorted[0];
    summary.stddev = stats_stddev(rounds, n);
    summary.outliers = stats_outliers(sorted, n, OUTLIER_LIMIT, other);
    summary.drift = fabs(stats_mann_kendall_z(rounds, n)) > TREND_Z &&
                    fabs(stats_linear_change(rounds, n)) > TREND_CHANGE * fabs(summary.median);
    summary.correlated = is_correlated(rounds, n);
    if (summary.correlated)
        widen_interval(&summary, rounds, n, other);
    else
        set_interval(&summary, sorted, n);
    return summary;
}
