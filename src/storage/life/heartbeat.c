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

#define AGAIN_NS    (LIFE_RENEW_S * NS_PER_S) /* after a state could not be put */
#define LOCK_NS     UINT64_C(20000000)
#define END_LOOK_NS UINT64_C(100000000)
#define END_LOOKS   30u /* 3 s: how long to wait for a renewal when a signal ends the run */

void life_heart_init(struct life_heart *heart, struct life_manifest *manifest, atomic_bool *lost,
                     const struct life_hooks *hooks, void *arg)
{
    *heart = (struct life_heart){.manifest = manifest, .lost = lost, .hooks = hooks, .arg = arg};
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
    if (owner == LIFE_OTHERS)
        return error_advise(err,
                            "another manifest has replaced it, so what this run made may be left");
    return error_advise(err, "iosweep clean has removed it: with --force, or because this program "
                             "stalled for ten minutes");
}

static void lose(struct life_heart *heart)
{
    atomic_store(heart->lost, true);
    if (heart->hooks->lose)
        heart->hooks->lose(heart->arg);
}

static int renew(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    struct error own = ERROR_INIT;
    const enum life_owner owner = life_whose(place, heart->manifest, &own);
    int code = 0;

    if (owner != LIFE_UNKNOWN && owner != LIFE_OURS)
        lose(heart);
    if (!atomic_load(heart->lost) && !error_is_set(&own)) {
        if (heart->hooks->count && !heart->unsettled)
            heart->hooks->count(heart->arg);
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

/* Returns the time of the next renewal, by the clock. */
static uint64_t beat(struct life_heart *heart)
{
    const uint64_t now_ns = clock_monotonic_ns();
    struct error err = ERROR_INIT;
    char text[1024];

    if (life_heart_renew(heart, heart->place, &err) == 0)
        return now_ns + heart->renew_ns;
    if (!heart->warned && !atomic_load(heart->lost) && err.status != STATUS_PARTIAL) {
        log_warn("the manifest could not be renewed; when that lasts for ten minutes, other hosts "
                 "take this run for dead: %s",
                 error_format(&err, text, sizeof(text)));
        heart->warned = true;
    }
    return now_ns + (heart->renew_ns < AGAIN_NS ? heart->renew_ns : AGAIN_NS);
}

static void *heart_main(void *arg)
{
    struct life_heart *heart = arg;
    uint64_t at_ns = clock_monotonic_ns() + heart->renew_ns;

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

    heart->beats = true;
    code = thread_start(&heart->thread, heart_main, heart);
    if (code == 0)
        return 0;
    heart->beats = false;
    error_set(err, STATUS_TARGET, code, "cannot start a thread for", heart->shown);
    return error_advise(err, "raise the limit of threads (ulimit -u)");
}

int life_take_over(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    struct error ignored = ERROR_INIT; /* the run counts as dead after a while */
    int code;

    life_own(heart->manifest);
    code = life_go_on(place, heart->manifest, err);
    if (code > 0)
        return life_refuse_alive(heart->shown, 0, err);
    if (code == 0 && life_heart_start(heart, err) != 0) {
        heart->manifest->state.running = false;
        (void)life_go_on(place, heart->manifest, &ignored);
        code = -1;
    }
    return code;
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

/* ---- the end ---- */

static int end_lost(struct life_heart *heart, enum life_owner owner, struct error *why,
                    struct error *err)
{
    int code = owner == LIFE_UNKNOWN ? -1 : 0;
    char text[1024];

    if (owner == LIFE_NOBODYS)
        code = heart->hooks->go_over(heart->arg, LIFE_REMOVE, &(struct life_tally){0}, why);
    if (code != 0)
        log_warn("%ss may be left in %s: %s", heart->hooks->noun, heart->shown,
                 error_format(why, text, sizeof(text)));
    return life_lost(heart->shown, owner, err);
}

/* Marks the run as ended, so that other hosts need not wait.  Returns 0 or -1. */
static int tell_ended(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    const bool running = heart->manifest->state.running;

    heart->manifest->state.running = false;
    if (life_heart_renew(heart, place, err) == 0)
        return 0;
    heart->manifest->state.running = running;
    return -1;
}

/* Some of its objects may be removed, or their removal may not have ended: those that are shorter
 * than the run made them are its own. */
static int end_removed(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    struct error ignored = ERROR_INIT;
    const int code = heart->hooks->go_over(heart->arg, LIFE_REMOVE, &(struct life_tally){0}, err);

    if (code > 0 || (code < 0 && err->errnum != ETIMEDOUT)) {
        life_unsettle(heart->manifest);
        heart->unsettled = true;
        (void)tell_ended(heart, place, &ignored);
    }
    return code;
}

/* The manifest still names all objects that the run had.  Whether an object shorter than its set
 * belongs to the run depends on the state in which the run was found. */
static int end_retired(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    const struct life_hooks *hooks = heart->hooks;
    struct life_tally left = {0};
    struct error ignored = ERROR_INIT;
    int code;

    heart->manifest->state.running = heart->manifest->state.was_running;
    code = hooks->go_over(heart->arg, LIFE_COUNT, &left, err);
    if (code == 0 && left.objects == 0) { /* what is left then has been changed by others */
        code = hooks->go_over(heart->arg, LIFE_REMOVE, &left, err);
        if (code == 0)
            return 0;
    } else if (code == 0) {
        life_tell_left(hooks->noun, left.objects, heart->shown, hooks->command(heart->arg));
    }
    if (tell_ended(heart, place, code == 0 ? err : &ignored) != 0 && code == 0)
        code = -1;
    return code;
}

static int end_kept(struct life_heart *heart, const struct life_place *place, struct error *err)
{
    const struct life_hooks *hooks = heart->hooks;

    if (hooks->settle)
        hooks->settle(heart->arg);
    if (tell_ended(heart, place, err) != 0) {
        error_prefix(err, "%s are not recorded as kept: ", hooks->nouns);
        return life_advise_command("to remove them", hooks->command(heart->arg), err);
    }
    if (!atomic_load(heart->lost))
        life_tell_kept(hooks->nouns, heart->shown, hooks->command(heart->arg));
    return 0;
}

int life_end(struct life_heart *heart, const struct life_place *place, enum life_fate fate,
             struct error *err)
{
    struct error own = ERROR_INIT;
    const enum life_owner owner = life_whose(place, heart->manifest, &own);
    const bool lost = atomic_load(heart->lost);
    int code;

    if (owner != LIFE_UNKNOWN)
        atomic_store(heart->lost, owner != LIFE_OURS);
    if (owner != LIFE_OURS && (lost || owner != LIFE_UNKNOWN))
        return end_lost(heart, owner, &own, err);
    code = fate == LIFE_IS_KEPT      ? end_kept(heart, place, err)
           : fate == LIFE_IS_RETIRED ? end_retired(heart, place, err)
                                     : end_removed(heart, place, err);
    return code == 0 && lost ? life_lost(heart->shown, owner, err) : code;
}
