/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* run.c - the manifest of a run as an object of its store, the first that is put there and the last
 * that is removed; and the command that removes a run later. */
#include "base/compat.h"

#include "target/object/removal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"

#define LOOKS_MOST 3u /* for a manifest that was removed, with a pause between that doubles */
#define LOOK_NS    250000000u

const volatile int object_never_stop = 0;

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
    char *target = service->protocol->url(service, run_prefix);
    char *word, *options = service->protocol->reach(service), *command;

    target[strlen(target) - 1] = '\0'; /* "/" */
    word = text_shell_word(target);
    command = mem_printf("iosweep clean %s%s", word, options);
    free(word);
    free(options);
    free(target);
    return command;
}

char *object_clean_named(const struct object_service *service, const char *target,
                         const char *run_name)
{
    char *word = text_shell_word(target), *options = service->protocol->reach(service);
    char *command = mem_printf("iosweep clean --run-name %s %s%s", run_name, word, options);

    free(options);
    free(word);
    return command;
}

/* ---- the manifest object ---- */

/* What answers to everything: a portal, a wrong port. */
static bool is_page(const char *text)
{
    return text[strspn(text, " \t\r\n\357\273\277")] == '<';
}

static enum object_manifest_found get_once(struct object_client *client,
                                           const struct object_service *service,
                                           const char *run_prefix, struct object_manifest *manifest,
                                           int64_t *age_s, bool *invalid, struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix), *url;
    char *text = mem_calloc(OBJECT_MANIFEST_TEXT_MAX, 1), run_name[OBJECT_RUN_NAME_MAX + 1] = "";
    const struct object_call call = {.verb = OBJECT_GET,
                                     .key = key,
                                     .want_age = true,
                                     .into = text,
                                     .into_bytes = OBJECT_MANIFEST_TEXT_MAX};
    enum object_manifest_found found = OBJECT_MANIFEST_ERROR;
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    bool wrong = false;

    *manifest = (struct object_manifest){0};
    if (object_client_call(client, &call, "cannot read", &answer, &verdict, err) != 0) {
        if (verdict.errnum == ENOENT && !verdict.no_place) {
            *err = ERROR_INIT;
            found = OBJECT_MANIFEST_ABSENT;
        }
        wrong = strcmp(verdict.code, "TooLong") == 0;
    } else if (is_page(text)) {
        url = service->protocol->url(service, key);
        error_set(err, STATUS_TARGET, 0, "the reply is a web page, not", url);
        error_advise(err, "is this the endpoint of %s?", service->protocol->service);
        free(url);
    } else if (object_manifest_parse(text, (size_t)answer->received_bytes, manifest, err) != 0) {
        wrong = true;
    } else if (strcmp(manifest->protocol, service->protocol->name) != 0 ||
               !object_run_of_prefix(run_prefix, run_name) ||
               strcmp(run_name, manifest->run_name) != 0) {
        wrong = true;
        url = service->protocol->url(service, key);
        error_set(err, STATUS_TARGET, 0, "the manifest of another run is in", url);
        free(url);
        free(manifest->set);
        *manifest = (struct object_manifest){0};
    } else {
        found = OBJECT_MANIFEST_READ;
        snprintf(manifest->etag, sizeof(manifest->etag), "%s", answer->etag);
        if (age_s)
            *age_s = answer->age_s;
    }
    if (invalid)
        *invalid = wrong;
    free(text);
    free(key);
    return found;
}

/* What is being put for the first time may be seen before all of it is there. */
enum object_manifest_found object_manifest_get(struct object_client *client,
                                               const struct object_service *service,
                                               const char *run_prefix,
                                               struct object_manifest *manifest, int64_t *age_s,
                                               bool *invalid, struct error *err)
{
    const struct error before = *err;
    enum object_manifest_found found;
    bool wrong = false;

    for (unsigned looks = 0;; looks++) {
        found = get_once(client, service, run_prefix, manifest, age_s, &wrong, err);
        if (!wrong || !service->gradual || looks == LOOKS_MOST || object_client_hurries(client))
            break;
        *err = before;
        clock_rest((uint64_t)LOOK_NS << looks);
    }
    if (invalid)
        *invalid = wrong;
    return found;
}

/* Whether the manifest that was removed is still there; another run may have taken the name. */
static bool is_still_there(struct object_client *client, const struct object_service *service,
                           const char *run_prefix, const struct object_manifest *removed)
{
    struct error ignored = ERROR_INIT;
    struct object_manifest now;
    bool same;

    if (object_manifest_get(client, service, run_prefix, &now, NULL, NULL, &ignored) !=
        OBJECT_MANIFEST_READ)
        return false;
    same = now.begun_s == removed->begun_s && now.seed == removed->seed;
    free(now.set);
    return same;
}

