/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reuse.c - an existing run: of this or another process.
 *
 * --reuse: overwrites the objects of a kept run.  They are those that its manifest names and that
 * exist, with their lengths; none is created, and the manifest continues to name all of them.
 *
 * The run is ours once its next manifest names us, which is put on the condition that it does not
 * exist: if two processes try this at the same time, one is refused. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <stdlib.h>
#include <string.h>

enum life_found object_run_expect(struct object_store *store, struct error *err)
{
    struct life_run run = {.age_s = -1};
    struct error why = ERROR_INIT;

    run.found = object_run_look(store->client, store->run_prefix, &run.manifest, &run.age_s, &why);
    store->manifest = run.manifest;
    store->was_running = run.manifest.state.running;
    if (life_expect(&run, store->target.request, "object", store->target.place, &why, err) == 0)
        return LIFE_READ;
    return run.found == LIFE_READ ? LIFE_ERROR : run.found;
}

int object_reuse_open(struct object_store *store, struct error *err)
{
    struct error ignored = ERROR_INIT; /* the run counts as dead after a while */

    store->kept = store->target.writable = true;
    store->target.ours = !store->retires;
    if (object_run_expect(store, err) != LIFE_READ || object_existing_take(store, err) != 0 ||
        object_exclusive_plan(store, err) != 0)
        return -1;
    if (store->target.request->dry_run)
        return 0;
    if (object_cost_tell(store, err) != 0)
        return -1;
    store->manifest.part_bytes = store->service->options->part_bytes;
    if (life_take_over(object_run_place(store->client, store->run_prefix), &store->manifest,
                       store->target.place, err) != 0)
        return -1;
    store->made = true; /* other processes see it as alive from now on */
    if (object_heartbeat_start(store, err) == 0)
        return 0;
    store->manifest.state.running = false;
    (void)object_run_renew(store, store->client, &ignored);
    store->made = false;
    return -1;
}

/* ---- the run of another rank of the same team ----
 *
 * That rank has put its manifest and keeps it alive: its objects are used according to the
 * manifest, and none is created, renewed or removed here.  Sets are filled when a part needs them,
 * by the rank that made the run, before ranks that joined access them: these see complete sets. */

int object_join_open(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;
    enum life_found found;

    store->target.writable = request->shared;
    store->kept = request->reuse; /* in this case some may be missing */
    store->joined = !request->reuse;
    found = object_run_look(store->client, store->run_prefix, &store->manifest, NULL, err);
    if (found == LIFE_ABSENT)
        return error_refuse(err, STATUS_TARGET,
                            "the objects of another rank are missing:", store->target.place,
                            "all ranks must reach the same store, except with --share none");
    if (found != LIFE_READ)
        return -1;
    if (object_exclusive_plan(store, err) != 0)
        return -1;
    if (store->kept)
        return object_existing_take(store, err);
    object_sets_make(store, NULL);
    for (unsigned i = 0; i < store->set_count; i++) { /* all exist */
        free(store->set[i].present);
        store->set[i].present = NULL;
    }
    store->target.content_known = request->verify;
    return request->verify ? pattern_start(&store->pattern, store->manifest.seed, err) : 0;
}

/* ---- removing the objects of a kept run as a test (-r --run-name NAME --tests delete) ----
 *
 * Each of them once, by as many threads as the row has, until none is left or the row ends.
 * Objects left are counted, and can be removed later; the manifest is removed with the last
 * object. */

/* All objects of one size, whichever test made them, belong to one row: the sets of a size are
 * adjacent, and the first one counts for all of them. */
static void count_sizes(struct object_store *store)
{
    struct object_set *first = store->set;

    for (unsigned i = 0; i < store->set_count; i++) {
        if (store->set[i].size_bytes != first->size_bytes)
            first = &store->set[i];
        atomic_fetch_add(&first->made, store->set[i].count);
    }
}

const struct object_set *object_retire_set(const struct object_store *store, uint64_t size_bytes)
{
    for (unsigned i = 0; i < store->set_count; i++)
        if (store->set[i].size_bytes == size_bytes)
            return atomic_load(&store->set[i].made) > 0 ? &store->set[i] : NULL;
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
    const struct object_store *store = object_store_of(target);
    const struct object_set *set;
    uint64_t made, taken, each;

    if (!store->retires || !test_consumes(test))
        return UINT64_MAX;
    set = object_retire_set(store, size_bytes);
    made = set ? atomic_load(&set->made) : 0;
    taken = set ? atomic_load(&set->taken) : 0;
    each = object_options_batch(store->service->options);
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
    store->retires = true;
    if (object_reuse_open(store, err) != 0)
        return -1;
    count_sizes(store);
    return 0;
}

struct remainder {
    const struct object_store *store;
    uint64_t objects;
};

static int visit_left(void *arg, const struct object_listed *listed, struct error *err)
{
    struct remainder *left = arg;
    const struct object_store *store = left->store;
    const struct life_manifest *manifest = &store->manifest;
    uint64_t object;
    unsigned set;

    (void)err;
    left->objects +=
        object_manifest_owns(manifest, listed->key + strlen(store->run_prefix), &set, &object) &&
        object_manifest_judge(manifest, set, store->service, listed->size_bytes) == OBJECT_OWN;
    return 0;
}

/* The manifest still names all objects that the run had.  Whether an object shorter than its set
 * belongs to the run depends on the state in which the run was found. */
int object_retire_end(struct object_store *store, struct object_client *client, struct error *err)
{
    struct remainder left = {.store = store};
    struct error ignored = ERROR_INIT;
    int code;

    store->manifest.state.running = store->was_running;
    code = object_client_list(client, store->run_prefix, 0, visit_left, &left, err);
    if (code == 0 && left.objects == 0)
        code =
            object_run_remove(client, store->run_prefix, &store->manifest, NULL, true, NULL, err);
    else if (code == 0)
        life_tell_left("object", left.objects, store->target.place,
                       object_clean_command(store->service, store->run_prefix));
    if (code == 0 && left.objects == 0)
        return 0;
    store->manifest.state.running = false; /* no longer in use */
    if (object_run_renew(store, client, code == 0 ? err : &ignored) != 0 && code == 0)
        code = -1;
    return code;
}
