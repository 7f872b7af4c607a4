/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* run.c - the manifest of a run as an object of its store, the first one put and the last one
 * removed; and the command that removes a run later. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"

#define LOOKS_MOST 3u /* for a removed manifest, with a doubling pause in between */
#define LOOK_NS    250000000u

void object_add_option(char **command, const char *option, const char *value)
{
    char *word = value ? text_shell_word(value) : NULL;

    if (value)
        mem_append(command, " --%s %s", option, word);
    free(word);
}

void object_add_flag(char **command, const char *option, bool given)
{
    if (given)
        mem_append(command, " --%s", option);
}

char *object_clean_command(const struct object_service *service, const char *run_prefix)
{
    char *target = service->protocol->url(service, run_prefix), *command;

    target[strlen(target) - 1] = '\0'; /* "/" */
    command = object_clean_named(service, target, NULL);
    free(target);
    return command;
}

char *object_clean_named(const struct object_service *service, const char *target,
                         const char *run_name)
{
    char *options = service->protocol->reach(service);
    char *command = life_clean_command(run_name, target, options);

    free(options);
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
    store->target.name_root = service->protocol->url(service, "");
    store->target.place = service->protocol->place(service, prefix);
}

/* ---- the manifest object ---- */

static struct object_run *run_of(void *arg)
{
    return arg;
}

static int64_t read_manifest(void *arg, const char *name, char *text, size_t room, int64_t *age_s,
                             struct error *err)
{
    const struct object_run *run = run_of(arg);
    const struct object_service *service = object_client_service(run->client);
    char *key = mem_printf("%s%s", run->prefix, name);
    const struct object_call call = {
        .verb = OBJECT_GET, .key = key, .want_age = true, .into = text, .into_bytes = room};
    const struct object_call look = {.verb = OBJECT_STAT, .key = key, .want_age = true};
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error own = ERROR_INIT;
    int64_t length = -1;

    if (object_client_call(run->client, &call, "cannot read", &answer, &verdict, &own) != 0) {
        if (verdict.errnum == ENOENT && !verdict.no_place)
            length = LIFE_MISSING;
        else if (strcmp(verdict.code, "TooLong") == 0)
            length = LIFE_NONE_OF_OURS;
    } else if (text[strspn(text, " \t\r\n\357\273\277")] == '<') {
        /* answers to any request: a portal, a wrong port */
        (void)object_error(service, key, 0, "the reply is a web page, not", &own);
        error_advise(&own, "is this the endpoint of %s?", service->protocol->service);
    } else {
        length = (int64_t)answer->received_bytes;
        *age_s = answer->age_s;
        if (*age_s < 0 &&
            object_client_call(run->client, &look, "cannot look at", &answer, &verdict, &own) == 0)
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
    const struct object_run *run = run_of(arg);
    struct lister lister = {visit, visit_arg, strlen(run->prefix)};
    char *prefix = mem_printf("%s" LIFE_NAME, run->prefix);
    const int code = object_client_list_level(run->client, prefix, visit_manifest, &lister, err);

    free(prefix);
    return code < 0 ? -1 : 0;
}

enum holding { HOLDS_UNKNOWN = -1, HOLDS_OTHER, HOLDS_BEGINNING, HOLDS_TEXT };

/* Compares an object with a text, byte by byte; OTHER also if it is missing.  UNKNOWN with err. */
static enum holding look_for_text(const struct object_run *run, const char *key, const char *text,
                                  size_t length, struct error *err)
{
    char *found = mem_calloc(LIFE_TEXT_MAX, 1);
    const struct object_call call = {
        .verb = OBJECT_GET, .key = key, .into = found, .into_bytes = LIFE_TEXT_MAX};
    const struct object_answer *answer = NULL;
    const int there = object_client_try(run->client, &call, "cannot read", &answer, NULL, err);
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
    const struct object_run *run = run_of(arg);
    char *key = mem_printf("%s%s", run->prefix, name);
    const struct object_call call = {.verb = OBJECT_DELETE, .key = key};
    const int code = object_client_try(run->client, &call, "cannot remove", NULL, NULL, err);

    free(key);
    return code < 0 ? -1 : 0;
}

/* If the answer to an earlier attempt was lost, a later one finds our own object, complete or
 * (gradual) truncated.  After a single attempt it is another run's, even one with the same text. */
static enum holding look_for_attempt(const struct object_run *run, const struct object_call *call,
                                     uint64_t requests)
{
    const struct object_service *service = object_client_service(run->client);
    struct error ignored = ERROR_INIT;

    return atomic_load(&service->requests[OBJECT_PUT]) - requests >
                   object_requests_each(service, OBJECT_PUT) /* a call may take several */
               ? look_for_text(run, call->key, call->body, (size_t)call->body_bytes, &ignored)
               : HOLDS_OTHER;
}

/* Not every server supports the condition: checks the object before and afterwards. */
static int put_without_condition(const struct object_run *run, struct object_call *call,
                                 struct error *err)
{
    const struct object_answer *answer = NULL;
    const int there = object_client_has(run->client, call->key, err);
    enum holding holding;

