/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dataset.h - a store as a target: what the target driver (driver.c) makes and removes, and the
 * engine (engine.c) works on.
 *
 *     PREFIX/iosweep-NAME/MANIFEST-1         put first; names what follows (life/life.h)
 *     PREFIX/iosweep-NAME/4096/000017        set of whole objects of one size, for the tests write,
 *                                            read, stat and list
 *     PREFIX/iosweep-NAME/object/000003      --object-size: objects that are read in ranges
 *     PREFIX/iosweep-NAME/append-N/...       what this test writes
 *     PREFIX/iosweep-NAME/rename-N/...       and delete-N: what these tests move and remove
 *     PREFIX/iosweep-NAME/create-N/...       and copy-N: new objects, numbered as they are begun
 *     PREFIX/iosweep-NAME/xattr-N/...        and omap-N: --on; objects without data that have
 * values
 *
 * With -r the objects are existing ones: those of an earlier run (by its manifest), or any others
 * below the prefix. */
#ifndef STORAGE_OBJECT_DATASET_H
#define STORAGE_OBJECT_DATASET_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "storage/life/heartbeat.h"
#include "storage/object/client.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"
#include "storage/pattern.h"
#include "storage/storage.h"

/* Longer objects are filled in parts of at least this size. */
#define OBJECT_FILL_PART_BYTES ((uint64_t)16 << 20)

/* What a test works on; with --object-size see object_tests_in_ranges. */
enum life_kind object_set_kind(const struct object_options *options, enum io_test test);

struct object_set {
    enum life_kind kind;
    uint64_t size_bytes; /* of each object; FOUND: of the longest */
    uint32_t count;      /* RENAME, DELETE, CREATE, COPY: 0, they make as many as they need */
    uint32_t first;      /* number of the first object among those of the target */
    uint32_t content;    /* the same where the run was made: what its content goes by */
    bool ranges;         /* parts of its objects were written, or may have been */
    const uint64_t *length_bytes; /* count of them, in the target's array */
    char *prefix;                 /* of the keys: "PREFIX/iosweep-NAME/4096/" */
    char **key;                   /* FOUND: complete keys; else NULL */
    atomic_uchar *present;        /* count: the object is there; set by the engine after a write */
    /* count: a slot has it for itself, see object_set_hold; NULL where any may write any,
     * and of an only object */
    atomic_uchar *held;
    atomic_uint_least32_t spare; /* how many may be put aside, see object_slot_put_aside */
    /* Of sets that are written: where the pass that makes each object once has come to. */
    atomic_uint_least32_t next;
    /* -r, a run whose set is not complete: numbers of the `count` objects that are there;
     * else NULL */
    uint32_t *there;
    /* DELETE: the objects from number `taken` up to `made` are there; 0 at first.  One pair for
     * each set, so that what a slice leaves over is used by the next one of that size.  CREATE,
     * COPY: the numbers below `taken` are given out, and in the slices that are over so many
     * objects were made. */
    atomic_uint_least64_t made, taken;
};

struct object_run { /* a run by its prefix, as life.h sees it */
    struct object_client *client;
    const char *prefix; /* with "/" at the end; not owned */
    struct life_place place;
};

