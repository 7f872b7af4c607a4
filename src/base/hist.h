/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hist.h - log-linear histogram of durations in nanoseconds, fixed memory, no pointers, so that
 * threads, processes and hosts merge by adding.
 *
 * A power of two is divided into 64 buckets (2^HIST_SUB_BITS), so a value is known to 1/128 = 0.8
 * %.
 *     e = v < 128 ? 0 : floor(log2 v) - 6;   index = e * 64 + (v >> e)
 * Example: v = 1000 has floor(log2 v) = 9, e = 3, v >> 3 = 125, index 317, which holds 1000..1007.
 * Values from 2^40 ns (18 minutes) on are counted in the last bucket; min, max and sum kept beside
 * the histogram (struct tally) stay exact. */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include <stddef.h>
#include <stdint.h>

#define HIST_SUB_BITS   6
#define HIST_VALUE_BITS 40
#define HIST_BUCKETS    2240

struct hist {
    uint64_t count[HIST_BUCKETS];
};

/* The formula above with the highest bit in place of e, so that the constant folds into the
 * bucket's address. */
static ALWAYS_INLINE size_t hist_index(uint64_t value_ns)
{
    const size_t top = 63 ^ (size_t)__builtin_clzll(value_ns | 127);

    if (__builtin_expect(top >= HIST_VALUE_BITS, 0))
        return HIST_BUCKETS - 1;
    return (top << HIST_SUB_BITS) + (size_t)(value_ns >> (top - HIST_SUB_BITS)) -
           ((size_t)HIST_SUB_BITS << HIST_SUB_BITS);
}

/* Hot: ten instructions, no branch taken for ordinary values. */
static ALWAYS_INLINE void hist_record(struct hist *hist, uint64_t value_ns)
{
    hist->count[hist_index(value_ns)]++;
}

/* Lowest value of a bucket, in ns; the bucket ends before hist_lower_ns(index + 1). */
uint64_t hist_lower_ns(unsigned index);

void hist_merge(struct hist *into, const struct hist *from);

/* Number of values recorded. */
uint64_t hist_total(const struct hist *hist);

/* Sample standard deviation (n - 1) of the recorded values, in ns, computed from bucket midpoints;
 * 0 for fewer than two values. */
double hist_stddev_ns(const struct hist *hist);

/* Nearest-rank percentile (rank = ceil(q * total), 0 < q <= 1), as the midpoint of its bucket, in
 * ns; exact below 128 ns. 0 for an empty histogram. */
uint64_t hist_quantile_ns(const struct hist *hist, double q);

/* The same, clamped to the known minimum and maximum, and exactly the maximum for the last rank. */
uint64_t hist_quantile_within_ns(const struct hist *hist, double q, uint64_t least_ns,
                                 uint64_t most_ns);

#endif
