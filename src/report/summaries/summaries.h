/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* summaries.h - summarises the loops and repeats of a run. Rows that differ only in loop and repeat
 * form a group; for its figures, mean, median, spread and extremes are computed with equal weight
 * of rows, and separately the overall rate from the sums of operations and time. */
#ifndef REPORT_SUMMARIES_SUMMARIES_H
#define REPORT_SUMMARIES_SUMMARIES_H

#include <stdbool.h>
#include <stdint.h>

#include "run/sink.h"

/* The columns summarised. */
enum summary_what { SUMMARY_TIME, SUMMARY_RATE, SUMMARY_THROUGHPUT, SUMMARY_WHATS };
extern const char *const summary_names[SUMMARY_WHATS]; /* "time_s", "rate_per_s" ... */

struct summary {                         /* a group */
    const struct cell *cell;             /* the first one; others differ in loop and repeat */
    unsigned rows;                       /* complete rows, the only ones that count */
    unsigned left_out;                   /* incomplete or skipped */
    unsigned cold;                       /* of the rows that count */
    uint64_t operations, bytes, time_ns; /* sums */
    struct summary_figure {              /* a column, over the rows that have a value in it */
        unsigned count;                  /* 0: the other members are negative */
        double mean, median, min, max;
        double stddev; /* sample (n - 1); negative: unknown, of one row */
        double cv;     /* stddev / mean; negative: unknown */
    } figures[SUMMARY_WHATS];
    double rate, throughput; /* sum of operations, or of bytes, / time_ns; negative: unknown */
};

/* Summarises the next group of the rows passed to the sinks so far; *next is 0 before the first
 * one. False: there is no other group, or each row is measured once. */
bool summary_next(const struct run_info *info, unsigned *next, struct summary *summary);

#endif
