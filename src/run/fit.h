/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fit.h - what a sweep comes to in a few numbers: Hockney's line t(n) = t0 + n / r_inf
 * (R. W. Hockney, "The communication challenge for MPP", Parallel Computing 20, 1994), fitted
 * robustly: least squares of relative errors (weights 1/t^2), then 20 passes of Huber's weights
 * with tuning constant 1.345 and scale 1.4826 * median |relative residual|; t0 and 1/r_inf are
 * never negative.  Pure: no input, no output, no state. */
#ifndef RUN_FIT_H
#define RUN_FIT_H

#include <stdbool.h>
#include <stddef.h>

#define FIT_POINTS_MIN 4 /* of a curve */

struct fit_point {
    double size_bytes, op_ns; /* both above 0 */
};

struct fit_line {
    double t0_ns;
    double bandwidth_bytes_per_s;   /* r_inf; INFINITY when the time does not grow with the size */
    double half_bytes;              /* n_1/2 = t0 * r_inf: half the bandwidth is reached there */
    double mean_error, worst_error; /* of |measured - line| / line, as shares */
    double worst_bytes;             /* size of the worst point */
};

/* Points by rising size.  Returns false (and leaves *line alone) when there are fewer than
 * FIT_POINTS_MIN points or fewer than FIT_POINTS_MIN different sizes. */
bool fit_curve(const struct fit_point *points, size_t count, struct fit_line *line);

#endif
