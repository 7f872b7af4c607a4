/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_facts.h - what the formats of reports put into words and cells alike: facts of a run, and
 * what a comparison came to. */
#ifndef ANALYSIS_REPORT_REPORT_FACTS_H
#define ANALYSIS_REPORT_REPORT_FACTS_H

#include <stdbool.h>

#include "analysis/report/report.h"

/* Fact number `index` from 0 on, but for the command line; NULL behind the last.  *name: what it
 * is. */
const char *report_fact(const struct results *results, size_t index, const char **name);

/* What a file without facts is told of. */
extern const char report_facts_missing[];

/* Whether a finding has what a verdict of the report says anyway. */
bool report_is_told(const struct report *report, const char *finding);

/* Bits (1 << enum match_axis) of the axes in which some cells differ. */
unsigned report_varying(const struct match *match);

/* A cell but for its size: "read, direct, depth 8", of the axes only those of `varying`.
 * To free. */
char *report_cell(const struct match *match, size_t index, unsigned varying);

/* "slower", "faster", "same", "unclear"; "no verdict". */
const char *report_outcome(const struct compare_judgement *is);

#endif
