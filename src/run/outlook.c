/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outlook.c - see outlook.h. */
#include "base/compat.h"

#include "run/outlook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"
#include "run/judge.h"

#define ROUNDS_LEAST  4   /* fewer say nothing */
#define MEAN_WIDTH    2.6 /* half width of the interval of a mean, in stddev / sqrt(n); n near 12 */
#define STDDEV_OF_MAD 1.4826
#define ROUNDS_EARLY  11
#define ROUNDS_MOST   200  /* the latest of more are enough */
#define SMOOTH_SHARE  0.03 /* of the time so far, over which estimates are averaged */

/* Half width of the interval of the mean as a share of it. */
static double width_of(const double *round_ns, const double *operations, unsigned n)
{
    double half_ns = 0;
    const double mean_ns = stats_ratio(round_ns, operations, n, &half_ns);

    return mean_ns > 0 ? half_ns / mean_ns : 0;
}

/* The same of few rounds, of which a single one that was disturbed says all: from the median of the
 * distances to the median. */
static double early_width_of(const double *round_ns, unsigned n)
{
    double *sorted = mem_calloc(n, sizeof(*sorted));
    double median, distance;

    memcpy(sorted, round_ns, n * sizeof(*sorted));
    stats_sort(sorted, n);
    median = stats_median(sorted, n);
    distance = stats_distance(sorted, n, sorted);
    free(sorted);
    return median > 0 ? MEAN_WIDTH * STDDEV_OF_MAD * distance / sqrt(n) / median : 0;
}

/* The width falls with the root of the number of rounds. */
double outlook_rounds(const double *round_ns, const double *operations, unsigned n,
                      const struct outlook_limits *limits)
{
    double rounds, ratio, least;
    unsigned last;

    if (limits->rounds_min == limits->rounds_max)
        return limits->rounds_max;
    if (n < ROUNDS_LEAST)
        return -1;
    last = n < ROUNDS_MOST ? n : ROUNDS_MOST;
    ratio = (n < ROUNDS_EARLY ? early_width_of(round_ns, n)
                              : width_of(round_ns + n - last, operations + n - last, last)) /
            limits->precision;
    least = stats_mean(operations + n - last, last);
    least = least > 0 ? JUDGE_OPERATIONS_LEAST / least : limits->rounds_max;
    rounds = fmax(last * ratio * ratio, least);
    if (rounds <= limits->rounds_min)
        rounds = limits->rounds_min;
    else /* looked at now and then only */
        rounds = limits->rounds_min +
                 ceil((rounds - limits->rounds_min) / limits->every) * limits->every;
    if (rounds < n + 1)
        rounds = n + 1;
    return rounds < limits->rounds_max ? rounds : limits->rounds_max;
}

void outlook_count(struct outlook_work *work, const struct row *rows, unsigned count,
                   const struct settings *settings, unsigned every)
{
    const struct outlook_limits limits = {.rounds_min = (unsigned)settings->rounds_min,
                                          .rounds_max = (unsigned)settings->rounds_max,
                                          .every = every,
                                          .precision = settings->precision};
    /* rounds in the end, of rows about which something is known */
    double ends = 0, all_ns = 0, left_ns = 0;
    unsigned known = 0, timed = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct result *result = &rows[i].result;
        const struct cell_stop *stop = &result->cell->stop;
        const unsigned warm_up = stop->cycles ? 0 : 1; /* a round that does not count */
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
                                  : outlook_rounds(result->round_ns, result->round_operations,
                                                   result->rounds, &limits);
        known += end >= 0;
        ends += end >= 0 ? end + warm_up : 0;
    }
    /* The others will be like them. */
    work->rounds_left = known ? ends / known * work->rows - work->rounds_done : -1;
    if (timed > 0 && timed == work->rows) {
        work->rounds_left = left_ns;
        work->rounds_done = all_ns - left_ns;
    }
}

/* As far as this moment can tell, without memory. */
static double estimate(const struct outlook_work *work)
{
    const double preparing_ns = (double)(work->elapsed_ns - work->measuring_ns);
    double left_ns = work->rounds_left * (double)work->measuring_ns / work->rounds_done;

    if (work->parts_done)
        left_ns += preparing_ns / work->parts_done * work->parts_left;
    return left_ns < (double)work->most_ns ? left_ns : (double)work->most_ns;
}

uint64_t outlook_left_ns(struct outlook *outlook, const struct outlook_work *work)
{
    const double elapsed_ns = (double)work->elapsed_ns;
    double all_ns, weight, left_ns;

    if (work->rounds_done <= 0 || work->rounds_left < 0)
        return outlook->known ? outlook->left_ns : OUTLOOK_UNKNOWN;
    all_ns = elapsed_ns + estimate(work);
    if (!outlook->known) {
        outlook->known = true;
        outlook->all_ns = all_ns;
        outlook->left_ns = OUTLOOK_UNKNOWN;
    }
    weight = 1 - exp(-(elapsed_ns - (double)outlook->last_ns) / (SMOOTH_SHARE * elapsed_ns));
    outlook->all_ns += weight * (all_ns - outlook->all_ns);
    outlook->last_ns = work->elapsed_ns;
    left_ns = outlook->all_ns > elapsed_ns ? outlook->all_ns - elapsed_ns : 0;
    if (left_ns > (double)work->most_ns)
        left_ns = (double)work->most_ns;
    if (left_ns < (double)outlook->left_ns)
        outlook->left_ns = (uint64_t)left_ns;
    return outlook->left_ns;
}
