/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* run.h - a run made by another process: whether it may be used, and the errors if it may not.
 * The same for all storage. */
#ifndef STORAGE_LIFE_RUN_H
#define STORAGE_LIFE_RUN_H

#include "storage/life/life.h"
#include "storage/storage.h"

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
    uint64_t objects, bytes, directories; /* manifests are not counted */
    const volatile int *stop;             /* not 0: stop going over files; MAY be NULL */
    bool force; /* also remove files that are shorter than the run made them */
};

/* What is done with the objects of a run. */
enum life_way {
    LIFE_COUNT, /* count existing ones, and ignore foreign ones */
    LIFE_CHECK, /* remove nothing; an object that removal would leave is an error, which names it */
    LIFE_REMOVE /* remove and count those that the run made; others stay, with the manifest, and
                 * are an error (STATUS_TARGET), which names the first */
};

/* Whether a process uses it: the run is locked, or life_is_alive.  A run without a complete
 * manifest may be starting, and counts as alive until it is old. */
bool life_run_is_alive(const struct life_run *run, int64_t *wait_s);

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

/* Makes this process the owner of a run that may be used, visibly to others.  If two processes try
 * this at the same time, one is refused.  Returns 0 or -1. */
int life_take_over(const struct life_place *place, struct life_manifest *manifest,
                   const char *shown, struct error *err);

/* At the end: reports objects that are kept, or that a test which removes them has left.  Both take
 * over `command`, which removes them. */
void life_tell_kept(const char *nouns, const char *place, char *command);
void life_tell_left(const char *noun, uint64_t count, const char *place, char *command);

#endif
