/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retire.c - removing the objects of a kept run is what is measured (-r --run-name NAME --tests
 * delete): each of them once, by as many threads as the row has, until none is left or the row
 * ends.  What is left then is counted, and can be removed later; with the last object the manifest
 * goes. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The objects of one size, whatever made them, are those of a row: its sets stand side by side, and
 * their first one counts for all. */
static void count_sizes(struct object_target *base)
{
    struct object_set *first = base->set;

    for (unsigned i = 0; i < base->set_count; i++) {
        if (base->set[i].size_bytes != first->size_bytes)
            first = &base->set[i];
        atomic_fetch_add(&first->made, base->set[i].count);
    }
}

const struct object_set *object_retire_set(const struct object_target *base, uint64_t size_bytes)
{
    for (unsigned i = 0; i < base->set_count; i++)
        if (base->set[i].size_bytes == size_bytes)
            return atomic_load(&base->set[i].made) > 0 ? &base->set[i] : NULL;
    return NULL;
}

const char *object_retire_key(const struct object_set *set, uint64_t number,
                              char key[OBJECT_KEY_BYTES])
{
    while (number >= set->count)
        number -= (set++)->count;
    return object_key(set, number, key);
}

uint64_t object_retire_left(const struct target *target, enum io_test test, uint64_t size_bytes)
{
    const struct object_target *base = object_target_of(target);
    const struct object_set *set;
    uint64_t made, taken, each;

    if (!base->retires || !test_consumes(test))
        return UINT64_MAX;
    set = object_retire_set(base, size_bytes);
    made = set ? atomic_load(&set->made) : 0;
    taken = set ? atomic_load(&set->taken) : 0;
    each = object_options_batch(base->service->options);
    return made > taken ? (made - taken + each - 1) / each : 0;
}

bool object_retire_asked(const struct target_request *request)
{
    bool asked = false;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        asked = asked || (request->tests & 1u << test && test_consumes((enum io_test)test));
    return request->existing && asked;
}

int object_retire_open(struct object_store *store, struct error *err)
{
    store->base.retires = true;
    if (object_reuse_open(store, err) != 0)
        return -1;
    count_sizes(&store->base);
    return 0;
}

/* What the manifest says of each set is true at any moment, also when this ends at once. */
int object_retire_begin(struct object_store *store, struct error *err)
{
    bool changed = false;

    if (life_heart_lock(&store->heart, err) != 0)
        return -1;
    for (unsigned i = 0; i < store->manifest.set_count; i++) {
        struct life_set *plan = &store->manifest.set[i];
        changed = changed || plan->made > 0;
        plan->made = 0;
    }
    pthread_mutex_unlock(&store->heart.lock);
    return changed ? object_run_renew(store, store->base.client, err) : 0;
}

struct remainder {
    const struct object_store *store;
    uint32_t *made; /* of each set, those that another program has shortened among them */
    uint64_t objects;
};

static int visit_left(void *arg, const struct object_listed *listed, struct error *err)
{
    struct remainder *left = arg;
    const struct object_target *base = &left->store->base;
    const struct life_manifest *manifest = &left->store->manifest;
    enum object_standing standing;
    uint64_t object;
    unsigned set;

    (void)err;
    if (!object_manifest_owns(manifest, listed->key + strlen(base->run_prefix), &set, &object))
        return 0;
    standing = object_manifest_judge(manifest, set, base->service, listed->size_bytes);
    left->objects += standing == OBJECT_OWN;
    left->made[set] += standing != OBJECT_FOREIGN &&
                       (manifest->set[set].count > 0 || object_set_grows(manifest->set[set].kind));
    return 0;
}

/* Whose an object is that is shorter than its set says: by the manifest that was found. */
static void recall_manifest(struct object_store *store)
{
    for (unsigned i = 0; i < store->manifest.set_count; i++)
        store->manifest.set[i].made = store->base.set[i].settled;
    store->manifest.state.running = store->was_running;
}

/* Nobody works on it any more. */
static int end_retired(struct object_store *store, struct object_client *client,
                       const struct remainder *left, struct error *err)
{
    for (unsigned i = 0; i < store->manifest.set_count; i++)
        store->manifest.set[i].made = left->made[i];
    store->manifest.state.running = false;
    return object_run_renew(store, client, err);
}

static int remove_or_tell(struct object_store *store, struct object_client *client,
                          const struct remainder *left, struct error *err)
{
    struct object_target *base = &store->base;
    struct error ignored = ERROR_INIT; /* what is left is said */
    int code;

    if (left->objects > 0) {
        life_tell_left("object", left->objects, base->target.place,
                       object_clean_command(base->service, base->run_prefix));
        return end_retired(store, client, left, err);
    }
    code = object_run_remove(client, base->run_prefix, &store->manifest, NULL, true, NULL, err);
    if (code != 0)
        (void)end_retired(store, client, left, &ignored);
    return code;
}

int object_retire_end(struct object_store *store, struct object_client *client, struct error *err)
{
    struct remainder left = {.store = store};
    struct error ignored = ERROR_INIT;
    int code;

    if (object_retire_begin(store, err) != 0) /* nothing was removed, perhaps */
        return -1;
    recall_manifest(store);
    left.made = mem_calloc(store->manifest.set_count, sizeof(*left.made));
    code = object_client_list(client, store->base.run_prefix, 0, visit_left, &left, err);
    if (code == 0) {
        code = remove_or_tell(store, client, &left, err);
    } else { /* what is left is not known */
        memset(left.made, 0, store->manifest.set_count * sizeof(*left.made));
        (void)end_retired(store, client, &left, &ignored);
    }
    free(left.made);
    return code;
}
