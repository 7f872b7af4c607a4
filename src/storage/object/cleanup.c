/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cleanup.c - `iosweep clean` of a bucket: finds the runs that are there, by their manifests.  How
 * one is removed is in removal.c. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "storage/clean.h"
#include "storage/object/removal.h"

#define TAKE_TRIES 3u
#define RUNS_MOST  100000u /* of a target */

/* ---- iosweep clean ---- */

struct cleaner {
    struct object_client *client;
    const struct object_service *service;
    struct clean_runs runs; /* data: the prefix, "PREFIX/iosweep-NAME/" */
};

static int visit_prefix(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                        struct error *err)
{
    struct cleaner *cleaner = arg;
    char run_name[TARGET_RUN_NAME_MAX + 1];
    struct clean_run *run;
    char *place;

    (void)size_bytes;
    if (etag || !object_run_of_prefix(key, run_name))
        return 0;
    if (cleaner->runs.count == RUNS_MOST) {
        error_set(err, STATUS_TARGET, 0, "the server lists far too many runs, the last one:", key);
        return error_advise(err, "name the one to be removed with --run-name");
    }
    place = cleaner->service->protocol->url(cleaner->service, key);
    place[strlen(place) - 1] = '\0'; /* "/" */
    run = clean_add(&cleaner->runs, mem_strdup(run_name), place);
    run->data = mem_strdup(key);
    return 0;
}

/* Those whose names begin so. */
static int list_candidates(struct cleaner *cleaner, const char *begin, struct error *err)
{
    char *prefix = mem_printf("%s" LIFE_PREFIX "%s", cleaner->service->prefix, begin);
    const int code = object_client_list_level(cleaner->client, prefix, visit_prefix, cleaner, err);

    free(prefix);
    return code;
}

static int add_named(struct cleaner *cleaner, const char *run_name, struct error *err)
{
    char *named = mem_printf("%s" LIFE_PREFIX "%s/", cleaner->service->prefix, run_name);
    const int code = visit_prefix(cleaner, named, 0, NULL, err);

    free(named);
    return code;
}

/* What ranks of a team of that name have made. */
static int find_team(struct cleaner *cleaner, const char *run_name, struct error *err)
{
    char *shared = mem_printf("%s-shared", run_name), *ranks = mem_printf("%s-rank", run_name);
    int code = target_run_name_valid(shared) ? add_named(cleaner, shared, err) : 0;

    if (code == 0)
        code = list_candidates(cleaner, ranks, err);
    free(shared);
    free(ranks);
    return code;
}

/* Reads the manifest of a candidate, READ, TORN or ABSENT: a run puts it first and removes it last.
 */
static enum life_found read_manifest(const struct cleaner *cleaner, const struct clean_run *run,
                                     struct life_manifest *manifest, int64_t *age_s,
                                     struct error *err)
{
    const enum life_found found = object_run_look(cleaner->client, run->data, manifest, age_s, err);

    if (found == LIFE_INVALID) {
        *err = ERROR_INIT;
        error_set(err, STATUS_TARGET, 0, "left in place:", run->place);
        error_advise(err, "its manifest is not valid; check it and remove it by hand");
    }
    return found;
}

/* A run whose first manifest is torn may be about to begin: for certain it is not when that is
 * old. */
static bool is_alive(enum life_found found, const struct life_manifest *manifest, int64_t age_s,
                     int64_t *wait_s)
{
    if (found == LIFE_READ)
        return life_is_alive(manifest, age_s, wait_s);
    *wait_s = age_s < 0 ? 0 : (int64_t)LIFE_DEAD_S - age_s;
    return age_s < 0 || *wait_s > 0;
}

/* ---- runs ---- */

static int visit_first(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                       struct error *err)
{
    (void)size_bytes;
    (void)etag;
    (void)err;
    *(char **)arg = mem_strdup(key);
    return 1;
}

