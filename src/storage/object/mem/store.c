/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* store.c - objects in memory: a skip list (Pugh, "Skip Lists: A Probabilistic Alternative to
 * Balanced Trees", 1990), so that lists can continue after any key and access takes logarithmic
 * time. */
#include "base/compat.h"

#include "storage/object/mem/store.h"

#include <errno.h>
#include <pthread.h>
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

struct upload {
    uint64_t number;
    char *key;
    struct mem_object **part; /* by their numbers; NULL: not uploaded */
    size_t parts, room;
};

struct mem_store {
    pthread_mutex_t lock;
    struct node *first; /* head: before all keys */
    uint64_t heights;   /* state of the generator of heights */
    struct upload *upload;
    size_t uploads, uploads_room;
    uint64_t uploads_begun;
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
    if (object && atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
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
                   bool only_if_absent, const struct mem_object *only_over)
{
    struct node *before[HEIGHT_MAX], *node;
    struct mem_object *old = NULL;
    bool met;

    pthread_mutex_lock(&store->lock);
    node = find(store, key, before);
    if (node && strcmp(node->key, key) != 0)
        node = NULL;
    met = only_if_absent ? !node : !only_over || (node && node->object == only_over);
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
    if (node && strcmp(node->key, key) == 0)
        object = mem_object_hold(node->object);
    pthread_mutex_unlock(&store->lock);
    return object;
}

static void free_nodes(struct node *node)
{
    for (struct node *next; node; node = next) {
        next = node->next[0];
        mem_object_release(node->object);
        free(node->key);
        free(node);
    }
}

bool mem_store_remove(struct mem_store *store, const char *key)
{
    const size_t length = strlen(key);
    struct node *before[HEIGHT_MAX], *node, *next, *gone = NULL;
    bool found;

    pthread_mutex_lock(&store->lock);
    for (node = find(store, key, before); node && strncmp(node->key, key, length) == 0 &&
                                          (!node->key[length] || node->key[length] == '\n');
         node = next) {
        for (unsigned level = 0; level < HEIGHT_MAX; level++)
            if (before[level]->next[level] == node)
                before[level]->next[level] = node->next[level];
        next = node->next[0];
        node->next[0] = gone;
        gone = node;
    }
    pthread_mutex_unlock(&store->lock);
    found = gone;
    free_nodes(gone);
    return found;
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

/* The lock is held. NULL: none. */
static struct upload *find_upload(const struct mem_store *store, const char *key, uint64_t number)
{
    for (size_t i = 0; i < store->uploads; i++)
        if (store->upload[i].number == number && strcmp(store->upload[i].key, key) == 0)
            return &store->upload[i];
    return NULL;
}

static void free_upload(struct upload *upload)
{
    for (size_t i = 0; i < upload->parts; i++)
        mem_object_release(upload->part[i]);
    free(upload->part);
    free(upload->key);
}

uint64_t mem_upload_begin(struct mem_store *store, const char *key)
{
    uint64_t number;

    pthread_mutex_lock(&store->lock);
    number = ++store->uploads_begun;
    store->upload =
        mem_grow(store->upload, &store->uploads_room, store->uploads + 1, sizeof(*store->upload));
    store->upload[store->uploads++] = (struct upload){.number = number, .key = mem_strdup(key)};
    pthread_mutex_unlock(&store->lock);
    return number;
}

bool mem_upload_part(struct mem_store *store, const char *key, uint64_t number, unsigned part,
                     struct mem_object *object)
{
    struct mem_object *old = object;
    struct upload *upload;
    bool there;

    pthread_mutex_lock(&store->lock);
    upload = find_upload(store, key, number);
    there = upload && part > 0 && part <= PARTS_MAX;
    if (there) {
        upload->part = mem_grow(upload->part, &upload->room, part, sizeof(*upload->part));
        while (upload->parts < part)
            upload->part[upload->parts++] = NULL;
        old = upload->part[part - 1];
        upload->part[part - 1] = object;
    }
    pthread_mutex_unlock(&store->lock);
    mem_object_release(old);
    return there;
}

bool mem_upload_abort(struct mem_store *store, const char *key, uint64_t number)
{
    struct upload *upload, ended = {0};

    pthread_mutex_lock(&store->lock);
    upload = find_upload(store, key, number);
    if (upload) {
        ended = *upload;
        *upload = store->upload[--store->uploads];
    }
    pthread_mutex_unlock(&store->lock);
    free_upload(&ended);
    return upload;
}

/* The lock is held. An object for the parts, which are not copied yet. */
static int check_parts(struct mem_store *store, const struct upload *upload, const uint64_t *number,
                       unsigned count, struct mem_object **joined)
{
    uint64_t bytes = 0;

    if (count == 0 || count > upload->parts)
        return -EINVAL;
    for (unsigned i = 0; i < count; bytes += upload->part[i++]->bytes)
        if (!upload->part[i] || upload->part[i]->number != number[i])
            return -EINVAL;
    *joined = mem_object_make(store, NULL, bytes);
    return *joined ? 0 : -ENOMEM;
}

int mem_upload_complete(struct mem_store *store, const char *key, uint64_t number,
                        const uint64_t *part_number, unsigned count)
{
    struct mem_object *joined = NULL;
    struct upload *upload, ended = {0};
    uint64_t at = 0;
    int code = -ENOENT;

    pthread_mutex_lock(&store->lock);
    upload = find_upload(store, key, number);
    if (upload)
        code = check_parts(store, upload, part_number, count, &joined);
    if (code == 0) {
        ended = *upload;
        *upload = store->upload[--store->uploads];
    }
    pthread_mutex_unlock(&store->lock);
    for (unsigned i = 0; joined && i < count; at += ended.part[i++]->bytes)
        memcpy(joined->data + at, ended.part[i]->data, (size_t)ended.part[i]->bytes);
    if (joined)
        (void)mem_store_put(store, key, joined, false, NULL);
    free_upload(&ended);
    return code;
}

uint64_t mem_upload_next(struct mem_store *store, const char *prefix, uint64_t after, char **key)
{
    const struct upload *next = NULL;
    uint64_t number;

    pthread_mutex_lock(&store->lock);
    for (const struct upload *at = store->upload; at < store->upload + store->uploads; at++)
        if (at->number > after && (!next || at->number < next->number) &&
            strncmp(at->key, prefix, strlen(prefix)) == 0)
            next = at;
    number = next ? next->number : 0;
    *key = next ? mem_strdup(next->key) : NULL;
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
    while (store->uploads > 0)
        free_upload(&store->upload[--store->uploads]);
    free(store->upload);
    free_nodes(store->first);
    pthread_mutex_destroy(&store->lock);
    free(store);
}
