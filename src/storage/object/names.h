/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* names.h - the answer to LIST of a protocol that reads none from a document: keys and their
 * properties in one block of memory that is reused for the next page. */
#ifndef STORAGE_OBJECT_NAMES_H
#define STORAGE_OBJECT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "storage/object/protocol.h"

struct object_entry { /* followed by the key and its terminator */
    uint64_t size_bytes;
    bool rolled_up, gone;
};

struct object_names { /* zeroed at first */
    char *text;       /* owned */
    size_t used, room;
    uint64_t entries; /* excluding those marked gone */
    bool more;        /* set by the lister, as is token */
    char token[OBJECT_KEY_BYTES];
    size_t *order; /* owned: offsets of the rolled up entries, sorted */
    size_t sorted, sorted_room;
};

void object_names_clear(struct object_names *names);
void object_names_free(struct object_names *names); /* frees what it owns */

struct object_entry *object_names_add(struct object_names *names, const char *key, size_t length);

/* Adds what a key is rolled up to: "PREFIX/a/" up to the delimiter behind `length` bytes of prefix.
 * Each is kept once, whatever the number and order of such keys. */
void object_names_add_rolled_up(struct object_names *names, const char *key, size_t length);

/* Returns the entry at *at and its key, and advances *at. NULL after the last. */
struct object_entry *object_names_next(struct object_names *names, size_t *at, const char **key);

/* Implements list of struct object_protocol for answers whose detail is object_names. */
int object_names_list(struct object_names *names, struct object_page *page, object_visit visit,
                      void *arg, struct error *err);

#endif
