/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* chance.h - how likely chance alone is: the distributions that tests need, and what many tests at
 * once cost.  Pure functions; probabilities are two-sided. */
#ifndef ANALYSIS_CHANCE_H
#define ANALYSIS_CHANCE_H

#include <stddef.h>

/* P(|Z| >= |z|), standard normal. */
double chance_normal(double z);

/* P(|T| >= |t|), Student's t with df > 0 degrees of freedom (need not be whole): the regularized
 * incomplete beta function I_x(df/2, 1/2) at x = df / (df + t^2), by its continued fraction
 * (Abramowitz and Stegun 26.5.8, 26.7.1). */
double chance_student(double t, double df);

/* The t > 0 with chance_student(t, df) = p, 0 < p < 1. */
double chance_student_bound(double p, double df);

/* Holm's step-down adjustment (Scandinavian Journal of Statistics 6, 1979): p[i] becomes the level
 * at which test i is significant when the chance of any false one among all is kept below that
 * level.  NAN: no test, stays NAN and does not count. */
void chance_holm(double *p, size_t count);

#endif