    if (there != 0)
        return there;
    call->only_if_absent = false;
    if (object_client_call(run->client, call, "cannot write", &answer, NULL, err) != 0)
        return -1;
    holding = look_for_text(run, call->key, call->body, (size_t)call->body_bytes, err);
    return holding == HOLDS_UNKNOWN ? -1 : holding != HOLDS_TEXT;
}

static int put_once(const struct object_run *run, struct object_call *call, enum holding *holding,
                    struct error *err)
{
    const struct object_service *service = object_client_service(run->client);
    const uint64_t requests = atomic_load(&service->requests[OBJECT_PUT]);
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error own = ERROR_INIT;
    int code = object_client_call(run->client, call, "cannot write", &answer, &verdict, &own);

    if (code != 0 && verdict.errnum != EINTR && answer) {
        const enum object_condition condition = answer->condition; /* the client owns the answer */

        if (condition == OBJECT_CONDITION_UNMET) {
            *holding = look_for_attempt(run, call, requests);
            code = *holding != HOLDS_TEXT;
        } else if (condition == OBJECT_CONDITION_UNKNOWN) {
            own = ERROR_INIT;
            code = put_without_condition(run, call, &own);
        }
    }
    if (code < 0)
        *err = own;
    return code;
}

static int put_manifest(void *arg, const char *name, const char *text, size_t length,
                        struct error *err)
{
    const struct object_run *run = run_of(arg);
    char *key = mem_printf("%s%s", run->prefix, name);
    struct object_call call = {
        .verb = OBJECT_PUT, .key = key, .only_if_absent = true, .body = text, .body_bytes = length};
    enum holding holding = HOLDS_OTHER;
    int code = put_once(run, &call, &holding, err);

    if (code > 0 && holding == HOLDS_BEGINNING && object_client_service(run->client)->gradual) {
        code = remove_manifest(arg, name, err);
        if (code == 0)
            code = put_once(run, &call, &holding, err);
    }
    free(key);
    return code;
}

const struct life_place *object_run_place(struct object_client *client, const char *prefix)
{
    struct object_run *run = object_client_run(client);

    *run = (struct object_run){
        .client = client,
        .prefix = prefix,
        .place = {run, read_manifest, list_manifests, put_manifest, remove_manifest}};
    return &run->place;
}

/* An object that is being put for the first time may be visible before it is complete. */
enum life_found object_run_look(struct object_client *client, const char *run_prefix,
                                struct life_manifest *manifest, int64_t *age_s, struct error *err)
{
    const struct object_service *service = object_client_service(client);
    char run_name[TARGET_RUN_NAME_MAX + 1] = "";
    enum life_found found = LIFE_ABSENT;
    struct life_manifest unused;

    if (!manifest) {
        found = object_run_look(client, run_prefix, &unused, age_s, err);
        life_manifest_free(&unused);
        return found;
    }
    *manifest = (struct life_manifest){0};
    if (!object_run_of_prefix(run_prefix, run_name))
        return LIFE_ABSENT;
    for (unsigned looks = 0;; looks++) {
        struct error own = ERROR_INIT;

        found = life_look(object_run_place(client, run_prefix), service->protocol->name, run_name,
                          manifest, age_s, &own);
        if (found != LIFE_TORN || !service->gradual || looks == LOOKS_MOST ||
            object_client_hurries(client)) {
            if (found != LIFE_READ && found != LIFE_ABSENT)
                *err = own;
            return found;
        }
        clock_rest((uint64_t)LOOK_NS << looks);
    }
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
    const struct object_service *service = object_client_service(client);
    int code = life_remove(object_run_place(client, run_prefix), manifest, err);
    char *key;

    for (unsigned looks = 0; code == 0 && is_still_there(client, run_prefix, manifest); looks++) {
        if (looks == LOOKS_MOST || object_client_hurries(client)) {
            key = mem_printf("%s" LIFE_FIRST, run_prefix);
            code = object_removal_no_effect(service, key, err);
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
    if (ours >= 0 && !store->manifest.place_found)
        (void)object_place_remove(client, store->run_prefix, NULL, &own);
    object_client_destroy(client);
    return ours > 0;
}
