/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ranks.c - Hodges-Lehmann estimate and Mann-Whitney test of pairs of samples.
 *
 * The n * m differences are never stored.  A certain one of them is found by bisection over the
 * doubles themselves, which are as ordered as the integers their bits make: 64 steps, each counting
 * the differences up to a value by a walk along both sorted samples, end at the very double. */
#include "base/compat.h"

#include "analysis/ranks.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/chance.h"
#include "base/mem.h"

#define EXACT_MOST  9007199254740992.0 /* 2^53: counts up to it are exact in a double */
#define Z_95        1.96
#define TAIL_CHOICE 40.0 /* arrangements for the outermost to be less likely than 2.5 % */

static uint64_t double_to_order(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return (bits >> 63) != 0 ? ~bits : bits | (UINT64_C(1) << 63);
}

static double double_from_order(uint64_t order)
{
    uint64_t bits = (order >> 63) != 0 ? order & ~(UINT64_C(1) << 63) : ~order;
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Differences up to limit.  Rounding keeps order, so the number that belongs to after[j] only
 * shrinks while both are walked up. */
static double count_up_to(const struct ranks_pair *pair, double limit)
{
    size_t first = 0; /* before[first ...] are near enough to after[j] */
    double count = 0.0;
    for (size_t j = 0; j < pair->after_count; j++) {
        while (first < pair->before_count && pair->after[j] - pair->before[first] > limit)
            first++;
        count += (double)(pair->before_count - first);
    }
    return count;
}

double ranks_difference(const struct ranks_pair *pairs, size_t count, double k)
{
    double least = INFINITY, most = -INFINITY;
    uint64_t low, high;
    for (size_t i = 0; i < count; i++) {
        const struct ranks_pair *pair = &pairs[i];
        least = fmin(least, pair->after[0] - pair->before[pair->before_count - 1]);
        most = fmax(most, pair->after[pair->after_count - 1] - pair->before[0]);
    }
    low = double_to_order(least);
    high = double_to_order(most);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const double limit = double_from_order(middle);
        double below = 0.0;
        for (size_t i = 0; i < count; i++)
            below += count_up_to(&pairs[i], limit);
        if (below > k)
            high = middle;
        else
            low = middle + 1;
    }
    return double_from_order(low);
}

/* What the Mann-Whitney test needs of a pair. */
struct rank_sum {
    double n, m;
    double u;    /* pairs with after > before, equal ones half */
    double ties; /* sum of t^3 - t over groups of equal values */
};

static struct rank_sum rank_sum(const struct ranks_pair *pair)
{
    struct rank_sum sum = {.n = (double)pair->before_count, .m = (double)pair->after_count};
    size_t i = 0, j = 0;
    while (i < pair->before_count || j < pair->after_count) {
        const double value = j >= pair->after_count    ? pair->before[i]
                             : i >= pair->before_count ? pair->after[j]
                                                       : fmin(pair->before[i], pair->after[j]);
        const size_t i_first = i, j_first = j;
        double tied, here;
        while (i < pair->before_count && pair->before[i] <= value)
            i++;
        while (j < pair->after_count && pair->after[j] <= value)
            j++;
        here = (double)(j - j_first);
        sum.u += here * ((double)i_first + (double)(i - i_first) / 2);
        tied = here + (double)(i - i_first);
        sum.ties += tied * tied * tied - tied;
    }
    return sum;
}

static double log_choices(double n, double m)
{
    return lgamma(n + m + 1) - lgamma(n + 1) - lgamma(m + 1);
}

/* P(U <= u or as far on the other side) from the number of arrangements that give each U: the
 * coefficients of the Gaussian binomial, prod (1 - x^(m+i)) / (1 - x^i), i = 1 ... n. */
static double exact_chance(size_t n, size_t m, double u)
{
    const size_t last = n * m;
    const double far = fmin(u, (double)last - u);
    double *ways = mem_calloc(last + 1, sizeof(*ways)), total = 0.0, tail = 0.0;
    ways[0] = 1.0;
    for (size_t i = 1; i <= n; i++) {
        for (size_t x = last + 1; x-- > m + i;)
            ways[x] -= ways[x - (m + i)];
        for (size_t x = i; x <= last; x++)
            ways[x] += ways[x - i];
    }
    for (size_t x = 0; x <= last; x++) {
        total += ways[x];
        if ((double)x <= far)
            tail += ways[x];
    }
    free(ways);
    return fmin(1.0, 2 * tail / total);
}

/* p; separate: as if the pairs did not overlap, and had no ties. */
static double test_chance(const struct ranks_pair *pairs, size_t count, bool separate)
{
    double deviation = 0.0, variance = 0.0, half_step = 0.0;
    for (size_t i = 0; i < count; i++) {
        struct rank_sum sum = rank_sum(&pairs[i]);
        const double all = sum.n + sum.m, weight = 1 / (all + 1);
        if (separate) {
            sum.u = sum.n * sum.m;
            sum.ties = 0.0;
        }
        if (count == 1 && !(sum.ties > 0) && log_choices(sum.n, sum.m) < log(EXACT_MOST))
            return exact_chance(pairs[i].before_count, pairs[i].after_count, sum.u);
        deviation += weight * (sum.u - sum.n * sum.m / 2);
        variance += weight * weight * sum.n * sum.m / 12 * (all + 1 - sum.ties / (all * (all - 1)));
        half_step = fmax(half_step, weight / 2);
    }
    if (!(variance > 0.0)) /* all values are equal */
        return 1.0;
    return chance_normal(fmax(0.0, fabs(deviation) - half_step) / sqrt(variance));
}

struct ranks_shift ranks_compare(const struct ranks_pair *pairs, size_t count)
{
    double all = 0.0, variance = 0.0, choices = 0.0, k;
    struct ranks_shift shift = {.low = NAN, .high = NAN};
    for (size_t i = 0; i < count; i++) {
        const double n = (double)pairs[i].before_count, m = (double)pairs[i].after_count;
        all += n * m;
        variance += n * m * (n + m + 1) / 12;
        choices += log_choices(n, m);
    }
    shift.shift = ranks_difference(pairs, count, floor((all - 1) / 2));
    if (fmod(all, 2) < 1) {
        const double upper = ranks_difference(pairs, count, all / 2);
        shift.shift += (upper - shift.shift) / 2;
    }
    if (choices >= log(TAIL_CHOICE)) {
        k = fmax(0.0, floor(all / 2 - Z_95 * sqrt(variance)));
        shift.low = ranks_difference(pairs, count, k);
        shift.high = ranks_difference(pairs, count, all - 1 - k);
    }
    shift.p = test_chance(pairs, count, false);
    shift.least_p = test_chance(pairs, count, true);
    return shift;
}
