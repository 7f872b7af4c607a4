/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan_place.c - the places of a cell's operations and the layout of their data in memory: objects
 * that are long enough, alignment, buffers, hints to the kernel; or why the cell cannot be
 * measured. */
#include "base/compat.h"

#include "run/order.h"
#include "run/plan.h"

#include <string.h>

#define OFFSET_ALIGN_DEFAULT 4096u
#define SLOT_ALIGN_MIN       64u

/* The number of objects of at least `bytes`; objects are sorted by length, longest first. */
static uint32_t objects_with(const struct target *target, uint64_t bytes)
{
    uint32_t low = 0, high = target->object_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (target->length_bytes[middle] >= bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t power_of_two_below(uint64_t n)
{
    uint64_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* Offsets of a cell are multiples of --align or else of min(size, 4096) as a power of two, and at
 * least of the block size of O_DIRECT. */
static uint64_t offset_align(const struct settings *settings, const struct workload *work,
                             uint64_t direct_align_bytes)
{
    uint64_t align = settings->align_bytes;

    if (!align)
        align = work->io_bytes < OFFSET_ALIGN_DEFAULT ? power_of_two_below(work->io_bytes)
                                                      : OFFSET_ALIGN_DEFAULT;
    return align < direct_align_bytes ? direct_align_bytes : align;
}

/* The largest power of two that divides n, up to a limit, which is one. */
static uint64_t least_power(uint64_t n, uint64_t limit)
{
    const uint64_t power = n & -n;

    return power < limit ? power : limit;
}

/* Reads of data written by other programs cannot be verified. Nor can concurrent O_DIRECT writes
 * smaller than a block: they undo each other's changes of it. */
static bool can_verify(const struct cell *cell)
{
    const struct workload *work = &cell->work;

    /* it is unknown which operation in flight created which new object */
    if ((work->test == TEST_CREATE || work->test == TEST_COPY) && !cell->engine->read_back)
        return false;
    if (work->target->content_known)
        return true;
    return test_writes(work->test) && !(work->rmw && (cell->threads > 1 || work->depth > 1));
}

bool plan_splits(const struct cell *cell, uint64_t block_bytes)
{
    const struct workload *work = &cell->work;
    const unsigned divided = 1u << TEST_READ | 1u << TEST_WRITE | 1u << TEST_CREATE;

    return divided & 1u << work->test && !engine_in_flight(cell->engine, work->depth) &&
           work->call_bytes % block_bytes == 0 &&
           (work->test != TEST_WRITE || work->size_bytes % block_bytes == 0);
}

/* --allow-short: if all objects are shorter, reads each from start to end. */
static void take_shorter(const struct settings *settings, struct cell *cell)
{
    struct workload *work = &cell->work;

    if (!settings->allow_short || !settings->existing || work->test != TEST_READ || cell->skip ||
        work->object_count)
        return;
    work->object_first = 0;
    work->object_count = work->target->object_count;
}

/* No readahead for random reads from storage: pages read ahead would serve later reads. */
static enum readahead_mode readahead_of(const struct settings *settings,
                                        const struct workload *work)
{
    if (work->test != TEST_READ || work->cache == CACHE_DIRECT ||
        !target_can(work->target, TARGET_FILES))
        return READAHEAD_NORMAL;
    if (settings->readahead_given)
        return (enum readahead_mode)settings->readahead;
    return work->cache == CACHE_UNCACHED && work->access == ACCESS_RANDOM ? READAHEAD_NONE
                                                                          : READAHEAD_NORMAL;
}

void plan_limit(struct cell *cell, uint64_t places, enum result_stop stop)
{
    const bool counted = cell->stop.cycles && cell->stop.cycles != cell->places;

    if (places == 0)
        return;
    if (!cell->places || places < cell->places) {
        cell->places = places;
        cell->places_stop = stop;
    }
    if (counted && cell->places == cell->stop.cycles)
        cell->places_stop = STOP_COUNT; /* as many as requested: nothing was missing */
    if (!cell->stop.cycles || cell->places < cell->stop.cycles)
        cell->stop.cycles = cell->places;
}

void plan_bound(struct cell *cell)
{
    const uint64_t left = cell_left(cell, cell->work.test);

    if (cell->work.access == ACCESS_ONCE)
        plan_limit(cell, order_places(cell), STOP_EXHAUSTED);
    if (left != UINT64_MAX)
        plan_limit(cell, left, STOP_EXHAUSTED);
}

void plan_place(const struct settings *settings, struct cell *cell)
{
    struct workload *work = &cell->work;
    const unsigned can = cell->engine->capabilities;
    uint64_t align = work->cache == CACHE_DIRECT ? work->target->direct_align_bytes : 1;

    if (align < 1)
        align = 1;
    work->io_bytes = (work->size_bytes + align - 1) / align * align;
    work->readahead = readahead_of(settings, work);
    if (work->test == TEST_APPEND)
        work->fragment_bytes = settings_append_bytes(settings);
    else if (test_moves_data(work->test) && target_can(work->target, TARGET_OPENED))
        work->call_bytes = settings->call_bytes;
    work->rmw = work->test == TEST_WRITE && work->io_bytes != work->size_bytes;
    cell->align_bytes = offset_align(settings, work, align);
    if (work->access != ACCESS_RANDOM && !settings->align_bytes) /* block after block, no gaps */
        cell->align_bytes = least_power(work->io_bytes, cell->align_bytes);
    cell->verified = work->verified =
        settings->verify && test_moves_data(work->test) && can_verify(cell);
    if (!test_moves_data(work->test) || ((cell->engine->capabilities & ENGINE_DROPS_DATA) &&
                                         !cell->verified && !test_writes(work->test))) {
        work->slot_bytes = SLOT_ALIGN_MIN;
    } else if (work->depth > 1) { /* buffers of operations in flight share no cache line */
        uint64_t apart = work->target->memory_align_bytes;
        if (apart < SLOT_ALIGN_MIN)
            apart = SLOT_ALIGN_MIN;
        work->slot_bytes = (work->io_bytes + apart - 1) / apart * apart;
    } else {
        work->slot_bytes = workload_call_bytes(work);
    }
    if (!cell->skip && work->target->driver->lacks)
        cell->skip =
            work->target->driver->lacks(work->target, cell->created ? TEST_CREATE : work->test);
    /* bypassing the page cache, or leaving nothing in it, needs support by the engine */
    if (!cell->skip && ((work->cache == CACHE_DIRECT && !(can & ENGINE_DIRECT)) ||
                        (work->cache == CACHE_UNCACHED && !(can & ENGINE_UNCACHED))))
        cell->skip = "cache_mode";
    if (cell->skip)
        return;
    if (cell->created)
        work->object_count = 1; /* until the part begins */
    else if (work->target->driver->objects)
        cell->skip = work->target->driver->objects(work->target, work->test, work->size_bytes,
                                                   &work->object_first, &work->object_count);
    else
        work->object_count =
            objects_with(work->target, test_moves_data(work->test) ? work->io_bytes : 0);
    take_shorter(settings, cell);
    if (cell->skip)
        work->object_count = 0;
    else if (!work->object_count)
        cell->skip = objects_with(work->target, work->size_bytes) ? "partial_block" : "beyond_file";
    else if (work->io_bytes != work->size_bytes &&
             (settings->small == SMALL_SKIP || cell->fills || test_makes_names(work->test)))
        cell->skip = "below_alignment";
    else if (work->test == TEST_APPEND && align > 1 &&
             (work->fragment_bytes == 0 || work->fragment_bytes % align != 0))
        cell->skip = "below_alignment";
    else if (workload_in_pieces(work)
                 ? !plan_splits(cell, align)
                 : work->io_bytes > PLAN_IO_BYTES_MAX && test_moves_data(work->test))
        cell->skip = "call_size";
    if (!cell->skip && !cell->created)
        plan_bound(cell);
}
