/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* forecast.c - see forecast.h. */
#include "base/compat.h"

#include "run/forecast.h"

#include <math.h>

#include "base/stats.h"
#include "run/judge.h"

#define ROUNDS_LEAST 4   /* fewer are not meaningful */
#define ROUNDS_MOST  200 /* only the latest rounds are used */

/* Half width of the interval of the mean, relative to the mean. */
static double width_of(const double *round_ns, const double *operations, unsigned n)
{
    double half_ns = 0, lag;
    const double mean_ns = stats_ratio(round_ns, operations, n, &half_ns, &lag);

    return mean_ns > 0 ? half_ns / mean_ns : 0;
}

/* The width decreases with the square root of the number of rounds. */
double forecast_rounds(const double *round_ns, const double *operations, unsigned n,
                       const struct settings *settings)
{
    const unsigned last = n < ROUNDS_MOST ? n : ROUNDS_MOST;
    const double min = (double)settings->rounds_min, max = (double)settings->rounds_max;
    double rounds, ratio, least;

    if (settings->rounds_min == settings->rounds_max)
        return max;
    if (n < ROUNDS_LEAST)
        return -1;
    ratio = width_of(round_ns + n - last, operations + n - last, last) / settings->precision;
    least = stats_mean(operations + n - last, last);
    least = least > 0 ? JUDGE_OPERATIONS_LEAST / least : max;
    rounds = fmax(fmax(last * ratio * ratio, least), min);
    rounds =
        /* precision is checked only then */
        min + ceil((rounds - min) / ROW_CHECK_EVERY) * ROW_CHECK_EVERY;
    return fmin(fmax(rounds, n + 1), max);
}

void forecast_count(struct forecast_work *work, const struct row *rows, unsigned count,
                    const struct settings *settings)
{
    /* expected total rounds of rows with enough rounds */
    double ends = 0, all_ns = 0, left_ns = 0;
    unsigned known = 0, timed = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct result *result = &rows[i].result;
        const struct cell_stop *stop = &result->cell->stop;
        const unsigned warm_up = stop->cycles ? 0 : 1; /* round 0 */
        double end = result->rounds;
        if (result->state == RESULT_SKIPPED || cell_follows(result->cell))
            continue;
        work->rows++;
        if (stop->time_ns && !stop->cycles) {
            timed++;
            all_ns += (double)stop->time_ns;
            left_ns += result->state == RESULT_OPEN ? (double)row_time_left(&rows[i]) : 0;
        }
        work->rounds_done += result->rounds ? result->rounds + warm_up : 0;
        if (result->state == RESULT_OPEN)
            end = stop->cycles    ? row_fixed_rounds(settings, result->cell)
                  : stop->time_ns ? row_time_rounds(settings, result->cell)
                                  : forecast_rounds(result->round_ns, result->round_operations,
                                                    result->rounds, settings);
        known += end >= 0;
        ends += end >= 0 ? end + warm_up : 0;
    }
    /* Assumes that the other rows are similar. */
    work->rounds_left = known ? ends / known * work->rows - work->rounds_done : -1;
    if (timed > 0 && timed == work->rows) {
        work->rounds_left = left_ns;
        work->rounds_done = all_ns - left_ns;
    }
}

static double estimate_ns(const struct forecast_work *work)
{
    const double preparing_ns = (double)(work->elapsed_ns - work->measuring_ns);
    double left_ns = work->rounds_left * (double)work->measuring_ns / work->rounds_done;

    if (work->parts_done)
        left_ns += preparing_ns / work->parts_done * work->parts_left;
    return left_ns < (double)work->most_ns ? left_ns : (double)work->most_ns;
}

uint64_t forecast_left_ns(struct forecast *forecast, const struct forecast_work *work)
{
    double left_ns;

    if (work->rounds_done <= 0 || work->rounds_left < 0)
        return forecast->known ? forecast->left_ns : FORECAST_UNKNOWN;
    left_ns = estimate_ns(work);
    if (!forecast->known || left_ns < (double)forecast->left_ns)
        forecast->left_ns = (uint64_t)left_ns;
    forecast->known = true;
    return forecast->left_ns;
}
