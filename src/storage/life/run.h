/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* run.h - a run as a process finds it that did not make it: whether it may be used, and what the
 * user is told where it may not.  The same for all storage. */
#ifndef STORAGE_LIFE_RUN_H
#define STORAGE_LIFE_RUN_H

#include "storage/life/life.h"
#include "storage/storage.h"

struct life_run {
    /* READ, or TORN: its maker was killed before the first manifest was whole */
    enum life_found found;
    struct life_manifest manifest; /* READ; its sets are owned */
    int64_t begun_s;               /* since 1970, by the clock here; 0: not known */
    int64_t age_s;                 /* of the manifest that counts, as life_look gives it */
    bool locked;                   /* a process holds it, where runs have locks */
};

/* Objects of a run that were found or removed. */
struct life_tally {
    uint64_t objects, bytes, directories; /* manifests are not counted */
    const volatile int *stop; /* going over files ends where *stop is not 0; NULL: never */
    bool force;               /* what is merely shorter than the run made it goes, too */
};

/* What becomes of the objects of a run that is gone over. */
enum life_way {
    LIFE_COUNT,  /* those that are there are counted, whatever is beside them */
    LIFE_CHECK,  /* nothing is removed; what removing would leave is an error, which names it */
    LIFE_REMOVE, /* what the run made is removed and counted; what it did not make stays, with the
                  * manifest, and is an error (STATUS_TARGET), which names the first of it */
    LIFE_ABANDON /* files only: the same without memory */
};

/* Whether a process works on it: it holds the lock, or life_is_alive says so.  Without a whole
 * manifest its maker may be about to begin, until what there is of it is old. */
bool life_run_is_alive(const struct life_run *run, int64_t *wait_s);

/* "in use by a running iosweep", with advice; wait_s: see life_is_alive.  Returns -1. */
int life_refuse_alive(const char *place, int64_t wait_s, struct error *err);

/* ---- by name ---- */

/* A name that the user chose is well formed.  Returns 0 or -1 (STATUS_USAGE). */
int life_check_name(const struct target_request *request, struct error *err);

/* No run of that name is in the target.  advice MAY be NULL.  Returns -1. */
int life_refuse_missing(const char *run_name, const char *target, const char *advice,
                        struct error *err);

/* Nothing of a run can be used; command removes it (taken over).  Returns -1. */
int life_refuse_empty(const char *noun, const char *run_name, char *command, struct error *err);

/* "iosweep clean --run-name NAME TARGET OPTIONS", quoted for a shell; to be freed.  run_name NULL:
 * the target is the run itself.  options: those that reach it, each after a blank, quoted. */
char *life_clean_command(const char *run_name, const char *target, const char *options);

/* A run of that name is there already; command removes it (taken over).  Returns -1. */
int life_name_taken(const struct target_request *request, const char *place, char *command,
                    struct error *err);

/* Adds "WHEN: COMMAND" as advice; what is too long for that is a warning, for a command that is cut
 * would do harm.  Takes the command over.  Returns -1. */
int life_advise_command(const char *when, char *command, struct error *err);

/* Whether a run that was looked at may be used.  why: what looking at it said.  Returns 0, or -1
 * where it is not there, not a run, was killed as it began, or is alive. */
int life_expect(const struct life_run *run, const struct target_request *request, const char *noun,
                const char *place, const struct error *why, struct error *err);

/* A run that may be used becomes this process's, and others see from now on that it goes on.  Of
 * two processes that want it at a time one is refused.  Returns 0 or -1. */
int life_take_over(const struct life_place *place, struct life_manifest *manifest,
                   const char *shown, struct error *err);

/* At the end: objects of a run are kept, or left by a test that removes them; command removes them
 * (taken over). */
void life_tell_kept(const char *nouns, const char *place, char *command);
void life_tell_left(const char *noun, uint64_t count, const char *place, char *command);

#endif