int object_manifest_remove(struct object_client *client, const struct object_service *service,
                           const char *run_prefix, const struct object_manifest *manifest,
                           struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    const struct object_call call = {.verb = OBJECT_DELETE, .key = key};
    const struct object_answer *answer;
    struct object_verdict verdict;
    struct error own = ERROR_INIT;
    int code = object_client_call(client, &call, "cannot remove", &answer, &verdict, &own);

    if (code == 0) {
        for (unsigned looks = 0; is_still_there(client, service, run_prefix, manifest); looks++) {
            if (looks == LOOKS_MOST || object_client_hurries(client)) {
                code = object_removal_no_effect(service, key, err);
                break;
            }
            clock_rest((uint64_t)LOOK_NS << looks);
        }
    } else if (verdict.errnum == ENOENT) {
        code = 0;
    } else {
        *err = own;
    }
    free(key);
    return code;
}

int object_manifest_is(struct object_client *client, const char *run_prefix,
                       const struct object_manifest *manifest, struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    char *text = object_manifest_format(manifest), *found = mem_calloc(OBJECT_MANIFEST_TEXT_MAX, 1);
    const struct object_call call = {
        .verb = OBJECT_GET, .key = key, .into = found, .into_bytes = OBJECT_MANIFEST_TEXT_MAX};
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error own = ERROR_INIT;
    int result;

    if (object_client_call(client, &call, "cannot read", &answer, &verdict, &own) == 0)
        result = answer->received_bytes == strlen(text) && memcmp(text, found, strlen(text)) == 0;
    else
        result = verdict.errnum == ENOENT ? 0 : -1;
    if (result < 0)
        *err = own;
    free(found);
    free(text);
    free(key);
    return result;
}

/* When the answer to an earlier attempt was lost on the way, a later one finds our own object
 * there.  After a single attempt it is another run's, even one with the same words. */
static bool put_by_lost_attempt(struct object_client *client, const char *run_prefix,
                                const struct object_manifest *manifest, bool repeated)
{
    struct error ignored = ERROR_INIT;

    return repeated && object_manifest_is(client, run_prefix, manifest, &ignored) > 0;
}

/* The service gives files no new names, or not to us: what it says of that, nothing else. */
static bool cannot_rename(const struct object_verdict *verdict)
{
    return verdict->errnum == EINVAL || verdict->errnum == EOPNOTSUPP ||
           verdict->errnum == EACCES ||
           (verdict->class == OBJECT_SERVER_ERROR && !verdict->retryable);
}

static int name_is_taken(const struct object_service *service, const char *key, struct error *err)
{
    char *url = service->protocol->url(service, key);

    error_set(err, STATUS_TARGET, EEXIST, "a manifest already exists:", url);
    free(url);
    return -1;
}

/* HDFS gives no name that something has; what HttpFS stands before may, so it is looked for first.
 * *settled: nothing of it comes any more.  Returns 0, -1, or 1: the service cannot do that. */
static int give_name(struct object_client *client, const char *run_prefix,
                     const struct object_manifest *manifest, const struct object_call *rename,
                     bool *settled, struct error *err)
{
    const struct object_service *service = object_client_service(client);
    const uint64_t requests = atomic_load(&service->requests[OBJECT_RENAME]);
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error ignored = ERROR_INIT;
    int there = object_removal_is_there(client, rename->key, err);

    if (there != 0)
        return there > 0 ? name_is_taken(service, rename->key, err) : -1;
    if (object_client_call(client, rename, "cannot rename to", &answer, &verdict, err) == 0)
        return 0;
    *settled =
        answer && answer->settled && atomic_load(&service->requests[OBJECT_RENAME]) - requests <= 1;
    if (verdict.errnum == ENOENT) { /* the service says no more than no */
        if (object_manifest_is(client, run_prefix, manifest, &ignored) > 0) {
            *err = ERROR_INIT; /* an attempt whose answer was lost */
            return 0;
        }
        if (object_removal_is_there(client, rename->key, &ignored) > 0)
            err->errnum = EEXIST;
        return -1;
    }
    if (!*settled || !cannot_rename(&verdict))
        return -1;
    *err = ERROR_INIT;
    return 1;
}

/* Whoever looks sees all of it or nothing, and what is left of one that was cut off is nobody's
 * manifest: it is put under another name, and has its own when nothing has that yet.  Returns 0,
 * -1, or 1: the service cannot do that, and nothing is left. */
