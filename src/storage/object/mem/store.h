/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* store.h - objects in memory, ordered by key, and multipart uploads. Any thread. Data are copied
 * outside the lock, which is held only while a key is looked up. */
#ifndef STORAGE_OBJECT_MEM_STORE_H
#define STORAGE_OBJECT_MEM_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct mem_object { /* const once in a store; reference counted */
    atomic_uint references;
    uint64_t bytes;
    uint64_t number; /* sequence number of its creation: its ETag */
    time_t made_s;   /* of CLOCK_MONOTONIC */
    char data[];
};

struct mem_store;

struct mem_store *mem_store_create(void);
void mem_store_destroy(struct mem_store *store);

/* An object with a copy of data (NULL: to be filled in); NULL: no memory. The caller releases it
 * unless it gives it to a store. */
struct mem_object *mem_object_make(struct mem_store *store, const void *data, uint64_t bytes);
/* Adds a reference. NULL is fine. */
struct mem_object *mem_object_hold(struct mem_object *object);
void mem_object_release(struct mem_object *object); /* NULL is fine */

/* The object of a key, to be released; NULL: none. */
struct mem_object *mem_store_get(struct mem_store *store, const char *key);

/* Stores an object, taking ownership. Returns false, with the object released, if only_if_absent
 * and the key exists, or if only_over (held by the caller, or NULL) is not its object. */
bool mem_store_put(struct mem_store *store, const char *key, struct mem_object *object,
                   bool only_if_absent, const struct mem_object *only_over);

/* Removes the object of a key, and those of keys that continue it after a line end (values beside
 * its data). False: the key did not exist. */
bool mem_store_remove(struct mem_store *store, const char *key);

/* Calls visit for the keys with this prefix after `after` ("" or a key), in order, until it returns
 * non-zero, which is returned. The lock is held: visit may not use the store. */
typedef int (*mem_visit)(void *arg, const char *key, const struct mem_object *object);
int mem_store_walk(struct mem_store *store, const char *prefix, const char *after, mem_visit visit,
                   void *arg);

/* Uploads and parts are numbered from 1; the store takes ownership of the object. False: the key
 * has no such upload. */
uint64_t mem_upload_begin(struct mem_store *store, const char *key);
bool mem_upload_part(struct mem_store *store, const char *key, uint64_t upload, unsigned part,
                     struct mem_object *object);
bool mem_upload_abort(struct mem_store *store, const char *key, uint64_t upload);

/* Combines `count` parts with these ETag numbers into the key's object. Returns 0, -ENOENT, -EINVAL
 * (not the parts uploaded) or -ENOMEM. */
int mem_upload_complete(struct mem_store *store, const char *key, uint64_t upload,
                        const uint64_t *number, unsigned count);

/* The first upload after number `after` whose key begins with prefix: its number, and a copy of its
 * key, to be freed; 0: none. */
uint64_t mem_upload_next(struct mem_store *store, const char *prefix, uint64_t after, char **key);

#endif
