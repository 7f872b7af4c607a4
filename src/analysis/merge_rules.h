/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* merge_rules.h - what merge.c and merge_rules.c share. */
#ifndef ANALYSIS_MERGE_RULES_H
#define ANALYSIS_MERGE_RULES_H

#include "analysis/merge.h"

/* A column of a part; NULL: the file does not have it. */
const struct results_value *merge_value_of(const struct results_row *row, const char *name);
double merge_number_of(const struct results_row *row, const char *name); /* NAN: not known */

/* Of the same column; what is not known differs from nothing. */
bool merge_same_value(const struct results_value *a, const struct results_value *b);

/* Fills in the values of a row whose parts, histogram and times are known. */
void merge_fill(struct merge *merge, struct merge_row *row);

#endif