static int put_and_rename(struct object_client *client, const char *run_prefix,
                          const struct object_manifest *manifest, const struct object_call *put,
                          bool *unsure, struct error *err)
{
    const struct object_service *service = object_client_service(client);
    const uint64_t unsure_before = atomic_load(&service->unsure);
    char *new_key = object_manifest_new_key(run_prefix, manifest);
    const struct object_call rename = {
        .verb = OBJECT_RENAME, .key = put->key, .source_key = new_key};
    const struct object_call delete = {.verb = OBJECT_DELETE, .key = new_key};
    const struct object_manifest place = {.place_found = manifest->place_found}; /* no sets yet */
    struct object_call call = *put;
    struct error ignored = ERROR_INIT;
    struct object_verdict verdict = {0};
    const struct object_answer *answer = NULL;
    bool settled = true;
    int code;

    call.key = new_key;
    call.only_if_absent = false; /* nobody else has drawn this name */
    code = object_client_call(client, &call, "cannot write", &answer, &verdict, err);
    if (code == 0)
        code = give_name(client, run_prefix, manifest, &rename, &settled, err);
    *unsure = code < 0 && (!settled || atomic_load(&service->unsure) > unsure_before);
    /* who is unsure looks back; a name that somebody has is not looked at again */
    if (code != 0 && (!*unsure || err->errnum == EEXIST)) {
        if (object_client_call(client, &delete, "cannot remove", &answer, &verdict, &ignored) != 0)
            *unsure = *unsure || verdict.errnum != ENOENT;
        (void)object_place_remove(client, run_prefix, &place, &ignored);
    }
    free(new_key);
    return code;
}

/* On the condition that there is none. */
static int put_directly(struct object_client *client, const struct object_service *service,
                        const char *run_prefix, const struct object_manifest *manifest,
                        struct object_call call, bool *unsure, struct error *err)
{
    const uint64_t requests = atomic_load(&service->requests[OBJECT_PUT]);
    const uint64_t unsure_before = atomic_load(&service->unsure);
    struct object_verdict verdict = {0};
    const struct object_answer *answer = NULL;
    int code = object_client_call(client, &call, "cannot write", &answer, &verdict, err);

    if (code != 0 && verdict.errnum != EINTR && answer) {
        const enum object_condition condition = answer->condition; /* the answer is the client's */
        /* in requests, of which a call may be several */
        const bool repeated = atomic_load(&service->requests[OBJECT_PUT]) - requests >
                              object_requests_each(service, OBJECT_PUT);
        if (condition == OBJECT_CONDITION_UNMET) {
            if (put_by_lost_attempt(client, run_prefix, manifest, repeated)) {
                *err = ERROR_INIT;
                code = 0;
            } else {
                err->errnum = EEXIST;
            }
        } else if (condition ==
                   OBJECT_CONDITION_UNKNOWN) { /* not every server knows the condition */
            *err = ERROR_INIT;
            call.only_if_absent = false;
            code = object_client_call(client, &call, "cannot write", &answer, NULL, err);
        }
    }
    *unsure = code != 0 && atomic_load(&service->unsure) > unsure_before;
    return code;
}

int object_manifest_put(struct object_client *client, const struct object_service *service,
                        const char *run_prefix, const struct object_manifest *manifest,
                        bool *unsure, struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    char *text = object_manifest_format(manifest);
    const struct object_call call = {.verb = OBJECT_PUT,
                                     .key = key,
                                     .only_if_absent = true,
                                     .body = text,
                                     .body_bytes = strlen(text)};
    bool left = false; /* something of it under another name */
    int code = 1;

    *unsure = false;
    if (service->gradual)
        code = put_and_rename(client, run_prefix, manifest, &call, &left, err);
    if (code > 0)
        code = put_directly(client, service, run_prefix, manifest, call, unsure, err);
    *unsure = code != 0 && (*unsure || left);
    free(text);
    free(key);
    return code;
}

/* The answer to an attempt can be lost on the way, and a later one does not find the old name. */
static bool is_replaced(struct object_client *client, const char *run_prefix,
                        const struct object_manifest *manifest,
                        const struct object_verdict *verdict)
{
    struct error ignored = ERROR_INIT;

    return verdict->errnum == ENOENT &&
           object_manifest_is(client, run_prefix, manifest, &ignored) > 0;
}

/* Put under another name and renamed: nobody reads half of it, nor is half of it left when the
 * service fails meanwhile.  Returns 0, -1, or 1: the service cannot do that. */
