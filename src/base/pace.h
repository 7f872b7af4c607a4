/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pace.h - limits progress reports of long steps to one per 100 ms, so that reporting does not slow
 * down the step. */
#ifndef BASE_PACE_H
#define BASE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

#define PACE_INTERVAL_NS UINT64_C(100000000)

struct pace {
    uint64_t last_ns; /* 0: not shown yet */
};

/* True when it is time to show progress again. */
static inline bool pace_due(struct pace *pace)
{
    uint64_t now_ns = clock_now(&clock_monotonic);
    if (pace->last_ns != 0 && now_ns - pace->last_ns < PACE_INTERVAL_NS)
        return false;
    pace->last_ns = now_ns;
    return true;
}

#endif
