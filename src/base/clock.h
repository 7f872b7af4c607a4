/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clock.h - the only place that knows which clock is read.  CLOCK_MONOTONIC always, or what comes
 * closest to it: never the wall clock, which can step, but to tell people when it was.  All code
 * that measures gets a struct clock, so that tests can run on a clock they move themselves. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

/* CLOCK_MONOTONIC of macOS counts microseconds and follows the time of day: configure names another
 * one there. */
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

/* What clock_monotonic reads, without the call: for the hot loop. */
static inline uint64_t clock_monotonic_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MEASURED, &now); /* cannot fail: valid clock, valid address */
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* The time of day in ns since 1970, for people to be told; it can be set and step. */
uint64_t clock_wall_ns(void);

/* Rests for so long; a signal cuts it short. */
static inline void clock_rest(uint64_t ns)
{
    const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
                                  .tv_nsec = (long)(ns % NS_PER_S)};

    (void)nanosleep(&time, NULL);
}

/* Rests until clock_monotonic reads that; false: a signal cut it short. */
bool clock_rest_once(uint64_t at_ns);

/* The same; neither signals nor timers that count milliseconds cut it short. */
static inline void clock_rest_until(uint64_t at_ns)
{
    do
        (void)clock_rest_once(at_ns);
    while (clock_monotonic_ns() < at_ns);
}

struct clock_quality {
    double cost_ns;   /* one reading: least mean of 21 batches of 1000 */
    uint64_t step_ns; /* smallest difference above zero seen between two readings */
};

/* Measures cost and step of a clock; takes about a millisecond. */
struct clock_quality clock_measure(const struct clock *clock);

#endif
