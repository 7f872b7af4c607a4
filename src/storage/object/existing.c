/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* existing.c - existing objects, for reading (-r): those of a kept run, by its manifest and so by
 * name alone, or any below the prefix.  Nothing is written. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "storage/object/object.h"

#define LISTING_CUT 1 /* returned by visits to end a list early */

/* ---- any objects ---- */

struct found {
    struct object_store *store;
    struct life_objects objects;
    bool empty, cut;
    const char *only; /* the requested key; NULL: all */
};

static int visit_object(void *arg, const struct object_listed *listed, struct error *err)
{
    struct found *found = arg;

    (void)err;
    if ((found->only && strcmp(listed->key, found->only) != 0) ||
        strlen(listed->key) >= OBJECT_KEY_BYTES)
        return 0;
    if (listed->size_bytes == 0) {
        found->empty = true;
        return 0;
    }
    found->cut = found->objects.count == LIFE_OBJECTS_MAX;
    if (found->cut)
        return LISTING_CUT;
    life_objects_add(&found->objects, mem_strdup(listed->key), listed->size_bytes);
    return found->only ? LISTING_CUT : 0;
}

static bool has_manifest(void *arg, const char *root)
{
    const struct found *found = arg;
    struct error ignored = ERROR_INIT; /* reported when it is opened for reading */
    struct life_manifest manifest = {0};
    char *prefix = mem_printf("%s/", root);
    const enum life_found run =
        object_run_look(found->store->client, prefix, &manifest, NULL, &ignored);

    life_manifest_free(&manifest);
    free(prefix);
    return run != LIFE_ABSENT;
}

/* Returns 0, 1: all objects belong to a single run (run_prefix), or -1. */
static int choose_found(struct found *found, struct error *err)
{
    const struct life_choice choice = {.arg = found,
                                       .request = found->store->target.request,
                                       .noun = "object",
                                       .place = "prefix",
                                       .is_run = has_manifest,
                                       .empty = found->empty};
    char *root = NULL;
    const int code = life_choose(&choice, &found->objects, &root, err);

    if (code > 0)
        object_store_enter(found->store, mem_printf("%s/", root));
    free(root);
    return code;
}

/* Nothing is below the prefix: it may be the name of an object itself.  In most lists of keys that
 * begin with it that is the first, but not all lists are sorted. */
static int find_one(const struct object_store *store, struct found *found, struct error *err)
{
    const char *prefix = store->service->prefix;
    char *key;
    int code;

    if (!prefix[0])
        return 0;
    found->only = key = mem_printf("%.*s", (int)strlen(prefix) - 1, prefix);
    code = object_client_has(store->client, key, err);
    if (code > 0)
        code = object_client_list(store->client, key, NULL, visit_object, found, err);
    free(key);
    return code;
}

/* Enters the run requested by name, or as the target itself.  False: none. */
static bool name_run(struct object_store *store)
{
    const struct target_request *request = store->target.request;
    const char *prefix = store->service->prefix;
    char run_name[TARGET_RUN_NAME_MAX + 1];

    if (!request->named && !object_run_of_prefix(prefix, run_name))
        return false;
    object_store_enter(store, request->named
                                  ? mem_printf("%s" LIFE_PREFIX "%s/", prefix, request->run_name)
                                  : mem_strdup(prefix));
    return true;
}

/* Opens the run of store->run_prefix, which a running owner may change.  READ: its objects become
 * the target's; else err. */
static enum life_found open_run(struct object_store *store, struct error *err)
{
    const enum life_found found = object_run_expect(store, err);

    return found == LIFE_READ && object_existing_take(store, err) != 0 ? LIFE_ERROR : found;
}

