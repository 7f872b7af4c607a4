/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* match.h - which rows of several result files are the same cell: same test, loop, repeat, target,
 * engine, cache, access, threads, depth, ranks, label, size, mix and place in a file that is
 * filled, and of the steps of a file that do that test the same one (its first, second ...).  An
 * axis (one of match_axis_name) that has one value in all old files and another in all new files is
 * what is being compared, and is ignored.  So are labels that name the sweeps ("a1", "b1", "a2",
 * "b2"). */
#ifndef ANALYSIS_MATCH_H
#define ANALYSIS_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/compare.h"
#include "analysis/results/results.h"
#include "base/error.h"

enum match_axis {
    MATCH_TARGET,
    MATCH_ENGINE,
    MATCH_CACHE,
    MATCH_ACCESS,
    MATCH_LABEL,
    MATCH_THREADS,
    MATCH_DEPTH,
    MATCH_RANKS,
    MATCH_AXIS_COUNT
};

/* A name of an axis ("target"), and what a row has there as text ("8"; "": not known).  text: room
 * for a number, UNITS_TEXT; returns it or a string of the row. */
const char *match_axis_name(enum match_axis axis);
const char *match_axis_value(const struct results_row *row, enum match_axis axis, char *text);

struct match_cell {
    const struct results_row *before,
        *after;         /* the first of each side, for the axes and the size */
    const char *reason; /* why it cannot be compared ("skipped", "incomplete"); NULL: it can */
    char *remarks;      /* notes of interest, WORD when on both sides, else WORD:old or WORD:new */
    bool unlike;        /* only one side was served from the cache, or read what was not written */
    bool gone;          /* as in match_lonely */
};

struct match_lonely { /* a cell that is not in all files */
    const struct results_row *row;
    const struct results *missing; /* the first file without it */
    bool gone;                     /* an old file has figures of it, and a new file has none */
};

struct match {
    struct match_cell *cells; /* in the order of the first file */
    /* parallel to cells; the samples of those with a reason are NAN */
    struct compare_cell *compared;
    size_t count;
    struct match_lonely *lonely;
    size_t lonely_count;
    const char **tests; /* compare_cell.test is an index into it */
    unsigned test_count;
    /* Rows that stand for the two values of an axis that is being compared; NULL: it is not. */
    const struct results_row *axis_before[MATCH_AXIS_COUNT], *axis_after[MATCH_AXIS_COUNT];
    /* Labels name the sweeps, and are ignored too: each file has only one, no label is on both
     * sides, and the files of a side do not all have the same. */
    bool labels_name_files;
    void *pool; /* match.c's own */
};

/* files: 2 * pairs, old and new in turns; they must outlive the match.  Rounds of several rows of
 * one cell in one file are pooled.  Errors (STATUS_USAGE): no cell is in all files (the advice
 * names the axes in which files differ); several rows of one cell in a file that has no rounds.
 * Returns 0 or -1; then nothing is to be freed. */
int match_files(const struct results *files, unsigned pairs, struct match *match,
                struct error *err);
void match_free(struct match *match);

/* What a cell is, in words: "read 4 KiB /data posix direct, 8 threads, depth 4", what is not known
 * left out.  To free. */
char *match_describe(const struct results_row *row);

#endif
