/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* place.c - where a run puts its objects: nothing may be there before it, and what the store keeps
 * of the place itself, as directories, goes when the run made it. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define KEYS_MOST 16u /* that are looked for: lists may name what is removed */

/* ---- before the manifest ---- */

struct strangers {
    char *key[KEYS_MOST];
    unsigned count;
};

static int visit_stranger(void *arg, const struct object_listed *listed, struct error *err)
{
    struct strangers *strangers = arg;

    (void)err;
    strangers->key[strangers->count++] = mem_strdup(listed->key);
    return strangers->count == KEYS_MOST;
}

int object_place_holds(struct object_client *client, const char *prefix, char **key,
                       struct error *err)
{
    struct strangers strangers = {.count = 0};
    int code =
        object_client_list(client, prefix, KEYS_MOST, visit_stranger, &strangers, err) < 0 ? -1 : 0;

    for (unsigned i = 0; i < strangers.count; i++) {
        if (code == 0)
            code = object_removal_is_there(client, strangers.key[i], err);
        if (code != 0 && !*key)
            *key = strangers.key[i];
        else
            free(strangers.key[i]);
    }
    return code;
}

static int name_is_taken(const struct object_store *store, const char *key, struct error *err)
{
    char *url = store->base.service->protocol->url(store->base.service, key);

    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, EEXIST,
              "an existing object is where this run would put its own:", url);
    error_advise(err, "choose another --run-name, or remove it by hand");
    free(url);
    return -1;
}

/* ---- the place itself ---- */

int object_place_remove(struct object_client *client, const char *run_prefix,
                        const struct life_manifest *manifest, struct error *err)
{
    return object_client_remove_place(client, run_prefix, manifest ? object_manifest_names : NULL,
                                      manifest, !manifest || !manifest->place_found, err);
}

static int visit_place(void *arg, const struct object_listed *listed, struct error *err)
{
    const struct object_store *store = arg;
    char *name = mem_strdup(listed->key + strlen(store->base.run_prefix));
    bool taken;

    name[strcspn(name, "/")] = '\0';
    taken = listed->rolled_up && object_manifest_names(&store->manifest, name);
    free(name);
    return taken ? name_is_taken(store, listed->key, err) : 0;
}

/* A place that existed before the run is not the run's and stays, as do the places in it. */
static int look_at_place(struct object_store *store, struct error *err)
{
    struct object_target *base = &store->base;
    const int found = object_client_has_place(base->client, base->run_prefix, err);

    if (found < 0)
        return -1;
    store->manifest.place_found = found > 0;
    if (!store->manifest.place_found ||
        object_client_list_level(base->client, base->run_prefix, visit_place, store, err) >= 0)
        return 0;
    if (err->errnum != EACCES) /* as above */
        return -1;
    *err = ERROR_INIT;
    return 0;
}

int object_run_expect_empty(struct object_store *store, struct error *err)
{
    struct object_target *base = &store->base;
    char *key = NULL;
    int code = object_place_holds(base->client, base->run_prefix, &key, err);

    if (code < 0 && !key && err->errnum == EACCES) /* who may not list may write, nevertheless */
        code = 0;
    if (code > 0)
        code = name_is_taken(store, key, err);
    free(key);
    return code == 0 ? look_at_place(store, err) : -1;
}
