/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slice_sum.c - adds up the results of slices. */
#include "base/compat.h"

#include "run/slice_sum.h"

#include <assert.h>
#include <string.h>

/* Counters of requests are integers of one width: a new one needs no line here. */
#define COUNTERS (sizeof(struct engine_requests) / sizeof(uint64_t))
static_assert(sizeof(struct engine_requests) == COUNTERS * sizeof(uint64_t),
              "only counters of 64 bits");

void slice_requests_add(struct engine_requests *into, const struct engine_requests *from)
{
    uint64_t *to = (uint64_t *)into;
    const uint64_t *more = (const uint64_t *)from;

    for (size_t i = 0; i < COUNTERS; i++)
        to[i] += more[i];
}

struct engine_requests slice_requests_since(const struct engine_requests *before,
                                            const struct engine_requests *after)
{
    struct engine_requests since = *after;
    uint64_t *to = (uint64_t *)&since;
    const uint64_t *less = (const uint64_t *)before;

    for (size_t i = 0; i < COUNTERS; i++)
        to[i] -= less[i];
    return since;
}

void slice_found_add(struct engine_found *into, const struct engine_found *from)
{
    into->hits += from->hits;
    into->misses += from->misses;
    into->listings += from->listings;
    into->names += from->names;
}

struct engine_found slice_found_since(const struct engine_found *before,
                                      const struct engine_found *after)
{
    return (struct engine_found){.hits = after->hits - before->hits,
                                 .misses = after->misses - before->misses,
                                 .listings = after->listings - before->listings,
                                 .names = after->names - before->names};
}

void tally_reset(struct tally *tally)
{
    memset(tally, 0, sizeof(*tally));
    tally->min_ns = UINT64_MAX;
}

void tally_forget_times(struct tally *tally)
{
    tally->operations = tally->outside = 0;
    tally->sum_ns = tally->max_ns = tally->excluded_ns = tally->failed_ns = tally->submit_ns = 0;
    tally->min_ns = UINT64_MAX;
    tally->open_max_ns = tally->close_max_ns = 0;
    memset(tally->phase_ns, 0, sizeof(tally->phase_ns));
    memset(&tally->latency, 0, sizeof(tally->latency));
    memset(&tally->open, 0, sizeof(tally->open));
    memset(&tally->close, 0, sizeof(tally->close));
}

static void keep_most(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

static void tally_merge_counts(struct tally *into, const struct tally *from)
{
    if (!into->first_errno && from->first_errno) {
        into->first_errno = from->first_errno;
        into->first_phase = from->first_phase;
        into->first_object = from->first_object;
        into->first_offset_bytes = from->first_offset_bytes;
    }
    if (!into->short_count && from->short_count) {
        into->short_object = from->short_object;
        into->short_offset_bytes = from->short_offset_bytes;
        into->short_bytes = from->short_bytes;
    }
    if (!into->wrong && from->wrong) {
        into->wrong_object = from->wrong_object;
        into->wrong_first = from->wrong_first;
    }
    into->wrong += from->wrong;
    into->mixed += from->mixed;
    into->submit_ns += from->submit_ns;
    into->operations += from->operations;
    into->outside += from->outside;
    into->failed += from->failed;
    into->short_count += from->short_count;
    into->sum_ns += from->sum_ns;
    if (from->min_ns < into->min_ns)
        into->min_ns = from->min_ns;
    keep_most(&into->max_ns, from->max_ns);
    keep_most(&into->open_max_ns, from->open_max_ns);
    keep_most(&into->close_max_ns, from->close_max_ns);
    for (int p = 0; p < PHASE_COUNT; p++)
        into->phase_ns[p] += from->phase_ns[p];
    into->excluded_ns += from->excluded_ns;
    into->failed_ns += from->failed_ns;
    into->hung_ns += from->hung_ns;
    keep_most(&into->hung_max_ns, from->hung_max_ns);
}

static void merge_hists(struct tally *into, const struct tally *from)
{
    hist_merge(&into->latency, &from->latency);
    hist_merge(&into->open, &from->open);
    hist_merge(&into->close, &from->close);
}

void tally_merge(struct tally *into, const struct tally *from)
{
    tally_merge_counts(into, from);
    merge_hists(into, from);
}

void slice_sum_reset(struct slice_sum *sum)
{
    memset(sum, 0, sizeof(*sum));
    tally_reset(&sum->tally);
    sum->io_known = true;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Merges what threads of one slice share: its time. */
static void merge_beside(struct slice_sum *into, const struct slice_sum *from)
{
    if (!into->threads || (from->threads && from->fewest < into->fewest))
        into->fewest = from->fewest;
    into->most = most(into->most, from->most);
    into->slices = most(into->slices, from->slices);
    into->threads += from->threads;
    into->slots += from->slots;
    into->time_ns = into->slots ? (into->slot_ns + from->slot_ns) / into->slots : 0;
    into->elapsed_ns = most(into->elapsed_ns, from->elapsed_ns);
    into->wanted_ns = most(into->wanted_ns, from->wanted_ns);
    into->behind_ns = most(into->behind_ns, from->behind_ns);
}

static void merge_after(struct slice_sum *into, const struct slice_sum *from)
{
    into->fewest += from->fewest;
    into->most += from->most;
    into->slices += from->slices;
    into->threads = into->threads > from->threads ? into->threads : from->threads;
    into->slots = into->slots > from->slots ? into->slots : from->slots;
    into->time_ns += from->time_ns;
    into->elapsed_ns += from->elapsed_ns;
    into->wanted_ns += from->wanted_ns;
    into->behind_ns += from->behind_ns;
}

void slice_sum_merge_head(struct slice_sum *into, const struct slice_sum *from,
                          enum slice_order order)
{
    if (order == SLICE_BESIDE)
        merge_beside(into, from);
    else
        merge_after(into, from);
    tally_merge_counts(&into->tally, &from->tally);
    into->cycles += from->cycles;
    into->slot_ns += from->slot_ns;
    into->flight_ns += from->flight_ns;
    into->cpu_ns += from->cpu_ns;
    into->user_ns += from->user_ns;
    into->system_ns += from->system_ns;
    into->made_cpu_ns += from->made_cpu_ns;
    into->queued_ns += from->queued_ns;
    into->helper_cpu_ns += from->helper_cpu_ns;
    into->library_cpu_ns += from->library_cpu_ns;
    into->device_bytes += from->device_bytes;
    into->io_known = into->io_known && from->io_known;
    into->helpers_asked = into->helpers_asked || from->helpers_asked;
    into->plain_buffers = into->plain_buffers || from->plain_buffers;
    into->gave_up = into->gave_up || from->gave_up;
    slice_found_add(&into->found, &from->found);
    if (!into->first_failure[0])
        memcpy(into->first_failure, from->first_failure, sizeof(into->first_failure));
    if (!from->has_requests)
        return;
    into->has_requests = true;
    slice_requests_add(&into->requests, &from->requests);
    memcpy(into->protocol, from->protocol, sizeof(into->protocol));
    memcpy(into->connection, from->connection, sizeof(into->connection));
    memcpy(into->payload, from->payload, sizeof(into->payload));
}

void slice_sum_merge(struct slice_sum *into, const struct slice_sum *from, enum slice_order order)
{
    slice_sum_merge_head(into, from, order);
    merge_hists(&into->tally, &from->tally);
}

void slice_threads_add(struct slice_thread *into, const struct slice_thread *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        into[i].operations += from[i].operations;
        into[i].time_ns += from[i].time_ns;
    }
}
