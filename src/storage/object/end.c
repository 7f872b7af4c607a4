/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* end.c - a run of this process (life/heartbeat.h), which is renewed, and removed or kept at its
 * end; and `iosweep clean` of a bucket, by the hooks of life/clean.h.  removal.c removes a run. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "os/os.h"
#include "storage/life/clean.h"
#include "storage/object/object.h"

/* ---- renewing ---- */

int object_heartbeat_ready(struct object_store *store, struct error *err)
{
    struct life_heart *heart = &store->heart;

    if (object_client_create(store->service, &heart->give_up, &store->heart_client, err) != 0)
        return -1;
    store->heart_client->link->pinned = true; /* measuring threads read the service meanwhile */
    heart->place = object_run_place(store->heart_client, store->run_prefix);
    heart->shown = store->target.place;
    heart->stop = store->target.request->stop;
    heart->renew_ns = LIFE_RENEW_S * NS_PER_S;
    return 0;
}

void object_heartbeat_stop(struct object_store *store)
{
    life_heart_stop(&store->heart);
    object_client_destroy(store->heart_client);
    store->heart_client = NULL;
}

/* No request is sent any more, so that the run ends. */
static void lose(void *arg)
{
    const struct object_store *store = arg;

    atomic_store(&store->service->budget, 0);
}

/* The counts of a kept run stay unchanged. */
static void count_made(void *arg)
{
    struct object_store *store = arg;

    for (unsigned i = 0; i < store->set_count && !store->kept; i++) {
        const struct object_set *set = &store->set[i];
        struct life_set *plan = &store->manifest.set[i];

        if (object_set_grows(set->kind))
            plan->made = (uint32_t)atomic_load(&set->made);
        else if (set->count > 0)
            plan->made = object_set_made(set);
    }
}

/* ---- close ---- */

/* All visible objects are removed. */
int object_may_appear(const struct object_store *store, struct error *err)
{
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, 0,
              "the server did not answer in time; objects may still appear in",
              store->target.place);
    return life_advise_command("then remove them", object_clean_command(store), err);
}

static int left_behind(const struct object_store *store, struct error *err)
{
    const struct error why = *err;
    char text[1024];

    log_step("# %s", error_format(err, text, sizeof(text)));
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, why.errnum, "objects are left in", store->target.place);
    if (why.reason[0] != '\0')
        error_explain(err, "%s", why.reason);
    return life_advise_command(
        store->manifest.state.running
            ? "once the server responds (from another host after ten minutes)"
            : "once the server responds",
        object_clean_command(store), err);
}

static int go_over(void *arg, enum life_way way, struct life_tally *tally, struct error *err)
{
    struct object_store *store = arg;
    const bool lost = atomic_load(&store->target.lost);
    /* objects that an earlier run made in addition are found only by lists and names */
    const int code = object_run_go_over(store->client, store->run_prefix, &store->manifest,
                                        store->kept && !lost ? NULL : store,
                                        store->uploads || store->retires, way, tally, err);

    return code > 0 && lost ? object_may_appear(store, err) : code;
}

/* A kept run is complete, except for uploads in parts that will never be completed. */
static void abort_uploads(void *arg)
{
    struct object_store *store = arg;
    struct error own = ERROR_INIT;
    char text[1024];

    if (store->uploads && object_uploads_abort(store->client, store->run_prefix, &store->manifest,
                                               store, NULL, &own) != 0)
        log_warn("uploads may be left pending: %s", error_format(&own, text, sizeof(text)));
}

static char *command(void *arg)
{
    return object_clean_command(arg);
}

const struct life_hooks object_life = {.noun = "object",
                                       .nouns = "objects",
                                       .lose = lose,
                                       .count = count_made,
                                       .go_over = go_over,
                                       .settle = abort_uploads,
                                       .command = command};

int object_run_end(struct object_store *store, struct error *err)
{
    return life_end(&store->heart, object_run_place(store->client, store->run_prefix),
                    store->retires                ? LIFE_IS_RETIRED
                    : store->target.request->keep ? LIFE_IS_KEPT
                                                  : LIFE_IS_REMOVED,
                    err);
}

/* With another client, because that of the run gives up at once after a signal. */
static int end_run(struct object_store *store, struct error *err)
{
    const bool keep = store->target.request->keep;
    struct error own = ERROR_INIT;
    int code;

    object_heartbeat_stop(store);
    atomic_store(&store->service->budget, UINT64_MAX);
    object_client_destroy(store->client);
    code = object_client_create(store->service, NULL, &store->client, &own);
    if (code == 0) {
        store->client->hurry = store->target.request->stop;
        code = object_run_end(store, &own);
    }
    if (code == OBJECT_REMOVAL_UNSURE && !store->target.driver->clean)
        code = 0; /* the store ends with this program */
    if (code == 0 && !keep)
        object_cost_tell_removal(store);
    if (code == 0)
        return 0;
    if (code == OBJECT_REMOVAL_UNSURE)
        return object_may_appear(store, err);
    *err = own;
    return keep || own.errnum == ENOTEMPTY || own.errnum == ESTALE /* lost */
               ? -1
               : left_behind(store, err);
}

int object_close(struct target *target, struct error *err)
{
    struct object_store *store = object_store_of(target);
    int code = 0;

    if (!target)
        return 0;
    if (target->created && store->from && store->retires) { /* the others belong to the run */
        const uint64_t gone = atomic_load(&store->set[0].taken);
        const uint64_t made = atomic_load(&store->from->made);

        atomic_store(&store->from->made, made > gone ? made - gone : 0);
    }
    if (store->made)
        code = end_run(store, err);
    object_store_free(store);
    return code;
}

