/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.h - the run of this process: a separate thread puts its next state periodically, even
 * while measuring threads hang, and other processes infer from the age of that state that the run
 * is in use; and its end, which is the same on all storage.
 *
 * Before each state it checks that the run is still its own.  If the manifest is missing or has
 * another owner, the run was removed or taken over: it puts nothing, and sets *lost. */
#ifndef STORAGE_LIFE_HEARTBEAT_H
#define STORAGE_LIFE_HEARTBEAT_H

#include <pthread.h>
#include <stdatomic.h>

#include "storage/life/life.h"

/* What its storage does for the run. */
struct life_hooks {
    const char *noun, *nouns; /* words for one object, and for those that --keep leaves */
    void (*lose)(void *arg);  /* MAY: after *lost was set */
    /* MAY: updates the number of objects made of each set in the manifest, under the lock */
    void (*count)(void *arg);
    /* At the end: goes over the objects, see enum life_way.  Returns 0 or -1; MAY return 1 for
     * REMOVE: what was found is removed, but more may appear. */
    int (*go_over)(void *arg, enum life_way way, struct life_tally *tally, struct error *err);
    void (*settle)(void *arg);   /* MAY: before the end of a run that is kept is recorded */
    char *(*command)(void *arg); /* that removes the run later; to be freed */
};

struct life_heart {
    /* From life_heart_init on: */
    atomic_bool *lost;
    const struct life_hooks *hooks;
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
    bool unsettled; /* objects are no longer counted */
};

void life_heart_init(struct life_heart *heart, struct life_manifest *manifest, atomic_bool *lost,
                     const struct life_hooks *hooks, void *arg);
void life_heart_free(struct life_heart *heart); /* must be stopped */

/* Starts renewing the run.  Returns 0 or -1. */
int life_heart_start(struct life_heart *heart, struct error *err);
void life_heart_stop(struct life_heart *heart); /* also if not started */

/* Makes this process the owner of a run that may be used, visibly to others, through the caller's
 * `place`, and starts renewing it.  If two processes try this at the same time, one is refused.
 * Returns 0, or -1: it has no owner. */
int life_take_over(struct life_heart *heart, const struct life_place *place, struct error *err);

/* For changing the manifest: pthread_mutex_unlock(&heart->lock) afterwards.  Does not wait for a
 * renewal that hangs once the run is ending.  Returns 0 or -1. */
int life_heart_lock(struct life_heart *heart, struct error *err);

/* Puts the next state at once, through the caller's `place`, if the run is still its own.  Returns
 * 0 or -1. */
int life_heart_renew(struct life_heart *heart, const struct life_place *place, struct error *err);

/* What becomes of the run: RETIRE: a test has removed some of its objects; those left are counted,
 * and after the last one the run is removed. */
enum life_fate { LIFE_IS_REMOVED, LIFE_IS_KEPT, LIFE_IS_RETIRED };

/* Ends a run that is no longer renewed, and reports what is left.  If it was lost, removes, once,
 * the objects made since its manifest disappeared, unless another manifest exists.  If it is ours
 * after all, because storage returned stale data for a while, it is no longer marked as lost.
 * Returns 0, -1, or 1 if go_over did. */
int life_end(struct life_heart *heart, const struct life_place *place, enum life_fate fate,
             struct error *err);

/* Error: the run is lost; owner: who has it now.  Returns -1. */
int life_lost(const char *shown, enum life_owner owner, struct error *err);

#endif
