/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* removal.c - removes a run from a bucket: the objects its manifest names, and the manifest last,
 * so that an interrupted removal can be resumed.  Keys come from a listing of the run's own prefix
 * and must be names that the manifest can contain; other objects there are foreign and stay.
 * Answers are not trusted: removed objects must not be listed again, or must be missing when
 * requested; expected objects that no list contains are removed by name. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "storage/object/operation.h"

#define KEYS_AT_ONCE   10000u  /* listed before they are removed, to limit memory */
#define KEYS_FULL      1       /* returned by visits at that limit */
#define FOREIGN_MOST   100000u /* stop listing after this many foreign objects */
#define LATE_S         2       /* for requests that the server may still carry out */
#define VAIN_MOST      4u      /* passes without effect, with a pause after each that doubles */
#define VAIN_NS        250000000u
#define HURRIED_MOST   20u  /* passes of PASSES_MOST allowed after a signal */
#define PASSES_MOST    240u /* with fewer keys than KEYS_AT_ONCE: another process is writing; */
#define PASSES_AT_ONCE 3u   /* after these, pauses precede each pass: a run that is removed by */
#define CHASE_NS       500000000u /* force notices it within LIFE_RENEW_S */
#define UNCOUNTED_MOST 10000000u  /* objects of a set whose manifest does not count them */
#define GHOSTS_MOST    4u         /* passes that list more than was made, of missing objects */
#define NAMES_AT_ONCE  1000u

struct keys {
    char **key;
    size_t count;
    uint64_t bytes, hash; /* sums over them, independent of their order */
};

struct removal {
    struct object_client *client;
    const struct object_service *service;
    const char *run_prefix;
    const struct life_manifest *manifest;
    const struct object_store *own; /* or NULL: a run left by another process */
    enum life_way way;
    struct life_tally *tally; /* of objects removed, or counted */
    struct keys now, before;  /* of this pass, and of the last one, whose keys are freed */
    unsigned char **seen;     /* of each set with a count: the object was listed */
    uint64_t *listed;         /* of each set */
    uint64_t passed;          /* keys of all passes */
    unsigned ghosts;
    uint64_t foreign, unlisted;
    uint64_t changed; /* those of the foreign ones that another program has changed */
    char *first_foreign;
    unsigned vain;
};

/* ---- keys ---- */

static void keys_free(struct keys *keys)
{
    for (size_t i = 0; i < keys->count; i++)
        free(keys->key[i]);
    keys->count = 0;
    keys->bytes = keys->hash = 0;
}

/* ---- listed objects ---- */

static int see_foreign(struct removal *removal, const char *key, struct error *err)
{
    if (removal->way == LIFE_COUNT)
        return 0;
    if (removal->foreign++ == 0)
        removal->first_foreign = mem_strdup(key);
    if (removal->foreign < FOREIGN_MOST)
        return 0;
    error_set(err, STATUS_TARGET, ENOTEMPTY, "far more objects than the run created are below",
              key);
    return -1;
}

/* Whether this run has put the object itself, regardless of what the server did with it.  Those of
 * a kept run were put by another. */
static bool is_known(const struct removal *removal, unsigned set, uint64_t object)
{
    const struct object_set *own = removal->own ? &removal->own->set[set] : NULL;

    if (!own || removal->own->kept)
        return false;
    return own->present ? atomic_load_explicit(&own->present[object], memory_order_relaxed) != 0
                        : object < atomic_load_explicit(&own->taken, memory_order_relaxed) ||
                              object < atomic_load_explicit(&own->made, memory_order_relaxed);
}

/* An object of the length in the manifest is assumed to be the run's. */
static bool may_be_ours(struct removal *removal, unsigned set, uint64_t object, uint64_t size_bytes)
{
    const enum object_standing standing =
        object_manifest_judge(removal->manifest, set, removal->service, size_bytes);

    if (is_known(removal, set, object) || standing == OBJECT_OWN)
        return true;
    removal->changed += standing == OBJECT_CHANGED && !removal->tally->force;
    return standing == OBJECT_CHANGED && removal->tally->force;
}

