/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* place.c - the place of a run's objects: it must be empty before the run, and what the store keeps
 * of it, such as directories, is removed if the run created it. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define KEYS_MOST   16u   /* that are checked: lists may contain removed objects */
#define PLACES_MOST 1000u /* a run has fewer */

struct places { /* keys below a prefix, or of the places in it */
    /* Only those of places of sets, within that of a run: */
    const char *run_prefix;
    const struct life_manifest *manifest; /* NULL: all */
    char *key[PLACES_MOST];
    unsigned count, most;
};

static int visit_key(void *arg, const struct object_listed *listed, struct error *err)
{
    struct places *found = arg;
    char *name;

    (void)err;
    if (found->manifest) {
        name = mem_strdup(listed->key + strlen(found->run_prefix)); /* "4096/" */
        name[strcspn(name, "/")] = '\0';
        if (listed->rolled_up && object_manifest_names(found->manifest, name))
            found->key[found->count++] = mem_strdup(listed->key);
        free(name);
    } else {
        found->key[found->count++] = mem_strdup(listed->key);
    }
    return found->count == found->most;
}

/* ---- before the manifest ---- */

int object_place_holds(struct object_client *client, const char *prefix, char **key,
                       struct error *err)
{
    struct places found = {.most = KEYS_MOST};
    int code = object_client_list(client, prefix, KEYS_MOST, visit_key, &found, err) < 0 ? -1 : 0;

    for (unsigned i = 0; i < found.count; i++) {
        if (code == 0)
            code = object_client_has(client, found.key[i], err);
        if (code != 0 && !*key)
            *key = found.key[i];
        else
            free(found.key[i]);
    }
    return code;
}

static int name_is_taken(const struct object_store *store, const char *key, struct error *err)
{
    *err = ERROR_INIT;
    (void)object_error(store->service, key, EEXIST,
                       "an existing object is where this run would put its own:", err);
    return error_advise(err, "choose another --run-name, or remove it by hand");
}

/* ---- the place itself ---- */

/* A place that is not empty stays. */
static int remove_one(struct object_client *client, const char *key, struct error *err)
{
    const struct object_call call = {.verb = OBJECT_DELETE, .key = key};
    struct object_verdict verdict;
    struct error own = ERROR_INIT;

    if (object_client_try(client, &call, "cannot remove the directory", NULL, &verdict, &own) >=
            0 ||
        verdict.errnum == ENOTEMPTY)
        return 0;
    *err = own;
    return -1;
}

int object_place_remove(struct object_client *client, const char *run_prefix,
                        const struct life_manifest *manifest, struct error *err)
{
    struct places found = {.run_prefix = run_prefix, .manifest = manifest, .most = PLACES_MOST};
    int code = 0;

    if (!object_client_protocol(client)->make_place)
        return 0;
    if (manifest)
        code = object_client_list_level(client, run_prefix, visit_key, &found, err);
    for (unsigned i = 0; i < found.count; i++) {
        if (code >= 0)
            code = remove_one(client, found.key[i], err);
        free(found.key[i]);
    }
    if (code >= 0 && (!manifest || !manifest->place_found))
        code = remove_one(client, run_prefix, err);
    return code < 0 ? -1 : 0;
}

/* A place that existed before the run is not the run's and stays, as do the places in it. */
static int look_at_place(struct object_store *store, struct error *err)
{
    const struct object_call call = {.verb = OBJECT_STAT, .key = store->run_prefix};
    struct places taken = {
        .run_prefix = store->run_prefix, .manifest = &store->manifest, .most = PLACES_MOST};
    struct object_verdict verdict;
    int code;

    if (!store->service->protocol->make_place)
        return 0;
    code = object_client_try(store->client, &call, "cannot look for", NULL, &verdict, err);
    if (code < 0)
        return -1;
    store->manifest.place_found = code > 0 || verdict.is_place; /* or an object of that name */
    if (!store->manifest.place_found)
        return 0;
    code = object_client_list_level(store->client, store->run_prefix, visit_key, &taken, err);
    if (taken.count > 0)
        code = name_is_taken(store, taken.key[0], err);
    for (unsigned i = 0; i < taken.count; i++)
        free(taken.key[i]);
    if (code >= 0 || err->errnum != EACCES) /* as above */
        return code < 0 ? -1 : 0;
    *err = ERROR_INIT;
    return 0;
}

int object_run_expect_empty(struct object_store *store, struct error *err)
{
    char *key = NULL;
    int code = object_place_holds(store->client, store->run_prefix, &key, err);

    if (code < 0 && !key && err->errnum == EACCES) /* writing may be allowed, listing not */
        code = 0;
    if (code > 0)
        code = name_is_taken(store, key, err);
    free(key);
    return code == 0 ? look_at_place(store, err) : -1;
}
