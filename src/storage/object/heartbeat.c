/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.c - a run of objects that goes on (life/heartbeat.h), with a client of its own: what
 * its manifest says of the sets, and the end of a run that is lost, for which no request is sent
 * any more. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"

/* What is made of each set. */
static void count_made(struct object_store *store)
{
    for (unsigned i = 0; i < store->base.set_count; i++) {
        const struct object_set *set = &store->base.set[i];
        struct life_set *plan = &store->manifest.set[i];
        if (store->base.kept || store->unsettled) /* what it has made stays told */
            return;
        if (object_set_grows(set->kind))
            plan->made = (uint32_t)atomic_load(&set->made);
        else if (set->count > 0)
            plan->made = object_set_made(set);
    }
}

static unsigned count(void *arg, bool tell)
{
    struct object_store *store = arg;
    unsigned complete = 0;

    if (tell)
        count_made(store);
    for (unsigned i = 0; i < store->base.set_count; i++)
        complete += object_set_complete(&store->base.set[i]);
    return complete;
}

/* No request leaves any more, so that the run ends. */
static void lose(void *arg)
{
    const struct object_store *store = arg;

    atomic_store(&store->base.service->budget, 0);
}

void object_heartbeat_init(struct object_store *store)
{
    life_heart_init(&store->heart, &store->manifest, &store->base.target.lost);
    store->heart.lose = lose;
    store->heart.count = count;
    store->heart.arg = store;
}

int object_heartbeat_start(struct object_store *store, struct error *err)
{
    struct life_heart *heart = &store->heart;

    if (object_client_create(store->base.service, &heart->give_up, &store->heart_client, err) != 0)
        return -1;
    object_client_pin(store->heart_client); /* threads that measure read the service meanwhile */
    heart->place = object_run_place(&store->heart_run, store->heart_client, store->base.run_prefix);
    heart->shown = store->base.target.place;
    heart->stop = store->base.target.request->stop;
    heart->renew_ns = LIFE_RENEW_S * NS_PER_S;
    if (life_heart_start(heart, err) == 0)
        return 0;
    object_heartbeat_stop(store);
    return -1;
}

void object_heartbeat_stop(struct object_store *store)
{
    life_heart_stop(&store->heart);
    object_client_destroy(store->heart_client);
    store->heart_client = NULL;
}

int object_run_renew(struct object_store *store, struct object_client *client, struct error *err)
{
    struct object_run run;

    return life_heart_renew(&store->heart, object_run_place(&run, client, store->base.run_prefix),
                            err);
}

bool object_run_is_lost(struct object_store *store, struct object_client *client, struct error *err)
{
    struct object_run run;

    return life_heart_is_lost(&store->heart, object_run_place(&run, client, store->base.run_prefix),
                              err);
}

/* ---- the end of a run that is lost ---- */

#define LEFT_MOST 10000u /* keys: what was written before the loss was noticed */

struct leftovers {
    struct object_store *store;
    char **key;
    size_t count;
};

static int visit_left(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                      struct error *err)
{
    struct leftovers *left = arg;
    const char *name = key + strlen(left->store->base.run_prefix);
    uint64_t object;
    unsigned set;

    (void)etag;
    (void)err;
    if (object_manifest_owns(&left->store->manifest, name, &set, &object) &&
        object_manifest_fits(&left->store->manifest, set, left->store->base.service, size_bytes))
        left->key[left->count++] = mem_strdup(key);
    return left->count == LEFT_MOST;
}

static enum life_owner owner_of(const struct object_store *store, struct object_client *client,
                                struct error *err)
{
    struct object_run run;

    return life_whose(object_run_place(&run, client, store->base.run_prefix), &store->manifest,
                      err);
}

/* All that is left is what this run put meanwhile. */
static bool may_remove(enum life_owner owner)
{
    return owner == LIFE_NOBODYS || owner == LIFE_OURS;
}

/* Whoever removed the run may not have seen what was under way then. */
static int remove_leftovers(struct object_store *store, struct object_client *client,
                            struct error *err)
{
    struct leftovers left = {.store = store, .key = mem_calloc(LEFT_MOST, sizeof(*left.key))};
    uint64_t removed = 0;
    bool nobody;
    int code;

    code = object_client_list(client, store->base.run_prefix, 0, visit_left, &left, err);
    code = code < 0 ? -1 : 0;

    /* somebody may have taken the name meanwhile */
    nobody = code == 0 && may_remove(owner_of(store, client, err));
    if (nobody && left.count > 0)
        code =
            object_client_delete(client, (const char *const *)left.key, left.count, &removed, err);
    if (code == 0 && store->uploads)
        code = object_uploads_abort(client, store->base.run_prefix, &store->manifest, err);
    if (code == 0 && nobody)
        code = object_manifest_remove(client, store->base.run_prefix, &store->manifest, err);
    if (code == 0 && nobody)
        code = object_place_remove(client, store->base.run_prefix, &store->manifest, err);
    for (size_t i = 0; i < left.count; i++)
        free(left.key[i]);
    free(left.key);
    return code;
}

int object_run_lost_end(struct object_store *store, struct object_client *client, struct error *err)
{
    struct error own = ERROR_INIT;
    char text[1024];
    enum life_owner owner;

    atomic_store(&store->base.service->budget, UINT64_MAX); /* for this, requests leave again */
    owner = owner_of(store, client, &own);
    if (owner == LIFE_UNKNOWN || (may_remove(owner) && remove_leftovers(store, client, &own) != 0))
        log_warn("objects may be left in %s: %s", store->base.target.place,
                 error_format(&own, text, sizeof(text)));
    return life_lost(store->base.target.place, owner, err);
}
