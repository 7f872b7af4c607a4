/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cleanup.c - `iosweep clean` of a bucket: the hooks of life/clean.h.  removal.c removes a run. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "storage/life/clean.h"

#define TAKE_TRIES 3u

struct object_cleaner {
    struct object_client *client;
    const struct object_service *service;
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
    const struct object_cleaner *cleaner = arg;
    struct run_lister lister = {visit, visit_arg};
    char *prefix = mem_printf("%s" LIFE_PREFIX "%s", cleaner->service->prefix, begin);
    const int code = object_client_list_level(cleaner->client, prefix, visit_prefix, &lister, err);

    free(prefix);
    return code;
}

static void find(void *arg, struct clean_run *run)
{
    const struct object_cleaner *cleaner = arg;
    const struct object_service *service = cleaner->service;

    run->path = cleaner->is_run ? mem_strdup(service->prefix)
                                : mem_printf("%s" LIFE_PREFIX "%s/", service->prefix, run->name);
    run->place = service->protocol->url(service, run->path);
    run->place[strlen(run->place) - 1] = '\0'; /* "/" */
}

static enum life_found look(void *arg, struct clean_run *run, bool named, struct error *err)
{
    const struct object_cleaner *cleaner = arg;
    struct life_run *seen = &run->seen;
    const enum life_found found =
        object_run_look(cleaner->client, run->path, &seen->manifest, &seen->age_s, err);
    char *key = NULL;
    int other;

    (void)named;
    if (found == LIFE_READ)
        seen->begun_s = seen->manifest.state.begun_s;
    if (found != LIFE_ABSENT)
        return found;
    other = object_place_holds(cleaner->client, run->path, &key, err);
    free(key);
    if (other == 0)
        return found;
    if (other > 0)
        error_refuse(err, STATUS_TARGET, "not trusted:", run->place, "it has no iosweep manifest");
    return other > 0 ? LIFE_INVALID : LIFE_ERROR;
}

struct counter {
    const struct clean_run *run;
    struct life_tally *tally;
};

static int count_key(void *arg, const struct object_listed *listed, struct error *err)
{
    const struct counter *counter = arg;
    uint64_t number;

    (void)err;
    if (listed->rolled_up || life_is_manifest(listed->key + strlen(counter->run->path), &number))
        return 0;
    counter->tally->objects++;
    counter->tally->bytes += listed->size_bytes;
    return 0;
}

/* A run removed by force notices it by a manifest that is not its own; otherwise it would write as
 * fast as it is removed.  If it renews its own meanwhile, tries again.  Failing to put the manifest
 * does not prevent removal. */
static void take_over(const struct object_cleaner *cleaner, const struct clean_run *run)
{
    struct life_manifest taken = run->seen.manifest;
    int code = 1;

    taken.state.owner = ~taken.state.owner;
    taken.state.running = false; /* no other clean has to wait if this one is interrupted */
    for (unsigned tries = 0; code > 0 && tries < TAKE_TRIES; tries++) {
        struct error err = ERROR_INIT;
        struct life_manifest now;

        code = life_go_on(object_run_place(cleaner->client, run->path), &taken, &err);
        if (code > 0 &&
            object_run_look(cleaner->client, run->path, &now, NULL, &err) == LIFE_READ) {
            taken.state.number = now.state.number;
            life_manifest_free(&now);
        }
    }
}

/* Nothing is certain about an interrupted run, including for the next clean.  If it ended before
 * its first manifest was put, it is unknown whether its place existed before, so the place
 * stays. */
static void complete(const struct object_cleaner *cleaner, struct clean_run *run)
{
    struct life_manifest *manifest = &run->seen.manifest;

    if (run->seen.found == LIFE_TORN) {
        manifest->place_found = true;
        snprintf(manifest->storage, sizeof(manifest->storage), "%s",
                 cleaner->service->protocol->name);
        snprintf(manifest->run_name, sizeof(manifest->run_name), "%s", run->name);
    } else if (manifest->state.running) {
        object_manifest_unsettle(manifest);
    }
}

static int go_over(void *arg, struct clean_run *run, enum life_way way, struct life_tally *tally,
                   struct error *err)
{
    const struct object_cleaner *cleaner = arg;
    const struct life_manifest *manifest = &run->seen.manifest;
    struct counter counter = {run, tally};
    int code;

    if (way == LIFE_COUNT)
        return object_client_list(cleaner->client, run->path, 0, count_key, &counter, err) < 0 ? -1
                                                                                               : 0;
    complete(cleaner, run);
    if (way == LIFE_CHECK)
        return object_run_check(cleaner->client, run->path, manifest, err);
    if (manifest->state.running)
        take_over(cleaner, run);
    code = object_run_remove(cleaner->client, run->path, manifest, NULL, true, tally, err);
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
                                .go_over = go_over};
    int code;

    if (object_service_open(protocol, request->target, request->options, true, &service, err) != 0)
        return -1;
    snprintf(none, sizeof(none), "clean needs the prefix that the run had in its target (%s)",
             protocol->form);
    cleaner.service = service;
    cleaner.is_run = object_run_of_prefix(service->prefix, run_name);
    hooks.only = cleaner.is_run ? run_name : NULL;
    atomic_store(&service->budget, UINT64_MAX); /* objects left behind would cost more */
    code = object_client_create(service, request->stop, &cleaner.client, err);
    if (code == 0)
        code = clean_carry_out(request, &hooks, outcome, err);
    object_client_destroy(cleaner.client);
    service->protocol->close(service);
    return code;
}
