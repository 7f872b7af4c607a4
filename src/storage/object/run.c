/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* run.c - a run in its store: its manifests, objects of which the first is put before all others
 * and removed after them; and its place, which must be empty before the run, and which is removed
 * if the run created it. */
#include "base/compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "storage/object/object.h"

#define LOOKS_MOST 3u /* for a removed manifest, with a doubling pause in between */
#define LOOK_NS    250000000u
#define KEYS_MOST  16u /* that are checked: lists may contain removed objects */

char *object_clean_named(const struct object_service *service, const char *target,
                         const char *run_name)
{
    char *options = service->protocol->reach(service);
    char *command = life_clean_command(run_name, target, options);

    free(options);
    return command;
}

char *object_clean_command(const struct object_store *store)
{
    char *target = object_place(store->service, store->run_prefix, false);
    char *command = object_clean_named(store->service, target, NULL);

    free(target);
    return command;
}

void object_store_enter(struct object_store *store, char *run_prefix)
{
    const struct object_service *service = store->service;
    const char *prefix = run_prefix[0] ? run_prefix : service->prefix;

    free(store->run_prefix);
    store->run_prefix = run_prefix;
    free(store->target.place);
    free(store->target.name_root);
    store->target.name_root = object_url(service, "");
    store->target.place = object_place(service, prefix, true);
}

/* ---- the manifest object ---- */

static int64_t read_manifest(void *arg, const char *name, char *text, size_t room, int64_t *age_s,
                             struct error *err)
{
    struct object_client *client = arg;
    char *key = mem_printf("%s%s", client->run_prefix, name);
    const struct object_call call = {
        .verb = OBJECT_GET, .key = key, .want_age = true, .into = text, .into_bytes = room};
    const struct object_call look = {.verb = OBJECT_STAT, .key = key, .want_age = true};
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error own = ERROR_INIT;
    int64_t length = -1;

    if (object_client_call(client, &call, "cannot read", &answer, &verdict, &own) != 0) {
        if (verdict.errnum == ENOENT && !verdict.no_place)
            length = LIFE_MISSING;
        else if (strcmp(verdict.code, "TooLong") == 0)
            length = LIFE_NONE_OF_OURS;
    } else if (text[strspn(text, " \t\r\n\357\273\277")] == '<') {
        /* answers to any request: a portal, a wrong port */
        (void)object_error(client->service, key, 0, "the reply is a web page, not", &own);
        error_advise(&own, "is this the endpoint of %s?", client->protocol->service);
    } else {
        length = (int64_t)answer->received_bytes;
        *age_s = answer->age_s;
        if (*age_s < 0 &&
            object_client_call(client, &look, "cannot look at", &answer, &verdict, &own) == 0)
            *age_s = answer->age_s;
    }
    if (length == -1 || length == LIFE_NONE_OF_OURS)
        *err = own;
    free(key);
    return length;
}

struct lister {
    void (*visit)(void *arg, const char *name);
    void *arg;
    size_t prefix_bytes;
};

static int visit_manifest(void *arg, const struct object_listed *listed, struct error *err)
{
    const struct lister *lister = arg;

    (void)err;
    lister->visit(lister->arg, listed->key + lister->prefix_bytes);
    return 0;
}

static int list_manifests(void *arg, void (*visit)(void *arg, const char *name), void *visit_arg,
                          struct error *err)
{
    struct object_client *client = arg;
    struct lister lister = {visit, visit_arg, strlen(client->run_prefix)};
    char *prefix = mem_printf("%s" LIFE_NAME, client->run_prefix);
    const int code = object_client_list(client, prefix, "/", visit_manifest, &lister, err);

    free(prefix);
    return code < 0 ? -1 : 0;
}

enum holding { HOLDS_UNKNOWN = -1, HOLDS_OTHER, HOLDS_BEGINNING, HOLDS_TEXT };

/* Compares an object with a text, byte by byte; OTHER also if it is missing.  UNKNOWN with err. */
static enum holding look_for_text(struct object_client *client, const char *key, const char *text,
                                  size_t length, struct error *err)
{
    char *found = mem_calloc(LIFE_TEXT_MAX, 1);
    const struct object_call call = {
        .verb = OBJECT_GET, .key = key, .into = found, .into_bytes = LIFE_TEXT_MAX};
    const struct object_answer *answer = NULL;
    const int there = object_client_try(client, &call, "cannot read", &answer, NULL, err);
    enum holding holding = HOLDS_OTHER;

    if (there < 0)
        holding = HOLDS_UNKNOWN;
    else if (there > 0 && answer->received_bytes <= length &&
             memcmp(text, found, (size_t)answer->received_bytes) == 0)
        holding = answer->received_bytes == length ? HOLDS_TEXT : HOLDS_BEGINNING;
    free(found);
    return holding;
}

