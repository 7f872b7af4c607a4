/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* exclusive.c - objects that only one slot at a time may write: each slot holds a different one,
 * from sets with enough of them.  Some services require that for all writes; test append requires
 * it if objects grow request by request, since nothing separates two appends to one object.  A
 * request that timed out may still be carried out: its object is put aside for the rest of the run,
 * as long as enough others remain. */
#include "base/compat.h"

#include <inttypes.h>

#include "storage/object/object.h"
#include "storage/object/operation.h"

/* A slot still holds its last object when it gets the next.  With --verify all slots get their next
 * one before any begins; otherwise each thread gets one at a time. */
static uint64_t objects_least(const struct target_request *request)
{
    return (uint64_t)request->in_flight + (request->verify ? request->in_flight : request->threads);
}

bool object_set_exclusive(const struct object_service *service, enum life_kind kind)
{
    return service->exclusive || (kind == LIFE_APPEND && !object_can(service, OBJECT_UPLOAD_BEGIN));
}

static bool is_written(const struct object_store *store, enum life_kind kind)
{
    const unsigned tests = store->target.request->tests;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        if (tests & 1u << test && (test == TEST_WRITE || test == TEST_APPEND) &&
            object_set_kind(store->service->options, (enum io_test)test) == kind)
            return object_set_exclusive(store->service, kind);
    return false;
}

static int refuse_few(const struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;

    if (store->kept)
        return error_refuse(err, STATUS_USAGE,
                            "too few objects for the number of concurrent writes in",
                            store->target.place,
                            "each object takes one write at a time, so %" PRIu64
                            " are needed: use fewer --threads or a lower --depth",
                            objects_least(request));
    return error_refuse(err, STATUS_USAGE,
                        "--objects: too few for the number of concurrent writes in",
                        request->target,
                        "each object takes one write at a time: use %" PRIu64
                        " or more, fewer --threads or a lower --depth",
                        objects_least(request));
}

int object_exclusive_plan(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;
    const uint64_t least = objects_least(request);

    for (unsigned i = 0; request->shared && i < store->manifest.set_count; i++)
        if (is_written(store, store->manifest.set[i].kind))
            return error_refuse(err, STATUS_USAGE,
                                "--share all: an object takes one write at a time in",
                                request->target, "leave out the tests that write, or --share all");
    if (request->in_flight <= 1)
        return 0;
    for (unsigned i = 0; i < store->manifest.set_count; i++) {
        struct life_set *set = &store->manifest.set[i];

        if (set->count == 0 || set->count >= least || !is_written(store, set->kind))
            continue;
        if (store->kept || store->service->options->objects > 0)
            return refuse_few(store, err);
        set->count = (uint32_t)least;
    }
    return 0;
}

uint32_t object_set_spare(const struct object_store *store, uint32_t count)
{
    const uint64_t least = objects_least(store->target.request);

    return count > least ? (uint32_t)(count - least) : 0;
}

COLD void object_slot_put_aside(const struct object_set *set, struct object_slot *slot)
{
    atomic_uint_least32_t *const spare = &((struct object_set *)(uintptr_t)set)->spare;
    uint32_t left = atomic_load(spare);

    while (slot->holds && left > 0)
        if (atomic_compare_exchange_weak(spare, &left, left - 1))
            slot->holds = 0; /* never released */
}

/* Other slots may take a free object ahead of us and release one behind us: one is always free. */
uint32_t object_set_hold(const struct object_set *set, uint32_t drawn)
{
    uint32_t object = drawn;

    while (atomic_exchange_explicit(&set->held[object], 1, memory_order_acquire))
        object = object + 1 < set->count ? object + 1 : 0;
    return object;
}

void object_slot_hold(const struct object_set *set, struct object_slot *slot, bool next)
{
    if (slot->holds)
        atomic_store_explicit(&set->held[slot->holds - 1], 0, memory_order_release);
    slot->holds = next ? slot->object + 1 : 0;
}
