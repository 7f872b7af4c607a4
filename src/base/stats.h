/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stats.h - statistics of rounds: pure functions of small arrays that know nothing of their
 * meaning. Arrays named `sorted` are ascending; others are in the order of measurement. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>

void stats_sort(double *values, size_t n);

/* Median: the middle value, or the mean of the middle two.  n > 0. */
double stats_median(const double *sorted, size_t n);
double stats_median_of(const double *values, size_t n); /* any order */

double stats_mean(const double *values, size_t n);

/* Sample standard deviation (n - 1); 0 for n < 2. */
double stats_stddev(const double *values, size_t n);

/* The 97.5 % quantile of Student's t with `freedom` >= 1 degrees of freedom; error below 0.2 %
 * (Abramowitz and Stegun 26.7.5). */
double stats_t_975(size_t freedom);

/* Ratio estimate of the mean: rounds took rounds * weight each, and the result is the sum of these
 * times over the sum of the weights. *half: half width of its 95 % interval; *lag: lag-1
 * autocorrelation, 0 for constant values; n > 1. */
double stats_ratio(const double *rounds, const double *weights, size_t n, double *half,
                   double *lag);

/* 20 % trimmed mean, and in *error its standard error with n - 1 - 2 * trimmed degrees of freedom
 * (Yuen 1974, from the Winsorized variance), larger where neighbours resemble each other.
 * n > 1. */
double stats_trimmed(const double *values, size_t n, double *error, size_t *freedom);

/* The same quantile of the normal distribution for `count` comparisons at once (Bonferroni); error
 * below 5e-4 (Abramowitz and Stegun 26.2.23).  1.96 for one. */
double stats_z_975(size_t count);

/* Mann-Kendall trend test: the normal score z of S with continuity correction and correction for
 * ties (Kendall, Rank Correlation Methods).  0 for n < 3. */
double stats_mann_kendall_z(const double *values, size_t n);

/* Change of the least-squares line from the first to the last value. */
double stats_linear_change(const double *values, size_t n);

/* Number of values whose modified z-score |x - median| / (1.4826 * MAD) exceeds limit (Iglewicz and
 * Hoaglin 1993).  0 when MAD is 0. */
size_t stats_outliers(const double *values, size_t n, double limit);

struct stats_summary {
    double mean, low, high, best, stddev; /* low, high: interval of the mean, if known */
    bool interval_known;                  /* for three or more rounds */
    bool drift;      /* |z| > 2.58 and the line moves by more than 10 % of the mean */
    bool correlated; /* r1 > 2 / sqrt(n) */
    size_t outliers; /* rounds with modified z > 10; never removed */
};

/* All of these for the rounds of one row, in order of measurement, each the mean of `weight`
 * values. n > 0. */
struct stats_summary stats_summarize(const double *rounds, const double *weights, size_t n);

#endif
