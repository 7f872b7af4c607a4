/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slice_length.c - see slice_length.h. */
#include "base/compat.h"

#include "run/slice_length.h"

uint64_t slice_reach_ns(const struct hist *latency)
{
    double all_ns = 0, longer_ns = 0;

    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        all_ns += (double)latency->count[i] * (double)hist_lower_ns(i);
    for (unsigned i = HIST_BUCKETS - 1; i > 0; i--) {
        longer_ns += (double)latency->count[i] * (double)hist_lower_ns(i);
        if (longer_ns > SLICE_REACH_SHARE * all_ns)
            return hist_lower_ns(i + 1 < HIST_BUCKETS ? i + 1 : i);
    }
    return 0;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t slice_least_ns(uint64_t reach_ns, double mean_ns, uint64_t base_ns)
{
    const uint64_t reaches_ns = SLICE_REACHES * reach_ns;

    return most(most(base_ns, (uint64_t)(SLICE_MEANS * mean_ns)),
                reaches_ns < SLICE_MOST_NS ? reaches_ns : SLICE_MOST_NS);
}
