/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fit.c - Hockney's line through a sweep, in one piece or in up to three.
 *
 * Errors of timing are shares, not nanoseconds: each point counts by its relative deviation, so
 * that the small sizes decide about t0 as much as the large ones about the bandwidth.  Single
 * points that were disturbed lose weight (Huber), and how far the line is from each point is part
 * of the answer. */
#include "base/compat.h"

#include "analysis/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"

#define PASSES       20
#define HUBER        1.345  /* 95 % efficiency for normal errors */
#define MAD_TO_SIGMA 1.4826 /* of normal errors */
#define SCALE_MIN    1e-4   /* residuals below are rounding of the figures */
/* what a further segment must be worth: "very strong" evidence, Raftery 1995 */
#define BIC_GAIN   10
#define ERROR_MIN  1e-6 /* mean squared log residual that counts as none */
#define CUTS_MAX   30   /* places tried for the ends of segments */
#define SPLIT_MOST 2000 /* points; more are fitted in one piece */
#define KNEE_SHARE 0.9

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

static double log_error(const struct fit_point *points, size_t n, const struct line *line)
{
    double error = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = log(points[i].op_ns / line_at(line, points[i].size_bytes));
        error += off * off;
    }
    return error;
}

static struct fit_line describe(const struct fit_point *points, size_t first, size_t count,
                                const struct work *work)
{
    const struct line line = fit_robust(points + first, count, work);
    struct fit_line out = {.first = first, .count = count, .t0_ns = line.t0};

    out.from_bytes = points[first].size_bytes;
    out.to_bytes = points[first + count - 1].size_bytes;
    out.bandwidth_bytes_per_s = line.c > 0 ? 1e9 / line.c : INFINITY;
    out.half_bytes = line.c > 0 ? line.t0 / line.c : INFINITY;
    out.worst_bytes = out.from_bytes;
    for (size_t i = first; i < first + count; i++) {
        const double off = fabs(fit_residual(&out, &points[i]));
        out.mean_error += off / (double)count;
        if (off > out.worst_error) {
            out.worst_error = off;
            out.worst_bytes = points[i].size_bytes;
        }
    }
    return out;
}

/* --- segments --- */

struct cuts { /* ends of segments that are tried, the first and the last are those of the curve */
    size_t at[CUTS_MAX + 2];
    size_t count;
    double error[CUTS_MAX + 2]
                [CUTS_MAX + 2]; /* of the line from one to another; INFINITY: too short */
};

static size_t count_sizes(const struct fit_point *points, size_t n)
{
    size_t sizes = n > 0;
    for (size_t i = 1; i < n; i++)
        sizes += points[i].size_bytes > points[i - 1].size_bytes;
    return sizes;
}

/* Never between two points of one size; evenly chosen when there are too many. */
static void choose_cuts(const struct fit_point *points, size_t n, struct cuts *cuts)
{
    const size_t places = count_sizes(points, n) - 1;
    size_t place = 0, taken = 0;

    cuts->at[0] = 0;
    cuts->count = 1;
    for (size_t i = 1; i < n; i++) {
        if (!(points[i].size_bytes > points[i - 1].size_bytes))
            continue;
        place++;
        if (places <= CUTS_MAX || place * CUTS_MAX / places > taken) {
            taken++;
            cuts->at[cuts->count++] = i;
        }
    }
    cuts->at[cuts->count++] = n;
}

static void measure_cuts(const struct fit_point *points, struct cuts *cuts, const struct work *work)
{
    for (size_t a = 0; a < cuts->count; a++)
        for (size_t b = a + 1; b < cuts->count; b++) {
            const struct fit_point *from = points + cuts->at[a];
            const size_t n = cuts->at[b] - cuts->at[a];
            struct line line;
            cuts->error[a][b] = INFINITY;
            if (count_sizes(from, n) < FIT_POINTS_MIN)
                continue;
            line = fit_robust(from, n, work);
            cuts->error[a][b] = log_error(from, n, &line);
        }
}

/* Bayesian information criterion (Schwarz 1978) for k segments of two parameters and the k - 1
 * places between them. */
static double criterion(double error, size_t n, unsigned segments)
{
    const double mean = error / (double)n;
    return (double)n * log(mean > ERROR_MIN ? mean : ERROR_MIN) +
           (3 * segments - 1) * log((double)n);
}

