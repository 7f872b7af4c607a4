/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* compare_print.h - the outcome of a comparison as table, CSV or JSON, and in sentences. */
#ifndef ANALYSIS_COMPARE_PRINT_H
#define ANALYSIS_COMPARE_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/compare.h"
#include "analysis/match.h"
#include "analysis/record_print.h"

struct comparison {              /* all of it; the parts are the caller's */
    const struct results *files; /* 2 * pairs, old and new in turns */
    unsigned pairs;
    const struct match *match;
    const struct compare_overall *overall; /* one per test of the match */
    double tolerance;
    bool worse_only; /* cells that are not slower are left out */
};

void compare_print_table(FILE *stream, const struct comparison *comparison,
                         const struct text_look *look);

/* One record per cell, per cell that is not in all files, and per test; C locale, see
 * iosweep-compare(1). */
void compare_print_csv(FILE *stream, const struct comparison *comparison);
void compare_print_json(FILE *stream, const struct comparison *comparison);

/* A ratio and its interval in one unit: whether they are factors ("x5.20"), as they are when one of
 * them is far from 1, and not percents ("+4.2 %"); and one of the three in that unit, "-" for NAN.
 * To free. */
bool compare_in_factors(const struct compare_judgement *is);
char *compare_ratio_text(double ratio, bool factor);

/* What a test comes to: "read: 5.1 % slower overall (+4.2 % to +6.0 %); of 6 cells 6 slower, ...".
 * To free. */
char *compare_sentence(const struct comparison *comparison, unsigned test);

#endif
