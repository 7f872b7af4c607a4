/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* name.h - maps keys of the object layer to a namespace and an object name in a pool.
 *
 *     PREFIX/iosweep-RUN/4096/000017     namespace "iosweep-RUN", object "PREFIX//4096/000017"
 *     iosweep-RUN/4096/000017            namespace "iosweep-RUN", object "4096/000017"
 *     anything/else                      the default namespace, object "anything/else"
 *
 * So the namespace of a run contains all of the run and nothing else, and targets with different
 * prefixes never share object names in it, since no prefix contains two adjacent slashes. */
#ifndef STORAGE_OBJECT_RADOS_NAME_H
#define STORAGE_OBJECT_RADOS_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "storage/object/object.h"

#define POOL_SPACE_BYTES (sizeof(LIFE_PREFIX) + TARGET_RUN_NAME_MAX)

/* Where the run is in a key: the last component that names a run and ends with a slash. */
struct pool_place {
    size_t before; /* bytes of the prefix with its slash, or 0 */
    size_t space;  /* length of the namespace; 0: the key is in no run */
};

/* Hot. key: of an object or a prefix. */
struct pool_place pool_place_of(const char *key);

/* The namespace of a key, "" for the default one. Returns space. */
const char *pool_space(const char *key, const struct pool_place *place,
                       char space[POOL_SPACE_BYTES]);

/* Hot. The object name of a key, built in oid (OBJECT_KEY_BYTES) unless it is a part of the key.
 * Returns the name. */
const char *pool_object(const char *key, const struct pool_place *place, char *oid);

/* The key of an object. False: no key maps to it, it belongs to another program. */
bool pool_key(const char *space, const char *oid, char *key, size_t room);

#endif
