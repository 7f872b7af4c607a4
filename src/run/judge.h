/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* judge.h - what the rounds of a row are worth: fills the order statistics and the notes of a
 * result from what was counted.  Pure. */
#ifndef RUN_JUDGE_H
#define RUN_JUDGE_H

#include <stdbool.h>

#include "run/cell.h"

struct judge_facts {
    double clock_cost_ns; /* of one reading */
    double precision;     /* half width asked for, as a share of the mean */
    bool paced;           /* --rate: a schedule decides how many operations are in flight */
};

#define JUDGE_OPERATIONS_LEAST 1000 /* so that ten are the slowest 1 % */

/* True when the interval of the mean of the rounds so far is known and at most 2 * precision of the
 * mean wide, and not by chance: the row has seen ten of its slowest 1 %, and ten of those that are
 * so slow that they take much of the time. */
bool judge_precise(const struct result *result, double precision);

/* Share of the time of an asynchronous engine's threads that was spent inside the submitting call;
 * time in opening and closing, which such an engine does by system call, is left out.  Negative:
 * not known. */
double judge_submit_share(const struct result *result);

/* How many operations were in flight, mean over the time of the row; negative: not known. */
double judge_in_flight(const struct result *result);

/* Share of the elapsed time, of all threads and slots, that went into failed and short
 * operations. */
double judge_failed_share(const struct result *result);

/* Share of the operations that memory answered instead of the device, 0..1: of reads, and of direct
 * writes.  From the bytes that the kernel counts where it does; else of buffered reads the share of
 * the objects that was in the page cache before.  Negative: not known. */
double judge_hit_share(const struct result *result);

/* Fills mean, interval, best, stddev and notes of a row that is not measured any more; its state,
 * sum, rounds, device_known and resident_fraction are set already. */
void judge_row(struct result *result, const struct judge_facts *facts);

#endif
