/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fit_print.h - fits as a table for people, and as CSV and JSON for programs. */
#ifndef ANALYSIS_FIT_PRINT_H
#define ANALYSIS_FIT_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/fit.h"
#include "analysis/record_print.h"
#include "analysis/results/results.h"

enum fit_format { FIT_TABLE, FIT_CSV, FIT_JSON };

struct fitted { /* a curve and what was made of it */
    const struct results_curve *curve;
    char *name;               /* for people; never empty */
    struct fit_point *points; /* count of them, as the rows of the curve */
    size_t count;
    size_t unsteady;   /* rows noted wide or drift */
    bool known;        /* there is a fit */
    unsigned segments; /* that are to be shown; 0: none */
    struct fit fit;
};

/* Writes all of them; the stream's error flag tells of failures.  residuals: each point too. */
/* look: of the table. */
void fit_print(FILE *stream, enum fit_format format, const struct fitted *fitted, size_t count,
               bool residuals, const struct text_look *look);

#endif
