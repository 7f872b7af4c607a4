/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_spread.h - how steady the rates of the intervals of each row were, for the sentence at the
 * end of --interval. */
#ifndef REPORT_FORMATS_SERIES_SPREAD_H
#define REPORT_FORMATS_SERIES_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "run/series.h"

struct series_spread { /* of the rates of whole records of a row; weighted by busy_s (West 1979) */
    const struct cell *cell;
    uint64_t count, idle; /* all records; those without any operation */
    uint64_t whole;       /* records that count; all members below cover these */
    uint64_t operations, bytes, time_ns, longest_ns;
    double lowest, highest, mean, squares;
};

struct series_spreads {           /* zeroed: no record yet */
    struct series_spread *spread; /* in the order of rows */
    unsigned count;
};

/* Skips intervals that do not represent the storage: those with preparation, a short last one, and
 * those in which slices of the row ran only briefly. */
void series_spreads_add(struct series_spreads *spreads, const struct series_record *record);
void series_spreads_free(struct series_spreads *spreads);

/* In 1/s: all operations / their total time; and the sample standard deviation, which for records
 * of equal weight is the usual one (n - 1), 0 for fewer than two records. */
double series_spread_mean(const struct series_spread *spread);
double series_spread_deviation(const struct series_spread *spread);
double series_spread_unevenness(const struct series_spread *spread); /* deviation / mean */

/* amount / time, in 1/s; 0 if the time is 0. */
double series_per_second(uint64_t amount, uint64_t busy_ns);

/* Whether preparation took long enough to be reported. */
bool series_was_preparing(const struct series_record *record);

#endif
