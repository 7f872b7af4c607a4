/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* store.c - objects in memory: a skip list (Pugh, "Skip Lists: A Probabilistic Alternative to
 * Balanced Trees", 1990), so that lists can continue after any key and access takes logarithmic
 * time. */
#include "base/compat.h"

#include "storage/object/mem/protocol.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define HEIGHT_MAX 16u /* enough for far more than the permitted million objects */

struct node {
    struct mem_object *object;
    char *key;
    struct node *next[]; /* one per level */
};

struct mem_store {
    pthread_mutex_t lock;
    struct node *first; /* head: before all keys */
    uint64_t heights;   /* state of the generator of heights */
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
    free_nodes(store->first);
    pthread_mutex_destroy(&store->lock);
    free(store);
}
