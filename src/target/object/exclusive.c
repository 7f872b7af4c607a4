/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exclusive.c - services that let one request at a time write to an object: each slot gets one that
 * no other slot has, out of sets with enough of them. */
#include "base/compat.h"

#include <inttypes.h>

#include "target/object/object.h"
#include "target/object/operation.h"

/* A slot still has its last one when it gets the next: one more than there are slots. */
static uint64_t objects_least(const struct target_request *request)
{
    return (uint64_t)request->in_flight + 1;
}

static bool is_written(const struct object_manifest_set *set, unsigned tests)
{
    for (unsigned test = 0; test < TEST_COUNT; test++)
        if (tests & 1u << test && (test == TEST_WRITE || test == TEST_APPEND) &&
            object_set_of_test[test] == set->kind)
            return true;
    return false;
}

int object_exclusive_plan(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->base.target.request;
    const uint64_t least = objects_least(request);

    if (!store->base.service->exclusive || request->in_flight <= 1)
        return 0;
    for (unsigned i = 0; i < store->manifest.set_count; i++) {
        struct object_manifest_set *set = &store->manifest.set[i];

        if (set->count == 0 || set->count >= least || !is_written(set, request->tests))
            continue;
        if (store->base.service->options->objects > 0)
            return error_refuse(err, STATUS_USAGE,
                                "--objects: too few for so many writes at a time in",
                                request->target,
                                "one write at a time goes to an object there: give %" PRIu64
                                " or more, fewer --threads or a lower --depth",
                                least);
        set->count = (uint32_t)least;
    }
    return 0;
}

uint32_t object_set_hold(const struct object_set *set, uint32_t drawn)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t object = drawn < set->count - i ? drawn + i : drawn - (set->count - i);

        if (!atomic_exchange_explicit(&set->held[object], 1, memory_order_relaxed))
            return object;
    }
    return drawn;
}

void object_slot_hold(const struct object_set *set, struct object_slot *slot, bool next)
{
    if (slot->holds)
        atomic_store_explicit(&set->held[slot->holds - 1], 0, memory_order_relaxed);
    slot->holds = next ? slot->object + 1 : 0;
}
