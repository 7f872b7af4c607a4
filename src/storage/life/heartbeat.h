/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.h - keeps a run of this process alive: a separate thread puts the run's next state
 * periodically, even while measuring threads hang, and other processes infer from the age of that
 * state that the run is in use.
 *
 * Before each state it checks that the run is still its own.  If the manifest is missing or has
 * another owner, the run was removed or taken over: it puts nothing, and sets *lost. */
#ifndef STORAGE_LIFE_HEARTBEAT_H
#define STORAGE_LIFE_HEARTBEAT_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/life/life.h"

struct life_heart {
    /* From life_heart_init on: */
    atomic_bool *lost;
    void (*lose)(void *arg); /* MAY: after *lost was set */
    /* MAY: number of complete sets, which the next state publishes soon; tell: updates the number
     * of objects made of each set in the manifest, under the lock. */
    unsigned (*count)(void *arg, bool tell);
    void *arg;
    pthread_mutex_t lock; /* of the manifest */
    struct life_manifest *manifest;

    /* From life_heart_start on: */
    const struct life_place *place; /* used on the thread of the heartbeat alone */
    const char *shown;              /* for messages */
    uint64_t renew_ns;
    const volatile int *stop; /* the run is ending: do not wait for storage that does not answer */
    volatile int give_up;     /* ... the place sees this as its stop flag, and fails */

    /* heartbeat.c's own: */
    pthread_t thread;
    pthread_mutex_t turn; /* of what follows */
    pthread_cond_t changed;
    bool beats, ending, ended, warned;
    unsigned complete; /* sets, when the last state was put */
    uint64_t put_ns;
};

void life_heart_init(struct life_heart *heart, struct life_manifest *manifest, atomic_bool *lost);
void life_heart_free(struct life_heart *heart); /* must be stopped */

/* Starts renewing the run.  Returns 0 or -1. */
int life_heart_start(struct life_heart *heart, struct error *err);
void life_heart_stop(struct life_heart *heart); /* also if not started */

/* For changing the manifest: pthread_mutex_unlock(&heart->lock) afterwards.  Does not wait for a
 * renewal that hangs once the run is ending.  Returns 0 or -1. */
int life_heart_lock(struct life_heart *heart, struct error *err);

/* The owner of a run that has ended and is no longer renewed; err: why that is unknown.  *lost: the
 * run was lost meanwhile.  If it is ours after all, because storage returned stale data for a
 * while, it is no longer marked as lost. */
enum life_owner life_heart_end(struct life_heart *heart, const struct life_place *place, bool *lost,
                               struct error *err);

/* Puts the next state at once, through the caller's `place`, if the run is still its own.  Returns
 * 0 or -1. */
int life_heart_renew(struct life_heart *heart, const struct life_place *place, struct error *err);

/* Error: the run is lost; owner: who has it now.  Returns -1. */
int life_lost(const char *shown, enum life_owner owner, struct error *err);

#endif
