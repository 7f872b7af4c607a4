/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ranks.h - two samples, or several pairs of samples, compared by ranks: by how much is the new one
 * shifted, between which bounds, and could that be chance.  Nothing is assumed about the shape of
 * the distribution, and a few wild values do no harm.  Pure functions. */
#ifndef ANALYSIS_RANKS_H
#define ANALYSIS_RANKS_H

#include <stddef.h>

struct ranks_pair { /* both ascending, finite, not empty */
    const double *before, *after;
    size_t before_count, after_count;
};

/* The k-th smallest (from 0) of all differences after[j] - before[i] within the pairs, exactly.
 * k is below the sum of before_count * after_count.  No difference is stored: time is proportional
 * to the number of values. */
double ranks_difference(const struct ranks_pair *pairs, size_t count, double k);

struct ranks_shift {
    /* Hodges-Lehmann: the median of all differences within pairs, and the k-th smallest and largest
     * with k = floor(N/2 - 1.96 * sqrt(V)) from 0, N = sum of nm, V = sum of nm(n+m+1)/12; NAN when
     * so few values cannot give 95 %.  Hodges and Lehmann, Annals of Mathematical Statistics 34,
     * 1963; Hollander and Wolfe, Nonparametric Statistical Methods, section 4.3. */
    double shift, low, high;
    /* Two-sided Mann-Whitney test: exact for one pair without ties while the number of arrangements
     * is below 2^53 (28 values each), else normal with corrections for continuity and ties; several
     * pairs: sums with weights 1 / (n + m + 1), van Elteren (Bulletin de l'Institut International
     * de Statistique 37, 1960). */
    double p;
    /* The least p possible with that many values: that of pairs which do not overlap at all. */
    double least_p;
};

/* count > 0. */
struct ranks_shift ranks_compare(const struct ranks_pair *pairs, size_t count);

#endif
