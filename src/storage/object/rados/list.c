/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* list.c - names of objects, and lists of them.
 *
 * A page begins at a cursor of librados, which is meaningless outside this process: so a token is
 * the number of a page, and the lister keeps the cursor of the last token it returned. A page that
 * failed can be requested again. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/threads.h"

#define PAGE_KEYS        1000u
#define STATS_MOST       64u                  /* concurrently */
#define END_NS           UINT64_C(3000000000) /* limit on waiting for a cancelled list */
#define END_LOOK_NS      UINT64_C(5000000)
#define RUN_PREFIX_BYTES (sizeof(LIFE_PREFIX) - 1)
#define JOINT            "//" /* between a prefix and the rest, in object names */

/* ---- names ---- */

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

/* ---- lists ---- */

struct pool_list {
    rados_t handle;
    char *pool;
    bool sizes;
    struct pool_ring *ring;
    uint32_t slot;

    pthread_t thread;
    sem_t begin;
    bool started, quits; /* quits: set before `begin` is posted */
    atomic_bool cancelled;

    /* position */
    rados_ioctx_t io; /* NULL: none */
    char space[POOL_SPACE_BYTES];
    bool all_spaces;                 /* keys of several namespaces are listed */
    rados_object_list_cursor cursor; /* start of page `page` + 1; NULL: the beginning */
    uint64_t page;

    /* the call */
    char prefix[OBJECT_KEY_BYTES];
    char delimiter; /* or '\0' */
    size_t wanted;
    rados_object_list_item *item;
    size_t items;
    struct object_names names;
    int code;
};

struct pool_list *pool_list_make(rados_t handle, const char *pool, bool sizes,
                                 struct pool_ring *ring, uint32_t slot)
{
    struct pool_list *list = mem_calloc(1, sizeof(*list));

    list->handle = handle;
    list->pool = mem_strdup(pool);
    list->sizes = sizes;
    list->ring = ring;
    list->slot = slot;
    (void)sem_init(&list->begin, 0, 0);
    return list;
}

/* ---- where ---- */

static void forget_place(struct pool_list *list)
{
    if (list->cursor)
        rados_object_list_cursor_free(list->io, list->cursor);
    if (list->io)
        rados_ioctx_destroy(list->io);
    list->cursor = NULL;
    list->io = NULL;
}

/* Whether keys below the prefix can be in any namespace: it is in no run, or ends within the name
 * of one. */
