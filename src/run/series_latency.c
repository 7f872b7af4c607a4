/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_latency.c - histograms of --interval. */
#include "base/compat.h"

#include "run/series_latency.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct worker_counts {
    _Alignas(128) atomic_uint_fast64_t count[HIST_BUCKETS];
};

struct series_latency {
    void *memory;
    struct worker_counts *workers; /* in it */
    struct hist *known;            /* of each worker, at the last look */
    struct hist **spare;
    size_t spare_count, spare_room;
};

struct series_latency *series_latency_create(uint32_t workers)
{
    const uintptr_t mask = _Alignof(struct worker_counts) - 1;
    struct series_latency *latency = mem_calloc(1, sizeof(*latency));

    latency->memory = mem_calloc((size_t)workers + 1, sizeof(*latency->workers));
    latency->workers = (struct worker_counts *)(((uintptr_t)latency->memory + mask) & ~mask);
    latency->known = mem_calloc((size_t)workers + 1, sizeof(*latency->known));
    return latency;
}

void series_latency_free(struct series_latency *latency)
{
    if (!latency)
        return;
    while (latency->spare_count > 0)
        free(latency->spare[--latency->spare_count]);
    free(latency->spare);
    free(latency->known);
    free(latency->memory);
    free(latency);
}

atomic_uint_fast64_t *series_latency_counts(struct series_latency *latency, uint32_t worker)
{
    return latency->workers[worker].count;
}

void series_latency_take(struct series_latency *latency, uint32_t first, uint32_t end,
                         struct hist *into)
{
    for (uint32_t w = first; w < end; w++)
        for (unsigned i = 0; i < HIST_BUCKETS; i++) {
            const uint64_t now =
                atomic_load_explicit(&latency->workers[w].count[i], memory_order_relaxed);
            if (into)
                into->count[i] += now - latency->known[w].count[i];
            latency->known[w].count[i] = now;
        }
}

struct hist *series_latency_borrow(struct series_latency *latency)
{
    struct hist *hist;

    if (latency->spare_count == 0)
        return mem_calloc(1, sizeof(*hist));
    hist = latency->spare[--latency->spare_count];
    memset(hist, 0, sizeof(*hist));
    return hist;
}

void series_latency_give_back(struct series_latency *latency, struct hist *hist)
{
    if (!hist)
        return;
    latency->spare = mem_grow(latency->spare, &latency->spare_room, latency->spare_count + 1,
                              sizeof(struct hist *));
    latency->spare[latency->spare_count++] = hist;
}

uint64_t series_latency_quantile(const struct hist *hist, double quantile, uint64_t min_ns,
                                 uint64_t max_ns)
{
    if (!hist || hist_total(hist) == 0)
        return 0;
    return hist_quantile_within_ns(hist, quantile, min_ns, max_ns);
}