static int visit_key(void *arg, const struct object_listed *listed, struct error *err)
{
    struct removal *removal = arg;
    const char *name = listed->key + strlen(removal->run_prefix);
    uint64_t object;
    unsigned set;

    if (life_is_manifest(name, &object)) /* see life_remove */
        return 0;
    if (!object_manifest_owns(removal->manifest, name, &set, &object))
        return see_foreign(removal, listed->key, err);
    if (removal->seen[set]) /* so it is not removed by its name either */
        removal->seen[set][object / 8] |= (unsigned char)(1u << object % 8);
    removal->listed[set]++;
    if (!may_be_ours(removal, set, object, listed->size_bytes))
        return see_foreign(removal, listed->key, err);
    if (removal->way != LIFE_REMOVE) {
        removal->tally->objects++;
        removal->tally->bytes += listed->size_bytes;
        return 0;
    }
    removal->now.key[removal->now.count++] = mem_strdup(listed->key);
    removal->now.bytes += listed->size_bytes;
    removal->now.hash += text_hash(listed->key);
    return removal->now.count == KEYS_AT_ONCE ? KEYS_FULL : 0;
}

static int list_some(struct removal *removal, struct error *err)
{
    keys_free(&removal->now);
    removal->foreign = removal->changed = 0;
    free(removal->first_foreign);
    removal->first_foreign = NULL;
    return object_client_list(removal->client, removal->run_prefix, NULL, visit_key, removal, err);
}

/* Checks that no run which has taken the place since can own such objects.  Returns 0 or -1. */
static int expect_nobody(const struct removal *removal, struct error *err)
{
    const struct object_store *own = removal->own;
    enum life_owner owner;

    if (!own || !atomic_load(&own->target.lost))
        return 0;
    owner = life_whose(object_run_place(removal->client, removal->run_prefix), &own->manifest, err);
    if (owner == LIFE_NOBODYS || (owner == LIFE_OURS && !own->kept && !own->target.request->keep))
        return 0;
    return owner == LIFE_UNKNOWN ? -1 : life_lost(removal->run_prefix, owner, err);
}

static int delete_keys(const struct removal *removal, const struct keys *keys, uint64_t *removed,
                       struct error *err)
{
    return expect_nobody(removal, err) != 0
               ? -1
               : object_client_delete(removal->client, (const char *const *)keys->key, keys->count,
                                      removed, err);
}

/* ---- passes without effect ---- */

int object_removal_no_effect(const struct object_service *service, const char *key,
                             struct error *err)
{
    (void)object_error(service, key, 0, "cannot remove", err);
    error_explain(err, "the server says it is removed, but it is still there");
    return error_advise(err, "%sclean it later: iosweep clean",
                        service->protocol->keeps ? service->protocol->keeps : "");
}

/* Returns 0: remove again, 1: all are removed, only the list is outdated, or -1. */
static int see_vain(struct removal *removal, struct error *err)
{
    size_t first = 0;
    int there = 0;

    while (first < removal->now.count && there == 0) {
        there = object_client_has(removal->client, removal->now.key[first], err);
        first += there == 0;
    }
    if (there <= 0)
        return there < 0 ? -1 : 1;
    removal->tally->objects -= removal->before.count; /* they were not removed */
    removal->tally->bytes -= removal->before.bytes;
    if (++removal->vain == VAIN_MOST || object_client_hurries(removal->client))
        return object_removal_no_effect(removal->service, removal->now.key[first], err);
    log_progress("removing: the server still has objects that it reported as removed; retrying");
    clock_rest((uint64_t)VAIN_NS << removal->vain);
    return 0;
}

/* The error of a removal that does not end. */
static int give_up(const struct removal *removal, bool ghosts, struct error *err)
{
    (void)object_error(removal->service, removal->run_prefix, ghosts ? EPROTO : 0,
                       ghosts ? "cannot list" : "objects come faster than they are removed in",
                       err);
    if (!ghosts)
        return error_advise(err, "is the run still going? end it, then clean again");
    error_explain(err, "the server's list does not end, and names missing objects");
    return error_advise(err, "clean again when the list is right");
}

/* More keys were listed than the run can have left: a server that always lists new names is
 * detected by requesting one of them, or by their number.  Returns 0 or -1. */
