/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cleanup.c - `iosweep clean` of a bucket: finds the runs that are there, by their manifests.  How
 * one is removed is in removal.c. */
#include "base/compat.h"

#include "target/object/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "target/clean.h"
#include "target/object/removal.h"

#define TAKE_TRIES 3u
#define RUNS_MOST  100000u /* of a target */

/* ---- iosweep clean ---- */

struct cleaner {
    struct object_client *client;
    const struct object_service *service;
    bool check;             /* see struct clean_request */
    struct clean_runs runs; /* data: the prefix, "PREFIX/iosweep-NAME/" */
};

static int visit_prefix(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                        struct error *err)
{
    struct cleaner *cleaner = arg;
    char run_name[OBJECT_RUN_NAME_MAX + 1];
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
    char *prefix = mem_printf("%s" OBJECT_RUN_PREFIX "%s", cleaner->service->prefix, begin);
    const int code = object_client_list_level(cleaner->client, prefix, visit_prefix, cleaner, err);

    free(prefix);
    return code;
}

static int add_named(struct cleaner *cleaner, const char *run_name, struct error *err)
{
    char *named = mem_printf("%s" OBJECT_RUN_PREFIX "%s/", cleaner->service->prefix, run_name);
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

/* Reads the manifest of a candidate.  Returns 1, 0 when it has none (a run writes it first and
 * removes it last), or -1. */
static int read_manifest(const struct cleaner *cleaner, const struct clean_run *run,
                         struct object_manifest *manifest, int64_t *age_s, struct error *err)
{
    bool invalid;

    switch (object_manifest_get(cleaner->client, cleaner->service, run->data, manifest, age_s,
                                &invalid, err)) {
    case OBJECT_MANIFEST_ABSENT:
        return 0;
    case OBJECT_MANIFEST_READ:
        return 1;
    case OBJECT_MANIFEST_ERROR:
        break;
    }
    if (invalid) {
        *err = ERROR_INIT;
        error_set(err, STATUS_TARGET, 0, "left in place:", run->place);
        error_advise(err, "its manifest is not valid; check it and remove it by hand");
    }
    return -1;
}

static int64_t wait_of(const struct object_manifest *manifest, int64_t age_s)
{
    return age_s < 0 ? 0 : (int64_t)object_dead_s(manifest->renew_s) - age_s;
}

/* ---- a run that ended before it had its manifest ---- */

/* What was put of it under another name; see object_manifest_put. */
struct torn {
    size_t prefix_bytes;
    char *key[OBJECT_TORN_MOST];
    uint64_t size_bytes[OBJECT_TORN_MOST];
    unsigned count;
    bool others;
};

static int visit_torn(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                      struct error *err)
{
    struct torn *torn = arg;

    (void)etag;
    (void)err;
    torn->others = torn->count == OBJECT_TORN_MOST ||
                   !object_manifest_is_new(key + torn->prefix_bytes, size_bytes);
    if (torn->others)
        return 1;
    torn->size_bytes[torn->count] = size_bytes;
    torn->key[torn->count++] = mem_strdup(key);
    return 0;
}

static void free_torn(struct torn *torn)
{
    for (unsigned i = 0; i < torn->count; i++)
        free(torn->key[i]);
    torn->count = 0;
}

/* Returns 1: below the run's prefix is that, and nothing else; 0: it is no such run; -1.  What is
 * found is to be freed with free_torn. */
static int find_torn(const struct cleaner *cleaner, const struct clean_run *run, struct torn *torn,
                     struct error *err)
{
    int ours = 1;

    *torn = (struct torn){.prefix_bytes = strlen(run->data)};
    if (!cleaner->service->gradual)
        return 0;
    if (object_client_list(cleaner->client, run->data, 0, visit_torn, torn, err) < 0)
        ours = -1;
    else if (torn->others || torn->count == 0)
        ours = 0;
    for (unsigned i = 0; ours > 0 && i < torn->count; i++)
        ours =
            object_torn_is_ours(cleaner->client, run->data, torn->key[i], torn->size_bytes[i], err);
    if (ours <= 0)
        free_torn(torn);
    return ours;
}

/* Since it was changed; -1: the server does not tell. */
static int64_t age_of_torn(const struct cleaner *cleaner, const char *key)
{
    char byte[1];
    const struct object_call call = {.verb = OBJECT_GET,
                                     .key = key,
                                     .ranged = true,
                                     .range_bytes = sizeof(byte),
                                     .want_age = true,
                                     .into = byte,
                                     .into_bytes = sizeof(byte)};
    const struct object_answer *answer = NULL;
    struct error ignored = ERROR_INIT; /* it may be empty, then nothing can be read of it */

    (void)object_client_call(cleaner->client, &call, "cannot read", &answer, NULL, &ignored);
    return answer ? answer->age_s : -1;
}

/* The run may be about to begin: for certain it is not when each of them is old. */
static bool torn_is_alive(const struct cleaner *cleaner, const struct torn *torn,
                          struct clean_run *run)
{
    run->wait_s = 0;
    for (unsigned i = 0; i < torn->count; i++) {
        const int64_t age_s = age_of_torn(cleaner, torn->key[i]);
        const int64_t wait_s = (int64_t)object_dead_s(OBJECT_RENEW_S) - age_s;
        if (age_s < 0) {
            run->wait_s = 0; /* nobody knows */
            return true;
        }
        if (wait_s > run->wait_s)
            run->wait_s = wait_s;
    }
    return run->wait_s > 0;
}

static int remove_torn(const struct cleaner *cleaner, struct clean_run *run, bool force,
                       struct clean_outcome *outcome, struct error *err)
{
    struct object_manifest manifest = {.place_found = false}; /* all that is known of it */
    uint64_t removed = 0;
    struct torn torn;
    int code = find_torn(cleaner, run, &torn, err);

    if (code <= 0) /* 0: somebody has removed it meanwhile, or began a run */
        return code;
    code = !force && torn_is_alive(cleaner, &torn, run)
               ? clean_refuse_alive(run->place, run->wait_s, err)
               : object_client_delete(cleaner->client, (const char *const *)torn.key, torn.count,
                                      &removed, err);
    for (unsigned i = 0; code == 0 && i < torn.count; i++) {
        outcome->bytes += torn.size_bytes[i];
        manifest.place_found |= object_manifest_new_in_found(torn.key[i]);
    }
    outcome->objects += removed;
    free_torn(&torn);
    return code == 0 ? object_place_remove(cleaner->client, run->data, &manifest, err) : -1;
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
        struct object_manifest manifest = {.set = NULL};
        int64_t age_s = -1;
        struct torn torn;
        int found = read_manifest(cleaner, run, &manifest, &age_s, &run->why);

        if (found > 0) {
            run->alive = object_manifest_alive(&manifest, age_s);
            run->wait_s = wait_of(&manifest, age_s);
            run->begun_s = manifest.begun_s - cleaner->service->clock_offset_s;
        } else if (found == 0) {
            found = find_torn(cleaner, run, &torn, &run->why);
            if (found > 0)
                run->alive = torn_is_alive(cleaner, &torn, run);
            free_torn(&torn);
            if (found == 0 && cleaner->check)
                found = refuse_others(cleaner, run, &run->why);
        }
        free(manifest.set);
        if (found == 0)
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

    (void)err;
    if (!etag || strcmp(name, OBJECT_MANIFEST_NAME) == 0 ||
        object_manifest_is_new(name, size_bytes))
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
                      const struct object_manifest *manifest)
{
    struct object_manifest taken = *manifest;

    taken.owner = ~manifest->owner;
    taken.renew_s = 0; /* if this is interrupted, nobody has to wait */
    for (unsigned tries = 0; tries < TAKE_TRIES; tries++) {
        struct error err = ERROR_INIT;
        struct object_manifest now;
        int64_t age_s;
        if (object_manifest_renew(cleaner->client, run->data, &taken, taken.etag, &err) == 0 ||
            err.errnum != ESTALE)
            return;
        err = ERROR_INIT;
        if (read_manifest(cleaner, run, &now, &age_s, &err) <= 0)
            return;
        memcpy(taken.etag, now.etag, sizeof(taken.etag));
        free(now.set);
    }
}

static int check_run(void *arg, const struct clean_run *run, struct error *err)
{
    const struct cleaner *cleaner = arg;
    struct object_manifest manifest;
    int64_t age_s;
    const int found = read_manifest(cleaner, run, &manifest, &age_s, err);
    int code;

    if (found <= 0) /* 0: nothing is there but what find_torn has found */
        return found;
    if (manifest.renew_s > 0)
        object_manifest_unsettle(&manifest); /* as remove_run does */
    code = object_run_check(cleaner->client, cleaner->service, run->data, &manifest, err);
    free(manifest.set);
    return code;
}

static int remove_run(void *arg, struct clean_run *run, bool force, struct clean_outcome *outcome,
                      struct error *err)
{
    const struct cleaner *cleaner = arg;
    struct object_removed removed = {0};
    struct object_manifest manifest;
    int64_t age_s = -1;
    const int found = read_manifest(cleaner, run, &manifest, &age_s, err);
    int code;

    if (found == 0)
        return remove_torn(cleaner, run, force, outcome, err);
    if (found < 0)
        return -1;
    if (!force && object_manifest_alive(&manifest, age_s)) {
        code = clean_refuse_alive(run->place, wait_of(&manifest, age_s), err);
    } else {
        if (manifest.renew_s > 0) {
            object_manifest_unsettle(&manifest); /* it was cut off, also for who cleans next */
            take_over(cleaner, run, &manifest);
        }
        code = object_run_remove(cleaner->client, cleaner->service, run->data, &manifest, NULL,
                                 true, force, &removed, err);
    }
    outcome->objects += removed.objects;
    outcome->bytes += removed.bytes;
    free(manifest.set);
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
    char run_name[OBJECT_RUN_NAME_MAX + 1];
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
    const struct object_protocol *protocol = target_driver_for(request->target)->protocol;
    struct object_service *service;
    struct cleaner cleaner = {.check = request->check};
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
