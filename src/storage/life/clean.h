/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clean.h - `iosweep clean`, one procedure for all storage: which places may be runs, what their
 * manifests say, which of them go, what is listed and what is refused.  A driver lists names, looks
 * at one place, counts and removes what the run there made. */
#ifndef STORAGE_LIFE_CLEAN_H
#define STORAGE_LIFE_CLEAN_H

#include "storage/life/run.h"
#include "storage/storage.h"

struct clean_run {
    char *name;           /* without "iosweep-"; owned */
    char *place;          /* for messages; owned */
    char *path;           /* the driver's name of the place; owned */
    struct life_run seen; /* when it was looked at last */
    bool alive;           /* then */
    int64_t wait_s;       /* alive: see life_is_alive */
    struct error why;     /* set: must be left, whatever was asked for, and why */
};

typedef int clean_visit(void *arg, const char *run_name, struct error *err);

/* Those that return int return 0 or -1 where nothing else is said. */
struct clean_hooks {
    void *arg;
    const char *noun; /* what one object is called: "file" */
    const char *only; /* the target is the place of this run; NULL: of any number of them */
    const char *none; /* MAY be NULL: said where no run is there and none was named */

    /* Visits the names of all places "iosweep-BEGIN...", without "iosweep-". */
    int (*list)(void *arg, const char *begin, clean_visit *visit, void *visit_arg,
                struct error *err);

    /* Fills in place and path of a run by its name. */
    void (*find)(void *arg, struct clean_run *run);

    /* Looks at a place and fills in run->seen; MAY hold it until `release`, so that nobody begins
     * to use it.  named: the user said that it is a run.  TORN: also a run without a manifest;
     * INVALID: also what is there is not of a run. */
    enum life_found (*look)(void *arg, struct clean_run *run, bool named, struct error *err);
    void (*release)(void *arg); /* MAY be NULL */

    /* Between `look` and `release`. */
    int (*go_over)(void *arg, struct clean_run *run, enum life_way way, struct life_tally *tally,
                   struct error *err);
};

/* Finds the runs and lists them (dry run, or several and neither a name nor `all`), refuses or
 * removes; goes on after one that had to be left, and names each of those.  One that came alive
 * since it was found is left, unless forced.  hooks NULL: no run is ever there.  Returns 0 or
 * -1. */
int clean_carry_out(const struct clean_request *request, const struct clean_hooks *hooks,
                    struct clean_outcome *outcome, struct error *err);

#endif