static int see_number(struct removal *removal, struct error *err)
{
    const struct life_manifest *manifest = removal->manifest;
    uint64_t made = KEYS_AT_ONCE, most = 0;
    int there;

    for (unsigned i = 0; i < manifest->set_count; i++) {
        made += 2 * (uint64_t)manifest->set[i].count; /* twice, for those listed again */
        most += manifest->set[i].count == 0 ? UNCOUNTED_MOST : 0;
    }
    removal->passed += removal->now.count;
    if (removal->passed <= made)
        return 0;
    if (removal->passed > made + most)
        return give_up(removal, false, err);
    there = object_client_has(removal->client, removal->now.key[0], err);
    if (there < 0)
        return -1;
    removal->ghosts = there ? 0 : removal->ghosts + 1;
    return removal->ghosts < GHOSTS_MOST ? 0 : give_up(removal, true, err);
}

/* Lists and removes until nothing is found: requests under way when the run ended may be carried
 * out late.  Returns 0 or -1. */
static int remove_listed(struct removal *removal, struct error *err)
{
    unsigned hurried = 0, passes = 0;

    removal->vain = 0;
    removal->before = (struct keys){.count = 0};
    for (;;) {
        int code = list_some(removal, err);
        if (code < 0)
            return -1;
        if (removal->now.count == 0)
            return 0;
        if (removal->now.count < KEYS_AT_ONCE) {
            passes++;
            hurried += object_client_hurries(removal->client);
        }
        if (passes > PASSES_MOST || hurried > HURRIED_MOST)
            return give_up(removal, false, err);
        if (see_number(removal, err) != 0)
            return -1;
        /* exactly the keys that the last pass removed */
        code =
            removal->now.count == removal->before.count && removal->now.hash == removal->before.hash
                ? see_vain(removal, err)
                : 0;
        if (code != 0)
            return code > 0 ? 0 : -1;
        log_progress("removing: %" PRIu64 " objects so far", removal->tally->objects);
        if (delete_keys(removal, &removal->now, &removal->tally->objects, err) != 0)
            return -1;
        removal->tally->bytes += removal->now.bytes;
        removal->before = removal->now;
        if (passes > PASSES_AT_ONCE && !object_client_hurries(removal->client))
            clock_rest(CHASE_NS);
    }
}

/* ---- unlisted objects ----
 *
 * Lists are not trusted: expected objects are removed by name. */

/* Whether the list should have contained the object: certainly for a run of our own whose requests
 * were all answered; else possibly. */
static bool may_be_there(const struct removal *removal, unsigned set, uint32_t object)
{
    return !(removal->seen[set][object / 8] >> object % 8 & 1) &&
           (!removal->own || atomic_load(&removal->service->unsure) > 0 ||
            is_known(removal, set, object));
}

/* Removes some objects of one set by name.  Asks for the first one, to see whether the list is
 * right; if it is not, asks for each, to count them, and afterwards again for one that existed,
 * because no list shows whether removal had an effect. */
static int remove_names(struct removal *removal, struct keys *names, uint64_t size_bytes,
                        struct error *err)
{
    uint64_t there = 0, sent = 0;
    size_t there_at = 0;
    int code = 0;

    for (size_t i = 0; i < names->count && code >= 0 && (i == 0 || there > 0); i++) {
        code = object_client_has(removal->client, names->key[i], err);
        if (code > 0) {
            there++;
            there_at = i;
        }
    }
    if (code >= 0 && names->count > 0)
        code = delete_keys(removal, names, &sent, err);
    if (code == 0 && there > 0)
        code = object_client_has(removal->client, names->key[there_at], err);
    if (code > 0)
        code = object_removal_no_effect(removal->service, names->key[there_at], err);
    if (code == 0) {
        removal->unlisted += there;
        removal->tally->objects += there;
        removal->tally->bytes += there * size_bytes;
    }
    keys_free(names);
    return code;
}

static int remove_unlisted_set(struct removal *removal, unsigned index, struct keys *names,
                               struct error *err)
{
    const struct life_set *plan = &removal->manifest->set[index];
    const struct object_set *own = removal->own ? &removal->own->set[index] : NULL;
    char key[OBJECT_KEY_BYTES];
    struct object_set set = {.kind = plan->kind};
    const uint64_t made = own ? atomic_load(&own->made) : 0;
    const uint64_t taken = own ? atomic_load(&own->taken) : 0;
    const bool grows = object_set_grows(plan->kind);
    uint64_t from = 0, end = plan->count;
    int code = 0;

