/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* created.c - the objects that test create has put so far in our own run, as a separate target: for
 * steps that use those instead of the sets made for all rows.  Their names are listed from the
 * store, so objects that could not be put, or were removed again, are not included. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct created_found {
    const struct object_store *run;
    unsigned set;        /* of its manifest */
    uint64_t number_end; /* numbers from here on were not assigned */
    struct object_numbers numbers;
};

/* The remaining objects stay: they belong to the run. */
void object_close_created(struct object_store *store)
{
    if (store->set_count > 0 && store->retires) {
        const uint64_t gone = atomic_load(&store->set[0].taken);
        const uint64_t made = atomic_load(&store->from->made);

        atomic_store(&store->from->made, made > gone ? made - gone : 0);
    }
    store->pattern = (struct pattern){0};
    store->client = NULL;
    store->service = NULL;
    object_store_free(store);
}

static int visit(void *arg, const struct object_listed *listed, struct error *err)
{
    struct created_found *found = arg;
    const struct life_manifest *manifest = &found->run->manifest;
    struct object_numbers *numbers = &found->numbers;
    uint64_t object;
    unsigned set;

    (void)err;
    if (!object_manifest_owns(manifest, listed->key + strlen(found->run->run_prefix), &set,
                              &object) ||
        set != found->set || listed->size_bytes != manifest->set[set].size_bytes ||
        object >= found->number_end || object > UINT32_MAX)
        return 0;
    if (numbers->count == LIFE_OBJECTS_MAX)
        return 1;
    numbers->number =
        mem_grow(numbers->number, &numbers->room, numbers->count + 1, sizeof(*numbers->number));
    numbers->number[numbers->count++] = (uint32_t)object;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

    return one < other ? -1 : one > other;
}

/* One set of the objects found. */
static void make_set(struct object_store *store, const struct created_found *found)
{
    const struct object_numbers *numbers = &found->numbers;

    store->manifest.set = mem_calloc(1, sizeof(*store->manifest.set));
    store->manifest.set[0] = found->run->manifest.set[found->set];
    store->manifest.set[0].count = 0;
    store->manifest.set_count = 1;
    if (numbers->count > 1)
        qsort(numbers->number, numbers->count, sizeof(*numbers->number), by_number);
    object_sets_make(store, numbers);
    atomic_store(&store->set[0].made, numbers->count);
    if (numbers->count == 0) { /* of an object without a number */
        free(store->names[0]);
        store->target.object_count = 0;
    }
}

int object_open_created(struct target *target, uint64_t size_bytes, enum io_test test,
                        uint64_t operations, struct target **out, struct error *err)
{
    struct object_store *run = object_store_of(target), *store = object_store_new();
    const struct object_set *set = object_set_for(run, TEST_CREATE, size_bytes);
    struct created_found found = {.run = run};
    int code = 0;

    (void)operations;
    target_lie_with(&store->target, target, "objects created by test create");
    store->service = run->service;
    store->client = run->client;
    store->run_prefix = mem_strdup(run->run_prefix);
    store->pattern = run->pattern;
    store->kept = true;
    store->retires = test_consumes(test);
    if (set) {
        found.set = (unsigned)(set - run->set);
        store->from = &run->set[found.set];
        found.number_end = atomic_load(&set->taken);
        code = object_client_list(run->client, set->prefix, 0, visit, &found, err);
        if (code > 0)
            object_tell_most(run);
        if (code >= 0)
            make_set(store, &found);
    }
    free(found.numbers.number);
    *out = code >= 0 ? &store->target : NULL;
    if (code >= 0)
        return 0;
    object_close_created(store);
    return error_explain(err, "the objects created by test create cannot be listed");
}
