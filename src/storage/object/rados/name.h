/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* name.h - keys of the layer and what they are in a pool: a namespace and the name of an object.
 *
 *     PREFIX/iosweep-RUN/4096/000017     namespace "iosweep-RUN", object "PREFIX//4096/000017"
 *     iosweep-RUN/4096/000017            namespace "iosweep-RUN", object "4096/000017"
 *     anything/else                      the default namespace, object "anything/else"
 *
 * So all of a run and nothing else is in its namespace, and two targets with another prefix each
 * never meet in one, since no prefix has two slashes next to each other. */
#ifndef STORAGE_OBJECT_RADOS_NAME_H
#define STORAGE_OBJECT_RADOS_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "storage/object/manifest.h"

#define POOL_SPACE_BYTES (sizeof(LIFE_PREFIX) + TARGET_RUN_NAME_MAX)

/* Where the run is in a key: the last component of its kind that something follows, or "/". */
struct pool_place {
    size_t before; /* bytes of the prefix with its slash, or 0 */
    size_t space;  /* bytes of the namespace; 0: there is no run in it */
};

/* Hot.  key: of an object or a prefix. */
struct pool_place pool_place_of(const char *key);

/* The namespace of a key, "" the default one.  Returns space. */
const char *pool_space(const char *key, const struct pool_place *place,
                       char space[POOL_SPACE_BYTES]);

/* Hot.  The object of a key, into oid (OBJECT_KEY_BYTES) where it is not a part of the key. Returns
 * the name. */
const char *pool_object(const char *key, const struct pool_place *place, char *oid);

/* The key of an object.  False: no key leads there, it is another program's. */
bool pool_key(const char *space, const char *oid, char *key, size_t room);

#endif