    if (grows || plan->kind == LIFE_DELETE) {
        from = grows ? 0 : taken; /* earlier ones are removed */
        end = from >= made || removal->listed[index] >= made - from ? 0 : grows ? taken : made;
    }
    set.prefix = object_set_prefix(removal->run_prefix, plan);
    for (uint64_t k = from; code == 0 && k < end; k++) {
        if (plan->count > 0 && !may_be_there(removal, index, (uint32_t)k))
            continue;
        names->key[names->count++] = mem_strdup(object_key(&set, k, key));
        if (names->count == NAMES_AT_ONCE)
            code = remove_names(removal, names, plan->size_bytes, err);
    }
    if (code == 0)
        code = remove_names(removal, names, plan->size_bytes, err);
    free(set.prefix);
    return code;
}

/* Removes, by name, objects that should have been listed and were not.  Returns 0, or -1 also if
 * objects may be left whose names no manifest contains. */
static int remove_unlisted(struct removal *removal, struct error *err)
{
    struct keys names = {.key = mem_calloc(NAMES_AT_ONCE, sizeof(char *))};
    bool counted = true;
    char *url;
    int code = 0;

    removal->unlisted = 0;
    for (unsigned i = 0; code == 0 && i < removal->manifest->set_count; i++) {
        counted = counted && removal->manifest->set[i].count > 0;
        code = remove_unlisted_set(removal, i, &names, err);
    }
    keys_free(&names);
    free(names.key);
    if (code != 0 || removal->unlisted == 0)
        return code;
    if (counted) {
        url = object_url(removal->service, removal->run_prefix);
        log_warn("the server's list leaves out objects of %s; they were removed by name", url);
        free(url);
        return 0;
    }
    /* no manifest contains their names */
    (void)object_error(removal->service, removal->run_prefix, 0,
                       "the server's list leaves out objects of", err);
    error_explain(err, "the server's list leaves out objects, and some that tests rename and "
                       "delete made may be left");
    return error_advise(err, "clean again when the list is complete");
}

/* ---- uploads ---- */

/* Uploads in parts come from tests, and from filling with long objects. */
static bool has_uploads(const struct life_manifest *manifest, const struct life_set *set)
{
    const bool tested = manifest->part_bytes > 0 && set->size_bytes > manifest->part_bytes;

    if (set->count == 0)
        return set->kind == LIFE_CREATE && tested;
    return set->kind == LIFE_APPEND || tested || set->size_bytes > OBJECT_FILL_PART_BYTES;
}

int object_uploads_abort(struct object_client *client, const char *run_prefix,
                         const struct life_manifest *manifest, const struct object_store *own,
                         const uint64_t *listed, struct error *err)
{
    char key[OBJECT_KEY_BYTES];
    uint64_t aborted = 0;
    unsigned first = 0;
    bool lists_prefixes;
    int code;

    while (first < manifest->set_count && !has_uploads(manifest, &manifest->set[first]))
        first++;
    if (first == manifest->set_count)
        return 0;
    code = object_client_abort_uploads(client, run_prefix, &aborted, err);
    lists_prefixes = aborted > 0; /* not on every server: MinIO requires the whole name */
    for (unsigned i = first; code == 0 && !lists_prefixes && i < manifest->set_count; i++) {
        const struct life_set *plan = &manifest->set[i];
        struct object_set set = {.kind = plan->kind};
        /* of a growing set of another process: those counted in the manifest, those created since,
         * and those that threads begin at once */
        const uint64_t most = plan->count > 0 ? plan->count
                              : own && !own->kept
                                  ? atomic_load(&own->set[i].taken)
                                  : plan->made + OBJECT_DEPTH_MAX + (listed ? listed[i] : 0);
        if (!has_uploads(manifest, plan))
            continue;
        set.prefix = object_set_prefix(run_prefix, plan);
        for (uint64_t k = 0; code == 0 && k < most; k++)
            code = object_client_abort_uploads(client, object_key(&set, k, key), &aborted, err);
        free(set.prefix);
    }
    return code;
}

