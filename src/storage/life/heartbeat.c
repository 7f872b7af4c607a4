/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.c - see the header. */
#include "base/compat.h"

#include "storage/life/heartbeat.h"

#include <errno.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/threads.h"

#define LOOK_NS     (5 * NS_PER_S)            /* complete sets are published within this time */
#define AGAIN_NS    (LIFE_RENEW_S * NS_PER_S) /* after a state could not be put */
#define LOCK_NS     UINT64_C(20000000)
#define END_LOOK_NS UINT64_C(100000000)
#define END_LOOKS   30u /* 3 s: how long to wait for a renewal when a signal ends the run */

void life_heart_init(struct life_heart *heart, struct life_manifest *manifest, atomic_bool *lost)
{
    *heart = (struct life_heart){.manifest = manifest, .lost = lost};
    pthread_mutex_init(&heart->lock, NULL);
    pthread_mutex_init(&heart->turn, NULL);
    condition_init(&heart->changed);
}

void life_heart_free(struct life_heart *heart)
{
    pthread_cond_destroy(&heart->changed);
    pthread_mutex_destroy(&heart->turn);
    pthread_mutex_destroy(&heart->lock);
}

int life_lost(const char *shown, enum life_owner owner, struct error *err)
{
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, ESTALE, "this run was removed while running:", shown);
    error_explain(err, "its manifest is gone or belongs to another run");
    if (owner == LIFE_OTHERS || owner == LIFE_DAMAGED)
        return error_advise(err,
                            "another manifest has replaced it, so what this run made may be left");
    return error_advise(err, "iosweep clean has removed it: with --force, or because this program "
                             "stalled for ten minutes");
}

static void lose(struct life_heart *heart)
{
    atomic_store(heart->lost, true);
    if (heart->lose)
        heart->lose(heart->arg);
}

enum life_owner life_heart_end(struct life_heart *heart, const struct life_place *place, bool *lost,
                               struct error *err)
{
    const enum life_owner owner = life_whose(place, heart->manifest, err);

    *lost = atomic_load(heart->lost);
    if (owner != LIFE_UNKNOWN)
        atomic_store(heart->lost, owner != LIFE_OURS);
    return owner;
}

static int renew(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    struct error own = ERROR_INIT;
    const enum life_owner owner = life_whose(place, heart->manifest, &own);
    int code = 0;

    if (owner != LIFE_UNKNOWN && owner != LIFE_OURS)
        lose(heart);
    if (!atomic_load(heart->lost) && !error_is_set(&own)) {
        if (heart->count)
            (void)heart->count(heart->arg, true);
        code = life_go_on(place, heart->manifest, &own);
        if (code > 0)
            lose(heart);
    }
    if (atomic_load(heart->lost))
        return life_lost(heart->shown, LIFE_NOBODYS, err);
    if (!error_is_set(&own))
        return code;
    *err = own;
    return -1;
}

int life_heart_lock(struct life_heart *heart, struct error *err)
{
    while (pthread_mutex_trylock(&heart->lock) != 0) {
        if (heart->beats && flag_read(heart->stop))
            return error_set(err, STATUS_PARTIAL, EINTR, "interrupted before writing to",
                             heart->shown);
        clock_rest(LOCK_NS);
    }
    return 0;
}

int life_heart_renew(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    int code;

    if (life_heart_lock(heart, err) != 0)
        return -1;
    code = renew(heart, place, err);
    pthread_mutex_unlock(&heart->lock);
    return code;
}

/* ---- periodic work ---- */

static uint64_t look_ns(const struct life_heart *heart)
{
    return heart->count && LOOK_NS < heart->renew_ns ? LOOK_NS : heart->renew_ns;
}

/* Returns the time of the next check, by the clock. */
static uint64_t beat(struct life_heart *heart)
{
    const unsigned complete = heart->count ? heart->count(heart->arg, false) : 0;
    const uint64_t now_ns = clock_monotonic_ns();
    struct error err = ERROR_INIT;
    char text[1024];

    if (complete == heart->complete && now_ns - heart->put_ns < heart->renew_ns)
        return now_ns + look_ns(heart);
    if (life_heart_renew(heart, heart->place, &err) == 0) {
        heart->complete = complete;
        heart->put_ns = now_ns;
        return now_ns + look_ns(heart);
    }
    if (!heart->warned && !atomic_load(heart->lost) && err.status != STATUS_PARTIAL) {
        log_warn("the manifest could not be renewed; when that lasts for ten minutes, other hosts "
                 "take this run for dead: %s",
                 error_format(&err, text, sizeof(text)));
        heart->warned = true;
    }
    return now_ns + (look_ns(heart) < AGAIN_NS ? look_ns(heart) : AGAIN_NS);
}

static void *heart_main(void *arg)
{
    struct life_heart *heart = arg;
    uint64_t at_ns = heart->put_ns + look_ns(heart);

    pthread_mutex_lock(&heart->turn);
    while (!heart->ending) {
        if (!condition_wait_until(&heart->changed, &heart->turn, at_ns))
            continue;
        pthread_mutex_unlock(&heart->turn);
        at_ns = atomic_load(heart->lost) ? UINT64_MAX : beat(heart);
        pthread_mutex_lock(&heart->turn);
    }
    heart->ended = true;
    pthread_cond_signal(&heart->changed);
    pthread_mutex_unlock(&heart->turn);
    return NULL;
}

int life_heart_start(struct life_heart *heart, struct error *err)
{
    int code;

    heart->put_ns = clock_monotonic_ns();
    heart->beats = true;
    code = thread_start(&heart->thread, heart_main, heart);
    if (code == 0)
        return 0;
    heart->beats = false;
    error_set(err, STATUS_TARGET, code, "cannot start a thread for", heart->shown);
    return error_advise(err, "raise the limit of threads (ulimit -u)");
}

/* Waits for a renewal that is under way: if dropped, it could be carried out after the manifest was
 * removed, and nothing would remove it again.  Once a signal ends the run, does not wait for
 * storage that does not answer. */
void life_heart_stop(struct life_heart *heart)
{
    unsigned silent = 0;

    if (!heart->beats)
        return;
    pthread_mutex_lock(&heart->turn);
    heart->ending = true;
    pthread_cond_signal(&heart->changed);
    while (!heart->ended && silent < END_LOOKS) {
        (void)condition_wait_until(&heart->changed, &heart->turn,
                                   clock_monotonic_ns() + END_LOOK_NS);
        silent += flag_read(heart->stop) != 0;
    }
    pthread_mutex_unlock(&heart->turn);
    flag_set(&heart->give_up, 1);
    pthread_join(heart->thread, NULL);
    heart->beats = false;
}
