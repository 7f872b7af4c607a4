/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* life.h - the life cycle of a run on any storage: created, renewed, taken over, lost, removed.
 *
 * A run is a separate place (a directory, a prefix) that contains manifests:
 *
 *     MANIFEST-1        put before anything else, on the condition that it does not exist: reserves
 *                       the name; removed after everything else
 *     MANIFEST-2 ...    each later state, put on the same condition; only the highest valid one
 *                       counts, and the one before it is removed once it is there
 *
 * Manifests are never overwritten.  So readers always see a complete state, storage need only be
 * able to create files, and of two processes that claim a run one is refused. */
#ifndef STORAGE_LIFE_LIFE_H
#define STORAGE_LIFE_LIFE_H

#include "storage/life/manifest.h"
#include "storage/storage.h"

#define LIFE_PREFIX   "iosweep-" /* of the name of a run's place */
#define LIFE_NAME     "MANIFEST-"
#define LIFE_FIRST    LIFE_NAME "1"
#define LIFE_NAME_MAX 32u /* of a manifest's name, with the end */

#define LIFE_RENEW_S 20u  /* a running run puts a new state at least this often; on files, ... */
#define LIFE_FILES_S 240u /* ... where each costs a flush, this often (heartbeat.h) */
#define LIFE_DEAD_S  600u /* on another host: dead after this long without a new state */

/* The place of a run.  Hooks return what their comments name, or -1 with err. */
struct life_place {
    void *arg;

    /* Reads a whole manifest into `text`.  Returns its length, LIFE_MISSING, or LIFE_NONE_OF_OURS
     * with the reason in err: too long, not a regular file, of another user.  *age_s: since it was
     * put, by the storage's clock; -1: unknown. */
    int64_t (*read)(void *arg, const char *name, char *text, size_t room, int64_t *age_s,
                    struct error *err);

    /* Calls visit for each name in the place that begins with LIFE_NAME, and MAY for others.
     * Returns 0; LIFE_MISSING: there is no such place. */
    int (*list)(void *arg, void (*visit)(void *arg, const char *name), void *visit_arg,
                struct error *err);

    /* Puts a manifest durably and atomically.  Returns 0, or 1: one of that name exists. */
    int (*put)(void *arg, const char *name, const char *text, size_t length, struct error *err);

    /* Removes a manifest, if it exists.  Returns 0. */
    int (*remove)(void *arg, const char *name, struct error *err);
};

#define LIFE_MISSING      (-2)
#define LIFE_NONE_OF_OURS (-3)

/* Whether a name is that of a manifest, and its number. */
bool life_is_manifest(const char *name, uint64_t *number);

enum life_found {
    LIFE_ERROR = -1,
    LIFE_ABSENT,  /* no manifest */
    LIFE_TORN,    /* only MANIFEST-1, truncated while it was written */
    LIFE_INVALID, /* only manifests that cannot be trusted; err says why */
    LIFE_READ
};

/* Reads the state of the run of this name (NULL: any).  *age_s (MAY be NULL): of the current
 * manifest.  READ: the caller frees manifest->set. */
enum life_found life_look(const struct life_place *place, const char *storage, const char *run_name,
                          struct life_manifest *manifest, int64_t *age_s, struct error *err);

/* Marks a run as this process's: a new owner, running, here. */
void life_own(struct life_manifest *manifest);

/* From now on the manifest counts no object as complete: some may be removed. */
void life_unsettle(struct life_manifest *manifest);

/* Puts MANIFEST-1.  Returns 0, 1: the name is taken, or -1. */
int life_begin(const struct life_place *place, struct life_manifest *manifest, struct error *err);

/* Puts the next state over the one that was read or put last, and removes that unless it is
 * MANIFEST-1.  Returns 0, 1: another process has put one (the run is no longer this one's), or
 * -1. */
int life_go_on(const struct life_place *place, struct life_manifest *manifest, struct error *err);