static int replace_manifest(struct object_client *client, const char *run_prefix,
                            const struct object_manifest *manifest, const struct object_call *put,
                            atomic_uint_least64_t *renewals_dropped, struct error *err)
{
    char *new_key = object_manifest_new_key(run_prefix, manifest);
    const char *const key = new_key;
    struct object_call call = *put;
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error ignored = ERROR_INIT;
    uint64_t removed = 0;
    int code;

    call.key = new_key;
    code = object_client_call(client, &call, "cannot write", &answer, &verdict, err);
    if (code != 0 && answer && !answer->settled && answer->verdict.errnum == EINTR)
        atomic_fetch_add(renewals_dropped, 1);
    if (code == 0) {
        call = (struct object_call){
            .verb = OBJECT_RENAME, .key = put->key, .source_key = new_key, .replaces = true};
        code = object_client_call(client, &call, "cannot rename to", &answer, &verdict, err);
        if (code != 0 && is_replaced(client, run_prefix, manifest, &verdict))
            code = 0;
        else if (code != 0 && (verdict.errnum == ENOENT || cannot_rename(&verdict)))
            code = 1;
        if (code >= 0)
            *err = ERROR_INIT;
    }
    if (code != 0)
        (void)object_client_delete(client, &key, 1, &removed, &ignored);
    free(new_key);
    return code;
}

int object_manifest_renew(struct object_client *client, const char *run_prefix,
                          const struct object_manifest *manifest, const char *etag,
                          struct error *err)
{
    struct object_service *service = object_client_service(client);
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    char *text = object_manifest_format(manifest);
    struct object_call call = {.verb = OBJECT_PUT,
                               .key = key,
                               .only_over = etag[0] != '\0' ? etag : NULL,
                               .body = text,
                               .body_bytes = strlen(text)};
    struct object_verdict verdict = {0};
    const struct object_answer *answer = NULL;
    int code = 1;

    if (service->gradual)
        code =
            replace_manifest(client, run_prefix, manifest, &call, &service->renewals_dropped, err);
    if (code > 0)
        code = object_client_call(client, &call, "cannot write", &answer, &verdict, err);

    if (code != 0 && call.only_over && answer) {
        if (answer->condition == OBJECT_CONDITION_UNMET) {
            err->errnum = ESTALE;
        } else if (answer->condition == OBJECT_CONDITION_UNKNOWN) { /* not every server knows it */
            *err = ERROR_INIT;
            call.only_over = NULL;
            code = object_client_call(client, &call, "cannot write", &answer, NULL, err);
        }
    }
    free(text);
    free(key);
    return code;
}

/* Removes what was put of the manifest under another name, and looks for it under its own.  Returns
 * 1: it is there and ours, 0: it is not, -1. */
static int look_back(const struct object_store *store, struct object_client *client, bool *cut,
                     struct error *err)
{
    const struct object_target *base = &store->base;
    const struct object_answer *answer;
    struct error ignored = ERROR_INIT;

    if (base->service->gradual) {
        char *new_key = object_manifest_new_key(base->run_prefix, &store->manifest);
        const struct object_call call = {.verb = OBJECT_DELETE, .key = new_key};
        *cut |= object_client_call(client, &call, "cannot remove", &answer, NULL, &ignored) == 0;
        free(new_key);
    }
    return object_manifest_is(client, base->run_prefix, &store->manifest, err);
}

void object_run_take_back(struct object_store *store)
{
    struct object_target *base = &store->base;
    struct object_client *client = NULL;
    struct error own = ERROR_INIT;
    char *command, shown[1024];
    bool cut = false; /* what was put of it is gone: nothing comes any more */
    int ours = -1;

    atomic_store(&base->service->budget, UINT64_MAX);
    if (object_client_create(base->service, &object_never_stop, &client, &own) == 0)
        ours = look_back(store, client, &cut, &own);
    if (ours == 0 && !cut) {
        object_removal_pause();
        ours = look_back(store, client, &cut, &own);
    }
    if (ours > 0)
        ours = object_manifest_remove(client, base->service, base->run_prefix, &store->manifest,
                                      &own) == 0
                   ? 1
                   : -1;
    if (ours >= 0 && !store->manifest.place_found)
        (void)object_place_remove(client, base->run_prefix, NULL, &own);
    object_client_destroy(client);
    if (ours > 0 || (ours == 0 && cut))
        return;
    command = object_clean_command(base->service, base->run_prefix);
    log_warn("the manifest of this run may be left; to remove it: %s",
             error_printable(command, shown, sizeof(shown)));
    free(command);
}
