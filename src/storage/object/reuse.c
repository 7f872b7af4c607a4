/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reuse.c - --reuse: the objects of a run that was kept are written over.  They are those that its
 * manifest names and that are there, with their lengths; none is made, and the manifest goes on
 * naming all of them.
 *
 * The run is ours from the moment at which its next manifest says so, which is put on the condition
 * that there is none yet: of two that want it at a time one is refused. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>

#include "os/os.h"

static int find_run(struct object_store *store, struct error *err)
{
    struct object_target *base = &store->base;
    struct life_run run = {.age_s = -1};
    struct error why = ERROR_INIT;

    run.found = object_run_look(base->client, base->run_prefix, &run.manifest, &run.age_s, &why);
    store->manifest = run.manifest;
    store->was_running = run.manifest.state.running;
    return life_expect(&run, base->target.request, "object", base->target.place, &why, err);
}

int object_reuse_open(struct object_store *store, struct error *err)
{
    struct object_target *base = &store->base;
    struct error ignored = ERROR_INIT; /* after a while the run counts as dead */
    struct object_run run;

    base->kept = base->target.writable = true;
    base->target.ours = !base->retires;
    if (find_run(store, err) != 0 || object_existing_take(store, err) != 0 ||
        object_exclusive_plan(store, err) != 0)
        return -1;
    if (base->target.request->dry_run)
        return 0;
    if (object_cost_tell(store, err) != 0)
        return -1;
    store->manifest.part_bytes = base->service->options->part_bytes;
    if (life_take_over(object_run_place(&run, base->client, base->run_prefix), &store->manifest,
                       base->target.place, err) != 0)
        return -1;
    store->made = true; /* others see from now on that it goes on */
    if (object_heartbeat_start(store, err) == 0)
        return 0;
    store->manifest.state.running = false;
    (void)object_run_renew(store, base->client, &ignored);
    store->made = false;
    return -1;
}