/* Without a manifest, what is there is somebody else's, unless only an old list names it.  Returns
 * 0 when there is nothing, or -1. */
static int refuse_others(const struct cleaner *cleaner, const struct clean_run *run,
                         struct error *err)
{
    char *first = NULL;
    int found = object_client_list(cleaner->client, run->data, 0, visit_first, &first, err);

    if (found > 0)
        found = object_removal_is_there(cleaner->client, first, err);
    free(first);
    if (found <= 0)
        return found;
    error_set(err, STATUS_TARGET, 0, "left in place:", run->place);
    return error_advise(err, "it has no manifest of iosweep; look into it and remove it by hand");
}

/* Those with a manifest stay in the list, and those that cannot be looked at. */
static void look_at_manifests(struct cleaner *cleaner)
{
    size_t kept = 0;

    for (size_t i = 0; i < cleaner->runs.count; i++) {
        struct clean_run *run = &cleaner->runs.run[i];
        struct life_manifest manifest;
        int64_t age_s = -1;
        const enum life_found found = read_manifest(cleaner, run, &manifest, &age_s, &run->why);
        bool stays = found != LIFE_ABSENT;

        if (found == LIFE_READ || found == LIFE_TORN)
            run->alive = is_alive(found, &manifest, age_s, &run->wait_s);
        if (found == LIFE_READ)
            run->begun_s = manifest.state.begun_s - cleaner->service->clock_offset_s;
        if (!stays)
            stays = refuse_others(cleaner, run, &run->why) != 0;
        life_manifest_free(&manifest);
        if (!stays)
            clean_run_free(run);
        else
            cleaner->runs.run[kept++] = *run;
    }
    cleaner->runs.count = kept;
}

static int count_key(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                     struct error *err)
{
    struct clean_run *run = arg;
    const char *name = key + strlen(run->data);
    uint64_t number;

    (void)err;
    if (!etag || life_is_manifest(name, &number))
        return 0;
    run->objects++;
    run->bytes += size_bytes;
    return 0;
}

static int look(void *arg, struct clean_run *run, struct error *err)
{
    const struct cleaner *cleaner = arg;
    const int code = object_client_list(cleaner->client, run->data, 0, count_key, run, err);

    return code < 0 ? -1 : 0;
}

/* A run that is removed by force learns it from a manifest that is not its own any more; else it
 * would write as fast as it is removed.  It renews its own meanwhile: then once more.  What cannot
 * be put is no reason to stop. */
static void take_over(const struct cleaner *cleaner, const struct clean_run *run,
                      const struct life_manifest *manifest)
{
    struct life_manifest taken = *manifest;
    struct object_run place;
    int code = 1;

    taken.state.owner = ~manifest->state.owner;
    taken.state.running = false; /* no other clean has to wait if this one is interrupted */
    for (unsigned tries = 0; code > 0 && tries < TAKE_TRIES; tries++) {
        struct error err = ERROR_INIT;
        struct life_manifest now;

        code = life_go_on(object_run_place(&place, cleaner->client, run->data), &taken, &err);
        if (code > 0 &&
            object_run_look(cleaner->client, run->data, &now, NULL, &err) == LIFE_READ) {
            taken.state.number = now.state.number;
            life_manifest_free(&now);
        }
    }
}

static int check_run(void *arg, const struct clean_run *run, struct error *err)
{
    const struct cleaner *cleaner = arg;
    struct life_manifest manifest;
    const enum life_found found = read_manifest(cleaner, run, &manifest, NULL, err);
    int code;

    if (found != LIFE_READ && found != LIFE_TORN)
        return found == LIFE_ABSENT ? 0 : -1;
    if (manifest.state.running)
        object_manifest_unsettle(&manifest); /* as remove_run does */
    code = object_run_check(cleaner->client, run->data, &manifest, err);
    life_manifest_free(&manifest);
    return code;
}

