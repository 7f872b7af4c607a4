/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.h - a run of this process that goes on: it puts its next state now and then, on a
 * thread of its own, so that it goes on while threads that measure hang, and others can tell from
 * the age of that state that somebody still works there.
 *
 * Before each state it looks whether the run is still its own.  When the manifest is gone, or is
 * another owner's, the run was removed or taken over while it went on: nothing of it is put back,
 * and *lost says so. */
#ifndef STORAGE_LIFE_HEARTBEAT_H
#define STORAGE_LIFE_HEARTBEAT_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/life/life.h"

struct life_heart {
    /* From life_heart_init on: */
    atomic_bool *lost;
    void (*lose)(void *arg); /* MAY: after *lost was set */
    /* MAY: how many sets are complete, which others are told soon; tell: the manifest, under the
     * lock, gets what is made of each. */
    unsigned (*count)(void *arg, bool tell);
    void *arg;
    pthread_mutex_t lock; /* of the manifest */
    struct life_manifest *manifest;

    /* From life_heart_start on: */
    const struct life_place *place; /* used on the thread of the heartbeat alone */
    const char *shown;              /* for messages */
    uint64_t renew_ns;
    const volatile int
        *stop;            /* the run is to end: storage that does not answer is not waited for */
    volatile int give_up; /* ... and then this makes it fail, where it looks at it */

    /* heartbeat.c's own: */
    pthread_t thread;
    pthread_mutex_t turn; /* of what follows */
    pthread_cond_t changed;
    bool beats, ending, ended, warned;
    unsigned complete; /* sets, when the last state was put */
    uint64_t put_ns;
};

void life_heart_init(struct life_heart *heart, struct life_manifest *manifest, atomic_bool *lost);
void life_heart_free(struct life_heart *heart); /* it does not beat */

/* From now on the run is renewed.  Returns 0 or -1. */
int life_heart_start(struct life_heart *heart, struct error *err);
void life_heart_stop(struct life_heart *heart); /* also one that does not beat */

/* For changing the manifest: pthread_mutex_unlock(&heart->lock) afterwards.  Not held up by a
 * renewal that hangs when the run is to end.  Returns 0 or -1. */
int life_heart_lock(struct life_heart *heart, struct error *err);

/* Whose the run is when it has ended and does not beat any more; err: why that is not known.
 * *lost: it was lost while it went on.  It may be the owner's all the same, where storage showed
 * something else for a while, and is then no longer marked as lost. */
enum life_owner life_heart_end(struct life_heart *heart, const struct life_place *place, bool *lost,
                               struct error *err);

/* Puts the next state at once, by a way of the caller's own, if the run is still its own.  Returns
 * 0 or -1. */
int life_heart_renew(struct life_heart *heart, const struct life_place *place, struct error *err);

/* The error of a run that is lost, and whose it is now.  Returns -1. */
int life_lost(const char *shown, enum life_owner owner, struct error *err);

#endif
