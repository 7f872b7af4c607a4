/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slice_sum.c - adds up the results of slices. */
#include "base/compat.h"

#include "run/slice_sum.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct engine_requests) % sizeof(uint64_t) == 0 &&
                  sizeof(struct engine_found) % sizeof(uint64_t) == 0,
              "only counters of 64 bits");

void slice_counters_add(void *into, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
        ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

void slice_counters_since(void *now, const void *before, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
        ((uint64_t *)now)[i] -= ((const uint64_t *)before)[i];
}

/* A counter of 64 bits, which adds up unless the larger value of two is kept. */
struct sum_field {
    size_t offset;
    bool most[2]; /* by enum slice_order */
};

/* clang-format off */
#define SUM_OF(field)   {offsetof(struct slice_sum, field), {false, false}}
#define SLOWEST(field)  {offsetof(struct slice_sum, field), {true, false}}
#define TALLY_OF(field) {offsetof(struct tally, field), {false, false}}
#define MOST_OF(field)  {offsetof(struct tally, field), {true, true}}
static const struct sum_field sum_counters[] = {
    SUM_OF(cycles), SUM_OF(slot_ns), SUM_OF(flight_ns), SUM_OF(cpu_ns), SUM_OF(user_ns),
    SUM_OF(system_ns), SUM_OF(made_cpu_ns), SUM_OF(queued_ns), SUM_OF(helper_cpu_ns),
    SUM_OF(library_cpu_ns), SUM_OF(device_bytes),
    SLOWEST(slices), SLOWEST(most), SLOWEST(elapsed_ns), SLOWEST(wanted_ns), SLOWEST(behind_ns),
};
static const struct sum_field tally_counters[] = {
    TALLY_OF(operations), TALLY_OF(outside), TALLY_OF(failed), TALLY_OF(short_count),
    TALLY_OF(sum_ns), TALLY_OF(excluded_ns), TALLY_OF(failed_ns), TALLY_OF(hung_ns),
    TALLY_OF(submit_ns), TALLY_OF(wrong), TALLY_OF(mixed),
    MOST_OF(max_ns), MOST_OF(hung_max_ns), MOST_OF(open_max_ns), MOST_OF(close_max_ns),
};
/* clang-format on */

static void merge_counters(void *into, const void *from, const struct sum_field *counter,
                           size_t bytes, enum slice_order order)
{
    for (const struct sum_field *end = counter + bytes / sizeof(*counter); counter < end;
         counter++) {
        uint64_t *to = (uint64_t *)(void *)((char *)into + counter->offset);
        const uint64_t value =
            *(const uint64_t *)(const void *)((const char *)from + counter->offset);

        *to = !counter->most[order] ? *to + value : value > *to ? value : *to;
    }
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
    if (from->min_ns < into->min_ns)
        into->min_ns = from->min_ns;
    for (int p = 0; p < PHASE_COUNT; p++)
        into->phase_ns[p] += from->phase_ns[p];
    merge_counters(into, from, tally_counters, sizeof(tally_counters), SLICE_BESIDE);
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

void slice_sum_merge_head(struct slice_sum *into, const struct slice_sum *from,
                          enum slice_order order)
{
    const bool beside = order == SLICE_BESIDE; /* threads of one slice share its time */

    if (!beside)
        into->fewest += from->fewest;
    else if (!into->threads || (from->threads && from->fewest < into->fewest))
        into->fewest = from->fewest;
    if (beside || from->threads > into->threads)
        into->threads = (beside ? into->threads : 0) + from->threads;
    if (beside || from->slots > into->slots)
        into->slots = (beside ? into->slots : 0) + from->slots;
    merge_counters(into, from, sum_counters, sizeof(sum_counters), order);
    if (!beside)
        into->time_ns += from->time_ns;
    else
        into->time_ns = into->slots ? into->slot_ns / into->slots : 0;
    tally_merge_counts(&into->tally, &from->tally);
    into->io_known = into->io_known && from->io_known;
    into->helpers_asked = into->helpers_asked || from->helpers_asked;
    into->plain_buffers = into->plain_buffers || from->plain_buffers;
    into->gave_up = into->gave_up || from->gave_up;
    slice_counters_add(&into->found, &from->found, sizeof(into->found));
    for (int i = 0; i < TROUBLE_KINDS; i++)
        if (!into->first[i][0])
            memcpy(into->first[i], from->first[i], sizeof(into->first[i]));
    if (!from->has_requests)
        return;
    into->has_requests = true;
    slice_counters_add(&into->requests, &from->requests, sizeof(into->requests));
    memcpy(into->protocol, from->protocol, sizeof(into->protocol));
    memcpy(into->connection, from->connection, sizeof(into->connection));
    memcpy(into->payload, from->payload, sizeof(into->payload));
}

void slice_sum_merge(struct slice_sum *into, const struct slice_sum *from, enum slice_order order)
{
    slice_sum_merge_head(into, from, order);
    merge_hists(&into->tally, &from->tally);
}
