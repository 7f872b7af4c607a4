/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - the drivers of object stores: a prefix of our own in a store with sets of objects for
 * each size, or, with -r, existing objects.
 *
 * Only our own objects are written or removed: their keys begin with the run's prefix, which
 * belongs to no other run, because its manifest is the first object put there, on the condition
 * that none exists.  Removal follows the manifest, also after a signal; if the server is
 * unreachable, one line reports what is left and how to remove it later. */
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
#include "storage/object/object.h"

/* ---- building and tearing down ---- */

void object_store_free(struct object_store *store)
{
    object_client_destroy(store->reader);
    if (!store->target.created) { /* else these are the run's */
        object_client_destroy(store->client);
        if (store->service)
            store->service->protocol->close(store->service);
        pattern_end(&store->pattern);
    }
    object_sets_free(store);
    pthread_mutex_destroy(&store->reader_lock);
    life_heart_free(&store->heart);
    free(store->run_prefix);
    free(store->target.label);
    free(store->target.place);
    free(store->target.name_root);
    free(store->target.description);
    free(store);
}

/* ---- a run of our own ---- */

static int name_taken(const struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;

    return life_name_taken(
        request, store->target.place,
        request->team_name ? object_clean_named(store->service, request->target, request->team_name)
                           : object_clean_command(store),
        err);
}

/* Not every server honours the condition of the PUT, so this looks for a run first. */
static int take_name(struct object_store *store, struct error *err)
{
    struct life_manifest there;
    const enum life_found found =
        object_run_look(store->client, store->run_prefix, &there, NULL, err);

    life_manifest_free(&there);
    if (found == LIFE_READ || found == LIFE_INVALID || found == LIFE_TORN)
        return name_taken(store, err);
    if (found == LIFE_ERROR && err->errnum != EACCES) /* or "missing, but listing is not allowed" */
        return -1;
    *err = ERROR_INIT;
    return store->target.request->named ? object_run_expect_empty(store, err) : 0;
}

static int put_first(struct object_store *store, struct error *err)
{
    const uint64_t unsure = atomic_load(&store->service->unsure);
    struct error own = ERROR_INIT;
    int code;

    if (object_client_expect_place(store->client, &own) != 0 || take_name(store, &own) != 0) {
        *err = own;
        return -1;
    }
    own = ERROR_INIT;
    code = life_begin(object_run_place(store->client, store->run_prefix), &store->manifest, &own);
    store->made = code == 0;
    if (code < 0 && atomic_load(&store->service->unsure) > unsure && !object_run_take_back(store))
        return object_may_appear(store, err);
    if (code >= 0)
        return code == 0 ? 0 : name_taken(store, err);
    *err = own;
    return err->errnum != EACCES
               ? -1
               : error_advise(err, "these credentials do not allow writing there; use -r to read "
                                   "what is there");
}

static int open_own(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;
    const struct object_options *options = store->service->options;
    const char *run_name = request->run_name;
    const unsigned known = request->tests & object_tests_of(store->service);

    memcpy(store->manifest.run_name, run_name, strlen(run_name) + 1);
    (void)snprintf(store->manifest.storage, sizeof(store->manifest.storage), "%s",
                   store->service->protocol->name);
    store->manifest.seed =
        pattern_seed(pattern_seed(request->seed, store->service->container), store->run_prefix);
    /* rows of unsupported tests are skipped; if no test is supported, the sets are never used */
    if (object_manifest_plan(&store->manifest, known ? known : request->tests, request->size_bytes,
                             request->size_count, options, object_tests_in_ranges(store->service),
                             err) != 0)
        return -1;
    if (object_exclusive_plan(store, err) != 0)
        return -1;
    store->target.ours = true;
    store->target.writable = true;
    object_sets_make(store, NULL);
    store->target.content_known = request->verify;
    for (unsigned i = 0; i < store->manifest.set_count && request->verify; i++)
        if (store->manifest.set[i].kind == LIFE_CREATE)
            store->manifest.set[i].content = LIFE_PATTERN;
    if (request->dry_run)
        return 0;
    store->manifest.part_bytes = options->part_bytes;
    life_own(&store->manifest);
    store->manifest.state.begun_s = (int64_t)time(NULL);
    if (object_cost_tell(store, err) != 0 ||
        pattern_start(&store->pattern, store->manifest.seed, err) != 0 ||
        put_first(store, err) != 0)
        return -1;
    if (object_heartbeat_ready(store, err) == 0 && life_heart_start(&store->heart, err) == 0)
        return 0;
    object_heartbeat_stop(store);
    store->made = false;
    return object_run_take_back(store) ? -1 : object_may_appear(store, err);
}

