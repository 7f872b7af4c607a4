/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* window.c - lengths of ramps and windows. */
#include "base/compat.h"

#include "run/window.h"

#include "run/slice_sum.h"

uint64_t window_reach_ns(const struct hist *latency)
{
    double all_ns = 0, longer_ns = 0;

    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        all_ns += (double)latency->count[i] * (double)hist_lower_ns(i);
    for (unsigned i = HIST_BUCKETS - 1; i > 0; i--) {
        longer_ns += (double)latency->count[i] * (double)hist_lower_ns(i);
        if (longer_ns > WINDOW_REACH_SHARE * all_ns)
            return hist_lower_ns(i + 1 < HIST_BUCKETS ? i + 1 : i);
    }
    return 0;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t window_least_ns(uint64_t reach_ns, double mean_ns, uint64_t base_ns)
{
    const uint64_t around_ns = (WINDOW_RAMP + 1) * reach_ns;

    return most(base_ns, most(WINDOW_OVERHEAD * around_ns, (uint64_t)(WINDOW_MEANS * mean_ns)));
}

struct window window_make(uint64_t reach_ns, uint64_t length_ns, uint64_t rounds)
{
    const uint64_t ramp_ns = WINDOW_RAMP * reach_ns;
    const uint64_t batches = rounds < 1                   ? 1
                             : rounds > SLICE_BATCHES_MAX ? SLICE_BATCHES_MAX
                                                          : rounds;

    return (struct window){.ramp_ns = ramp_ns < length_ns ? ramp_ns : length_ns,
                           .batch_ns = most(length_ns / batches, 1),
                           .batches = (uint32_t)batches};
}
