/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reuse.c - --reuse: the objects of a run that was kept are written over.  They are those that its
 * manifest names and that are there, with their lengths; none is made, and the manifest goes on
 * naming all of them.
 *
 * The run is ours from the moment at which its manifest says so, which is put on the condition that
 * it is still the one that was read: of two that want it at a time one is refused. */
#include "base/compat.h"

#include "target/object/object.h"

#include <errno.h>

#include "os/os.h"
#include "target/clean.h"

static int refuse_alive(const struct object_store *store, int64_t age_s, struct error *err)
{
    const int64_t left_s = (int64_t)object_dead_s(store->manifest.renew_s) - age_s;

    return clean_refuse_alive(store->base.target.place, age_s < 0 ? 0 : left_s, err);
}

static int find_run(struct object_store *store, struct error *err)
{
    struct object_target *base = &store->base;
    int64_t age_s = -1;

    switch (object_manifest_get(base->client, base->service, base->run_prefix, &store->manifest,
                                &age_s, NULL, err)) {
    case OBJECT_MANIFEST_ERROR:
        return -1;
    case OBJECT_MANIFEST_ABSENT:
        return object_refuse_missing(store, "used", err);
    case OBJECT_MANIFEST_READ:
        break;
    }
    return object_manifest_alive(&store->manifest, age_s) ? refuse_alive(store, age_s, err) : 0;
}

/* From now on others see that the run goes on. */
static int take_over(struct object_store *store, struct error *err)
{
    struct object_target *base = &store->base;
    struct object_manifest *manifest = &store->manifest;

    manifest->part_bytes = base->service->options->part_bytes;
    manifest->owner = os_random_number();
    manifest->renew_s = OBJECT_RENEW_S;
    if (object_manifest_renew(base->client, base->run_prefix, manifest, manifest->etag, err) == 0) {
        store->made = true;
        return 0;
    }
    if (err->errnum != ESTALE)
        return -1;
    *err = ERROR_INIT; /* somebody has changed it, or an attempt of ours whose answer was lost */
    if (object_manifest_is(base->client, base->run_prefix, manifest, err) > 0) {
        store->made = true;
        return 0;
    }
    if (error_is_set(err))
        return -1;
    return clean_refuse_alive(base->target.place, 0, err);
}

int object_reuse_open(struct object_store *store, struct error *err)
{
    store->base.target.ours = store->base.kept = true;
    store->base.target.writable = true;
    return object_reuse_take(store, err);
}

int object_reuse_take(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->base.target.request;

    if (find_run(store, err) != 0 || object_existing_take(store, err) != 0 ||
        object_exclusive_plan(store, err) != 0)
        return -1;
    if (request->dry_run)
        return 0;
    if (object_cost_tell(store, err) != 0 || take_over(store, err) != 0)
        return -1;
    if (object_heartbeat_start(store, err) == 0)
        return 0;
    object_reuse_give_back(store);
    return -1;
}

void object_reuse_give_back(struct object_store *store)
{
    struct error ignored = ERROR_INIT; /* after a while the run counts as dead */

    store->manifest.renew_s = 0;
    (void)object_run_renew(store, store->base.client, &ignored);
    store->made = false;
}
