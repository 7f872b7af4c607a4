/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clean.h - `iosweep clean`, one procedure for all storage: which places may be runs, what their
 * manifests contain, which runs are removed, listed or refused.  A driver lists names, examines one
 * place, and counts and removes what the run there made. */
#ifndef STORAGE_LIFE_CLEAN_H
#define STORAGE_LIFE_CLEAN_H

#include "storage/life/life.h"
#include "storage/storage.h"

struct clean_run {
    char *name;           /* without "iosweep-"; owned */
    char *place;          /* for messages; owned */
    char *path;           /* the driver's name of the place; owned */
    struct life_run seen; /* as last examined */
    bool alive;           /* at that time */
    int64_t wait_s;       /* alive: see life_is_alive */
    struct error why;     /* set: why the run must be left, regardless of the request */
};

typedef int clean_visit(void *arg, const char *run_name, struct error *err);

/* Hooks return 0 or -1 unless stated otherwise. */
struct clean_hooks {
    void *arg;
    const char *noun; /* word for one object: "file" */
    const char *only; /* the target is the place of this run; NULL: it may hold several */
    const char *none; /* MAY be NULL: message if there is no run and none was named */

    /* Visits the names of all places "iosweep-BEGIN...", without "iosweep-". */
    int (*list)(void *arg, const char *begin, clean_visit *visit, void *visit_arg,
                struct error *err);

    /* Fills in place and path of a run by its name. */
    void (*find)(void *arg, struct clean_run *run);

    /* Examines a place and fills in run->seen; MAY lock it until `release`, so that no process
     * begins to use it.  named: the user named it as a run.  TORN: also a run without a manifest;
     * INVALID: also a place that is not a run. */
    enum life_found (*look)(void *arg, struct clean_run *run, bool named, struct error *err);
    void (*release)(void *arg); /* MAY be NULL */

    /* Between `look` and `release`. */
    int (*go_over)(void *arg, struct clean_run *run, enum life_way way, struct life_tally *tally,
                   struct error *err);
};

/* Finds the runs and lists them (dry run, or several with neither a name nor `all`), refuses or
 * removes them; continues after a run that must be left, and reports each.  A run that became alive
 * since it was found is left, unless forced.  hooks NULL: there are no runs.  Returns 0 or -1. */
int clean_carry_out(const struct clean_request *request, const struct clean_hooks *hooks,
                    struct clean_outcome *outcome, struct error *err);

#endif