/* What there is of a run that ended before it had put its first manifest.  Whether its place was
 * there before is not known, so the place stays. */
static void set_torn(const struct cleaner *cleaner, const struct clean_run *run,
                     struct life_manifest *manifest)
{
    manifest->place_found = true;
    snprintf(manifest->storage, sizeof(manifest->storage), "%s", cleaner->service->protocol->name);
    snprintf(manifest->run_name, sizeof(manifest->run_name), "%s", run->name);
}

static int remove_run(void *arg, struct clean_run *run, bool force, struct clean_outcome *outcome,
                      struct error *err)
{
    const struct cleaner *cleaner = arg;
    struct object_removed removed = {0};
    struct life_manifest manifest;
    int64_t age_s = -1, wait_s;
    const enum life_found found = read_manifest(cleaner, run, &manifest, &age_s, err);
    int code;

    if (found != LIFE_READ && found != LIFE_TORN)
        return found == LIFE_ABSENT ? 0 : -1;
    if (found == LIFE_TORN)
        set_torn(cleaner, run, &manifest);
    if (!force && is_alive(found, &manifest, age_s, &wait_s)) {
        code = clean_refuse_alive(run->place, wait_s, err);
    } else {
        if (manifest.state.running) {
            object_manifest_unsettle(&manifest); /* it was cut off, also for who cleans next */
            take_over(cleaner, run, &manifest);
        }
        code = object_run_remove(cleaner->client, run->data, &manifest, NULL, true, force, &removed,
                                 err);
    }
    outcome->objects += removed.objects;
    outcome->bytes += removed.bytes;
    life_manifest_free(&manifest);
    return code == 0 ? 0 : -1;
}

/* A run that is named needs no list, which may be long, or old. */
static int find_named(struct cleaner *cleaner, const struct clean_request *request,
                      struct error *err)
{
    if (add_named(cleaner, request->run_name, err) != 0)
        return -1;
    look_at_manifests(cleaner);
    if (!request->team || cleaner->runs.count > 0)
        return 0;
    if (find_team(cleaner, request->run_name, err) != 0)
        return -1;
    look_at_manifests(cleaner);
    return 0;
}

static int find_runs(struct cleaner *cleaner, const struct clean_request *request,
                     struct error *err)
{
    const char *prefix = cleaner->service->prefix;
    char run_name[TARGET_RUN_NAME_MAX + 1];
    int code;

    if (object_run_of_prefix(prefix, run_name)) /* the target is a run itself */
        code = visit_prefix(cleaner, prefix, 0, NULL, err);
    else if (request->run_name && target_run_name_valid(request->run_name))
        return find_named(cleaner, request, err);
    else
        code = list_candidates(cleaner, "", err);
    if (code == 0)
        look_at_manifests(cleaner);
    return code;
}

int object_clean(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err)
{
    const struct object_protocol *protocol = storage_driver_for(request->target)->protocol;
    struct object_service *service;
    struct cleaner cleaner = {.client = NULL};
    const struct clean_hooks hooks = {
        .arg = &cleaner, .noun = "object", .look = look, .check = check_run, .remove = remove_run};
    int code;

    if (object_service_open(protocol, request->target, request->options, true, &service, err) != 0)
        return -1;
    cleaner.service = service;
    atomic_store(&service->budget, UINT64_MAX); /* what is left behind would cost more */
    code = object_client_create(service, request->stop, &cleaner.client, err);
    if (code == 0)
        code = find_runs(&cleaner, request, err);
    if (code == 0 && cleaner.runs.count == 0 && !request->run_name)
        log_info("# clean finds runs with the prefix that they had in their target (%s)",
                 protocol->form);
    if (code == 0)
        code = clean_carry_out(request, &hooks, &cleaner.runs, outcome, err);
    clean_free(&cleaner.runs);
    object_client_destroy(cleaner.client);
    service->protocol->close(service);
    return code;
}