/* ---- all of it ---- */

static int remove_all(struct removal *removal, bool uploads, struct error *err)
{
    if (remove_listed(removal, err) != 0 || remove_unlisted(removal, err) != 0)
        return -1;
    return uploads ? object_uploads_abort(removal->client, removal->run_prefix, removal->manifest,
                                          removal->own, removal->listed, err)
                   : 0;
}

/* Before the manifest, by which they are found. */
static int remove_places(const struct removal *removal, struct error *err)
{
    const struct life_manifest *manifest = removal->manifest;
    int code = 0;

    for (unsigned i = 0; code == 0 && i < manifest->set_count; i++) {
        char *key = object_set_prefix(removal->run_prefix, &manifest->set[i]);

        code = object_place_remove(removal->client, key, err);
        free(key);
    }
    return code;
}

void object_removal_pause(void)
{
    struct timespec left = {.tv_sec = LATE_S};

    log_progress("removing: waiting for requests that the server may still carry out");
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* Foreign objects stay, with the manifest: the user must check them. */
static int leave_foreign(const struct removal *removal, struct error *err)
{
    char *what =
        mem_printf("%" PRIu64 " %s no run made %s left in place, the first:", removal->foreign,
                   removal->foreign == 1 ? "object that" : "objects that",
                   removal->foreign == 1 ? "is" : "are");
    (void)object_error(removal->service, removal->first_foreign, ENOTEMPTY, what, err);
    free(what);
    error_explain(err, "its name or its length is not in the manifest of the run");
    return error_advise(err, "check it, remove it by hand and clean again%s",
                        removal->changed > 0 ? "; iosweep clean --force removes what is merely "
                                               "shorter than the run made it"
                                             : "");
}

static void begin(struct removal *removal, struct object_client *client, const char *run_prefix,
                  const struct life_manifest *manifest)
{
    removal->client = client;
    removal->service = client->service;
    removal->run_prefix = run_prefix;
    removal->manifest = manifest;
    removal->now.key = mem_calloc(KEYS_AT_ONCE, sizeof(char *));
    removal->seen = mem_calloc(manifest->set_count + 1, sizeof(*removal->seen));
    removal->listed = mem_calloc(manifest->set_count + 1, sizeof(*removal->listed));
    for (unsigned i = 0; i < manifest->set_count; i++)
        if (manifest->set[i].count > 0)
            removal->seen[i] = mem_calloc(manifest->set[i].count / 8 + 1, 1);
}

static void end(struct removal *removal)
{
    keys_free(&removal->now);
    free(removal->now.key);
    for (unsigned i = 0; i < removal->manifest->set_count; i++)
        free(removal->seen[i]);
    free(removal->seen);
    free(removal->listed);
    free(removal->first_foreign);
}

int object_run_go_over(struct object_client *client, const char *run_prefix,
                       const struct life_manifest *manifest, const struct object_store *own,
                       bool uploads, enum life_way way, struct life_tally *tally, struct error *err)
{
    const struct object_service *service = client->service;
    const bool removes = way == LIFE_REMOVE;
    struct removal removal = {.way = way, .tally = tally, .own = own};
    int code;

    begin(&removal, client, run_prefix, manifest);
    code = removes ? remove_all(&removal, uploads, err) : list_some(&removal, err);
    /* A killed run can have uploads under way that the server still completes. */
    if (removes && code >= 0 &&
        ((!own && manifest->state.running) || atomic_load(&service->unsure) > 0)) {
        object_removal_pause();
        code = remove_all(&removal, uploads, err);
    }
    if (code >= 0 && removal.foreign > 0)
        code = leave_foreign(&removal, err);
    else if (removes && code >= 0 && atomic_load(&service->dropped) > 0)
        /* without the manifest, objects that appear later could never be removed */
        code = OBJECT_REMOVAL_UNSURE;
    else if (removes && code >= 0)
        code = remove_places(&removal, err);
    if (removes && code == 0)
        code = object_manifest_remove(client, run_prefix, manifest, err);
    if (removes && code == 0)
        code = object_place_remove(client, run_prefix, err);
    end(&removal);
    return code;
}
