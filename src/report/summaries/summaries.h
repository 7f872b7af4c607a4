/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* summaries.h - summarises the loops and repeats of a run. Rows that differ only in loop and repeat
 * form a group; for its figures, mean, median, spread and extremes are computed with equal weight
 * of rows, and separately the overall rate from the sums of operations and time.
 *
 * Every sink that prints summaries collects its own, from the rows passed to it as they close. */
#ifndef REPORT_SUMMARIES_SUMMARIES_H
#define REPORT_SUMMARIES_SUMMARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/sink.h"

struct summary_figure { /* statistics of one figure over several rows */
    size_t count;       /* of rows that have it; 0: the other members are negative */
    double mean, median, min, max;
    double stddev; /* sample (n - 1); negative: unknown, of one row */
    double cv;     /* stddev / mean; negative: unknown */
};

enum summary_what { SUMMARY_TIME, SUMMARY_RATE, SUMMARY_THROUGHPUT, SUMMARY_WHATS };

/* The columns summarised: "time_s", "rate_per_s", "throughput_bytes_per_s". */
extern const char *const summary_names[SUMMARY_WHATS];

struct summary {                         /* a group */
    const struct cell *cell;             /* the first one; others differ in loop and repeat */
    unsigned rows;                       /* complete rows, the only ones that count */
    unsigned left_out;                   /* incomplete or skipped */
    unsigned cold;                       /* of the rows that count */
    uint64_t operations, bytes, time_ns; /* sums */
    double *values[SUMMARY_WHATS];       /* per figure, of the rows that have it */
    size_t counts[SUMMARY_WHATS];
};

struct summaries {
    const struct run_info *info;
    unsigned *group; /* index into all, per cell */
    struct summary *all;
    size_t count; /* 0: every row is measured once, nothing to summarise */
};

/* Zeroed before. Collects nothing unless rows are measured several times. Free with
 * summaries_free. */
void summaries_begin(struct summaries *summaries, const struct run_info *info);
void summaries_add(struct summaries *summaries, const struct result *result);
void summaries_free(struct summaries *summaries);

struct summary_figure summary_figure(const struct summary *summary, enum summary_what what);

/* Sum of operations, or of bytes, / sum of times; negative: unknown. */
double summary_overall(const struct summary *summary, enum summary_what what);

#endif
