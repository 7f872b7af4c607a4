/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* forecast.h - estimates the remaining time of a run from the duration and variation of its rounds.
 * The estimate shown never grows. Pure, except for the state in struct forecast. */
#ifndef RUN_FORECAST_H
#define RUN_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

#include "run/row.h"

#define FORECAST_UNKNOWN UINT64_MAX

/* The expected total number of rounds of a row, from its n rounds in round_ns and their numbers of
 * operations. Negative: too few rounds. */
double forecast_rounds(const double *round_ns, const double *operations, unsigned n,
                       const struct settings *settings);

struct forecast_work {     /* work done and left; times since the start of the run */
    unsigned rows;         /* not counting skipped rows */
    double rounds_done;    /* of all rows measured so far */
    double rounds_left;    /* expected for all current and future rows; negative: not known yet */
    uint64_t measuring_ns; /* spent on finished rounds, including the time between them */
    unsigned parts_done;   /* or begun */
    unsigned parts_left;
    uint64_t elapsed_ns; /* minus measuring_ns: spent on preparing parts */
    uint64_t most_ns;    /* time until limits end the run; UINT64_MAX: no limit */
};

/* Adds rows and their rounds to *work. If all rows have a time, a nanosecond counts as a round. */
void forecast_count(struct forecast_work *work, const struct row *rows, unsigned count,
                    const struct settings *settings);

struct forecast { /* zeroed at the start of a run */
    bool known;
    uint64_t left_ns; /* last result */
};

/* Returns the time left, at first FORECAST_UNKNOWN; the result never grows. */
uint64_t forecast_left_ns(struct forecast *forecast, const struct forecast_work *work);

#endif
