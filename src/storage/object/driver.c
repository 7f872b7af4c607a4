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

#include "storage/object/object.h"

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

/* ---- building and tearing down ---- */

void object_store_free(struct object_store *store)
{
    object_client_destroy(store->reader);
    object_client_destroy(store->client);
    if (store->service)
        store->service->protocol->close(store->service);
    object_sets_free(store);
    pattern_end(&store->pattern);
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

static char *clean_command(const struct object_store *store)
{
    return object_clean_command(store->service, store->run_prefix);
}

static int name_taken(const struct object_store *store, struct error *err)
{
    const struct target_request *request = store->target.request;

    return life_name_taken(
        request, store->target.place,
        request->team_name ? object_clean_named(store->service, request->target, request->team_name)
                           : clean_command(store),
        err);
}

/* Not every server honours the condition of the PUT, so this looks for a run first. */
static int take_name(struct object_store *store, struct error *err)
{
    const enum life_found found =
        object_run_look(store->client, store->run_prefix, NULL, NULL, err);

    if (found == LIFE_READ || found == LIFE_INVALID || found == LIFE_TORN)
        return name_taken(store, err);
    if (found == LIFE_ERROR && err->errnum != EACCES) /* or "missing, but listing is not allowed" */
        return -1;
    *err = ERROR_INIT;
    return store->target.request->named ? object_run_expect_empty(store, err) : 0;
}

/* All visible objects are removed. */
static int may_appear(const struct object_store *store, struct error *err)
{
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, 0,
              "the server did not answer in time; objects may still appear in",
              store->target.place);
    return life_advise_command("then remove them", clean_command(store), err);
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
        return may_appear(store, err);
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
    store->manifest.seed = pattern_seed(
        pattern_seed(request->seed, store->service->protocol->container(store->service)),
        store->run_prefix);
    /* rows of unsupported tests are skipped; if no test is supported, the sets are never used */
    if (object_manifest_plan(&store->manifest, known ? known : request->tests, request->size_bytes,
                             request->size_count, options->objects, options,
                             object_tests_in_ranges(store->service), err) != 0)
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
    if (object_heartbeat_start(store, err) == 0)
        return 0;
    store->made = false;
    return object_run_take_back(store) ? -1 : may_appear(store, err);
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
    return joins     ? object_join_open(store, err)
           : !reads  ? open_own(store, err)
           : retires ? object_retire_open(store, err)
                     : object_reuse_open(store, err);
}

struct object_store *object_store_new(void)
{
    struct object_store *store = mem_calloc(1, sizeof(*store));

    pthread_mutex_init(&store->reader_lock, NULL);
    object_heartbeat_init(store);
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
        const struct object_set *found = object_set_for(store, test, size_bytes);
        struct object_set *set = found ? &store->set[found - store->set] : NULL;
        enum life_content *content = set ? &store->manifest.set[found - store->set].content : NULL;
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
    return changed ? object_run_renew(store, store->client, err) : 0;
}

static void abort_left(struct object_store *store)
{
    struct error ignored = ERROR_INIT; /* close tries again, and reports it */
    const uint64_t left = atomic_exchange(&store->uploads_left, 0);

    if (left > 0 &&
        object_uploads_abort(store->client, store->run_prefix, &store->manifest, &ignored) != 0)
        atomic_fetch_add(&store->uploads_left, left);
}

static int prepare_own(struct object_store *store, enum io_test test, struct error *err)
{
    const bool in_ranges =
        test == TEST_WRITE && object_tests_in_ranges(store->service) & 1u << TEST_WRITE;

    abort_left(store);
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

/* ---- close ---- */

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
        clean_command(store), err);
}

/* A kept run is complete, except for uploads in parts that will never be completed. */
static int end_kept(struct object_store *store, struct object_client *client, bool lost,
                    struct error *err)
{
    struct error own = ERROR_INIT;
    char text[1024];

