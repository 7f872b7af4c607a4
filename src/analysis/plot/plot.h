/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot.h - pictures of results, as programs for gnuplot (5.2 or later) that hold their data: curves
 * of throughput, time per operation and latency by size, and maps of them by size and depth or
 * threads.  Text to a stream; nothing is run here.  Whatever names and labels hold,
 * they stay text. */
#ifndef ANALYSIS_PLOT_PLOT_H
#define ANALYSIS_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/results/results.h"
#include "base/error.h"

enum plot_device { PLOT_SVG, PLOT_PNG, PLOT_PDF, PLOT_TEXT };

#define PLOT_COLOURS    8   /* curves beyond repeat colours and points, with dashed lines */
#define PLOT_PANELS_MAX 6   /* of maps */
#define PLOT_CURVES_MAX 300 /* nobody sees more, and each is told from all others */

struct plot_request {
    enum plot_device device;
    /* which to draw, at least one of them; time: per operation, 1 / rate; latency: the median and
     * bands up to p90 and p99; latency_or_time: latency where all curves have it, else time */
    bool throughput, time, latency, latency_or_time;
    /* shares of operations by latency, and nothing else: of files read with their histograms */
    bool distribution;
    bool map;                /* by size and depth (or threads), instead of curves; not PLOT_TEXT */
    bool fit;                /* lines of analysis/fit.h, and marks at 90 % of the best throughput */
    unsigned columns, lines; /* PLOT_TEXT: of the terminal */
    bool utf8;               /* PLOT_TEXT: characters beyond ASCII may be written */
};

struct plot_summary { /* of what was drawn, for messages */
    size_t curves;    /* or maps */
    size_t lines;     /* fitted */
    size_t timed;     /* curves of tests that move no data, drawn as time only */
    size_t left_out;  /* such curves that were not drawn, because only throughput was asked for */
    bool repeats;     /* two curves of a panel look the same */
    size_t sizes_left_out; /* of distributions, evenly */
    size_t no_latency;     /* curves of files that do not tell it, when it was asked for */
};

/* Tests that move no data have no throughput: only their time is drawn, also when throughput was
 * asked for and there are no others.  Writes the program; its picture goes to gnuplot's standard
 * output.  Returns 0, or -1 with err (STATUS_USAGE: no row with figures, nothing to make a map of,
 * no latency where only that was asked for, more than PLOT_CURVES_MAX curves) and nothing written.
 * The stream is neither flushed nor closed.
 */
int plot_write(const struct results *files, size_t count, const struct plot_request *request,
               FILE *stream, struct plot_summary *summary, struct error *err);

/* Records of --series (results_read_any): throughput, or the rate where a test moves no data, and
 * latency over time.  Of the request throughput and latency (or latency_or_time), the device and
 * the size of a terminal.  As plot_write otherwise. */
int plot_series(const struct results *files, size_t count, const struct plot_request *request,
                FILE *stream, struct plot_summary *summary, struct error *err);

struct comparison; /* analysis/compare_print.h */

/* By how much each size takes longer in the new files, a panel for each test, cache mode and so on.
 * Of the request the device and the size of a terminal.  As plot_write otherwise. */
int plot_comparison(const struct comparison *comparison, const struct plot_request *request,
                    FILE *stream, struct plot_summary *summary, struct error *err);

#endif
