/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* trace.c - the generations that data of a run can have, see target.h.  One byte per page; all
 * objects have as many pages as the longest one. */
#include "base/compat.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "storage/pattern.h"
#include "storage/storage.h"

#define PAGE      ((uint64_t)PATTERN_PAGE_BYTES)
#define PAGES_MAX (UINT64_C(1) << 24)
#define UNKNOWN   0x80u /* permanently */

struct target_trace {
    const uint64_t *length_bytes;
    uint64_t pages_each, objects;
    atomic_uchar may[];
};

struct pages {
    uint64_t first, end;
};

struct target_trace *trace_new(const struct target *target, bool filled)
{
    const uint64_t pages =
        target->object_count > 0 ? (target->length_bytes[0] + PAGE - 1) / PAGE : 0;
    struct target_trace *trace;

    if (pages == 0 || target->object_count > PAGES_MAX / pages)
        return NULL;
    trace = malloc(sizeof(*trace) + (size_t)(target->object_count * pages));
    if (!trace)
        return NULL;
    trace->length_bytes = target->length_bytes;
    trace->pages_each = pages;
    trace->objects = target->object_count;
    memset(trace->may, filled ? 1 : TARGET_ANY_GENERATION, (size_t)(target->object_count * pages));
    return trace;
}

void trace_free(struct target_trace *trace)
{
    free(trace);
}

/* No pages for objects that operations create, which have no number among the objects. */
static struct pages pages_of(const struct target_trace *trace, uint64_t object,
                             uint64_t offset_bytes, uint64_t size_bytes)
{
    const uint64_t first = trace ? object * trace->pages_each : 0;

    if (!trace || object >= trace->objects || size_bytes == 0)
        return (struct pages){0, 0};
    return (struct pages){first + offset_bytes / PAGE,
                          first + (offset_bytes + size_bytes - 1) / PAGE + 1};
}

/* Whether the range includes all of a page, or all of it up to the end of its object. */
static bool covers(const struct target_trace *trace, uint64_t page, uint64_t object,
                   uint64_t offset_bytes, uint64_t size_bytes)
{
    const uint64_t begin = page % trace->pages_each * PAGE, end = offset_bytes + size_bytes;

    return begin >= offset_bytes && (begin + PAGE <= end || end == trace->length_bytes[object]);
}

void trace_note(struct target_trace *trace, enum trace_event event, uint64_t object,
                uint64_t offset_bytes, uint64_t size_bytes, uint32_t generation)
{
    const struct pages pages = pages_of(trace, object, offset_bytes, size_bytes);
    const unsigned char own = (unsigned char)(1u << generation);

    for (uint64_t page = pages.first; page < pages.end; page++) {
        if (event != TRACE_ENDS)
            atomic_fetch_or_explicit(&trace->may[page], event == TRACE_FAILS ? UNKNOWN : own,
                                     memory_order_relaxed);
        else if (covers(trace, page, object, offset_bytes, size_bytes))
            atomic_fetch_and_explicit(&trace->may[page], UNKNOWN | own, memory_order_relaxed);
    }
}

unsigned trace_may(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                   uint64_t *size_bytes)
{
    const struct pages pages = pages_of(trace, object, offset_bytes, *size_bytes);
    uint64_t page = pages.first;
    unsigned may;

    if (pages.first == pages.end)
        return TARGET_ANY_GENERATION;
    may = atomic_load_explicit(&trace->may[page], memory_order_relaxed);
    while (++page < pages.end)
        if (atomic_load_explicit(&trace->may[page], memory_order_relaxed) != may) {
            *size_bytes = (page - pages.first) * PAGE - offset_bytes % PAGE;
            break;
        }
    return may & UNKNOWN ? TARGET_ANY_GENERATION : may;
}

uint32_t trace_other(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, uint32_t generation)
{
    const struct pages pages = pages_of(trace, object, offset_bytes, size_bytes);
    unsigned may = 0;

    for (uint64_t page = pages.first; page < pages.end; page++) {
        if (!covers(trace, page, object, offset_bytes, size_bytes))
            return generation;
        may |= atomic_load_explicit(&trace->may[page], memory_order_relaxed);
    }
    for (uint32_t i = 0; i < TARGET_GENERATIONS - 1; i++) {
        const uint32_t other = 1 + (generation - 1 + i) % (TARGET_GENERATIONS - 1);

        if (!(may >> other & 1))
            return other;
    }
    return generation;
}