/* ---- a run that exists ----
 *
 * --reuse: overwrites the objects of a kept run.  They are those that its manifest names and that
 * exist, with their lengths; none is created, and the manifest continues to name all of them.
 *
 * -r --run-name NAME --tests delete: removes each of them once, by as many threads as the row has,
 * until none is left or the row ends.  Objects left are counted, and can be removed later; the
 * manifest is removed with the last object.
 *
 * The run is ours once its next manifest names us, which is put on the condition that it does not
 * exist: if two processes try this at the same time, one is refused. */

/* All objects of one size, whichever test made them, belong to one row: the sets of a size are
 * adjacent, and the first one counts for all of them. */
static void count_sizes(struct object_store *store)
{
    struct object_set *first = store->set;

    for (unsigned i = 0; i < store->set_count; i++) {
        if (store->set[i].size_bytes != first->size_bytes)
            first = &store->set[i];
        atomic_fetch_add(&first->made, store->set[i].count);
    }
}

/* Takes over the run in store->run_prefix, with its objects.  Refuses a run that is alive.  On
 * failure the run is unchanged. */
static int open_reused(struct object_store *store, struct error *err)
{
    const uint64_t part_bytes = store->service->options->part_bytes;

    store->kept = store->target.writable = true;
    store->target.ours = !store->retires;
    if (object_run_expect(store, err) != LIFE_READ || object_existing_take(store, err) != 0 ||
        object_exclusive_plan(store, err) != 0)
        return -1;
    if (store->target.request->dry_run)
        return 0;
    if (object_cost_tell(store, err) != 0)
        return -1;
    /* uploads of the run may be pending; that of the smallest parts tells which objects had any */
    if (part_bytes > 0 &&
        (store->manifest.part_bytes == 0 || part_bytes < store->manifest.part_bytes))
        store->manifest.part_bytes = part_bytes;
    store->made =
        object_heartbeat_ready(store, err) == 0 &&
        life_take_over(&store->heart, object_run_place(store->client, store->run_prefix), err) == 0;
    if (!store->made)
        object_heartbeat_stop(store);
    return store->made ? 0 : -1;
}

/* The other rank has put the manifest and keeps the run alive: its objects are used according to
 * that, and none is created, renewed or removed here.  Sets are filled when a part needs them, by
 * the rank that made the run, before ranks that joined access them: these see complete sets. */
int object_join_open(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;
    enum life_found found;

    store->target.writable = request->shared;
    store->kept = request->reuse; /* in this case some may be missing */
    store->joined = !request->reuse;
    found = object_run_look(store->client, store->run_prefix, &store->manifest, NULL, err);
    if (found == LIFE_ABSENT)
        return error_refuse(err, STATUS_TARGET,
                            "the objects of another rank are missing:", store->target.place,
                            "all ranks must reach the same store, except with --share none");
    if (found != LIFE_READ)
        return -1;
    if (store->kept)
        return object_existing_take(store, err) != 0 ? -1 : object_exclusive_plan(store, err);
    if (object_exclusive_plan(store, err) != 0)
        return -1;
    object_sets_make(store, NULL);
    store->target.content_known = request->verify;
    return request->verify ? pattern_start(&store->pattern, store->manifest.seed, err) : 0;
}

/* ---- open ---- */

/* The ranks of a team share the user's limit. */
static int take_budget(const struct object_store *store, struct error *err)
{
    const uint64_t most = store->service->options->max_requests;
    const uint32_t ranks = store->target.request->ranks;
    char text[96];

    if (!most || ranks < 2)
        return 0;
    snprintf(text, sizeof(text), "%" PRIu64 " for %" PRIu32 " ranks", most, ranks);
    if (most < ranks)
        return error_refuse(err, STATUS_USAGE,
                            "--max-requests applies to all ranks together, and is too low:", text,
                            "raise it");
    atomic_store(&store->service->budget, most / ranks);
    return 0;
}

static int reach(struct object_store *store, bool signs, struct error *err)
{
    const struct target_request *request = store->target.request;

    return life_check_name(request, err) != 0
               ? -1
               : object_service_open(store->target.driver->protocol, request->target,
                                     request->options, signs, &store->service, err);
}

static int open_by_kind(struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;
    const bool reads = request->existing || request->reuse;
    const bool joins = request->joins && (!request->dry_run || reads);
    const bool retires = object_retire_asked(request);

    if (reach(store, !request->plan || reads, err) != 0 || take_budget(store, err) != 0)
        return -1;
    object_store_enter(store, mem_strdup(""));
    /* A dry run sends nothing, but -r and --reuse must find existing objects. */
    if ((!request->dry_run || reads) &&
        object_client_create(store->service, request->stop, &store->client, err) != 0)
        return -1;
    if (reads && !joins && !request->reuse && !retires)
        return object_existing_open(store, err) != 0 ? -1
               : request->dry_run                    ? 0
                                                     : object_cost_tell(store, err);
    object_store_enter(
        store, mem_printf("%s" LIFE_PREFIX "%s/", store->service->prefix, request->run_name));
    store->retires = retires && !joins;
    if (joins || !reads)
        return joins ? object_join_open(store, err) : open_own(store, err);
    if (open_reused(store, err) != 0)
        return -1;
    if (retires)
        count_sizes(store);
    return 0;
}

