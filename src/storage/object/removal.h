/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* removal.h - inside of removing a run: what removal.c and removal_unlisted.c share. */
#ifndef STORAGE_OBJECT_REMOVAL_H
#define STORAGE_OBJECT_REMOVAL_H

#include "storage/object/object.h"

struct keys {
    char **key;
    size_t count;
    uint64_t bytes;
};

struct removal {
    struct object_client *client;
    const struct object_service *service;
    const char *run_prefix;
    const struct life_manifest *manifest;
    const struct object_store *own; /* or NULL: a run that somebody left */
    struct life_tally *tally;       /* what was removed */
    struct keys now, before;        /* of this pass and of the last one */
    unsigned char **seen;           /* of each set with a count: the object was listed */
    uint64_t *listed;               /* of each set */
    uint64_t passed;                /* keys of all passes */
    unsigned ghosts;
    uint64_t foreign, unlisted;
    bool look_only;   /* removes nothing */
    uint64_t changed; /* of the foreign ones: those are that */
    char *first_foreign;
    unsigned vain;
};

/* Returns 1: the object is there, 0: it is not, -1. */
int object_removal_is_there(struct object_client *client, const char *key, struct error *err);

/* Of a run that is lost, before each request that removes: the place is still nobody's.  Returns 0
 * or -1. */
int object_removal_expect_nobody(const struct removal *removal, struct error *err);

/* Removes, by their names, objects that should have been listed and were not.  Returns 0, or -1
 * also where some can be left that have their names in no manifest. */
int object_removal_unlisted(struct removal *removal, struct error *err);

#endif
