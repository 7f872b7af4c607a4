/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* names.h - the answer to LIST: keys with what is known of each, in one piece of memory that is
 * used again for the next page. */
#ifndef STORAGE_OBJECT_RADOS_NAMES_H
#define STORAGE_OBJECT_RADOS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "storage/object/protocol.h"

struct pool_entry { /* the key and its end follow */
    uint64_t size_bytes;
    bool rolled_up, gone;
};

struct pool_names { /* zeroed at first */
    char *text;     /* owned */
    size_t used, room;
    uint64_t entries; /* without those that are gone */
    bool more;        /* filled in by who lists */
    char token[32];   /* the same */
    size_t *order;    /* owned: where the entries of rolled up keys are, sorted */
    size_t sorted, sorted_room;
};

void pool_names_clear(struct pool_names *names);
void pool_names_free(struct pool_names *names); /* what it owns */

void pool_names_add(struct pool_names *names, const char *key, size_t length);

/* What a key is rolled up to: "PREFIX/a/" up to the delimiter behind `length` bytes of prefix. Kept
 * once, however many keys begin like it and in whatever order they come. */
void pool_names_add_rolled_up(struct pool_names *names, const char *key, size_t length);

/* The entry at *at, which moves on to the next one; its key.  NULL after the last. */
struct pool_entry *pool_names_next(struct pool_names *names, size_t *at, const char **key);

/* As list of struct object_protocol, of answers whose detail is pool_names. */
int pool_names_list(struct pool_names *names, struct object_page *page, object_visit visit,
                    void *arg, struct error *err);

#endif