/* The best ends of that many segments (2 or 3), as indices of cuts; returns the sum of errors. */
static double find_best(const struct cuts *cuts, unsigned segments, size_t *best)
{
    const size_t last = cuts->count - 1;
    double least = INFINITY;

    for (size_t a = 1; a < last; a++)
        for (size_t b = segments == 2 ? last : a + 1; b < (segments == 2 ? last + 1 : last); b++) {
            const double rest = segments == 2 ? 0 : cuts->error[b][last];
            const double error = cuts->error[0][a] + cuts->error[a][b] + rest;
            if (error < least) {
                least = error;
                best[0] = a;
                best[1] = b;
            }
        }
    return least;
}

static void find_segments(const struct fit_point *points, size_t n, const struct work *work,
                          struct fit *fit)
{
    struct cuts *cuts;
    size_t end[FIT_SEGMENTS + 1] = {0, n}, best[2] = {0};
    double least;

    fit->segment_count = 1;
    fit->segment[0] = fit->whole;
    if (n > SPLIT_MOST || count_sizes(points, n) < 2 * FIT_POINTS_MIN)
        return;
    cuts = mem_calloc(1, sizeof(*cuts));
    choose_cuts(points, n, cuts);
    measure_cuts(points, cuts, work);
    least = criterion(cuts->error[0][cuts->count - 1], n, 1);
    for (unsigned segments = 2; segments <= FIT_SEGMENTS; segments++) {
        const double error = find_best(cuts, segments, best);
        if (!isfinite(error))
            continue;
        /* three must beat the best of fewer by the gain for each further segment */
        const double value = criterion(error, n, segments);
        if (least - value <= BIC_GAIN * (double)(segments - fit->segment_count))
            continue;
        least = value;
        fit->segment_count = segments;
        for (unsigned i = 1; i < segments; i++)
            end[i] = cuts->at[best[i - 1]];
        end[segments] = n;
    }
    for (unsigned i = 0; fit->segment_count > 1 && i < fit->segment_count; i++)
        fit->segment[i] = describe(points, end[i], end[i + 1] - end[i], work);
    free(cuts);
}

/* --- the curve --- */

static void find_knee(const struct fit_point *points, size_t n, struct fit *fit)
{
    fit->best_bytes_per_s = 0;
    for (size_t i = 0; i < n; i++) {
        const double throughput = points[i].size_bytes / points[i].op_ns * 1e9;
        if (throughput > fit->best_bytes_per_s) {
            fit->best_bytes_per_s = throughput;
            fit->best_bytes = points[i].size_bytes;
        }
    }
    for (size_t i = n; i > 0; i--)
        if (points[i - 1].size_bytes / points[i - 1].op_ns * 1e9 >=
            KNEE_SHARE * fit->best_bytes_per_s)
            fit->knee90_bytes = points[i - 1].size_bytes;
}

bool fit_curve(const struct fit_point *points, size_t count, struct fit *fit)
{
    struct work work;
    struct fit found = {0};
    bool good;

    if (count < FIT_POINTS_MIN || count_sizes(points, count) < FIT_POINTS_MIN)
        return false;
    work.weight = mem_calloc(count, sizeof(double));
    work.residual = mem_calloc(count, sizeof(double));
    work.sorted = mem_calloc(count, sizeof(double));
    found.whole = describe(points, 0, count, &work);
    /* beyond what a double holds (no real curve) there is no line */
    good = isfinite(found.whole.t0_ns) && isfinite(found.whole.mean_error) &&
           found.whole.bandwidth_bytes_per_s > 0;
    if (good) {
        find_segments(points, count, &work, &found);
        find_knee(points, count, &found);
        *fit = found;
    }
    free(work.weight);
    free(work.residual);
    free(work.sorted);
    return good;
}

double fit_line_ns(const struct fit_line *line, double size_bytes)
{
    return line->t0_ns + size_bytes / line->bandwidth_bytes_per_s * 1e9;
}

double fit_residual(const struct fit_line *line, const struct fit_point *point)
{
    const double at = fit_line_ns(line, point->size_bytes);
    return (point->op_ns - at) / at;
}
