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
#include "base/number.h"

#define HEIGHT_MAX 16u /* enough for far more than the permitted million objects */
#define PARTS_MAX  10000u

struct node {
    struct mem_object *object;
    char *key;
    struct node *next[]; /* one per level */
};

struct mem_store {
    pthread_mutex_t lock;
    struct node *first;        /* head: before all keys */
    uint64_t heights;          /* state of the generator of heights */
    struct mem_store *uploads; /* and their parts; NULL of such a store */
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

static void free_node(struct node *node)
{
    mem_object_release(node->object);
    free(node->key);
    free(node);
}

static void unlink_node(struct node *node, struct node *before[HEIGHT_MAX])
{
    for (unsigned level = 0; level < HEIGHT_MAX; level++)
        if (before[level]->next[level] == node)
            before[level]->next[level] = node->next[level];
}

bool mem_store_remove(struct mem_store *store, const char *key)
{
    struct node *before[HEIGHT_MAX], *node;

    pthread_mutex_lock(&store->lock);
    node = find(store, key, before);
    if (node && strcmp(node->key, key) != 0)
        node = NULL;
    if (node)
        unlink_node(node, before);
    pthread_mutex_unlock(&store->lock);
    if (node)
        free_node(node);
    return node;
}

/* Returns whether there was any. */
static bool remove_all(struct mem_store *store, const char *prefix)
{
    struct node *before[HEIGHT_MAX], *node;
    bool any = false;

    pthread_mutex_lock(&store->lock);
    while ((node = find(store, prefix, before)) != NULL &&
           strncmp(node->key, prefix, strlen(prefix)) == 0) {
        unlink_node(node, before);
        free_node(node);
        any = true;
    }
    pthread_mutex_unlock(&store->lock);
    return any;
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

/* They are kept like objects, an upload under NUMBER/KEY and a line end, and each of its parts
 * behind that. To be freed. */
static char *name_of(const char *key, uint64_t number, unsigned part)
{
    return part > 0 ? mem_printf("%020" PRIu64 "/%s\n%05u", number, key, part)
                    : mem_printf("%020" PRIu64 "/%s\n", number, key);
}

#define KEY_AT 21 /* in such a name */

static bool has_upload(struct mem_store *store, const char *key, uint64_t number)
{
    char *name = name_of(key, number, 0);
    struct mem_object *upload = mem_store_get(store->uploads, name);

    free(name);
    mem_object_release(upload);
    return upload;
}

uint64_t mem_upload_begin(struct mem_store *store, const char *key)
{
    struct mem_object *upload = mem_object_make(store, NULL, 0);
    const uint64_t number = upload ? upload->number : 0;
    char *name = name_of(key, number, 0);

    if (upload)
        (void)mem_store_put(store->uploads, name, upload, false, NULL);
    free(name);
    return number;
}

bool mem_upload_part(struct mem_store *store, const char *key, uint64_t number, unsigned part,
                     struct mem_object *object)
{
    const bool there = part > 0 && part <= PARTS_MAX && has_upload(store, key, number);
    char *name = name_of(key, number, part);

    if (there)
        (void)mem_store_put(store->uploads, name, object, false, NULL);
    else
        mem_object_release(object);
    free(name);
    return there;
}

bool mem_upload_abort(struct mem_store *store, const char *key, uint64_t number)
{
    char *name = name_of(key, number, 0);
    const bool there = remove_all(store->uploads, name);

    free(name);
    return there;
}

struct joining {
    const uint64_t *number;
    unsigned count, found;
    uint64_t bytes;
    struct mem_object **part; /* held */
};

static int visit_part(void *arg, const char *name, const struct mem_object *object)
{
    struct joining *joining = arg;
    const char *digits = strrchr(name, '\n') + 1;
    uint64_t part;

    if (!*digits || joining->found == joining->count) /* the upload itself, or more parts */
        return 0;
    if (!number_read(digits, &part) || part != joining->found + 1 ||
        object->number != joining->number[joining->found])
        return 1;
    joining->part[joining->found++] = mem_object_hold((struct mem_object *)(uintptr_t)object);
    joining->bytes += object->bytes;
    return 0;
}

static int join_parts(struct mem_store *store, const char *key, const struct joining *joining)
{
    struct mem_object *object = mem_object_make(store, NULL, joining->bytes);
    uint64_t at = 0;

    if (!object)
        return -ENOMEM;
    for (unsigned i = 0; i < joining->found; at += joining->part[i++]->bytes)
        memcpy(object->data + at, joining->part[i]->data, (size_t)joining->part[i]->bytes);
    (void)mem_store_put(store, key, object, false, NULL);
    return 0;
}

int mem_upload_complete(struct mem_store *store, const char *key, uint64_t number,
                        const uint64_t *part_number, unsigned count)
{
    struct joining joining = {.number = part_number, .count = count};
    char *name = name_of(key, number, 0);
    int code = has_upload(store, key, number) ? -EINVAL : -ENOENT;

    joining.part = mem_calloc(count + 1, sizeof(struct mem_object *));
    if (count > 0 && mem_store_walk(store->uploads, name, "", visit_part, &joining) == 0 &&
        joining.found == count)
        code = join_parts(store, key, &joining);
    for (unsigned i = 0; i < joining.found; i++)
        mem_object_release(joining.part[i]);
    free(joining.part);
    if (code == 0)
        (void)remove_all(store->uploads, name);
    free(name);
    return code;
}

struct upload_search {
    const char *prefix;
    char *name;
};

static int visit_upload(void *arg, const char *name, const struct mem_object *object)
{
    struct upload_search *search = arg;

    (void)object;
    if (name[strlen(name) - 1] != '\n' ||
        strncmp(name + KEY_AT, search->prefix, strlen(search->prefix)) != 0)
        return 0;
    search->name = mem_strdup(name);
    return 1;
}

uint64_t mem_upload_next(struct mem_store *store, const char *prefix, uint64_t after, char **key)
{
    struct upload_search search = {.prefix = prefix};
    char *from = mem_printf("%020" PRIu64, after + 1);
    uint64_t number = 0;

    *key = NULL;
    if (mem_store_walk(store->uploads, "", from, visit_upload, &search) != 0) {
        const char *at = search.name;

        (void)number_take(&at, &number);
        *key = mem_printf("%.*s", (int)strlen(search.name + KEY_AT) - 1, search.name + KEY_AT);
        free(search.name);
    }
    free(from);
    return number;
}

/* ---- the store ---- */

static struct mem_store *create(struct mem_store *uploads)
{
    struct mem_store *store = mem_calloc(1, sizeof(*store));

    pthread_mutex_init(&store->lock, NULL);
    store->first = make_node("", HEIGHT_MAX);
    store->uploads = uploads;
    return store;
}

struct mem_store *mem_store_create(void)
{
    return create(create(NULL));
}

void mem_store_destroy(struct mem_store *store)
{
    if (!store)
        return;
    mem_store_destroy(store->uploads);
    for (struct node *node = store->first, *next; node; node = next) {
        next = node->next[0];
        free_node(node);
    }
    pthread_mutex_destroy(&store->lock);
    free(store);
}
