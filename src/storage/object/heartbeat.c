/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.c - a run says that it goes on by putting its manifest anew now and then, on a thread
 * and with a client of its own: others can tell from its age that somebody still works there, and
 * from what it says how much of the objects there is.
 *
 * Before each renewal the manifest is read: when it is gone, or another run's, this run was removed
 * while it went on.  Then nothing of it is put back and no request is sent any more. */
#include "base/compat.h"

#include "storage/object/object.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/threads.h"

#define LOOK_S      5 /* sets that became complete are told so late at most */
#define LOCK_NS     20000000L
#define END_LOOK_NS 100000000L
#define END_LOOKS   30u /* 3 s: what is under way is waited for when the run ends by a signal */

struct object_heartbeat {
    struct object_store *store;
    struct object_client *client;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ending, ended;   /* under the lock: no renewal begins any more; the thread is done */
    volatile int give_up; /* what is under way is dropped */
    unsigned complete;    /* sets, when the manifest was put */
    uint64_t put_s;
};

static uint64_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec;
}

/* ---- the manifest of today ---- */

static void count_made(struct object_store *store)
{
    for (unsigned i = 0; i < store->base.set_count; i++) {
        const struct object_set *set = &store->base.set[i];
        struct life_set *plan = &store->manifest.set[i];
        if (store->base.kept || store->unsettled) /* what it has made stays told */
            return;
        if (object_set_grows(set->kind))
            plan->made = (uint32_t)atomic_load(&set->made);
        else if (set->count > 0)
            plan->made = object_set_made(set);
    }
}

static unsigned count_complete(const struct object_store *store)
{
    unsigned complete = 0;

    for (unsigned i = 0; i < store->base.set_count; i++)
        complete += object_set_complete(&store->base.set[i]);
    return complete;
}

int object_run_lost(struct object_store *store, struct error *err)
{
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, ESTALE,
              "this run was removed while running:", store->base.target.place);
    error_explain(err, "its manifest is gone or belongs to another run");
    return error_advise(
        err, "somebody ran iosweep clean --force, or this program stalled for ten minutes");
}

/* No request leaves any more, so that the run ends. */
static void lose(struct object_store *store)
{
    atomic_store(&store->base.target.lost, true);
    atomic_store(&store->base.service->budget, 0);
}

static const struct life_place *place_of(const struct object_store *store,
                                         struct object_client *client, struct object_run *run)
{
    return object_run_place(run, client, store->base.run_prefix);
}

bool object_run_is_lost(struct object_store *store, struct object_client *client, struct error *err)
{
    struct object_run run;

    if (life_is_ours(place_of(store, client, &run), &store->manifest, err) == 0)
        lose(store);
    return atomic_load(&store->base.target.lost);
}

static int renew(struct object_store *store, struct object_client *client, struct error *err)
{
    struct error own = ERROR_INIT;
    struct object_run run;
    int code = 0;

    if (!object_run_is_lost(store, client, &own) && !error_is_set(&own)) {
        count_made(store);
        code = life_go_on(place_of(store, client, &run), &store->manifest, &own);
        if (code > 0)
            lose(store);
    }
    if (atomic_load(&store->base.target.lost))
        return object_run_lost(store, err);
    if (!error_is_set(&own))
        return code;
    *err = own;
    return -1;
}

/* Not held up by a renewal that hangs when the run is to end. */
int object_run_lock(struct object_store *store, struct error *err)
{
    while (pthread_mutex_trylock(&store->manifest_lock) != 0) {
        if (store->heart && flag_read(store->base.target.request->stop))
            return error_set(err, STATUS_PARTIAL, EINTR, "interrupted before writing to",
                             store->base.target.place);
        clock_rest(LOCK_NS);
    }
    return 0;
}

int object_run_renew(struct object_store *store, struct object_client *client, struct error *err)
{
    int code;

    if (object_run_lock(store, err) != 0)
        return -1;
    code = renew(store, client, err);
    pthread_mutex_unlock(&store->manifest_lock);
    return code;
}

/* ---- the end of a run that is lost ---- */

#define LEFT_MOST 10000u /* keys: what was written before the loss was noticed */

struct leftovers {
    struct object_store *store;
    char **key;
    size_t count;
};

static int visit_left(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                      struct error *err)
{
    struct leftovers *left = arg;
    const char *name = key + strlen(left->store->base.run_prefix);
    uint64_t object;
    unsigned set;

    (void)etag;
    (void)err;
    if (object_manifest_owns(&left->store->manifest, name, &set, &object) &&
        object_manifest_fits(&left->store->manifest, set, left->store->base.service, size_bytes))
        left->key[left->count++] = mem_strdup(key);
    return left->count == LEFT_MOST;
}

/* Whose run it is now: of nobody, when all that is left is what this one put meanwhile. */
enum owner { OWNER_UNKNOWN = -1, OWNER_NOBODY, OWNER_OTHER };

static enum owner owner_of_lost(struct object_store *store, struct object_client *client,
                                struct error *err)
{
    struct life_manifest there;
    const enum life_found found =
        object_run_look(client, store->base.run_prefix, &there, NULL, err);
    const bool own = found == LIFE_READ && there.state.owner == store->manifest.state.owner;

    life_manifest_free(&there);
    return found == LIFE_ERROR                                 ? OWNER_UNKNOWN
           : found == LIFE_ABSENT || found == LIFE_TORN || own ? OWNER_NOBODY
                                                               : OWNER_OTHER;
}

