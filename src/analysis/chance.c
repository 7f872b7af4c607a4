/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* chance.c - tail probabilities of the normal and of Student's distribution, and Holm's adjustment.
 * Tails are computed as tails, never as 1 minus a body: small ones keep their digits. */
#include "base/compat.h"

#include "analysis/chance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define FRACTION_TERMS 10000 /* far more than needed: some dozens, more only for huge df */
#define BOUND_STEPS    200   /* bisections: ends at neighbouring doubles */

double chance_normal(double z)
{
    return erfc(fabs(z) / sqrt(2.0));
}

/* The continued fraction of I_x(a, b) without its factor, evaluated from the front (Lentz). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = DBL_MIN / DBL_EPSILON;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), value;
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    value = d;
    for (int i = 1; i <= FRACTION_TERMS; i++) {
        const double m = i, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step;
        d = 1.0 + even * d;
        c = 1.0 + even / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= d * c;
        d = 1.0 + odd * d;
        c = 1.0 + odd / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        step = d * c;
        value *= step;
        if (fabs(step - 1.0) < 4 * DBL_EPSILON)
            break;
    }
    return value;
}

/* I_x(a, b) with both x and 1 - x given, so that neither loses digits. */
static double beta_regularized(double a, double b, double x, double rest)
{
    double factor;
    if (!(x > 0.0))
        return 0.0;
    if (!(rest > 0.0))
        return 1.0;
    factor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
    if (x < (a + 1.0) / (a + b + 2.0))
        return factor * beta_fraction(a, b, x) / a;
    return 1.0 - factor * beta_fraction(b, a, rest) / b;
}

double chance_student(double t, double df)
{
    const double square = t * t;
    if (isinf(square))
        return 0.0;
    return beta_regularized(df / 2, 0.5, df / (df + square), square / (df + square));
}

double chance_student_bound(double p, double df)
{
    double low = 0.0, high = 1.0;
    while (chance_student(high, df) > p && high < DBL_MAX / 4)
        high *= 2;
    for (int i = 0; i < BOUND_STEPS && low < high; i++) {
        const double middle = low + (high - low) / 2;
        if (chance_student(middle, df) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

struct ranked {
    double p;
    size_t index;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p)
                        : (x->index > y->index) - (x->index < y->index);
}

void chance_holm(double *p, size_t count)
{
    struct ranked *ranked = mem_calloc(count + 1, sizeof(*ranked));
    size_t tests = 0;
    double adjusted = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(p[i]))
            ranked[tests++] = (struct ranked){p[i], i};
    }
    qsort(ranked, tests, sizeof(*ranked), compare_ranked);
    for (size_t i = 0; i < tests; i++) {
        adjusted = fmax(adjusted, fmin(1.0, ranked[i].p * (double)(tests - i)));
        p[ranked[i].index] = adjusted;
    }
    free(ranked);
}
