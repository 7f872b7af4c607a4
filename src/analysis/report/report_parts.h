/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_parts.h - how the model of a report is made; for src/analysis/report*.c only. */
#ifndef ANALYSIS_REPORT_REPORT_PARTS_H
#define ANALYSIS_REPORT_REPORT_PARTS_H

#include "analysis/report/report.h"

/* What tells curves apart; panels are split by it in this order. */
enum report_key {
    REPORT_TEST,
    REPORT_TARGET,
    REPORT_ACCESS,
    REPORT_CACHE,
    REPORT_FILE,
    REPORT_ENGINE,
    REPORT_LABEL,
    REPORT_REPEAT,
    REPORT_LOOP,
    REPORT_MIX,
    REPORT_TEAM,
    REPORT_THREADS,
    REPORT_DEPTH,
    REPORT_KEYS
};

/* Bits (1 << enum report_key) of the keys in which two curves differ. */
unsigned report_differences(const struct results_curve *a, const struct results_curve *b);

/* "read, direct, depth 8": the test and the words of those keys, joined by commas.
 * In the arena. */
const char *report_words(struct arena *pool, const struct results_curve *curve, unsigned keys);

/* report_rows.c: `shown` of a report whose curves are there, and what is hidden of comparisons. */
void report_choose_rows(struct report *report, size_t most);
void report_choose_cells(struct report *report, size_t most);

/* A row as a point, also one that is not shown. */
struct report_point report_take_point(const struct results_row *row);

/* report_panels.c: fill panels and maps of a report whose lines are there. */
void report_make_panels(struct report *report);
void report_make_maps(struct report *report);

/* report_words.c: title, about, notes. */
void report_make_words(struct report *report);
void report_make_notes(struct report *report);

/* report_courses.c: of files of --series. */
void report_make_courses(struct report *report);
void report_free_courses(struct report *report);

/* report_verdict.c: the sentences that it begins with. */
void report_make_verdicts(struct report *report);

/* The fact targets.N.NAME of the target of that name; "": not known. */
const char *report_target_fact(const struct results *results, const char *target, const char *name);

/* report_compare.c: the first file with each other one. */
void report_make_comparisons(struct report *report);
void report_free_comparisons(struct report *report);

#endif
