/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* merge.h - results of several processes or hosts that worked at the same time, added up to what
 * they did together.  Rows that are the same cell become one: counts are added, histograms too, so
 * that percentiles are those of all operations; times are not, the longest counts.  What cannot be
 * added up is kept where it is the same in all files, and unknown else. */
#ifndef ANALYSIS_MERGE_H
#define ANALYSIS_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/results/results.h"
#include "base/error.h"
#include "base/hist.h"

struct merge_column { /* a column of the output, in its order */
    const char *name;
    bool identity; /* rows that differ there are not the same cell */
    int decimals;  /* of numbers that are not whole, or of all: */
    bool always;
};

struct merge_value { /* neither text nor number: not known */
    const char *text;
    double number; /* NAN: not known */
};

struct merge_row {
    const struct results_row **parts; /* of each file, in their order */
    struct merge_value *values;       /* parallel to the columns */
    struct hist latency;
    /* Of the spans between begin and end of the parts, the share of the longest in which all were
     * under way; NAN: not known.  0: they do not overlap. */
    double overlap;
    double measured; /* the least share of its span in which a part was really measured; NAN */
    double shortest_s, longest_s; /* time_s of the parts */
};

struct merge {
    const struct results *files; /* read with results_read_whole; they outlive the merge */
    unsigned file_count;
    const struct merge_column *columns;
    size_t column_count;
    struct merge_row *rows; /* in the order of the first file */
    size_t count;
    size_t skipped; /* rows without figures that were left out, in all files */
    void *arena;    /* merge.c's own */
};

/* Errors (STATUS_USAGE) name a file and what is the matter: no histograms, a cell that is not in
 * all files, figures that are missing.  Returns 0 or -1; then nothing is to be freed. */
int merge_files(const struct results *files, unsigned count, const struct merge_column *columns,
                size_t column_count, struct merge *merge, struct error *err);
void merge_free(struct merge *merge);

/* The value of a column of that name in a row; a number of a column that is not there is NAN. */
double merge_number(const struct merge *merge, const struct merge_row *row, const char *name);
const char *merge_text(const struct merge *merge, const struct merge_row *row, const char *name);

#endif