static int remove_manifest(void *arg, const char *name, struct error *err)
{
    struct object_client *client = arg;
    char *key = mem_printf("%s%s", client->run_prefix, name);
    const struct object_call call = {.verb = OBJECT_DELETE, .key = key};
    const int code = object_client_try(client, &call, "cannot remove", NULL, NULL, err);

    free(key);
    return code < 0 ? -1 : 0;
}

/* Puts a text on the condition that the object does not exist.  Returns 0, 1: it exists, or -1; or
 * 2: only reading it shows whose it is.  If the answer to an earlier attempt was lost, a later one
 * finds our own object, complete or (gradual) truncated; after a single attempt, of perhaps several
 * requests, it is another run's, even one with the same text.  Not every server supports the
 * condition: then looks before. */
static int put_if_absent(struct object_client *client, struct object_call *call, struct error *err)
{
    const struct object_service *service = client->service;
    const uint64_t requests = atomic_load(&service->requests[OBJECT_PUT]);
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error own = ERROR_INIT;
    int code = object_client_call(client, call, "cannot write", &answer, &verdict, &own);
    /* the answer is the client's */
    const enum object_condition condition =
        code != 0 && verdict.errnum != EINTR && answer ? answer->condition : OBJECT_CONDITION_NONE;

    if (condition == OBJECT_CONDITION_UNMET)
        return atomic_load(&service->requests[OBJECT_PUT]) - requests >
                       object_requests_each(service, OBJECT_PUT)
                   ? 2
                   : 1;
    if (condition == OBJECT_CONDITION_NONE) {
        *err = code == 0 ? *err : own;
        return code;
    }
    code = object_client_has(client, call->key, err);
    call->only_if_absent = false;
    if (code == 0)
        code = object_client_call(client, call, "cannot write", &answer, NULL, err);
    return code == 0 ? 2 : code;
}

static int put_manifest(void *arg, const char *name, const char *text, size_t length,
                        struct error *err)
{
    struct object_client *client = arg;
    char *key = mem_printf("%s%s", client->run_prefix, name);
    struct object_call call = {
        .verb = OBJECT_PUT, .key = key, .only_if_absent = true, .body = text, .body_bytes = length};
    int code = put_if_absent(client, &call, err);

    for (bool again = client->service->gradual; code == 2; again = false) {
        const enum holding holding = look_for_text(client, key, text, length, err);

        code = holding == HOLDS_TEXT ? 0 : holding == HOLDS_UNKNOWN ? -1 : 1;
        if (holding == HOLDS_BEGINNING && again && call.only_if_absent) {
            code = remove_manifest(arg, name, err);
            code = code == 0 ? put_if_absent(client, &call, err) : code;
        }
    }
    free(key);
    return code;
}

const struct life_place *object_run_place(struct object_client *client, const char *prefix)
{
    client->run_prefix = prefix;
    client->place =
        (struct life_place){client, read_manifest, list_manifests, put_manifest, remove_manifest};
    return &client->place;
}

/* An object that is being put for the first time may be visible before it is complete. */
enum life_found object_run_look(struct object_client *client, const char *run_prefix,
                                struct life_manifest *manifest, int64_t *age_s, struct error *err)
{
    char run_name[TARGET_RUN_NAME_MAX + 1] = "";
    enum life_found found;

    *manifest = (struct life_manifest){0};
    if (!object_run_of_prefix(run_prefix, run_name))
        return LIFE_ABSENT;
    for (unsigned looks = 0;; looks++) {
        struct error own = ERROR_INIT;

        found = life_look(object_run_place(client, run_prefix), client->protocol->name, run_name,
                          manifest, age_s, &own);
        if (found != LIFE_TORN || !client->service->gradual || looks == LOOKS_MOST ||
            object_client_hurries(client)) {
            if (found != LIFE_READ && found != LIFE_ABSENT)
                *err = own;
            return found;
        }
        clock_rest((uint64_t)LOOK_NS << looks);
    }
}

enum life_found object_run_expect(struct object_store *store, struct error *err)
{
    struct life_run run = {.age_s = -1};
    struct error why = ERROR_INIT;

    run.found = object_run_look(store->client, store->run_prefix, &run.manifest, &run.age_s, &why);
    store->manifest = run.manifest;
    if (life_expect(&run, store->target.request, "object", store->target.place, &why, err) == 0)
        return LIFE_READ;
    return run.found == LIFE_READ ? LIFE_ERROR : run.found;
}