/* ---- iosweep clean ---- */

#define TAKE_TRIES 3u

struct object_cleaner {
    struct object_client *client;
    bool is_run; /* the target is a run itself */
};

struct run_lister {
    clean_visit *visit;
    void *arg;
};

static int visit_prefix(void *arg, const struct object_listed *listed, struct error *err)
{
    const struct run_lister *lister = arg;
    char run_name[TARGET_RUN_NAME_MAX + 1];

    return !listed->rolled_up || !object_run_of_prefix(listed->key, run_name)
               ? 0
               : lister->visit(lister->arg, run_name, err);
}

static int list(void *arg, const char *begin, clean_visit *visit, void *visit_arg,
                struct error *err)
{
    struct object_client *client = ((const struct object_cleaner *)arg)->client;
    struct run_lister lister = {visit, visit_arg};
    char *prefix = mem_printf("%s" LIFE_PREFIX "%s", client->service->prefix, begin);
    const int code = object_client_list(client, prefix, "/", visit_prefix, &lister, err);

    free(prefix);
    return code;
}

static void find(void *arg, struct clean_run *run)
{
    const struct object_cleaner *cleaner = arg;
    const struct object_service *service = cleaner->client->service;

    run->path = cleaner->is_run ? mem_strdup(service->prefix)
                                : mem_printf("%s" LIFE_PREFIX "%s/", service->prefix, run->name);
    run->place = object_place(service, run->path, false);
}

static enum life_found look(void *arg, struct clean_run *run, bool named, struct error *err)
{
    struct object_client *client = ((const struct object_cleaner *)arg)->client;
    struct life_run *seen = &run->seen;
    const enum life_found found =
        object_run_look(client, run->path, &seen->manifest, &seen->age_s, err);
    char *key = NULL;
    int other;

    (void)named;
    if (found == LIFE_READ)
        seen->begun_s = seen->manifest.state.begun_s;
    if (found != LIFE_ABSENT)
        return found;
    other = object_place_holds(client, run->path, &key, err);
    free(key);
    if (other > 0)
        error_refuse(err, STATUS_TARGET, "not trusted:", run->place, "it has no iosweep manifest");
    return other == 0 ? found : other > 0 ? LIFE_INVALID : LIFE_ERROR;
}

/* A run removed by force notices it by a manifest that is not its own; otherwise it would write as
 * fast as it is removed.  If it renews its own meanwhile, tries again.  Failing to put the manifest
 * does not prevent removal. */
static void take_over(struct object_client *client, const struct clean_run *run)
{
    struct life_manifest taken = run->seen.manifest;
    int code = 1;

    taken.state.owner = ~taken.state.owner;
    taken.state.running = false; /* no other clean has to wait if this one is interrupted */
    for (unsigned tries = 0; code > 0 && tries < TAKE_TRIES; tries++) {
        struct error err = ERROR_INIT;
        struct life_manifest now;

        code = life_go_on(object_run_place(client, run->path), &taken, &err);
        if (code > 0 && object_run_look(client, run->path, &now, NULL, &err) == LIFE_READ) {
            taken.state.number = now.state.number;
            life_manifest_free(&now);
        }
    }
}

static int clean_run(void *arg, struct clean_run *run, enum life_way way, struct life_tally *tally,
                     struct error *err)
{
    struct object_client *client = ((const struct object_cleaner *)arg)->client;
    struct life_manifest *manifest = &run->seen.manifest;
    int code;

    /* nothing is certain about an interrupted run, including for the next clean */
    if (run->seen.found == LIFE_TORN) {
        snprintf(manifest->storage, sizeof(manifest->storage), "%s", client->protocol->name);
        snprintf(manifest->run_name, sizeof(manifest->run_name), "%s", run->name);
    } else if (manifest->state.running) {
        life_unsettle(manifest);
    }
    if (way == LIFE_REMOVE && manifest->state.running)
        take_over(client, run);
    code = object_run_go_over(client, run->path, manifest, NULL, true, way, tally, err);
    if (code == OBJECT_REMOVAL_UNSURE)
        return error_refuse(err, STATUS_TARGET,
                            "the server did not answer in time; objects may still appear in",
                            run->place, "clean again when it responds");
    return code;
}

int object_clean(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err)
{
    const struct object_protocol *protocol = storage_driver_for(request->target)->protocol;
    struct object_service *service;
    struct object_cleaner cleaner = {.client = NULL};
    char run_name[TARGET_RUN_NAME_MAX + 1], none[200];
    struct clean_hooks hooks = {.arg = &cleaner,
                                .noun = "object",
                                .none = none,
                                .list = list,
                                .find = find,
                                .look = look,
                                .go_over = clean_run};
    int code;

    if (object_service_open(protocol, request->target, request->options, true, &service, err) != 0)
        return -1;
    snprintf(none, sizeof(none), "clean needs the prefix that the run had in its target (%s)",
             protocol->form);
    cleaner.is_run = object_run_of_prefix(service->prefix, run_name);
    hooks.only = cleaner.is_run ? run_name : NULL;
    atomic_store(&service->budget, UINT64_MAX); /* objects left behind would cost more */
    code = object_client_create(service, request->stop, &cleaner.client, err);
    if (code == 0)
        code = clean_carry_out(request, &hooks, outcome, err);
    object_client_destroy(cleaner.client);
    service->protocol->close(service); /* not `protocol`: a module has its own */
    return code;
}
