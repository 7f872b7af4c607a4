/* SPDX-License-Identifier: GPL-2.0-or-later */
/* requests.h - sums and differences of the counters of requests.  They are all integers of one
 * width, so that a new counter needs no line here. */
#ifndef RUN_REQUESTS_H
#define RUN_REQUESTS_H

#include <assert.h>

#include "engine/engine.h"

#define REQUESTS_COUNTERS (sizeof(struct engine_requests) / sizeof(uint64_t))

static_assert(sizeof(struct engine_requests) == REQUESTS_COUNTERS * sizeof(uint64_t),
              "only counters of 64 bits");

static inline void requests_add(struct engine_requests *sum, const struct engine_requests *more)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)more;

    for (size_t i = 0; i < REQUESTS_COUNTERS; i++)
        to[i] += from[i];
}

static inline void requests_subtract(struct engine_requests *from_sum,
                                     const struct engine_requests *less)
{
    uint64_t *to = (uint64_t *)from_sum;
    const uint64_t *from = (const uint64_t *)less;

    for (size_t i = 0; i < REQUESTS_COUNTERS; i++)
        to[i] -= from[i];
}

#endif
