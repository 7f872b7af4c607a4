/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* created.c - what test create has put so far in a run of our own, as a target of its own: for
 * steps that go over that and not over the sets made for all rows.  The store is asked for the
 * names, so objects that could not be put, or are removed again, are none of it. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct created_objects {
    struct object_store store;    /* first; service, client, pattern are those of the run */
    struct storage_driver driver; /* that of the store, but for what the run itself has to do */
    struct object_set *from;      /* of the run */
};

struct created_found {
    const struct object_store *run;
    unsigned set;        /* of its manifest */
    uint64_t number_end; /* no number from here on was given out */
    struct object_numbers numbers;
};

/* The objects stay, as far as they are not removed: they are the run's. */
static int close_created(struct target *target, struct error *err)
{
    struct created_objects *created = (struct created_objects *)target;

    (void)err;
    if (!target)
        return 0;
    if (created->store.base.set_count > 0 && created->store.base.retires) {
        const uint64_t gone = atomic_load(&created->store.base.set[0].taken);
        const uint64_t made = atomic_load(&created->from->made);

        atomic_store(&created->from->made, made > gone ? made - gone : 0);
    }
    created->store.base.pattern = (struct pattern){0};
    created->store.base.client = NULL;
    created->store.base.service = NULL;
    object_store_free(&created->store);
    return 0;
}

static int visit(void *arg, const struct object_listed *listed, struct error *err)
{
    struct created_found *found = arg;
    const struct life_manifest *manifest = &found->run->manifest;
    struct object_numbers *numbers = &found->numbers;
    uint64_t object;
    unsigned set;

    (void)err;
    if (!object_manifest_owns(manifest, listed->key + strlen(found->run->base.run_prefix), &set,
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

/* One set, of what was found. */
static void make_set(struct created_objects *created, const struct created_found *found)
{
    const struct object_numbers *numbers = &found->numbers;
    struct object_store *store = &created->store;
    struct object_target *base = &store->base;

    store->manifest.set = mem_calloc(1, sizeof(*store->manifest.set));
    store->manifest.set[0] = found->run->manifest.set[found->set];
    store->manifest.set[0].count = 0;
    store->manifest.set_count = 1;
    if (numbers->count > 1)
        qsort(numbers->number, numbers->count, sizeof(*numbers->number), by_number);
    object_sets_make(store, numbers);
    atomic_store(&base->set[0].made, numbers->count);
    if (numbers->count == 0) { /* of one without a number */
        free(store->names[0]);
        base->target.object_count = 0;
    }
}

static void settle(struct object_store *store, struct object_store *run, enum io_test test)
{
    struct object_target *base = &store->base;

    base->service = run->base.service;
    base->client = run->base.client;
    base->run_prefix = mem_strdup(run->base.run_prefix);
    base->pattern = run->base.pattern;
    base->kept = true;
    base->retires = test_consumes(test);
    target_lie_with(&base->target, &run->base.target, "objects created by test create");
    pthread_mutex_init(&store->reader_lock, NULL);
    object_heartbeat_init(store);
}

int object_open_created(struct target *target, uint64_t size_bytes, enum io_test test,
                        uint64_t operations, struct target **out, struct error *err)
{
    struct object_store *run = object_store_of(target);
    const struct object_set *set = object_set_for(&run->base, TEST_CREATE, size_bytes);
    struct created_objects *created = mem_calloc(1, sizeof(*created));
    struct created_found found = {.run = run};
    int code = 0;

    (void)operations;
    created->driver = *target->driver;
    created->driver.prepare = NULL; /* there is nothing to fill in */
    created->driver.close = close_created;
    created->store.base.target.driver = &created->driver;
    settle(&created->store, run, test);
    if (set) {
        found.set = (unsigned)(set - run->base.set);
        created->from = &run->base.set[found.set];
        found.number_end = atomic_load(&set->taken);
        code = object_client_list(run->base.client, set->prefix, 0, visit, &found, err);
        if (code > 0)
            object_tell_most(run);
        if (code >= 0)
            make_set(created, &found);
    }
    free(found.numbers.number);
    *out = &created->store.base.target;
    if (code >= 0)
        return 0;
    (void)close_created(*out, err);
    *out = NULL;
    return error_explain(err, "the objects created by test create cannot be listed");
}
