/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clock.c - CLOCK_MONOTONIC, and the cost of reading a clock. The cost is shown beside the results,
 * never subtracted from them: that would produce negative times and hide a slow clock source. */
#include "base/compat.h"

#include "base/clock.h"

#include <errno.h>

#define COST_BATCHES  21
#define COST_READINGS 1000
#define STEP_READINGS 10000

static uint64_t monotonic_now_ns(void *arg)
{
    (void)arg;
    return clock_monotonic_ns();
}

const struct clock clock_monotonic = {.now_ns = monotonic_now_ns, .arg = NULL};

uint64_t clock_wall_ns(void)
{
    struct timespec now = {.tv_sec = 0};

    (void)timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

bool clock_rest_once(uint64_t at_ns)
{
#ifdef HAVE_CLOCK_NANOSLEEP
    const struct timespec at = {.tv_sec = (time_t)(at_ns / NS_PER_S),
                                .tv_nsec = (long)(at_ns % NS_PER_S)};

    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != EINTR;
#else /* wakes late if preempted here */
    const uint64_t now_ns = clock_monotonic_ns();
    const uint64_t left_ns = at_ns > now_ns ? at_ns - now_ns : 0;
    const struct timespec left = {.tv_sec = (time_t)(left_ns / NS_PER_S),
                                  .tv_nsec = (long)(left_ns % NS_PER_S)};

    return left_ns == 0 || nanosleep(&left, NULL) == 0 || errno != EINTR;
#endif
}

/* The lowest of many short averages, since interruptions only add. */
static double measure_cost_ns(const struct clock *clock)
{
    double least_ns = 0.0;
    for (int batch = 0; batch < COST_BATCHES; batch++) {
        uint64_t begin_ns = clock_now(clock), end_ns = begin_ns;
        double mean_ns;
        for (int i = 0; i < COST_READINGS; i++)
            end_ns = clock_now(clock);
        mean_ns = (double)(end_ns - begin_ns) / COST_READINGS;
        if (batch == 0 || mean_ns < least_ns)
            least_ns = mean_ns;
    }
    return least_ns;
}

/* Separate from the cost, because comparing inside the batch would be timed too. 0 if the clock did
 * not advance. */
static uint64_t measure_step_ns(const struct clock *clock)
{
    uint64_t last_ns = clock_now(clock), least_ns = 0;
    for (int i = 0; i < STEP_READINGS; i++) {
        uint64_t now_ns = clock_now(clock), step_ns = now_ns - last_ns;
        if (step_ns > 0 && (least_ns == 0 || step_ns < least_ns))
            least_ns = step_ns;
        last_ns = now_ns;
    }
    return least_ns;
}

struct clock_quality clock_measure(const struct clock *clock)
{
    struct clock_quality quality = {
        .cost_ns = measure_cost_ns(clock),
        .step_ns = measure_step_ns(clock),
    };
    return quality;
}
