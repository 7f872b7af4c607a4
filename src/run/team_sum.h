/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_sum.h - one slice of several ranks: their sums become one.  Pure.
 *
 * The time of a team is that of all its slots: see slice_sum.h. */
#ifndef RUN_TEAM_SUM_H
#define RUN_TEAM_SUM_H

#include <stdint.h>

#include "run/slice_sum.h"
#include "run/team_order.h"
#include "run/worker.h"

/* How much of the time of a slice all ranks were at work, and how far apart they began. */
struct team_overlap {
    uint64_t whole_ns, common_ns, skew_ns;
};

/* What a rank has told of its slice. */
struct team_told {
    const struct team_report *report;
    const struct slice_sum *sum; /* without histograms */
};

/* The first ranks with operations that failed, moved too few bytes or brought wrong data; 0:
 * none. */
struct team_first {
    uint32_t failed, cut_short, wrong;
};

/* Adds up the sums of `count` ranks into *joint, which has no histograms. */
struct team_overlap team_sum_join(const struct team_told *told, uint32_t count,
                                  struct slice_sum *joint);

/* Whose words they are that team_sum_join takes over. */
struct team_first team_sum_first(const struct team_told *told, uint32_t count);

#endif
