/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_latency.h - --interval: the histograms behind the percentiles of records.  Each worker
 * counts its latencies in memory of its own that it alone writes; the series adds up what came
 * since it looked last.  Counts are read one by one: what a worker books in this moment is in this
 * interval or in the next one. */
#ifndef RUN_SERIES_LATENCY_H
#define RUN_SERIES_LATENCY_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/hist.h"

struct series_latency;

struct series_latency *series_latency_create(uint32_t workers); /* never NULL */
void series_latency_free(struct series_latency *latency);       /* NULL is fine */

/* The counts of one worker: HIST_BUCKETS of them. */
atomic_uint_fast64_t *series_latency_counts(struct series_latency *latency, uint32_t worker);

/* By the worker, for each complete operation. */
static inline void series_latency_add(atomic_uint_fast64_t *counts, uint64_t spent_ns)
{
    atomic_uint_fast64_t *count = &counts[hist_index(spent_ns)];

    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

/* Adds what the workers from `first` on, before `end`, counted since the last call to `into`; NULL:
 * it is dropped. */
void series_latency_take(struct series_latency *latency, uint32_t first, uint32_t end,
                         struct hist *into);

/* An empty histogram, of those given back if there is one. */
struct hist *series_latency_borrow(struct series_latency *latency);
void series_latency_give_back(struct series_latency *latency, struct hist *hist); /* NULL is fine */

/* Nearest rank, between the shortest and the longest that was seen; 0: no values or no histogram.
 */
uint64_t series_latency_quantile(const struct hist *hist, double quantile, uint64_t min_ns,
                                 uint64_t max_ns);

#endif
