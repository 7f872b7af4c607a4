/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* store.h - objects in memory, in the order of their keys, and uploads in parts.  Any thread.  Data
 * are copied outside of the lock: it is held for as long as a key takes to be found. */
#ifndef STORAGE_OBJECT_MEM_STORE_H
#define STORAGE_OBJECT_MEM_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define MEM_ETAG_BYTES 24

#define MEM_VALUES 2u

struct mem_object { /* const once it is in a store; counted */
    atomic_uint references;
    uint64_t bytes;
    uint64_t number;                      /* of all that were made: its ETag */
    time_t made_s;                        /* of CLOCK_MONOTONIC */
    struct mem_object *value[MEM_VALUES]; /* beside the data; owned, NULL: none */
    char data[];
};

struct mem_store;

struct mem_store *mem_store_create(void);
void mem_store_destroy(struct mem_store *store);

/* An object that holds a copy of data (NULL: to be filled in); NULL: no memory.  Release what is
 * not given to a store. */
struct mem_object *mem_object_make(struct mem_store *store, const void *data, uint64_t bytes);
/* One more to release.  NULL is fine. */
struct mem_object *mem_object_hold(struct mem_object *object);
void mem_object_release(struct mem_object *object); /* NULL is fine */
char *mem_object_etag(const struct mem_object *object, char text[MEM_ETAG_BYTES]);

/* The object of a key, to be released; NULL: none. */
struct mem_object *mem_store_get(struct mem_store *store, const char *key);

/* Puts an object there, which is the store's now.  only_if_absent, only_over (an ETag; or NULL):
 * false when that is not so; the object is released. */
bool mem_store_put(struct mem_store *store, const char *key, struct mem_object *object,
                   bool only_if_absent, const char *only_over);

/* False: there was none. */
bool mem_store_remove(struct mem_store *store, const char *key);

/* Calls visit for the keys from prefix on, after `after` ("" or a key), in their order, until it
 * returns non-zero, which is returned; under the lock.  visit may not use the store. */
typedef int (*mem_visit)(void *arg, const char *key, const struct mem_object *object);
int mem_store_walk(struct mem_store *store, const char *prefix, const char *after, mem_visit visit,
                   void *arg);

/* Uploads have numbers from 1 on.  part: 1 ...; the object is the store's now.  False: there is no
 * such upload of that key. */
uint64_t mem_upload_begin(struct mem_store *store, const char *key);
bool mem_upload_part(struct mem_store *store, const char *key, uint64_t upload, unsigned part,
                     struct mem_object *object);
bool mem_upload_abort(struct mem_store *store, const char *key, uint64_t upload);

/* The parts, count of them with their ETag numbers, become the object of the key.  Returns 0,
 * -ENOENT, -EINVAL (another part than was uploaded), -ENOMEM. */
int mem_upload_complete(struct mem_store *store, const char *key, uint64_t upload,
                        const uint64_t *number, unsigned count);

/* The first upload after number `after` of a key that begins with prefix: its number, and a copy of
 * its key, to be freed; 0: none. */
uint64_t mem_upload_next(struct mem_store *store, const char *prefix, uint64_t after, char **key);

#endif
