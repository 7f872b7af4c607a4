/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.c - keeps a run of objects alive (life/heartbeat.h), with a separate client, and
 * updates its manifest's counts of sets. */
#include "base/compat.h"

#include "storage/object/object.h"

/* Updates the number of objects made in each set. */
static void count_made(struct object_store *store)
{
    for (unsigned i = 0; i < store->set_count; i++) {
        const struct object_set *set = &store->set[i];
        struct life_set *plan = &store->manifest.set[i];
        if (store->kept || store->unsettled) /* the counts of the run stay unchanged */
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
    for (unsigned i = 0; i < store->set_count; i++)
        complete += object_set_complete(&store->set[i]);
    return complete;
}

/* No request is sent any more, so that the run ends. */
static void lose(void *arg)
{
    const struct object_store *store = arg;

    atomic_store(&store->service->budget, 0);
}

void object_heartbeat_init(struct object_store *store)
{
    life_heart_init(&store->heart, &store->manifest, &store->target.lost);
    store->heart.lose = lose;
    store->heart.count = count;
    store->heart.arg = store;
}

int object_heartbeat_start(struct object_store *store, struct error *err)
{
    struct life_heart *heart = &store->heart;

    if (object_client_create(store->service, &heart->give_up, &store->heart_client, err) != 0)
        return -1;
    object_client_pin(store->heart_client); /* measuring threads read the service meanwhile */
    heart->place = object_run_place(store->heart_client, store->run_prefix);
    heart->shown = store->target.place;
    heart->stop = store->target.request->stop;
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
    return life_heart_renew(&store->heart, object_run_place(client, store->run_prefix), err);
}
