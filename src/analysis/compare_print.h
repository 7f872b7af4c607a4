/* SPDX-License-Identifier: GPL-2.0-or-later */
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

/* What a test comes to: "read: 5.1 % slower overall (+4.2 % to +6.0 %); of 6 cells 6 slower, ...".
 * To free. */
char *compare_sentence(const struct comparison *comparison, unsigned test);

#endif