    if (store->uploads &&
        object_uploads_abort(client, store->run_prefix, &store->manifest, &own) != 0)
        log_warn("uploads may be left pending: %s", error_format(&own, text, sizeof(text)));
    store->manifest.state.running = false;
    if (object_run_renew(store, client, err) != 0)
        return -1;
    return lost ? life_lost(store->target.place, LIFE_OURS, err) : 0;
}

/* Removes, once, the objects made since its manifest disappeared, unless another manifest exists.
 * why: the reason why the run's owner is unknown.  Returns -1. */
static int end_lost(struct object_store *store, struct object_client *client, enum life_owner owner,
                    struct error *why, struct error *err)
{
    int code = owner == LIFE_UNKNOWN ? -1 : 0;
    char text[1024];

    if (owner == LIFE_NOBODYS)
        code = object_run_remove(client, store->run_prefix, &store->manifest, store, store->uploads,
                                 NULL, why);
    if (code == OBJECT_REMOVAL_UNSURE)
        may_appear(store, why);
    if (code != 0)
        log_warn("objects may be left in %s: %s", store->target.place,
                 error_format(why, text, sizeof(text)));
    return life_lost(store->target.place, owner, err);
}

/* Marks the run as ended, so that a later removal need not wait. */
static void tell_ended(struct object_store *store, struct object_client *client)
{
    const bool running = store->manifest.state.running;
    struct error ignored = ERROR_INIT;

    object_manifest_unsettle(&store->manifest);
    store->unsettled = true;
    store->manifest.state.running = false;
    if (object_run_renew(store, client, &ignored) != 0)
        store->manifest.state.running = running;
}

int object_run_end(struct object_store *store, struct object_client *client, struct error *err)
{
    struct error own = ERROR_INIT;
    bool lost;
    const enum life_owner owner =
        life_heart_end(&store->heart, object_run_place(client, store->run_prefix), &lost, &own);
    int code = 0;

    if (owner != LIFE_OURS && (lost || owner != LIFE_UNKNOWN))
        return end_lost(store, client, owner, &own, err);
    if (store->retires)
        code = object_retire_end(store, client, err);
    else if (store->target.request->keep)
        return end_kept(store, client, lost, err);
    else /* objects that an earlier run made in addition are found only by lists and names */
        code = object_run_remove(client, store->run_prefix, &store->manifest,
                                 store->kept ? NULL : store, store->uploads, NULL, err);
    if (!store->retires &&
        (code == OBJECT_REMOVAL_UNSURE || (code < 0 && err->errnum != ETIMEDOUT)))
        tell_ended(store, client);
    return code == 0 && lost ? life_lost(store->target.place, owner, err) : code;
}

/* With a separate client: the other one gives up at once after a signal. */
static int end_run(struct object_store *store, struct error *err)
{
    const bool keep = store->target.request->keep;
    struct object_client *client = NULL;
    struct error own = ERROR_INIT;
    int code;

    object_heartbeat_stop(store);
    atomic_store(&store->service->budget, UINT64_MAX);
    code = object_client_create(store->service, NULL, &client, &own);
    if (code == 0) {
        object_client_hurry(client, store->target.request->stop);
        code = object_run_end(store, client, &own);
    }
    if (code == OBJECT_REMOVAL_UNSURE && !store->target.driver->clean)
        code = 0; /* the store ends with this program */
    object_client_destroy(client);
    if (code == 0 && !keep)
        object_cost_tell_removal(store);
    if (code == 0)
        return 0;
    if (code == OBJECT_REMOVAL_UNSURE)
        return may_appear(store, err);
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
    if (target->created) {
        object_close_created(store);
        return 0;
    }
    if (store->made)
        code = end_run(store, err);
    if (store->made && target->request->keep && !atomic_load(&target->lost))
        life_tell_kept("objects", target->place, clean_command(store));
    object_store_free(store);
    return code;
}
