/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clock.h - the only code that chooses a clock: always CLOCK_MONOTONIC or its closest equivalent,
 * never the wall clock, which can step, except to show the date. Measuring code receives a struct
 * clock, so that tests can substitute one that they advance themselves. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

/* CLOCK_MONOTONIC of macOS counts microseconds and follows the time of day, so configure selects
 * another clock there. */
#ifndef CLOCK_MEASURED
#define CLOCK_MEASURED CLOCK_MONOTONIC
#endif

struct clock {
    uint64_t (*now_ns)(void *arg); /* monotonic nanoseconds, any origin; hot */
    void *arg;
};

extern const struct clock clock_monotonic; /* CLOCK_MONOTONIC; arg is not used */

static inline uint64_t clock_now(const struct clock *clock)
{
    return clock->now_ns(clock->arg);
}

/* Reads clock_monotonic without the indirect call, for the hot loop. */
static inline uint64_t clock_monotonic_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MEASURED, &now); /* cannot fail: valid clock, valid address */
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* The time of day in ns since 1970, for display only; it can be set and step. */
uint64_t clock_wall_ns(void);

/* Sleeps for a duration; a signal ends it early. */
static inline void clock_rest(uint64_t ns)
{
    const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
                                  .tv_nsec = (long)(ns % NS_PER_S)};

    (void)nanosleep(&time, NULL);
}

/* Sleeps until a time of clock_monotonic; false: a signal ended it early. */
bool clock_rest_once(uint64_t at_ns);

/* The same, but ends early neither on signals nor because timers count milliseconds. */
static inline void clock_rest_until(uint64_t at_ns)
{
    do
        (void)clock_rest_once(at_ns);
    while (clock_monotonic_ns() < at_ns);
}

struct clock_quality {
    double cost_ns;   /* of one reading: lowest mean of 21 batches of 1000 */
    uint64_t step_ns; /* smallest non-zero difference between two readings */
};

/* Measures cost and step of a clock; takes about a millisecond. */
struct clock_quality clock_measure(const struct clock *clock);

/* Limits progress reports of long steps to one per 100 ms, so that reporting does not slow down the
 * step. */
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
