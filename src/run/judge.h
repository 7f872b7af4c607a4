/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* judge.h - evaluates the rounds of a row: fills the statistics and notes of a result from its
 * counts. Pure. */
#ifndef RUN_JUDGE_H
#define RUN_JUDGE_H

#include <stdbool.h>

#include "run/cell.h"

struct judge_facts {
    double clock_cost_ns; /* of one reading */
    double precision;     /* requested half width of the interval, as a share of the mean */
    bool paced;           /* --rate: a schedule decides how many operations are in flight */
};

#define JUDGE_OPERATIONS_LEAST 1000 /* so that ten are the slowest 1 % */

/* Whether the interval of the mean of the rounds so far is at most 2 * precision of the mean wide,
 * and not by chance: the row contains ten of its slowest 1 % and, if slow operations take much of
 * the time, ten of these. */
bool judge_precise(const struct result *result, double precision);

/* Share of the threads' time that an asynchronous engine spent in the submitting call, without the
 * time of opening and closing by system calls. Negative: unknown. */
double judge_submit_share(const struct result *result);

/* Mean number of operations in flight over the time of the row; negative: unknown. */
double judge_in_flight(const struct result *result);

/* Share of the elapsed time of all slots that failed and short operations took. */
double judge_failed_share(const struct result *result);

/* Share of the operations (reads and direct writes) served from memory instead of the device, 0..1.
 * Computed from the kernel's byte counts if available, else for buffered reads from the share of
 * the objects that was in the page cache before. Negative: unknown. */
double judge_hit_share(const struct result *result);

/* Fills mean, interval, minimum, standard deviation and notes of a finished row, whose state, sum,
 * rounds, device_known and resident_fraction are set. */
void judge_row(struct result *result, const struct judge_facts *facts);

#endif
