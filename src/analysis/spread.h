/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* spread.h - how much repetitions of the same thing differ, when many cells are repeated together:
 * what a repetition does to all cells at once is separated from what it does to single ones; cells
 * with noisier rounds count less, so that one of them does not hide the rest.
 *
 * x[c][s] is the logarithm of cell c in unit s, of U units on each of two sides; e[c] the standard
 * error of an x to be expected from the rounds of the cell.  Within a side,
 *     x[c][s] = level[c] + shift[s] + rest[c][s],   variance of rest: v[c] = e[c]^2 + extra,
 * extra being what cells differ by from unit to unit apart from their noise.  shift[s] is the mean
 * of x[c][s] - x[c][.] with weights w[c] = 1 / v[c].  extra is such that
 *     sum (x[c][s] - x[c][.] - shift[s])^2 / v[c] = 2 (U - 1) (C - 1),
 * its degrees of freedom (the estimate of Paule and Mandel, Journal of Research of the National
 * Bureau of Standards 87, 1982, with the shifts as the only effects); and where e alone is too
 * great, v[c] = scale * e[c]^2 with scale < 1 instead. */
#ifndef ANALYSIS_SPREAD_H
#define ANALYSIS_SPREAD_H

#include <stddef.h>

struct spread {
    size_t cells;
    unsigned units;      /* of each side, 2 or more */
    double *x;           /* [(side * units + unit) * cells + cell] */
    double *noise;       /* e, above 0 */
    double *mean;        /* [side * cells + cell]: over the units; from spread_fit */
    double extra, scale; /* from spread_fit */
    double common;       /* variance of shift[s], with 2 (U - 1) degrees of freedom; likewise */
};

/* Room for a table of that many cells (not 0) and units; x and noise are to be filled in.  For
 * spread_free. */
struct spread spread_new(size_t cells, unsigned units);
void spread_free(struct spread *spread);

/* Takes the table apart: x becomes its distance from the mean of its cell and side. */
void spread_fit(struct spread *spread);

/* Mean of a cell on side 1 minus that on side 0. */
double spread_difference(const struct spread *spread, size_t cell);

/* Variance of a single x of a cell, for use after spread_fit, and its degrees of freedom: the
 * variance of the shifts plus v[c] (1 - w[c] / sum of w), since the shifts already contain the
 * cell's share of the rest; degrees by Satterthwaite (Biometrics Bulletin 2, 1946).  If the cell's
 * own spread is greater, it is used instead, and beyond 3 times as great its own 2 (U - 1) degrees
 * of freedom as well. */
double spread_of_cell(const struct spread *spread, size_t cell, double *df);

/* Variance of the plain mean over all cells of one unit, by its spread over the units and nothing
 * else: 2 (U - 1) degrees of freedom. */
double spread_of_mean(const struct spread *spread);

#endif
