/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* tally.c - resetting and adding what threads counted. */
#include "base/compat.h"

#include "run/tally.h"

#include <string.h>

void tally_reset(struct tally *tally)
{
    memset(tally, 0, sizeof(*tally));
    tally->min_ns = UINT64_MAX;
}

void tally_forget_times(struct tally *tally)
{
    tally->operations = tally->outside = 0;
    tally->sum_ns = tally->max_ns = tally->excluded_ns = tally->failed_ns = tally->submit_ns = 0;
    tally->min_ns = UINT64_MAX;
    tally->open_max_ns = tally->close_max_ns = 0;
    memset(tally->phase_ns, 0, sizeof(tally->phase_ns));
    memset(&tally->latency, 0, sizeof(tally->latency));
    memset(&tally->open, 0, sizeof(tally->open));
    memset(&tally->close, 0, sizeof(tally->close));
}

static void keep_most(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

void tally_merge_counts(struct tally *into, const struct tally *from)
{
    if (!into->first_errno && from->first_errno) {
        into->first_errno = from->first_errno;
        into->first_phase = from->first_phase;
        into->first_object = from->first_object;
        into->first_offset_bytes = from->first_offset_bytes;
    }
    if (!into->short_count && from->short_count) {
        into->short_object = from->short_object;
        into->short_offset_bytes = from->short_offset_bytes;
        into->short_bytes = from->short_bytes;
    }
    if (!into->wrong && from->wrong) {
        into->wrong_object = from->wrong_object;
        into->wrong_first = from->wrong_first;
    }
    into->wrong += from->wrong;
    into->mixed += from->mixed;
    into->submit_ns += from->submit_ns;
    into->operations += from->operations;
    into->outside += from->outside;
    into->failed += from->failed;
    into->short_count += from->short_count;
    into->sum_ns += from->sum_ns;
    if (from->min_ns < into->min_ns)
        into->min_ns = from->min_ns;
    keep_most(&into->max_ns, from->max_ns);
    keep_most(&into->open_max_ns, from->open_max_ns);
    keep_most(&into->close_max_ns, from->close_max_ns);
    for (int p = 0; p < PHASE_COUNT; p++)
        into->phase_ns[p] += from->phase_ns[p];
    into->excluded_ns += from->excluded_ns;
    into->failed_ns += from->failed_ns;
    into->hung_ns += from->hung_ns;
    keep_most(&into->hung_max_ns, from->hung_max_ns);
}

void tally_merge(struct tally *into, const struct tally *from)
{
    tally_merge_counts(into, from);
    hist_merge(&into->latency, &from->latency);
    hist_merge(&into->open, &from->open);
    hist_merge(&into->close, &from->close);
}
