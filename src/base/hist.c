/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hist.c - the cold half of the histogram: merging and evaluation. Recording is inline in hist.h.
 * Percentiles use the nearest rank (the smallest value that at least q of all values do not
 * exceed), never interpolation: the result is always a measured value, to 1/128. */
#include "base/compat.h"

#include "base/hist.h"

#include <float.h>
#include <math.h>

_Static_assert(HIST_BUCKETS == (HIST_VALUE_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS,
               "the last bucket must end at 2^HIST_VALUE_BITS");

#define LINEAR_BUCKETS (2u << HIST_SUB_BITS) /* below this, a bucket is one value */

static unsigned bucket_exponent(unsigned index)
{
    return index < LINEAR_BUCKETS ? 0 : (index >> HIST_SUB_BITS) - 1;
}

uint64_t hist_lower_ns(unsigned index)
{
    unsigned exponent = bucket_exponent(index);
    return (uint64_t)(index - (exponent << HIST_SUB_BITS)) << exponent;
}

void hist_merge(struct hist *into, const struct hist *from)
{
    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        if (from->count[i] > 0) /* keeps pages of an empty histogram untouched */
            into->count[i] += from->count[i];
}

uint64_t hist_total(const struct hist *hist)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        total += hist->count[i];
    return total;
}

/* q such as 0.07 is not exact in binary, and 0.07 * 100 is slightly above 7: without the tolerance,
 * the ceiling would be 8. */
static uint64_t nearest_rank(double q, uint64_t total)
{
    double exact = q * (double)total;
    double rank = ceil(exact - exact * 4 * DBL_EPSILON);
    if (!(rank >= 1.0))
        return 1;
    if (rank >= (double)total)
        return total;
    return (uint64_t)rank;
}

static uint64_t middle_ns(unsigned index)
{
    return hist_lower_ns(index) + ((UINT64_C(1) << bucket_exponent(index)) >> 1);
}

double hist_stddev_ns(const struct hist *hist)
{
    double mean_ns = 0, squares = 0, seen = 0;

    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        if (hist->count[i]) { /* West 1979: one pass without subtracting large sums */
            const double count = (double)hist->count[i], off_ns = (double)middle_ns(i) - mean_ns;
            seen += count;
            squares += count * off_ns * off_ns * (seen - count) / seen;
            mean_ns += off_ns * count / seen;
        }
    return seen < 2 ? 0 : sqrt(squares / (seen - 1));
}

uint64_t hist_quantile_ns(const struct hist *hist, double q)
{
    uint64_t total = hist_total(hist), seen = 0, rank;
    unsigned index = 0;
    if (total == 0)
        return 0;
    rank = nearest_rank(q, total);
    for (; index < HIST_BUCKETS - 1; index++) {
        seen += hist->count[index];
        if (seen >= rank)
            break;
    }
    return middle_ns(index);
}

uint64_t hist_quantile_within_ns(const struct hist *hist, double q, uint64_t least_ns,
                                 uint64_t most_ns)
{
    const uint64_t total = hist_total(hist), ns = hist_quantile_ns(hist, q);

    if (total == 0)
        return 0;
    if (nearest_rank(q, total) == total || ns > most_ns)
        return most_ns;
    return ns < least_ns ? least_ns : ns;
}
