/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* life.h - one life of a run, whatever storage it is on: taken, alive, gone on with, lost, removed.
 *
 * A run is a place of its own (a directory, a prefix) with manifests in it:
 *
 *     MANIFEST-1        put before anything else, on the condition that there is none: it takes the
 *                       name; removed after everything else
 *     MANIFEST-2 ...    each later state, put on the same condition; only the highest valid one
 *                       counts, and the one before it is removed once it is there
 *
 * No manifest is ever written over, so whoever looks sees a whole state, on storage that can only
 * create new files too, and of two that want a run one is refused. */
#ifndef STORAGE_LIFE_LIFE_H
#define STORAGE_LIFE_LIFE_H

#include "storage/life/manifest.h"

#define LIFE_PREFIX   "iosweep-" /* of the name of a run's place */
#define LIFE_NAME     "MANIFEST-"
#define LIFE_FIRST    LIFE_NAME "1"
#define LIFE_NAME_MAX 32u /* of a manifest's name, with the end */

#define LIFE_RENEW_S 20u  /* a run that goes on puts its next state at least so often; on files, */
#define LIFE_FILES_S 240u /* ... where each costs a flush, so often (heartbeat.h) */
#define LIFE_DEAD_S  600u /* on another host: without a new state for so long, it is dead */

/* The place of a run.  Hooks return what their comments name, or -1 with err. */
struct life_place {
    void *arg;

    /* Reads all of a manifest into `text`.  Returns its length, or LIFE_MISSING; LIFE_NONE_OF_OURS,
     * with err telling why: too long, no regular file, of another user.  *age_s: since it was put,
     * by the storage's clock; -1: the storage does not tell. */
    int64_t (*read)(void *arg, const char *name, char *text, size_t room, int64_t *age_s,
                    struct error *err);

    /* Calls visit for each name in the place that begins with LIFE_NAME, and MAY for others.
     * Returns 0; LIFE_MISSING: there is no such place. */
    int (*list)(void *arg, void (*visit)(void *arg, const char *name), void *visit_arg,
                struct error *err);

    /* Puts a manifest durably, in one piece.  Returns 0, or 1: one of that name is there. */
    int (*put)(void *arg, const char *name, const char *text, size_t length, struct error *err);

    /* Removes a manifest; that it is gone already is fine.  Returns 0. */
    int (*remove)(void *arg, const char *name, struct error *err);
};

#define LIFE_MISSING      (-2)
#define LIFE_NONE_OF_OURS (-3)

/* Whether a name is that of a manifest, and its number. */
bool life_is_manifest(const char *name, uint64_t *number);

enum life_found {
    LIFE_ERROR = -1,
    LIFE_ABSENT,  /* no manifest */
    LIFE_TORN,    /* MANIFEST-1 was cut off while it was written, and there is no other */
    LIFE_INVALID, /* manifests, but none that can be believed; err says why */
    LIFE_READ
};

/* Reads the state of the run of this name (NULL: of any).  *age_s (MAY be NULL): of the manifest
 * that counts.  READ: manifest->set is the caller's to free. */
enum life_found life_look(const struct life_place *place, const char *storage, const char *run_name,
                          struct life_manifest *manifest, int64_t *age_s, struct error *err);

/* Marks a run as this process's: a new owner, running, here. */
void life_own(struct life_manifest *manifest);

/* Whether its owner goes on, as far as can be known: on this host its process is there; elsewhere
 * it put a manifest within LIFE_DEAD_S, or the storage does not tell.  *wait_s (MAY be NULL): after
 * so long it is dead; 0: not known. */
bool life_is_alive(const struct life_manifest *manifest, int64_t age_s, int64_t *wait_s);

/* Puts MANIFEST-1.  Returns 0, 1: the name is taken, or -1. */
int life_begin(const struct life_place *place, struct life_manifest *manifest, struct error *err);

/* Puts the next state over the one that was read or put last, and removes that unless it is
 * MANIFEST-1.  Returns 0, 1: another process has put one (the run is no longer this one's), or
 * -1. */
int life_go_on(const struct life_place *place, struct life_manifest *manifest, struct error *err);

enum life_owner {
    LIFE_UNKNOWN = -1,
    LIFE_OURS,    /* the manifest that counts is this owner's, and MANIFEST-1 is there */
    LIFE_NOBODYS, /* there is none, or none but what this owner put when it was removed already */
    LIFE_DAMAGED, /* none that can be believed; err says why */
    LIFE_OTHERS
};

/* Whose the run is that this owner had. */
enum life_owner life_whose(const struct life_place *place, const struct life_manifest *manifest,
                           struct error *err);

/* Removes the manifests of the run, MANIFEST-1 last; others of such a name stay.  Returns 0, 1 when
 * others stay, or -1. */
int life_remove(const struct life_place *place, const struct life_manifest *manifest,
                struct error *err);

#endif
