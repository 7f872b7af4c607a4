/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* choose.h - which of the objects that -r finds are read.
 *
 * Objects of runs are no data of the user, and not all of them need be there.  So the user's own
 * come first: where there are any, those of runs are left out.  Otherwise one run is read, by its
 * manifest.  Two runs are never read together. */
#ifndef STORAGE_LIFE_CHOOSE_H
#define STORAGE_LIFE_CHOOSE_H

#include "storage/life/life.h"

struct life_object {
    char *name;
    uint64_t length_bytes;
};

struct life_objects { /* owned, with their names */
    struct life_object *object;
    size_t count, room;
};

/* Takes over the name. */
void life_objects_add(struct life_objects *objects, char *name, uint64_t length_bytes);
/* The longest first, then by name: the same order in every run. */
void life_objects_sort(struct life_objects *objects);
void life_objects_free(struct life_objects *objects);

/* A run is called by its root: "a/iosweep-NAME", the beginning of the names of its objects. */
struct life_choice {
    void *arg;
    const struct target_request *request;
    const char *noun;  /* what one object is called: "file" */
    const char *place; /* what holds a run: "directory" */
    const char *above; /* what names of runs begin with that --run-name finds: "", "prefix/" */

    /* Whether a run is there; asked once of each root. */
    bool (*is_run)(void *arg, const char *root);
};

/* When targets are looked at before the run, nothing is said that will be said again. */
bool life_choice_told(const struct target_request *request);

/* Nothing is there that can be read; empty: but for objects without data.  Returns -1. */
int life_refuse_nothing(const char *noun, const char *target, bool empty, struct error *err);

/* "9 files of 4 KiB to 1 GiB, 3.2 GiB in all", of what the target has; to be freed. */
char *life_describe_found(const char *noun, const struct target *target);

/* Returns 0: the objects of the user are left in the list; 1: all are those of one run, *root (to
 * be freed); -1: of several (STATUS_USAGE). */
int life_choose(const struct life_choice *choice, struct life_objects *found, char **root,
                struct error *err);

#endif
