/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_fixture.h - a series on the test clock, and functions that publish like a worker. */
#ifndef TESTS_UNIT_SERIES_FIXTURE_H
#define TESTS_UNIT_SERIES_FIXTURE_H

#include "run/series.h"
#include "run/sink.h"
#include "run/worker.h"
#include "unit/fake.h"

#define MS UINT64_C(1000000)

static const volatile int no_stop;

static inline void publish(struct series_live *live, uint64_t operations, uint64_t sum_ns,
                           uint64_t max_ns, uint64_t in_flight)
{
    series_publish(live, SERIES_COUNTED,
                   &(struct series_batch){.operations = operations,
                                          .sum_ns = sum_ns,
                                          .min_ns = operations == 1 ? sum_ns : 1,
                                          .max_ns = max_ns,
                                          .last_ns = max_ns,
                                          .end_ns = fake_now_ns},
                   in_flight);
}

/* Starts with the clock at 1000. */
static inline struct series *start(uint32_t workers, uint64_t interval_ns)
{
    struct series *series = series_create(workers, interval_ns, &fake_clock, &no_stop);
    series_start(series);
    return series;
}

static inline struct series *start_anew(uint32_t workers, uint64_t interval_ns)
{
    fake_reset(NULL, 0);
    return start(workers, interval_ns);
}

#endif
