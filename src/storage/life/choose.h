/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* choose.h - which of the objects that -r finds are read.
 *
 * Objects of runs are not the user's data, and some may be missing.  So the user's objects take
 * precedence: if there are any, those of runs are ignored.  Otherwise one run is read, by its
 * manifest; two runs are never read together. */
#ifndef STORAGE_LIFE_CHOOSE_H
#define STORAGE_LIFE_CHOOSE_H

#include "storage/life/life.h"

struct life_object {
    char *name;
    uint64_t length_bytes;
    uint64_t number; /* MAY: the owner's */
};

struct life_objects { /* owned, with their names */
    struct life_object *object;
    size_t count, room;
};

/* Takes over the name.  Returns the object, valid until the next one is added. */
struct life_object *life_objects_add(struct life_objects *objects, char *name,
                                     uint64_t length_bytes);
/* The longest first, then by name, with numbers by value: the same order in every run, and that of
 * the files of a set. */
void life_objects_sort(struct life_objects *objects);
void life_objects_free(struct life_objects *objects);

/* A run is identified by its root, the common prefix of its objects' names: "a/iosweep-NAME",
 * which contains a manifest. */
struct life_choice {
    void *arg;
    const struct target_request *request;
    const char *noun;  /* word for one object: "file" */
    const char *place; /* word for the place of a run: "directory" */

    bool empty; /* objects without data were left out */

    /* Whether a root is that of a run, which has a manifest; called once for each.  Without any its
     * objects are like any others. */
    bool (*is_run)(void *arg, const char *root);
};

/* Whether messages are shown: not while targets are only checked before the run, which repeats
 * them. */
bool life_choice_told(const struct target_request *request);

/* Describes the objects of the target: "9 files of 4 KiB to 1 GiB, 3.2 GiB in all"; to be freed. */
char *life_describe_found(const char *noun, const struct target *target);

/* Reduces the list to the user's objects.  Returns 0: there are some; 1: all belonged to one run,
 * *root (to be freed); -1: to several (STATUS_USAGE), or there were none. */
int life_choose(const struct life_choice *choice, struct life_objects *found, char **root,
                struct error *err);

#endif