struct object_store *object_store_new(void)
{
    struct object_store *store = mem_calloc(1, sizeof(*store));

    pthread_mutex_init(&store->reader_lock, NULL);
    life_heart_init(&store->heart, &store->manifest, &store->target.lost, &object_life, store);
    return store;
}

static struct object_store *new_target(const struct target_request *request)
{
    struct object_store *store = object_store_new();
    struct target *target = &store->target;

    target->driver = storage_driver_for(request->target);
    target->request = request;
    target->label = mem_strdup(request->label ? request->label : request->target);
    target->dir_fd = -1;
    target->connections_each = object_options_lanes(request->options);
    return store;
}

int object_open(const struct target_request *request, struct target **out, struct error *err)
{
    struct object_store *store = new_target(request);

    *out = NULL;
    if (open_by_kind(store, err) != 0) {
        object_store_free(store);
        return -1;
    }
    store->target.description = object_sets_describe(store);
    store->target.descriptors_thread = store->service->link_descriptors;
    store->target.servers = store->service->servers;
    *out = &store->target;
    return 0;
}

int object_kept_sizes(const struct target_request *request, uint64_t **size_bytes, size_t *count,
                      struct error *err)
{
    struct object_store *store = new_target(request);
    int code = -1;

    if (reach(store, true, err) == 0 &&
        object_client_create(store->service, request->stop, &store->client, err) == 0)
        code = object_existing_sizes(store, size_bytes, count, err);
    object_store_free(store);
    return code;
}

bool object_exhausted(const struct target *target, char *text, size_t room)
{
    const struct object_service *service = object_store_of(target)->service;

    snprintf(text, room, "all %" PRIu64 " requests that --max-requests allows are used up",
             service->options->max_requests);
    return atomic_load(&service->spent);
}

/* ---- before a part ---- */

/* Marks the sets to which a test writes data other than the pattern, because nothing is verified,
 * or pieces of it. */
static bool mark_written(struct object_store *store, enum io_test test)
{
    const struct target_request *request = store->target.request;
    bool changed = false;

    for (size_t i = 0; i < request->size_count; i++) {
        const uint64_t size_bytes = request->size_bytes[i];
        struct object_set *set = object_set_for(store, test, size_bytes);
        enum life_content *content = set ? &store->manifest.set[set - store->set].content : NULL;
        const bool pieces = set && test == TEST_WRITE &&
                            object_can(store->service, OBJECT_WRITE_RANGE) &&
                            (set->kind == LIFE_RANGED || set->size_bytes != size_bytes);
        if (!set || *content == LIFE_WRITTEN || (request->verify && (set->ranges || !pieces)))
            continue;
        set->ranges = true;
        *content = request->verify ? LIFE_PIECES : LIFE_WRITTEN;
        changed = true;
    }
    return changed;
}

/* Whether the manifest counts all objects of the sets that are complete now. */
static bool counts_filled(const struct object_store *store)
{
    for (unsigned i = 0; i < store->set_count; i++)
        if (store->manifest.set[i].made < store->set[i].count &&
            object_set_complete(&store->set[i]))
            return false;
    return true;
}

/* Puts the manifest unless it contains which sets are filled, and what will be written: other data
 * than the pattern, or pieces of it. */
static int tell_sets(struct object_store *store, enum io_test test, bool written, struct error *err)
{
    bool changed;

    if (life_heart_lock(&store->heart, err) != 0)
        return -1;
    changed = written ? mark_written(store, test) : !counts_filled(store);
    pthread_mutex_unlock(&store->heart.lock);
    return changed ? life_heart_renew(&store->heart,
                                      object_run_place(store->client, store->run_prefix), err)
                   : 0;
}

static int prepare_own(struct object_store *store, enum io_test test, struct error *err)
{
    const bool in_ranges =
        test == TEST_WRITE && object_tests_in_ranges(store->service) & 1u << TEST_WRITE;

    if (!store->kept && object_bounds_try(store, test, err) != 0)
        return -1;
    if (!store->kept && (in_ranges || !test_writes(test)) &&
        (object_fill(store, test, err) != 0 || tell_sets(store, test, false, err) != 0))
        return -1;
    if (!test_writes(test))
        return 0;
    store->uploads =
        store->uploads || test == TEST_APPEND || store->service->options->part_bytes > 0;
    return tell_sets(store, test, true, err);
}

int object_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                   struct error *err)
{
    struct object_store *store = object_store_of(target);

    (void)mode; /* no cache of this machine is involved */
    if ((!target->ours && !store->retires) || target->created || target->request->dry_run)
        return 0;
    if (prepare_own(store, test, err) == 0)
        return 0;
    return atomic_load(&target->lost) ? life_lost(target->place, LIFE_NOBODYS, err) : -1;
}
