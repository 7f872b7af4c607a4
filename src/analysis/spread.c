/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* spread.c - variance components of a table of cells by units; spread.h tells the model. */
#include "base/compat.h"

#include "analysis/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/stats.h"

#define OWN_SPREAD 3.0 /* times the common variance: then a cell stands for itself */
#define FIT_STEPS  60  /* bisections: far below what the estimate is worth */

struct spread spread_new(size_t cells, unsigned units)
{
    return (struct spread){
        .cells = cells,
        .units = units,
        .x = mem_calloc(2 * (size_t)units * cells, sizeof(double)),
        .noise = mem_calloc(cells, sizeof(double)),
        .mean = mem_calloc(2 * cells, sizeof(double)),
    };
}

void spread_free(struct spread *spread)
{
    free(spread->x);
    free(spread->noise);
    free(spread->mean);
    *spread = (struct spread){.cells = 0};
}

static double degrees(const struct spread *spread)
{
    return 2.0 * (spread->units - 1);
}

static void subtract_means(struct spread *spread)
{
    for (size_t i = 0; i < 2 * spread->cells; i++) {
        double *x =
            spread->x + i / spread->cells * spread->units * spread->cells + i % spread->cells;
        for (unsigned unit = 0; unit < spread->units; unit++)
            spread->mean[i] += x[unit * spread->cells] / spread->units;
        for (unsigned unit = 0; unit < spread->units; unit++)
            x[unit * spread->cells] -= spread->mean[i];
    }
}

static double variance_of_rest(const struct spread *spread, size_t cell)
{
    return spread->noise[cell] * spread->noise[cell] + spread->extra;
}

static double sum_of_weights(const struct spread *spread)
{
    double sum = 0.0;
    for (size_t c = 0; c < spread->cells; c++)
        sum += 1 / variance_of_rest(spread, c);
    return sum;
}

/* The sum of squares that is to be its degrees of freedom, for the extra of now; and common. */
static double standardized_rest(struct spread *spread)
{
    const double weights = sum_of_weights(spread);
    double sum = 0.0;
    spread->common = 0.0;
    for (size_t s = 0; s < 2 * (size_t)spread->units; s++) {
        const double *x = spread->x + s * spread->cells;
        double shift = 0.0;
        for (size_t c = 0; c < spread->cells; c++)
            shift += x[c] / variance_of_rest(spread, c) / weights;
        for (size_t c = 0; c < spread->cells; c++)
            sum += (x[c] - shift) * (x[c] - shift) / variance_of_rest(spread, c);
        spread->common += shift * shift / degrees(spread);
    }
    return sum;
}

void spread_fit(struct spread *spread)
{
    const double freedom = degrees(spread) * ((double)spread->cells - 1);
    double low = 0.0, high = 0.0, sum;
    subtract_means(spread);
    spread->extra = 0.0;
    spread->scale = 1.0;
    sum = standardized_rest(spread);
    if (spread->cells < 2)
        return;
    if (sum <= freedom) {
        spread->scale = sum / freedom;
        return;
    }
    for (size_t i = 0; i < 2 * spread->units * spread->cells; i++)
        high += spread->x[i] * spread->x[i] / freedom; /* even if no shift is taken off */
    for (int i = 0; i < FIT_STEPS; i++) {
        spread->extra = low + (high - low) / 2;
        if (standardized_rest(spread) > freedom)
            low = spread->extra;
        else
            high = spread->extra;
    }
}

double spread_difference(const struct spread *spread, size_t cell)
{
    return spread->mean[spread->cells + cell] - spread->mean[cell];
}

double spread_of_cell(const struct spread *spread, size_t cell, double *df)
{
    const double rest = variance_of_rest(spread, cell), weights = sum_of_weights(spread);
    const double from_rest = spread->cells > 1 ? spread->scale * (rest - 1 / weights)
                                               : 0.0; /* 1 / weights is common's */
    const double pooled = spread->common + from_rest;
    double own = 0.0, uncertainty = spread->common * spread->common / degrees(spread);
    for (size_t s = 0; s < 2 * (size_t)spread->units; s++) {
        const double x = spread->x[s * spread->cells + cell];
        own += x * x / degrees(spread);
    }
    if (spread->cells > 1)
        uncertainty += from_rest * from_rest / (degrees(spread) * ((double)spread->cells - 1));
    *df = uncertainty > 0.0 && own <= OWN_SPREAD * pooled ? pooled * pooled / uncertainty
                                                          : degrees(spread);
    return fmax(own, pooled);
}

double spread_of_mean(const struct spread *spread)
{
    double sum = 0.0;
    for (size_t s = 0; s < 2 * (size_t)spread->units; s++) {
        const double mean = stats_mean(spread->x + s * spread->cells, spread->cells);
        sum += mean * mean / degrees(spread);
    }
    return sum;
}
