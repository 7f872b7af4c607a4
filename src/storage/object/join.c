/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* join.c - the run of another rank of the same team, which has put its manifest and keeps it alive:
 * its objects are used as that says, and nothing of it is made, renewed or removed here.
 *
 * Sets are filled when a part needs them, by who made the run and before ranks that joined it look
 * at them: to these all objects are there. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <stdlib.h>

int object_join_open(struct object_store *store, struct error *err)
{
    struct object_target *base = &store->base;
    const struct target_request *request = base->target.request;
    enum life_found found;

    base->target.writable = request->shared;
    base->kept = request->reuse; /* then not all need be there */
    base->joined = !request->reuse;
    found = object_run_look(base->client, base->run_prefix, &store->manifest, NULL, err);
    if (found == LIFE_ABSENT)
        return error_refuse(
            err, STATUS_TARGET, "the objects of another rank are not there:", base->target.place,
            "all ranks must reach the same store; --share none needs no other's objects");
    if (found != LIFE_READ)
        return -1;
    if (object_exclusive_plan(store, err) != 0)
        return -1;
    if (base->kept)
        return object_existing_take(store, err);
    object_sets_make(store, NULL);
    for (unsigned i = 0; i < base->set_count; i++) { /* all are there */
        free(base->set[i].present);
        base->set[i].present = NULL;
    }
    base->target.content_known = request->verify;
    return request->verify ? pattern_start(&base->pattern, store->manifest.seed, err) : 0;
}
