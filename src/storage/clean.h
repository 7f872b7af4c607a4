/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clean.h - what `iosweep clean` may remove, decided in one place for all drivers.  A driver finds
 * the runs of a target, says what is in one, and removes one; which of them go, what is listed and
 * what is refused is the same for files and for objects. */
#ifndef STORAGE_CLEAN_H
#define STORAGE_CLEAN_H

#include <stddef.h>

#include "storage/storage.h"

struct clean_run {
    char *name;       /* of the run, without "iosweep-"; owned */
    char *place;      /* for messages; owned */
    uint64_t objects; /* that are there, with their bytes; by the hook `look` */
    uint64_t bytes;
    int64_t begun_s; /* seconds since 1970; 0: not known */
    bool alive;      /* somebody works on it */
    /* alive: so long it counts as such without another sign of life; 0: the system knows at once,
     * or nobody knows */
    int64_t wait_s;
    struct error why; /* set: must be left, whatever was asked for, and why */
    void *data;       /* the driver's; owned (free) */
};

struct clean_runs {
    struct clean_run *run;
    size_t count, room;
};

struct clean_hooks {
    void *arg;
    const char *noun; /* what one object is called: "file" */

    /* Counts the objects of a run that are there.  Called only when runs are listed.  Returns 0 or
     * -1. */
    int (*look)(void *arg, struct clean_run *run, struct error *err);

    /* Finds what `remove` would leave, and removes nothing.  Called only where a request checks.
     * Returns 0, or -1 (STATUS_TARGET), naming the first such object. */
    int (*check)(void *arg, const struct clean_run *run, struct error *err);

    /* Removes what the run made and adds it to outcome->objects and outcome->bytes.  What it did
     * not make stays and is an error (STATUS_TARGET), which names the first such object; the
     * manifest then stays as well.  A run that has come alive since it was found is left, unless
     * forced (clean_refuse_alive).  Returns 0 or -1. */
    int (*remove)(void *arg, struct clean_run *run, bool force, struct clean_outcome *outcome,
                  struct error *err);
};

/* Adds a run, takes over both strings.  The pointer is good until the next one is added. */
struct clean_run *clean_add(struct clean_runs *runs, char *name, char *place);
void clean_free(struct clean_runs *runs);
void clean_run_free(struct clean_run *run); /* what it owns, not the run */

/* "in use by a running iosweep", with advice; wait_s as in struct clean_run.  Returns -1. */
int clean_refuse_alive(const char *place, int64_t wait_s, struct error *err);

/* Whether a run of this name is one that the request names. */
bool clean_names(const struct clean_request *request, const char *run_name);

/* Carries out a request on the runs found: lists them (dry run, or several and neither a name nor
 * `all`), refuses, removes; goes on after one that had to be left, and names each of those. Returns
 * 0 or -1. */
int clean_carry_out(const struct clean_request *request, const struct clean_hooks *hooks,
                    struct clean_runs *runs, struct clean_outcome *outcome, struct error *err);

#endif
