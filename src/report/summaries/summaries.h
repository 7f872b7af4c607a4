/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* summaries.h - what the loops and repeats of a run come to together.  Rows that differ in loop and
 * repeat alone are one group; of their figures there are mean, median, spread and extremes, each
 * row counting once, and, under a name of its own, the rate over all of their operations and time.
 *
 * Every sink that tells them gathers its own: rows are given to it as they close. */
#ifndef REPORT_SUMMARIES_SUMMARIES_H
#define REPORT_SUMMARIES_SUMMARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/sink.h"

struct summary_figure { /* of the same figure of several rows */
    size_t count;       /* of rows that have it; 0: the others mean nothing */
    double mean, median, min, max;
    double stddev; /* of the sample (n - 1); negative: not known of one row */
    double cv;     /* stddev / mean; negative: not known */
};

/* Of n values, in any order. */
struct summary_figure summary_figure_of(const double *values, size_t n);

enum summary_what { SUMMARY_TIME, SUMMARY_RATE, SUMMARY_THROUGHPUT, SUMMARY_WHATS };

/* The columns that they are of: "time_s", "rate_per_s", "throughput_bytes_per_s". */
extern const char *const summary_names[SUMMARY_WHATS];

struct summary {             /* a group */
    const struct cell *cell; /* its first: loop and repeat of it are those of no other */
    unsigned rows;           /* measured as asked, which alone count */
    unsigned left_out;       /* incomplete or skipped */
    unsigned cold;           /* of those that count */
    uint64_t operations, bytes, time_ns; /* sums */
    double *values[SUMMARY_WHATS];       /* of the rows that have it */
    size_t counts[SUMMARY_WHATS];
};

struct summaries {
    const struct run_info *info;
    unsigned *group; /* of each cell */
    struct summary *all;
    size_t count; /* 0: the run measures every row once, there is nothing to sum up */
};

/* Each row is measured several times: summaries are to be told. */
bool summaries_wanted(const struct settings *settings);

/* Zeroed before.  Nothing is gathered where summaries are not wanted.  Free with summaries_free. */
void summaries_begin(struct summaries *summaries, const struct run_info *info);
void summaries_add(struct summaries *summaries, const struct result *result);
void summaries_free(struct summaries *summaries);

struct summary_figure summary_figure(const struct summary *summary, enum summary_what what);

/* Sum of operations, or of bytes, / sum of times; negative: not known. */
double summary_overall_rate(const struct summary *summary);
double summary_overall_throughput(const struct summary *summary);

struct summaries_lines { /* for a person */
    bool utf8;           /* as in format_options */
    unsigned columns;    /* that a line may have; no figure goes for lack of room */
    void (*put)(void *arg, const char *line); /* gets them without their ends */
    void *arg;
};
#define SUMMARIES_COLUMNS 98 /* in a terminal of 100: on standard error two stand before them */

/* All groups. */
void summaries_print(const struct summaries *summaries, const struct summaries_lines *lines);

#endif