/* Whether the removed first manifest still exists; another run may have taken the name. */
static bool is_still_there(struct object_client *client, const char *run_prefix,
                           const struct life_manifest *removed)
{
    struct error ignored = ERROR_INIT;
    struct life_manifest now;
    bool same = object_run_look(client, run_prefix, &now, NULL, &ignored) == LIFE_READ &&
                now.state.begun_s == removed->state.begun_s && now.seed == removed->seed;

    life_manifest_free(&now);
    return same;
}

int object_manifest_remove(struct object_client *client, const char *run_prefix,
                           const struct life_manifest *manifest, struct error *err)
{
    int code = life_remove(object_run_place(client, run_prefix), manifest, err);
    char *key;

    for (unsigned looks = 0; code == 0 && is_still_there(client, run_prefix, manifest); looks++) {
        if (looks == LOOKS_MOST || object_client_hurries(client)) {
            key = mem_printf("%s" LIFE_FIRST, run_prefix);
            code = object_removal_no_effect(client->service, key, err);
            free(key);
            break;
        }
        clock_rest((uint64_t)LOOK_NS << looks);
    }
    return code;
}

/* Whether the first manifest of this run exists: 1 or 0, or -1. */
static int look_back(const struct object_store *store, struct object_client *client,
                     struct error *err)
{
    struct life_manifest there;
    const enum life_found found = object_run_look(client, store->run_prefix, &there, NULL, err);
    const bool ours = found == LIFE_TORN ||
                      (found == LIFE_READ && there.state.owner == store->manifest.state.owner);

    life_manifest_free(&there);
    return found == LIFE_ERROR ? -1 : ours;
}

bool object_run_take_back(struct object_store *store)
{
    struct object_client *client = NULL;
    struct error own = ERROR_INIT;
    int ours = -1;

    atomic_store(&store->service->budget, UINT64_MAX);
    if (object_client_create(store->service, NULL, &client, &own) == 0)
        ours = look_back(store, client, &own);
    if (ours == 0) { /* it may still appear */
        object_removal_pause();
        ours = look_back(store, client, &own);
    }
    if (ours > 0 && object_manifest_remove(client, store->run_prefix, &store->manifest, &own) != 0)
        ours = -1;
    if (ours >= 0)
        (void)object_place_remove(client, store->run_prefix, &own);
    object_client_destroy(client);
    return ours > 0;
}

/* ---- the place ---- */

struct first_keys {
    char *key[KEYS_MOST];
    unsigned count;
};

static int visit_first(void *arg, const struct object_listed *listed, struct error *err)
{
    struct first_keys *first = arg;

    (void)err;
    first->key[first->count++] = mem_strdup(listed->key);
    return first->count == KEYS_MOST;
}

int object_place_holds(struct object_client *client, const char *prefix, char **key,
                       struct error *err)
{
    struct first_keys first = {.count = 0};
    int code = object_client_list(client, prefix, NULL, visit_first, &first, err) < 0 ? -1 : 0;

    for (unsigned i = 0; i < first.count; i++) {
        if (code == 0)
            code = object_client_has(client, first.key[i], err);
        if (code != 0 && !*key)
            *key = first.key[i];
        else
            free(first.key[i]);
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

int object_place_remove(struct object_client *client, const char *key, struct error *err)
{
    const struct object_call call = {.verb = OBJECT_DELETE, .key = key};
    struct object_verdict verdict;
    struct error own = ERROR_INIT;

    if (!client->protocol->make_place ||
        object_client_try(client, &call, "cannot remove the directory", NULL, &verdict, &own) >=
            0 ||
        verdict.errnum == ENOTEMPTY)
        return 0;
    *err = own;
    return -1;
}

/* Whether the service keeps that place: 1, also if an object has its name, 0, or -1. */
static int place_exists(struct object_client *client, const char *key, struct error *err)
{
    const struct object_call call = {.verb = OBJECT_STAT, .key = key};
    struct object_verdict verdict = {0};
    const int code = client->protocol->make_place
                         ? object_client_try(client, &call, "cannot look for", NULL, &verdict, err)
                         : 0;

    return code == 0 ? verdict.is_place : code;
}

/* A place that the service keeps would not be the run's if it existed before. */
int object_run_expect_empty(struct object_store *store, struct error *err)
{
    char *key = NULL;
    int code = object_place_holds(store->client, store->run_prefix, &key, err);

    if (code < 0 && !key && err->errnum == EACCES) /* writing may be allowed, listing not */
        code = 0;
    if (code == 0)
        code = place_exists(store->client, store->run_prefix, err);
    if (code > 0)
        code = name_is_taken(store, key ? key : store->run_prefix, err);
    free(key);
    return code;
}
