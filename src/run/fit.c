/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fit.c - Hockney's line through a sweep.
 *
 * Errors of timing are shares, not nanoseconds: each point counts by its relative deviation, so
 * that the small sizes decide about t0 as much as the large ones about the bandwidth.  Single
 * points that were disturbed lose weight (Huber), and how far the line is from each point is part
 * of the answer. */
#include "base/compat.h"

#include "run/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"

#define PASSES       20
#define HUBER        1.345  /* 95 % efficiency for normal errors */
#define MAD_TO_SIGMA 1.4826 /* of normal errors */
#define SCALE_MIN    1e-4   /* residuals below are rounding of the figures */

struct line { /* t = t0 + c * n */
    double t0, c;
};

struct work { /* scratch for one fit; arrays as long as the curve */
    double *weight, *residual, *sorted;
};

static double line_at(const struct line *line, double size_bytes)
{
    return line->t0 + line->c * size_bytes;
}

/* Weighted least squares with t0, c >= 0: where the free optimum is outside, the best point of the
 * boundary it is beyond.  Sums are taken around the mean, since sizes span many magnitudes. */
static struct line solve(const struct fit_point *points, size_t n, const double *weight)
{
    double sum = 0, size_mean = 0, time_mean = 0, var = 0, cov = 0, squares = 0, products = 0;
    struct line line;

    for (size_t i = 0; i < n; i++) {
        sum += weight[i];
        size_mean += weight[i] * points[i].size_bytes;
        time_mean += weight[i] * points[i].op_ns;
    }
    size_mean /= sum;
    time_mean /= sum;
    for (size_t i = 0; i < n; i++) {
        const double size = points[i].size_bytes - size_mean;
        var += weight[i] * size * size;
        cov += weight[i] * size * (points[i].op_ns - time_mean);
        squares += weight[i] * points[i].size_bytes * points[i].size_bytes;
        products += weight[i] * points[i].size_bytes * points[i].op_ns;
    }
    line.c = var > 0 ? cov / var : 0;
    line.t0 = time_mean - line.c * size_mean;
    if (line.c < 0)
        line = (struct line){.t0 = time_mean, .c = 0};
    else if (line.t0 < 0)
        line = (struct line){.t0 = 0, .c = products / squares};
    return line;
}

/* Relative residuals, and the scale of the ordinary ones. */
static double measure_scale(const struct fit_point *points, size_t n, const struct line *line,
                            const struct work *work)
{
    double scale;

    for (size_t i = 0; i < n; i++) {
        const double at = line_at(line, points[i].size_bytes);
        work->residual[i] = (points[i].op_ns - at) / at;
        work->sorted[i] = fabs(work->residual[i]);
    }
    stats_sort(work->sorted, n);
    scale = MAD_TO_SIGMA * stats_median(work->sorted, n);
    return scale > SCALE_MIN ? scale : SCALE_MIN;
}

static struct line fit_robust(const struct fit_point *points, size_t n, const struct work *work)
{
    struct line line;

    for (size_t i = 0; i < n; i++)
        work->weight[i] = 1 / (points[i].op_ns * points[i].op_ns);
    line = solve(points, n, work->weight);
    for (unsigned pass = 1; pass < PASSES; pass++) {
        const double limit = HUBER * measure_scale(points, n, &line, work);
        for (size_t i = 0; i < n; i++) {
            const double at = line_at(&line, points[i].size_bytes);
            const double off = fabs(work->residual[i]) / limit;
            work->weight[i] = (off <= 1 ? 1 : 1 / off) / (at * at);
        }
        line = solve(points, n, work->weight);
    }
    return line;
}

static struct fit_line describe(const struct fit_point *points, size_t count,
                                const struct work *work)
{
    const struct line line = fit_robust(points, count, work);
    struct fit_line out = {.t0_ns = line.t0, .worst_bytes = points[0].size_bytes};

    out.bandwidth_bytes_per_s = line.c > 0 ? 1e9 / line.c : INFINITY;
    out.half_bytes = line.c > 0 ? line.t0 / line.c : INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double at = line_at(&line, points[i].size_bytes);
        const double off = fabs((points[i].op_ns - at) / at);
        out.mean_error += off / (double)count;
        if (off > out.worst_error) {
            out.worst_error = off;
            out.worst_bytes = points[i].size_bytes;
        }
    }
    return out;
}

static size_t count_sizes(const struct fit_point *points, size_t n)
{
    size_t sizes = n > 0;
    for (size_t i = 1; i < n; i++)
        sizes += points[i].size_bytes > points[i - 1].size_bytes;
    return sizes;
}

bool fit_curve(const struct fit_point *points, size_t count, struct fit_line *line)
{
    struct work work;
    struct fit_line found;
    bool good;

    if (count < FIT_POINTS_MIN || count_sizes(points, count) < FIT_POINTS_MIN)
        return false;
    work.weight = mem_calloc(count, sizeof(double));
    work.residual = mem_calloc(count, sizeof(double));
    work.sorted = mem_calloc(count, sizeof(double));
    found = describe(points, count, &work);
    /* beyond what a double holds (no real curve) there is no line */
    good = isfinite(found.t0_ns) && isfinite(found.mean_error) && found.bandwidth_bytes_per_s > 0;
    if (good)
        *line = found;
    free(work.weight);
    free(work.residual);
    free(work.sorted);
    return good;
}