static bool spans_spaces(const char *prefix, const struct pool_place *place)
{
    const char *slash = strrchr(prefix, '/');

    return place->space == 0 || strncmp(slash + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0;
}

static int find_place(struct pool_list *list)
{
    const struct pool_place place = pool_place_of(list->prefix);
    const char *space;
    int code;

    list->all_spaces = spans_spaces(list->prefix, &place);
    space = list->all_spaces ? LIBRADOS_ALL_NSPACES : pool_space(list->prefix, &place, list->space);

    forget_place(list);
    code = rados_ioctx_create(list->handle, list->pool, &list->io);
    if (code < 0) {
        list->io = NULL;
        return code;
    }
    rados_ioctx_set_namespace(list->io, space);
    list->cursor = rados_object_list_begin(list->io);
    return list->cursor ? 0 : -ENOENT;
}

/* ---- a page ---- */

static void take_item(struct pool_list *list, const rados_object_list_item *item)
{
    const size_t length = strlen(list->prefix);
    char space[POOL_SPACE_BYTES], oid[OBJECT_KEY_BYTES], key[OBJECT_KEY_BYTES];
    const char *end;

    if (item->nspace_length >= sizeof(space) || item->oid_length >= sizeof(oid) ||
        item->locator_length > 0 || memchr(item->oid, '\0', item->oid_length))
        return; /* foreign: no key maps to it */
    memcpy(space, item->nspace, item->nspace_length);
    space[item->nspace_length] = '\0';
    memcpy(oid, item->oid, item->oid_length);
    oid[item->oid_length] = '\0';
    if (!pool_key(space, oid, key, sizeof(key)) || strncmp(key, list->prefix, length) != 0)
        return;
    end = list->delimiter ? strchr(key + length, list->delimiter) : NULL;
    if (end)
        object_names_add_rolled_up(&list->names, key, (size_t)(end - key) + 1);
    else
        (void)object_names_add(&list->names, key, strlen(key));
}

/* Lists one batch of the cluster's from *cursor on, and advances it. Returns 0, 1 at the end, or
 * -errno. */
static int take_some(struct pool_list *list, rados_object_list_cursor *cursor, size_t most)
{
    rados_object_list_cursor end = rados_object_list_end(list->io);
    rados_object_list_cursor next = rados_object_list_begin(list->io); /* overwritten */
    int count;

    if (!end || !next)
        return -ENOENT;

    count = rados_object_list(list->io, *cursor, end, most, NULL, 0, list->item, &next);
    rados_object_list_cursor_free(list->io, end);
    if (count < 0) {
        rados_object_list_cursor_free(list->io, next);
        return count;
    }
    for (int i = 0; i < count; i++)
        take_item(list, &list->item[i]);
    rados_object_list_free((size_t)count, list->item);
    if (*cursor != list->cursor)
        rados_object_list_cursor_free(list->io, *cursor);
    *cursor = next;
    return rados_object_list_is_end(list->io, next) ? 1 : 0;
}

static void make_room(struct pool_list *list)
{
    const size_t items = list->wanted > PAGE_KEYS ? list->wanted : PAGE_KEYS;

    if (items <= list->items)
        return;
    free(list->item);
    list->item = mem_calloc(items, sizeof(*list->item));
    list->items = items;
}

/* Lists until the page is full. Rolled up names are returned as one page, since the same one can
 * recur until the end. */
static int list_page(struct pool_list *list, rados_object_list_cursor *cursor)
{
    int code = 0;

    make_room(list);
    while (code == 0 && (list->delimiter || list->names.entries < list->wanted)) {
        if (atomic_load_explicit(&list->cancelled, memory_order_relaxed))
            return -ECANCELED;
        code =
            take_some(list, cursor,
                      list->delimiter ? list->items : list->wanted - (size_t)list->names.entries);
    }
    list->names.more = code == 0;
    return code < 0 ? code : 0;
}

/* ---- sizes ---- */

struct stat_call {
    rados_completion_t completion;
    struct object_entry *entry;
    uint64_t size_bytes;
    time_t changed_s;
};

static int begin_stat(struct pool_list *list, struct stat_call *call, const char *key)
{
    const struct pool_place place = pool_place_of(key);
    char oid[OBJECT_KEY_BYTES], space[POOL_SPACE_BYTES];
    int code = rados_aio_create_completion2(NULL, NULL, &call->completion);

    if (code < 0)
        return code;
    if (list->all_spaces) /* the call keeps a copy */
        rados_ioctx_set_namespace(list->io, pool_space(key, &place, space));
    code = rados_aio_stat(list->io, pool_object(key, &place, oid), call->completion,
                          &call->size_bytes, &call->changed_s);
    if (code < 0)
        rados_aio_release(call->completion);
    return code;
}

static int end_stat(struct pool_list *list, struct stat_call *call)
{
    int code;

    (void)rados_aio_wait_for_complete(call->completion);
    code = rados_aio_get_return_value(call->completion);
    rados_aio_release(call->completion);
    if (code == -ENOENT) {
        call->entry->gone = true;
        list->names.entries--;
        return 0;
    }
    call->entry->size_bytes = call->size_bytes;
    return code;
}

static int find_sizes(struct pool_list *list)
{
    struct stat_call *call = mem_calloc(STATS_MOST, sizeof(*call));
    uint64_t begun = 0, ended = 0;
    struct object_entry *entry;
    const char *key;
    size_t at = 0;
    int code = 0;

    while (code == 0 && (entry = object_names_next(&list->names, &at, &key)) != NULL) {
        struct stat_call *const next = &call[begun % STATS_MOST];

        if (begun - ended == STATS_MOST)
            code = end_stat(list, &call[ended++ % STATS_MOST]);
        if (code == 0 && atomic_load_explicit(&list->cancelled, memory_order_relaxed))
            code = -ECANCELED;
        next->entry = entry;
        code = code == 0 ? begin_stat(list, next, key) : code;
        begun += code == 0;
    }
    while (ended < begun) {
        const int late = end_stat(list, &call[ended++ % STATS_MOST]);

        code = code == 0 ? late : code;
    }
    if (list->all_spaces)
        rados_ioctx_set_namespace(list->io, LIBRADOS_ALL_NSPACES);
    free(call);
    return code;
}

/* ---- the thread ---- */

/* The cursor moves only once the page is complete, so that a failed page can be requested again. */
static int list_once(struct pool_list *list)
{
    rados_object_list_cursor cursor = list->cursor, unwanted;
    int code;

    object_names_clear(&list->names);
    code = list_page(list, &cursor);
    if (code == 0 && list->sizes && !list->delimiter)
        code = find_sizes(list);
    unwanted = code < 0 ? cursor : list->cursor;
    if (cursor != list->cursor)
        rados_object_list_cursor_free(list->io, unwanted);
    if (code < 0)
        return code;
    list->cursor = cursor;
    list->page++;
    (void)snprintf(list->names.token, sizeof(list->names.token), "%" PRIu64, list->page);
    return 0;
}

static void *run(void *arg)
{
    struct pool_list *list = arg;

    for (;;) {
        while (sem_wait(&list->begin) != 0)
            continue;
        if (list->quits)
            return NULL;
        list->code = list_once(list);
        pool_ring_push(list->ring, list->slot);
    }
}

/* ---- for the link ---- */

/* Returns 0 or -errno: the page is not the next one. */
static int take_token(struct pool_list *list, const char *token)
{
    char next[32];

    if (!token) {
        list->page = 0;
        return find_place(list);
    }
    (void)snprintf(next, sizeof(next), "%" PRIu64, list->page);
    return list->cursor && list->page > 0 && strcmp(token, next) == 0 ? 0 : -ESTALE;
}

int pool_list_begin(struct pool_list *list, const struct object_call *call)
{
    int code = list->started ? 0 : thread_start(&list->thread, run, list);

    if (code != 0)
        return -code;
    list->started = true;
    if (strlen(call->key) >= sizeof(list->prefix) || (call->delimiter && call->delimiter[1]))
        return -EINVAL;
    memcpy(list->prefix, call->key, strlen(call->key) + 1);
    list->delimiter = call->delimiter ? call->delimiter[0] : '\0';
    list->wanted = call->page > 0 ? (size_t)call->page : PAGE_KEYS;
    code = take_token(list, call->token);
    if (code < 0)
        return code;
    atomic_store(&list->cancelled, false);
    (void)sem_post(&list->begin);
    return 0;
}

int pool_list_code(const struct pool_list *list)
{
    return list->code;
}

struct object_names *pool_list_names(struct pool_list *list)
{
    return &list->names;
}

void pool_list_cancel(struct pool_list *list)
{
    atomic_store(&list->cancelled, true);
}

void pool_list_free(struct pool_list *list)
{
    if (!list)
        return;
    if (list->started) {
        pool_list_cancel(list);
        list->quits = true;
        (void)sem_post(&list->begin);
        (void)pthread_join(list->thread, NULL);
    }
    forget_place(list);
    object_names_free(&list->names);
    free(list->item);
    free(list->pool);
    (void)sem_destroy(&list->begin);
    free(list);
}