static int open_any(struct object_store *store, struct error *err)
{
    const char *label = store->target.request->target;
    struct found found = {.store = store};
    int code;

    if (store->target.request->verify)
        return error_refuse(err, STATUS_TARGET, "--verify cannot know the contents of", label,
                            "name a kept run with --run-name, or leave it out");
    code =
        object_client_list(store->client, store->service->prefix, NULL, visit_object, &found, err);
    if (code >= 0 && found.objects.count == 0 && !found.empty)
        code = find_one(store, &found, err);
    if (code >= 0)
        code = choose_found(&found, err);
    if (code > 0) {
        code = open_run(store, err) == LIFE_READ ? 0 : -1;
    } else if (code == 0) {
        object_store_enter(store, mem_strdup(""));
        if (found.cut)
            log_warn("%s: only the first %u objects are used", label, LIFE_OBJECTS_MAX);
        life_objects_sort(&found.objects);
        object_sets_make_found(store, &found.objects);
    }
    life_objects_free(&found.objects);
    return code;
}

/* ---- a kept run ---- */

struct census {
    struct object_store *store;
    struct object_numbers *there; /* of each set of the manifest */
    uint64_t grown;               /* number of objects in sets that grow */
    char *wrong_length;           /* the first key */
};

/* Reads sets without a count if they grow, or for removal: of objects that slices moved or left. */
static bool is_read(const struct object_store *store, enum life_kind kind)
{
    return object_set_grows(kind) || store->retires;
}

static int visit_kept(void *arg, const struct object_listed *listed, struct error *err)
{
    struct census *census = arg;
    const struct object_store *store = census->store;
    const struct life_manifest *manifest = &store->manifest;
    struct object_numbers *there;
    uint64_t object;
    unsigned set;

    (void)err;
    if (!object_manifest_owns(manifest, listed->key + strlen(store->run_prefix), &set, &object))
        return 0;
    if (manifest->set[set].count == 0 && (!is_read(store, manifest->set[set].kind) ||
                                          object > UINT32_MAX || census->grown == LIFE_OBJECTS_MAX))
        return 0;
    /* of our own run, numbers that were not assigned are foreign */
    if (store->from && object >= atomic_load(&store->from->taken))
        return 0;
    if (store->retires && !store->from /* also removes the run's own incomplete objects */
            ? object_manifest_judge(manifest, set, store->service, listed->size_bytes) != OBJECT_OWN
            : listed->size_bytes != manifest->set[set].size_bytes) {
        if (!census->wrong_length && !store->from)
            census->wrong_length = mem_strdup(listed->key);
        return 0;
    }
    census->grown += manifest->set[set].count == 0;
    there = &census->there[set];
    there->number = mem_grow(there->number, &there->room, there->count + 1, sizeof(*there->number));
    there->number[there->count++] = (uint32_t)object;
    return 0;
}

