/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* name.c - see the header. */
#include "base/compat.h"

#include "storage/object/rados/name.h"

#include <stdio.h>
#include <string.h>

#define RUN_PREFIX_BYTES (sizeof(LIFE_PREFIX) - 1)
#define JOINT            "//" /* between a prefix and the rest, in object names */

/* Length of the component "iosweep-RUN" that begins at `text` and ends with a slash; 0: none. */
static size_t run_at(const char *text)
{
    const size_t length = strcspn(text, "/");

    return text[length] == '/' && length > RUN_PREFIX_BYTES && length < POOL_SPACE_BYTES &&
                   memcmp(text, LIFE_PREFIX, RUN_PREFIX_BYTES) == 0
               ? length
               : 0;
}

struct pool_place pool_place_of(const char *key)
{
    struct pool_place place = {0};

    for (const char *at = key; (at = strstr(at, LIFE_PREFIX)) != NULL; at++) {
        const size_t space = at == key || at[-1] == '/' ? run_at(at) : 0;

        if (space > 0)
            place = (struct pool_place){.before = (size_t)(at - key), .space = space};
    }
    return place;
}

const char *pool_space(const char *key, const struct pool_place *place,
                       char space[POOL_SPACE_BYTES])
{
    memcpy(space, key + place->before, place->space);
    space[place->space] = '\0';
    return space;
}

const char *pool_object(const char *key, const struct pool_place *place, char *oid)
{
    const char *const rest = key + place->before + place->space + (place->space > 0);

    if (place->before == 0 || place->space == 0)
        return rest;
    memcpy(oid, key, place->before);
    oid[place->before] = '/'; /* the second one */
    memcpy(oid + place->before + 1, rest, strlen(rest) + 1);
    return oid;
}

bool pool_key(const char *space, const char *oid, char *key, size_t room)
{
    const char *const joint = space[0] ? strstr(oid, JOINT) : NULL;
    struct pool_place place;
    char again[OBJECT_KEY_BYTES];
    int bytes;

    if (!space[0])
        bytes = snprintf(key, room, "%s", oid);
    else if (joint)
        bytes = snprintf(key, room, "%.*s/%s/%s", (int)(joint - oid), oid, space,
                         joint + sizeof(JOINT) - 1);
    else
        bytes = snprintf(key, room, "%s/%s", space, oid);
    if (bytes < 0 || (size_t)bytes >= room || bytes >= (int)OBJECT_KEY_BYTES)
        return false;
    place = pool_place_of(key);
    if (place.space != strlen(space) || memcmp(key + place.before, space, place.space) != 0)
        return false;
    return strcmp(pool_object(key, &place, again), oid) == 0;
}