enum life_owner {
    LIFE_UNKNOWN = -1,
    LIFE_OURS,    /* the current manifest is this owner's, and MANIFEST-1 exists */
    LIFE_NOBODYS, /* none, or only one that this owner put after the run was removed */
    LIFE_OTHERS   /* or there is none that can be trusted */
};

/* The present owner of a run that this owner had. */
enum life_owner life_whose(const struct life_place *place, const struct life_manifest *manifest,
                           struct error *err);

/* Removes the manifests of the run, MANIFEST-1 last, but no other files with such a name.  Returns
 * 0, 1 if there are others, or -1. */
int life_remove(const struct life_place *place, const struct life_manifest *manifest,
                struct error *err);

/* ---- a run made by another process: whether it may be used, and the errors if it may not ---- */

struct life_run {
    /* READ, or TORN: its maker was killed before the first manifest was whole */
    enum life_found found;
    struct life_manifest manifest; /* READ; its sets are owned */
    int64_t begun_s;               /* since 1970, by the local clock; 0: unknown */
    int64_t age_s;                 /* of the current manifest, from life_look */
    bool locked;                   /* a process holds its lock, on storage with locks */
};

/* Objects of a run that were found or removed. */
struct life_tally {
    uint64_t objects, bytes;  /* manifests are not counted */
    const volatile int *stop; /* not 0: stop going over files; MAY be NULL */
    bool force;               /* also remove files that are shorter than the run made them */
};

/* What is done with the objects of a run. */
enum life_way {
    LIFE_COUNT, /* count existing ones, and ignore foreign ones */
    LIFE_CHECK, /* remove nothing; an object that removal would leave is an error, which names it */
    LIFE_REMOVE /* remove and count those that the run made; others stay, with the manifest, and
                 * are an error (STATUS_TARGET), which names the first */
};

/* Whether a process uses it, as far as is known: it holds the lock; on this host it exists;
 * elsewhere it put a manifest within LIFE_DEAD_S, or the age is unknown.  A run without a complete
 * manifest may be starting, and counts as alive until it is old.  *wait_s: time until it counts as
 * dead; 0: unknown. */
bool life_is_alive(const struct life_run *run, int64_t *wait_s);

/* "in use by a running iosweep", with advice; wait_s: see life_is_alive.  Returns -1. */
int life_refuse_alive(const char *place, int64_t wait_s, struct error *err);

/* ---- by name ---- */

/* Checks that a name given by the user is well formed.  Returns 0 or -1 (STATUS_USAGE). */
int life_check_name(const struct target_request *request, struct error *err);

/* Error: the target contains no run of that name.  advice MAY be NULL.  Returns -1. */
int life_refuse_missing(const char *run_name, const char *target, const char *advice,
                        struct error *err);

/* Error: no object of the run can be used; takes over `command`, which removes it.  Returns -1. */
int life_refuse_empty(const char *noun, const char *run_name, char *command, struct error *err);

/* "iosweep clean --run-name NAME TARGET OPTIONS", quoted for a shell; to be freed.  run_name NULL:
 * the target is the run itself.  options: needed to reach it, quoted, each after a blank. */
char *life_clean_command(const char *run_name, const char *target, const char *options);

/* Error: a run of that name exists; takes over `command`, which removes it.  Returns -1. */
int life_name_taken(const struct target_request *request, const char *place, char *command,
                    struct error *err);

/* Adds "WHEN: COMMAND" as advice.  A command too long for that is logged as a warning instead,
 * because a truncated command could do harm.  Takes over the command.  Returns -1. */
int life_advise_command(const char *when, char *command, struct error *err);

/* Checks that a run that was examined may be used.  why: the error of that examination.  Returns 0,
 * or -1 if the run is missing, invalid, was killed while starting, or is alive. */
int life_expect(const struct life_run *run, const struct target_request *request, const char *noun,
                const char *place, const struct error *why, struct error *err);

/* At the end: reports objects that are kept, or that a test which removes them has left.  Both take
 * over `command`, which removes them. */
void life_tell_kept(const char *nouns, const char *place, char *command);
void life_tell_left(const char *noun, uint64_t count, const char *place, char *command);

#endif
