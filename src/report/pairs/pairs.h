/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pairs.h - compares rows of the same rounds that differ in one axis only (target, engine, access,
 * threads, depth), round by round. Disturbances of a shared machine last longer than a slice and
 * affect both rows of a pair, so their ratio is known better than either row. If both have one
 * operation in flight, time spent waiting for a processor is excluded: other programs may use that
 * processor during one row and not the other. */
#ifndef REPORT_PAIRS_PAIRS_H
#define REPORT_PAIRS_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "run/sink.h"

struct pair_size {                   /* two rows of one size, over all loops and repeats */
    const struct cell *base, *other; /* of the first loop and repeat */
    /* time per operation in each common round, base and other; owned, NULL once they are judged */
    double (*ns)[2];
    size_t rounds;
    double typical, error;   /* 20 % trimmed mean of log(other_ns / base_ns), its standard error */
    size_t freedom;          /* degrees of freedom of the error */
    double mean, mean_error; /* log(mean of other_ns / mean of base_ns), its standard error */
    bool apart;              /* this size differs from the others, which determine the ratio */
};

/* Two values of an axis, of one test and cache mode. */
struct pair {
    unsigned axes;          /* that differ: bits of enum cell_axis */
    struct pair_size *size; /* size_count of them; owned */
    size_t size_count;
    double ratio, low, high; /* typical time per operation, other / base; 95 % interval */
    double mean_ratio;       /* of the means, slow operations included */
    bool mean_apart;         /* it differs from ratio by more than both uncertainties */
    bool varied; /* more than a few sizes differ from each other beyond their own uncertainty */
};

struct pairs {
    struct pair *all; /* count of them; owned */
    size_t count;
};

/* format_make_pairs (formats.h) makes the sink that fills it. */
void pairs_free(struct pairs *pairs);

/* "target", "engine", ... */
const char *pair_axis(const struct pair *pair);

/* The value of the axis in a cell: "b", "posix", "8 threads". text: PAIR_VALUE_TEXT bytes; returns
 * it. */
#define PAIR_VALUE_TEXT 160
char *pair_value(const struct run_info *info, const struct pair *pair, const struct cell *cell,
                 char *text);

/* One line without its end: "reads: b takes 1.052 (1.043 .. 1.061) times as long as a; 1.21 times
 * at 4 KiB". */
#define PAIR_LINE_TEXT 1024
void pair_line(const struct run_info *info, const struct pair *pair, char *line);

#endif