/* Whoever removed the run may not have seen what was under way then. */
static int remove_leftovers(struct object_store *store, struct object_client *client,
                            struct error *err)
{
    struct leftovers left = {.store = store, .key = mem_calloc(LEFT_MOST, sizeof(*left.key))};
    uint64_t removed = 0;
    bool nobody;
    int code;

    code = object_client_list(client, store->base.run_prefix, 0, visit_left, &left, err);
    code = code < 0 ? -1 : 0;

    /* somebody may have taken the name meanwhile */
    nobody = code == 0 && owner_of_lost(store, client, err) == OWNER_NOBODY;
    if (nobody && left.count > 0)
        code =
            object_client_delete(client, (const char *const *)left.key, left.count, &removed, err);
    if (code == 0 && store->uploads)
        code = object_uploads_abort(client, store->base.run_prefix, &store->manifest, err);
    if (code == 0 && nobody)
        code = object_manifest_remove(client, store->base.run_prefix, &store->manifest, err);
    if (code == 0 && nobody)
        code = object_place_remove(client, store->base.run_prefix, &store->manifest, err);
    for (size_t i = 0; i < left.count; i++)
        free(left.key[i]);
    free(left.key);
    return code;
}

int object_run_lost_end(struct object_store *store, struct object_client *client, struct error *err)
{
    struct error own = ERROR_INIT;
    char text[1024];
    enum owner owner;

    atomic_store(&store->base.service->budget, UINT64_MAX); /* for this, requests leave again */
    owner = owner_of_lost(store, client, &own);
    if (owner == OWNER_UNKNOWN ||
        (owner == OWNER_NOBODY && remove_leftovers(store, client, &own) != 0))
        log_warn("objects may be left in %s: %s", store->base.target.place,
                 error_format(&own, text, sizeof(text)));
    (void)object_run_lost(store, err);
    if (owner == OWNER_OTHER) { /* what lies below it may be somebody's */
        err->advice[0] = '\0';
        error_advise(err, "another manifest has replaced it, so objects of this run may be left");
    }
    return -1;
}

/* ---- now and then ---- */

static void beat(struct object_heartbeat *heart)
{
    struct error err = ERROR_INIT;
    const unsigned complete = count_complete(heart->store);
    char text[1024];

    if (complete == heart->complete && now_s() - heart->put_s < LIFE_RENEW_S)
        return;
    if (object_run_renew(heart->store, heart->client, &err) == 0) {
        heart->complete = complete;
        heart->put_s = now_s();
    } else if (!atomic_load(&heart->store->base.target.lost)) {
        log_step("# the manifest could not be renewed: %s", error_format(&err, text, sizeof(text)));
    }
}

static void *heartbeat_main(void *arg)
{
    struct object_heartbeat *heart = arg;

    pthread_mutex_lock(&heart->lock);
    while (!heart->ending) {
        if (!condition_wait_until(&heart->changed, &heart->lock,
                                  clock_monotonic_ns() + LOOK_S * NS_PER_S))
            continue;
        pthread_mutex_unlock(&heart->lock);
        if (!atomic_load(&heart->store->base.target.lost))
            beat(heart);
        pthread_mutex_lock(&heart->lock);
    }
    heart->ended = true;
    pthread_cond_signal(&heart->changed);
    pthread_mutex_unlock(&heart->lock);
    return NULL;
}

static void free_heartbeat(struct object_heartbeat *heart)
{
    object_client_destroy(heart->client);
    pthread_cond_destroy(&heart->changed);
    pthread_mutex_destroy(&heart->lock);
    free(heart);
}

/* Signals are for the thread that waits for them. */
static int start_thread(struct object_heartbeat *heart)
{
    sigset_t all, before;
    int code;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&heart->thread, NULL, heartbeat_main, heart);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

int object_heartbeat_start(struct object_store *store, struct error *err)
{
    struct object_heartbeat *heart = mem_calloc(1, sizeof(*heart));
    int code;

    heart->store = store;
    heart->put_s = now_s();
    pthread_mutex_init(&heart->lock, NULL);
    condition_init(&heart->changed);
    if (object_client_create(store->base.service, &heart->give_up, &heart->client, err) != 0) {
        free_heartbeat(heart);
        return -1;
    }
    object_client_pin(heart->client); /* the threads that measure read the service meanwhile */
    code = start_thread(heart);
    if (code != 0) {
        free_heartbeat(heart);
        return error_set(err, STATUS_TARGET, code, "cannot start a thread for",
                         store->base.target.place);
    }
    store->heart = heart;
    return 0;
}

/* A renewal that is under way is waited for: one that is dropped could arrive when the manifest has
 * been removed, and nobody would remove it again.  A server that says nothing is not waited for
 * once the run is to end by a signal. */
static void wait_for_end(struct object_heartbeat *heart)
{
    const volatile int *stop = heart->store->base.target.request->stop;
    unsigned silent = 0;

    while (!heart->ended && silent < END_LOOKS) {
        (void)condition_wait_until(&heart->changed, &heart->lock,
                                   clock_monotonic_ns() + END_LOOK_NS);
        silent += flag_read(stop) != 0;
    }
}

void object_heartbeat_stop(struct object_store *store)
{
    struct object_heartbeat *heart = store->heart;

    if (!heart)
        return;
    store->heart = NULL;
    pthread_mutex_lock(&heart->lock);
    heart->ending = true;
    pthread_cond_signal(&heart->changed);
    wait_for_end(heart);
    pthread_mutex_unlock(&heart->lock);
    flag_set(&heart->give_up, 1);
    pthread_join(heart->thread, NULL);
    free_heartbeat(heart);
}
