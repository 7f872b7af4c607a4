/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* merge_print.h - merged results in the formats of results: CSV and JSON with the columns of the
 * merge, so that other commands read them like results of one run, and a table for people. */
#ifndef ANALYSIS_MERGE_PRINT_H
#define ANALYSIS_MERGE_PRINT_H

#include <stdio.h>

#include "analysis/merge.h"
#include "analysis/record_print.h"

enum merge_format { MERGE_TABLE, MERGE_CSV, MERGE_JSON };

/* look: of the table. */
void merge_print(FILE *stream, const struct merge *merge, enum merge_format format,
                 const struct text_look *look);

#endif
