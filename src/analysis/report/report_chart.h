/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_chart.h - the charts of a report, each a figure with its key. */
#ifndef ANALYSIS_REPORT_REPORT_CHART_H
#define ANALYSIS_REPORT_REPORT_CHART_H

#include <stdio.h>

#include "analysis/report/report.h"
#include "analysis/report/report_svg.h"

struct charts { /* what charts of a page share, so that they can be compared by eye */
    FILE *stream;
    struct svg_scale size, throughput, time, latency;
};

void charts_begin(struct charts *charts, const struct report *report, FILE *stream);

/* Throughput and time per operation of a panel, with intervals; the key of its lines. */
void chart_throughput(const struct charts *charts, const struct report_panel *panel);
void chart_time(const struct charts *charts, const struct report_panel *panel);
void chart_key(const struct charts *charts, const struct report_panel *panel);

/* Percentiles of the latency of single operations. */
void chart_latency(const struct charts *charts, const struct report_panel *panel,
                   const struct report_line *line);

/* Ratios of a test with intervals, and the tolerance; one for each group of cells that differ in
 * the size only.  False, and nothing is written, where none of them has a ratio. */
bool chart_ratios(const struct charts *charts, const struct report_comparison *comparison,
                  unsigned test);

/* A course over time: throughput or rate, and latency. */
void chart_course(const struct charts *charts, const struct report_course *course);

#endif