static int number_order(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* Lists may have any order, and name an object twice. */
static void sort_numbers(struct object_numbers *there)
{
    uint32_t count = 0;

    if (there->count > 0)
        qsort(there->number, there->count, sizeof(*there->number), number_order);
    for (uint32_t i = 0; i < there->count; i++)
        if (i == 0 || there->number[i] != there->number[count - 1])
            there->number[count++] = there->number[i];
    there->count = count;
}

/* Lists the existing objects of the run, and makes its sets of them: operations draw among these.
 * Test stat alone tests which of all exist. */
static int take_census(struct object_store *store, struct census *census, struct error *err)
{
    const unsigned sets = store->manifest.set_count;
    const char *prefix = store->from ? store->from->prefix : store->run_prefix;
    const bool all = store->target.request->tests == 1u << TEST_STAT;
    char place[1024];
    int code;

    census->there = mem_calloc(sets + 1, sizeof(*census->there));
    code = object_client_list(store->client, prefix, NULL, visit_kept, census, err);
    for (unsigned i = 0; i < sets; i++)
        if (all && store->manifest.set[i].count > 0)
            census->there[i].count = store->manifest.set[i].count;
        else
            sort_numbers(&census->there[i]);
    if (code == 0)
        object_sets_make(store, census->there);
    for (unsigned i = 0; i < sets; i++)
        free(census->there[i].number);
    free(census->there);
    if (census->grown == LIFE_OBJECTS_MAX)
        log_warn("%s: only %u of the objects that the run made are used",
                 error_printable(store->target.place, place, sizeof(place)), LIFE_OBJECTS_MAX);
    return code;
}

static int damaged(const struct object_store *store, const char *what, const char *key,
                   struct error *err)
{
    (void)object_error(store->service, key, 0, what, err);
    return error_advise(err, "keep another run to verify, or leave out --verify");
}

static int unknown(const struct object_store *store, struct error *err)
{
    return error_refuse(
        err, STATUS_TARGET, "--verify cannot know the contents of", store->target.place,
        "it was written without --verify and then kept; keep objects of a run with --verify, or "
        "leave it out");
}

/* Determines the known content of the sets that can be read; refuses content that a check could not
 * find wrong.  If other sets are known, sets that grew without --verify are not read. */
static int know_sets(struct object_store *store, struct error *err)
{
    char key[OBJECT_KEY_BYTES];
    uint64_t known = 0, grown = 0;

    for (unsigned i = 0; i < store->set_count; i++) {
        struct object_set *set = &store->set[i];
        const struct life_set *plan = &store->manifest.set[i];
        struct object_set all = {.kind = set->kind, .prefix = set->prefix};
        uint32_t missing = 0;
        if (set->count < plan->made && plan->count > 0) {
            while (missing < set->count && object_set_number(set, missing) == missing)
                missing++;
            return damaged(
                store, "--verify found an object missing:", object_key(&all, missing, key), err);
        }
        if (object_set_grows(set->kind) && plan->content == LIFE_WRITTEN) {
            grown += set->count;
            set->count = 0;
        } else if (set->count > 0 && plan->content == LIFE_WRITTEN) {
            return unknown(store, err);
        } else {
            known += set->count;
        }
    }
    if (known == 0 && grown > 0)
        return unknown(store, err);
    return pattern_start(&store->pattern, store->manifest.seed, err);
}

/* An incomplete run is read as far as it exists; the rows show that. */
static int expect_some(const struct object_store *store, struct error *err)
{
    unsigned readable = 0, damaged_sets = 0, sets = 0;

    if (store->target.request->tests == 1u << TEST_STAT) /* which tests whether objects exist */
        return 0;
    for (unsigned i = 0; i < store->set_count; i++) {
        const struct life_set *plan = &store->manifest.set[i];
        const bool read = plan->count > 0 || is_read(store, plan->kind);
        sets += read;
        damaged_sets += read && store->set[i].count < plan->made;
        readable += store->set[i].count > 0;
    }
    if (readable == 0)
        return life_refuse_empty("object", store->manifest.run_name, object_clean_command(store),
                                 err);
    if (damaged_sets > 0)
        log_warn("%s: objects that the run made are missing in %u of %u sets",
                 store->target.request->target, damaged_sets, sets);
    return 0;
}

void object_note(const struct target *target, enum io_test test, uint64_t size_bytes, char *text,
                 size_t room)
{
    const struct object_store *store = object_store_of(target);
    const struct object_set *set =
        (target->ours && !store->kept) || store->joined || store->set_count == 0
            ? NULL
            : object_set_for(store, test, size_bytes);
    const struct object_options *options = store->service->options;
    const char *on = object_options_on_values(options, test) ? object_on_words[options->on] : NULL;

    snprintf(text, room, "%s%s", on ? "on:" : "", on ? on : "");
    if (set && set->there && store->manifest.set[set - store->set].count > 0)
        text_add(text, room, ";", "partial:%" PRIu32 "/%" PRIu32, set->count,
                 store->manifest.set[set - store->set].count);
}

int object_existing_take(struct object_store *store, struct error *err)
{
    struct census census = {.store = store};
    int code;

    code = take_census(store, &census, err);
    if (code == 0 && store->target.request->verify) {
        if (census.wrong_length)
            code = damaged(
                store, "--verify found an object of the wrong length:", census.wrong_length, err);
        else
            code = know_sets(store, err);
        store->target.content_known = code == 0;
    }
    free(census.wrong_length);
    return code == 0 ? expect_some(store, err) : -1;
}

/* ---- choosing objects ---- */

/* Reading part of an object is a different request from reading all of it, and the user did not ask
 * for it, so it is reported, once. */
static void tell_ranges(const struct object_store *store)
{
    const struct target_request *request = store->target.request;

    for (size_t i = 0; i < request->size_count && (request->tests & 1u << TEST_READ); i++) {
        const struct object_set *set = object_set_for(store, TEST_READ, request->size_bytes[i]);
        if (!set || set->size_bytes <= request->size_bytes[i])
            continue;
        log_info("# %s: objects are longer than some sizes; reads of these are ranges",
                 store->target.request->target);
        return;
    }
}

static int visit_level(void *arg, const struct object_listed *listed, struct error *err)
{
    char **only = arg, run_name[TARGET_RUN_NAME_MAX + 1];

    (void)err;
    if (!*only && listed->rolled_up && object_run_of_prefix(listed->key, run_name)) {
        *only = mem_strdup(listed->key);
        return 0;
    }
    free(*only);
    *only = NULL;
    return LISTING_CUT;
}

/* The same if only a run is below the prefix, which a list of one level shows. */
static bool find_only_run(struct object_store *store)
{
    struct error ignored = ERROR_INIT; /* reported when it is opened for reading */
    char *only = NULL;
    const int code = object_client_list(store->client, store->service->prefix, "/", visit_level,
                                        &only, &ignored);

    if (!only || code != 0) {
        free(only);
        return false;
    }
    object_store_enter(store, only);
    return true;
}

int object_existing_sizes(struct object_store *store, uint64_t **size_bytes, size_t *count,
                          struct error *err)
{
    enum life_found found = LIFE_ABSENT;
    struct error why = ERROR_INIT;

    if (name_run(store) || find_only_run(store))
        found = object_run_look(store->client, store->run_prefix, &store->manifest, NULL, &why);
    if (found == LIFE_ERROR) { /* other errors are reported when it is opened for reading */
        *err = why;
        return -1;
    }
    *count = life_sizes(&store->manifest, object_retire_asked(store->target.request), size_bytes);
    return 0;
}

int object_existing_open(struct object_store *store, struct error *err)
{
    enum life_found found = LIFE_ABSENT;

    if (name_run(store))
        found = open_run(store, err);
    if (found == LIFE_ABSENT && !store->target.request->named) {
        *err = ERROR_INIT;
        object_store_enter(store, mem_strdup(""));
        found = open_any(store, err) == 0 ? LIFE_READ : LIFE_ERROR;
    }
    if (found != LIFE_READ)
        return -1;
    tell_ranges(store);
    return 0;
}

/* ---- created objects ----
 *
 * The objects that test create has put so far in our own run, as a separate target: for steps that
 * use those instead of the sets made for all rows.  Their names are listed from the store, so
 * objects that could not be put, or were removed again, are not included. */

int object_open_created(struct target *target, uint64_t size_bytes, enum io_test test,
                        struct target **out, struct error *err)
{
    const struct object_store *run = object_store_of(target);
    struct object_store *store = object_store_new();
    struct object_set *set = object_set_for(run, TEST_CREATE, size_bytes);
    int code = 0;

    target_lie_with(&store->target, target, "objects created by test create");
    store->service = run->service;
    store->client = run->client;
    store->run_prefix = mem_strdup(run->run_prefix);
    store->pattern = run->pattern;
    store->kept = true;
    store->retires = test_consumes(test);
    if (set) {
        store->from = set;
        store->manifest.set = mem_calloc(1, sizeof(*store->manifest.set));
        store->manifest.set[0] = run->manifest.set[set - run->set];
        store->manifest.set_count = 1;
        code = take_census(store, &(struct census){.store = store}, err);
    }
    if (set && code == 0)
        atomic_store(&store->set[0].made, store->set[0].count);
    *out = code == 0 ? &store->target : NULL;
    if (code == 0)
        return 0;
    object_store_free(store);
    return error_explain(err, "the objects created by test create cannot be listed");
}
