/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* store.c - objects in memory: a skip list (Pugh, "Skip Lists: A Probabilistic Alternative to
 * Balanced Trees", 1990), so that lists can continue after any key and access takes logarithmic
 * time. */
#include "base/compat.h"

#include "storage/object/mem/store.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define HEIGHT_MAX 16u /* enough for far more than the permitted million objects */
#define PARTS_MAX  10000u

struct node {
    struct mem_object *object;
    char *key;
    struct node *next[]; /* one per level */
};

struct mem_upload {
    struct mem_upload *next;
    uint64_t number;
    char *key;
    struct mem_object **part; /* part_count of them, NULL if missing */
    unsigned part_count;
};

struct mem_store {
    pthread_mutex_t lock;
    struct node *first; /* head: before all keys */
    uint64_t heights;   /* state of the generator of heights */
    struct mem_upload *uploads;
    uint64_t upload_number;
    atomic_uint_least64_t objects_made;
};

/* ---- objects ---- */

struct mem_object *mem_object_make(struct mem_store *store, const void *data, uint64_t bytes)
{
    struct mem_object *object =
        bytes < SIZE_MAX / 2 ? malloc(sizeof(*object) + (size_t)bytes) : NULL;

    if (!object)
        return NULL;
    atomic_init(&object->references, 1);
    for (unsigned i = 0; i < MEM_VALUES; i++)
        object->value[i] = NULL;
    object->bytes = bytes;
    object->number = atomic_fetch_add(&store->objects_made, 1) + 1;
    object->made_s = (time_t)(clock_monotonic_ns() / 1000000000u);
    if (data && bytes > 0)
        memcpy(object->data, data, (size_t)bytes);
    return object;
}

struct mem_object *mem_object_hold(struct mem_object *object)
{
    if (object)
        atomic_fetch_add(&object->references, 1);
    return object;
}

void mem_object_release(struct mem_object *object)
{
    if (!object || atomic_fetch_sub(&object->references, 1) != 1)
        return;
    for (unsigned i = 0; i < MEM_VALUES; i++)
        mem_object_release(object->value[i]);
    free(object);
}

char *mem_object_etag(const struct mem_object *object, char text[MEM_ETAG_BYTES])
{
    (void)snprintf(text, MEM_ETAG_BYTES, "%" PRIu64, object->number);
    return text;
}

/* ---- skip list; the lock is held ---- */

static struct node *make_node(const char *key, unsigned height)
{
    struct node *node = mem_calloc(1, sizeof(*node) + height * sizeof(node->next[0]));

    node->key = mem_strdup(key);
    return node;
}

/* Half of the nodes have height 1, a quarter 2 ... */
static unsigned draw_height(struct mem_store *store)
{
    unsigned height = 1;

    store->heights = store->heights * UINT64_C(6364136223846793005) + 1442695040888963407u;
    for (uint64_t bits = store->heights >> 32; (bits & 1) && height < HEIGHT_MAX; bits >>= 1)
        height++;
    return height;
}

/* before[i]: the last node of height > i with a lower key. Returns the first node whose key is not
 * lower; NULL: none. */
static struct node *find(const struct mem_store *store, const char *key,
                         struct node *before[HEIGHT_MAX])
{
    struct node *at = store->first;

    for (unsigned level = HEIGHT_MAX; level-- > 0;) {
        while (at->next[level] && strcmp(at->next[level]->key, key) < 0)
            at = at->next[level];
        before[level] = at;
    }
    return at->next[0];
}

static bool is_met(const struct mem_object *there, bool only_if_absent, const char *only_over)
{
    char etag[MEM_ETAG_BYTES];

    if (only_if_absent && there)
        return false;
    return !only_over || (there && strcmp(mem_object_etag(there, etag), only_over) == 0);
}

static void insert(struct mem_store *store, const char *key, struct mem_object *object,
                   struct node *before[HEIGHT_MAX])
{
    const unsigned height = draw_height(store);
    struct node *node = make_node(key, height);

    node->object = object;
    for (unsigned level = 0; level < height; level++) {
        node->next[level] = before[level]->next[level];
        before[level]->next[level] = node;
    }
}

bool mem_store_put(struct mem_store *store, const char *key, struct mem_object *object,
                   bool only_if_absent, const char *only_over)
{
    struct node *before[HEIGHT_MAX], *node;
    struct mem_object *old = NULL;
    bool met;

    pthread_mutex_lock(&store->lock);
    node = find(store, key, before);
    if (node && strcmp(node->key, key) != 0)
        node = NULL;
    met = is_met(node ? node->object : NULL, only_if_absent, only_over);
    if (!met) {
        old = object;
    } else if (node) {
        old = node->object;
        node->object = object;
    } else {
        insert(store, key, object, before);
    }
    pthread_mutex_unlock(&store->lock);
    mem_object_release(old);
    return met;
}

struct mem_object *mem_store_get(struct mem_store *store, const char *key)
{
    struct node *before[HEIGHT_MAX], *node;
    struct mem_object *object = NULL;

    pthread_mutex_lock(&store->lock);
    node = find(store, key, before);
    if (node && strcmp(node->key, key) == 0) {
        object = node->object;
        atomic_fetch_add(&object->references, 1);
    }
    pthread_mutex_unlock(&store->lock);
    return object;
}

static void free_node(struct node *node)
{
    mem_object_release(node->object);
    free(node->key);
    free(node);
}

bool mem_store_remove(struct mem_store *store, const char *key)
{
    struct node *before[HEIGHT_MAX], *node;

    pthread_mutex_lock(&store->lock);
    node = find(store, key, before);
    if (node && strcmp(node->key, key) != 0)
        node = NULL;
    for (unsigned level = 0; node && level < HEIGHT_MAX; level++)
        if (before[level]->next[level] == node)
            before[level]->next[level] = node->next[level];
    pthread_mutex_unlock(&store->lock);
    if (node)
        free_node(node);
    return node;
}

int mem_store_walk(struct mem_store *store, const char *prefix, const char *after, mem_visit visit,
                   void *arg)
{
    const size_t length = strlen(prefix);
    struct node *before[HEIGHT_MAX], *node;
    int result = 0;

    pthread_mutex_lock(&store->lock);
    node = find(store, strcmp(after, prefix) > 0 ? after : prefix, before);
    if (node && strcmp(node->key, after) == 0)
        node = node->next[0];
    for (; result == 0 && node && strncmp(node->key, prefix, length) == 0; node = node->next[0])
        result = visit(arg, node->key, node->object);
    pthread_mutex_unlock(&store->lock);
    return result;
}

/* ---- multipart uploads ---- */

/* The lock is held. Returns the location of the pointer to it; NULL: none. */
static struct mem_upload **find_upload(struct mem_store *store, const char *key, uint64_t number)
{
    struct mem_upload **at = &store->uploads;

    while (*at && (*at)->number != number)
        at = &(*at)->next;
    return *at && strcmp((*at)->key, key) == 0 ? at : NULL;
}

static void free_upload(struct mem_upload *upload)
{
    for (unsigned i = 0; i < upload->part_count; i++)
        mem_object_release(upload->part[i]);
    free(upload->part);
    free(upload->key);
    free(upload);
}

uint64_t mem_upload_begin(struct mem_store *store, const char *key)
{
    struct mem_upload *upload = mem_calloc(1, sizeof(*upload));

    upload->key = mem_strdup(key);
    pthread_mutex_lock(&store->lock);
    upload->number = ++store->upload_number;
    upload->next = store->uploads;
    store->uploads = upload;
    pthread_mutex_unlock(&store->lock);
    return upload->number;
}

bool mem_upload_part(struct mem_store *store, const char *key, uint64_t number, unsigned part,
                     struct mem_object *object)
{
    struct mem_upload **at, *upload;

    pthread_mutex_lock(&store->lock);
    at = part > 0 && part <= PARTS_MAX ? find_upload(store, key, number) : NULL;
    upload = at ? *at : NULL;
    if (upload && upload->part_count < part) {
        upload->part = mem_realloc_array(upload->part, part, sizeof(struct mem_object *));
        while (upload->part_count < part)
            upload->part[upload->part_count++] = NULL;
    }
    if (upload) {
        struct mem_object *old = upload->part[part - 1];
        upload->part[part - 1] = object;
        object = old;
    }
    pthread_mutex_unlock(&store->lock);
    mem_object_release(object);
    return upload;
}

static struct mem_upload *take_upload(struct mem_store *store, const char *key, uint64_t number)
{
    struct mem_upload **at, *upload = NULL;

    pthread_mutex_lock(&store->lock);
    at = find_upload(store, key, number);
    if (at) {
        upload = *at;
        *at = upload->next;
    }
    pthread_mutex_unlock(&store->lock);
    return upload;
}

bool mem_upload_abort(struct mem_store *store, const char *key, uint64_t number)
{
    struct mem_upload *upload = take_upload(store, key, number);

    if (upload)
        free_upload(upload);
    return upload;
}

static struct mem_object *join_parts(struct mem_store *store, const struct mem_upload *upload,
                                     unsigned count)
{
    struct mem_object *object;
    uint64_t bytes = 0, at = 0;

    for (unsigned i = 0; i < count; i++)
        bytes += upload->part[i]->bytes;
    object = mem_object_make(store, NULL, bytes);
    for (unsigned i = 0; object && i < count; at += upload->part[i++]->bytes)
        memcpy(object->data + at, upload->part[i]->data, (size_t)upload->part[i]->bytes);
    return object;
}

static void put_back(struct mem_store *store, struct mem_upload *upload)
{
    pthread_mutex_lock(&store->lock);
    upload->next = store->uploads;
    store->uploads = upload;
    pthread_mutex_unlock(&store->lock);
}

int mem_upload_complete(struct mem_store *store, const char *key, uint64_t number,
                        const uint64_t *part_number, unsigned count)
{
    struct mem_upload *upload = take_upload(store, key, number);
    struct mem_object *object = NULL;
    int code = count > 0 ? 0 : -EINVAL;

    if (!upload)
        return -ENOENT;
    for (unsigned i = 0; i < count && code == 0; i++)
        if (i >= upload->part_count || !upload->part[i] ||
            upload->part[i]->number != part_number[i])
            code = -EINVAL;
    if (code == 0) {
        object = join_parts(store, upload, count);
        code = object ? 0 : -ENOMEM;
    }
    if (code != 0) {
        put_back(store, upload);
        return code;
    }
    (void)mem_store_put(store, key, object, false, NULL);
    free_upload(upload);
    return 0;
}

uint64_t mem_upload_next(struct mem_store *store, const char *prefix, uint64_t after, char **key)
{
    const struct mem_upload *best = NULL;
    uint64_t number;

    pthread_mutex_lock(&store->lock);
    for (const struct mem_upload *at = store->uploads; at; at = at->next)
        if (at->number > after && (!best || at->number < best->number) &&
            strncmp(at->key, prefix, strlen(prefix)) == 0)
            best = at;
    number = best ? best->number : 0;
    *key = best ? mem_strdup(best->key) : NULL;
    pthread_mutex_unlock(&store->lock);
    return number;
}

/* ---- the store ---- */

struct mem_store *mem_store_create(void)
{
    struct mem_store *store = mem_calloc(1, sizeof(*store));

    pthread_mutex_init(&store->lock, NULL);
    store->first = make_node("", HEIGHT_MAX);
    return store;
}

void mem_store_destroy(struct mem_store *store)
{
    for (struct node *node = store->first, *next; node; node = next) {
        next = node->next[0];
        free_node(node);
    }
    for (struct mem_upload *upload = store->uploads, *next; upload; upload = next) {
        next = upload->next;
        free_upload(upload);
    }
    pthread_mutex_destroy(&store->lock);
    free(store);
}