struct object_store {
    struct target target; /* first */
    struct object_service *service;
    struct object_client *client; /* of the main thread */
    /* "PREFIX/iosweep-NAME/" of our run or the one that is read; or "" */
    char *run_prefix;
    struct life_manifest manifest; /* of that run; its sets are those of `set` */
    struct object_set *set;
    unsigned set_count;
    uint64_t *lengths; /* target.length_bytes */
    char **names;      /* target.name; owned */
    bool kept; /* the sets are those of an earlier run, as far as they are there: --reuse, or ... */
    bool retires;            /* ... its objects are removed by a test */
    bool joined;             /* the sets are those of another rank of the team, which fills them */
    struct object_set *from; /* target.created: the set of the run */
    /* Of our run: */
    struct life_heart heart; /* heartbeat.c; its lock: what the manifest says of sets */
    struct object_client *heart_client;
    bool made;        /* the manifest is there: something is to be removed */
    bool uploads;     /* multipart uploads were begun */
    bool was_running; /* before this process took it over: it was killed */
    bool unsettled;   /* see object_manifest_unsettle: not counted again */
    /* Cold: multipart uploads that could not be aborted by the engine. */
    atomic_uint_least64_t uploads_left;
    /* object_bounds_try: objects of this size and longer ones are refused; reason NULL: none */
    struct object_bound {
        uint64_t size_bytes;
        const char *reason;
    } bound[TEST_COUNT];
    struct pattern pattern; /* of the content, when known or to be made */
    struct pace pace;
    uint64_t told[OBJECT_VERB_COUNT]; /* requests that the hook `summarise` has told */
    bool summarised;
    pthread_mutex_t reader_lock;
    struct object_client *reader; /* for read_back, made when needed; under the lock */
};

static inline struct object_store *object_store_of(const struct target *target)
{
    return (struct object_store *)(uintptr_t)target;
}

/* The tests (bits 1 << TEST_x) that are possible with these options and the requests that the
 * service supports. */
unsigned object_tests_of(const struct object_service *service);

/* Which tests go to ranges of objects of --object-size. */
unsigned object_tests_in_ranges(const struct object_service *service);

/* Requests that put a value of a set's objects there, or get it; those of data for all others. */
enum object_verb object_put_verb(enum life_kind kind);
enum object_verb object_get_verb(enum life_kind kind);

/* The set that operations of a test and size go to; NULL when there is none. */
const struct object_set *object_set_for(const struct object_store *store, enum io_test test,
                                        uint64_t size_bytes);

/* Whether operations add objects to a set of this kind, and leave them there. */
static inline bool object_set_grows(enum life_kind kind)
{
    return kind == LIFE_CREATE || kind == LIFE_COPY;
}

/* The set that a test puts its new objects into, when it is not that of object_set_for. */
const struct object_set *object_set_of_copies(const struct object_store *store,
                                              uint64_t size_bytes);

/* All objects of a set of our own are there; how many are. */
bool object_set_complete(const struct object_set *set);
uint32_t object_set_made(const struct object_set *set);

/* ... of one that is read: those that are there. */
static inline uint32_t object_set_present(const struct object_set *set)
{
    return set->present ? object_set_made(set) : set->count;
}

/* Hot.  The object of a set that a write goes to: one that is missing, as long as the pass that
 * makes each of them in order is not over, then the one that was drawn. */
uint32_t object_set_choose(const struct object_set *set, uint32_t drawn);

/* Hot.  The next number of a set that grows. */
static inline uint64_t object_set_take_number(const struct object_set *set)
{
    return atomic_fetch_add_explicit(&((struct object_set *)(uintptr_t)set)->taken, 1,
                                     memory_order_relaxed);
}

/* Before a slice: what failed in an earlier pass is made by another one. */
void object_set_begin_pass(const struct object_set *set);

/* store->retires: the set that stands for all objects of a size, NULL: there are none; and the key
 * of one of them, < made of that set.  In reuse.c. */
const struct object_set *object_retire_set(const struct object_store *store, uint64_t size_bytes);
const char *object_retire_key(const struct object_set *set, uint64_t number,
                              char key[OBJECT_KEY_BYTES]);

/* The number of an object in the manifest's set. */
static inline uint64_t object_set_number(const struct object_set *set, uint64_t object)
{
    return set->there ? set->there[object] : object;
}

/* Hot.  The key of an object (< set->count; for RENAME and DELETE any number) into key.  Returns
 * key. */
const char *object_key(const struct object_set *set, uint64_t object, char key[OBJECT_KEY_BYTES]);

#endif
