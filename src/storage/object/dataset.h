/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dataset.h - a store as a target: the objects that the target driver (driver.c) creates and
 * removes, and that the engine (engine.c) accesses.
 *
 *     PREFIX/iosweep-NAME/MANIFEST-1         put first; describes the rest (life/life.h)
 *     PREFIX/iosweep-NAME/4096/000017        set of whole objects of one size, for the tests write,
 *                                            read, stat and list
 *     PREFIX/iosweep-NAME/object/000003      --object-size: objects that are read in ranges
 *     PREFIX/iosweep-NAME/append-N/...       written by this test
 *     PREFIX/iosweep-NAME/rename-N/...       and delete-N: moved and removed by these tests
 *     PREFIX/iosweep-NAME/create-N/...       and copy-N: new objects, numbered as they are begun
 *     PREFIX/iosweep-NAME/xattr-N/...        and omap-N: --on; objects without data, with values
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

/* The kind of set that a test uses; with --object-size see object_tests_in_ranges. */
enum life_kind object_set_kind(const struct object_options *options, enum io_test test);

struct object_set {
    enum life_kind kind;
    uint64_t size_bytes; /* of each object; FOUND: of the longest */
    uint32_t count;      /* RENAME, DELETE, CREATE, COPY: 0, as many as needed are created */
    uint32_t first;      /* number of the first object among those of the target */
    uint32_t content;    /* the same in the run that created it; determines its content */
    bool ranges;         /* parts of its objects were overwritten, or may have been */
    const uint64_t *length_bytes; /* count of them, in the target's array */
    char *prefix;                 /* of the keys: "PREFIX/iosweep-NAME/4096/" */
    char **key;                   /* FOUND: complete keys; else NULL */
    atomic_uchar *present;        /* of each object: it exists; set by the engine after a write */
    /* of each object: held by one slot, see object_set_hold; NULL if any slot may write any object,
     * and for a set of one */
    atomic_uchar *held;
    atomic_uint_least32_t spare; /* may still be put aside, see object_slot_put_aside */
    /* Of sets that are written: position of the pass that creates each object once. */
    atomic_uint_least32_t next;
    /* -r, a run whose set is incomplete: numbers of the `count` existing objects; else NULL */
    uint32_t *there;
    /* DELETE: the objects from number `taken` up to `made` exist; 0 at first.  One pair per set, so
     * that the next slice of that size uses what a slice left over.  CREATE, COPY: numbers below
     * `taken` are assigned; `made` counts the objects created in finished slices. */
    atomic_uint_least64_t made, taken;
};

struct object_run { /* a run identified by its prefix, as a place of life.h */
    struct object_client *client;
    const char *prefix; /* with "/" at the end; not owned */
    struct life_place place;
};

struct object_store {
    struct target target; /* first */
    struct object_service *service;
    struct object_client *client; /* of the main thread */
    /* "PREFIX/iosweep-NAME/" of our run or the run that is read; or "" */
    char *run_prefix;
    struct life_manifest manifest; /* of that run; its sets correspond to `set` */
    struct object_set *set;
    unsigned set_count;
    uint64_t *lengths; /* target.length_bytes */
    char **names;      /* target.name; owned */
    bool kept;         /* the sets are the existing objects of an earlier run: --reuse, or ... */
    bool retires;      /* ... a test removes its objects */
    bool joined;       /* the sets belong to another rank of the team, which fills them */
    struct object_set *from; /* target.created: the set of the run */
    /* For our run: */
    struct life_heart heart; /* heartbeat.c; its lock protects the manifest's state of sets */
    struct object_client *heart_client;
    bool made;        /* the manifest exists: objects must be removed */
    bool uploads;     /* multipart uploads were begun */
    bool was_running; /* when this process took it over: its owner was killed */
    bool unsettled;   /* see object_manifest_unsettle: objects are no longer counted */
    /* Cold: multipart uploads that the engine could not abort. */
    atomic_uint_least64_t uploads_left;
    /* object_bounds_try: objects of at least this size are refused; reason NULL: none */
    struct object_bound {
        uint64_t size_bytes;
        const char *reason;
    } bound[TEST_COUNT];
    struct pattern pattern; /* of the content, if known or to be created */
    struct pace pace;
    uint64_t told[OBJECT_VERB_COUNT]; /* requests that the hook `summarise` has reported */
    bool summarised;
    pthread_mutex_t reader_lock;
    struct object_client *reader; /* for read_back, created on demand; protected by the lock */
};

static inline struct object_store *object_store_of(const struct target *target)
{
    return (struct object_store *)(uintptr_t)target;
}

/* The tests (bits 1 << TEST_x) that are possible with these options and the requests that the
 * service supports. */
unsigned object_tests_of(const struct object_service *service);

/* Tests that access ranges of objects of --object-size. */
unsigned object_tests_in_ranges(const struct object_service *service);

/* Requests that put or get a value of a set's objects; for other sets, their data. */
enum object_verb object_put_verb(enum life_kind kind);
enum object_verb object_get_verb(enum life_kind kind);

/* The set that operations of a test and size use; NULL: none. */
const struct object_set *object_set_for(const struct object_store *store, enum io_test test,
                                        uint64_t size_bytes);

/* Whether operations add objects to a set of this kind permanently. */
static inline bool object_set_grows(enum life_kind kind)
{
    return kind == LIFE_CREATE || kind == LIFE_COPY;
}

/* The set for the new objects of a test, if it is not that of object_set_for. */
const struct object_set *object_set_of_copies(const struct object_store *store,
                                              uint64_t size_bytes);

/* Whether all objects of our own set exist; their number. */
bool object_set_complete(const struct object_set *set);
uint32_t object_set_made(const struct object_set *set);

/* ... of a set that is read: the existing ones. */
static inline uint32_t object_set_present(const struct object_set *set)
{
    return set->present ? object_set_made(set) : set->count;
}

/* Hot.  The object for a write: a missing one while the pass that creates each of them in order is
 * not complete, else the drawn one. */
uint32_t object_set_choose(const struct object_set *set, uint32_t drawn);

/* Hot.  The next number of a set that grows. */
static inline uint64_t object_set_take_number(const struct object_set *set)
{
    return atomic_fetch_add_explicit(&((struct object_set *)(uintptr_t)set)->taken, 1,
                                     memory_order_relaxed);
}

/* Before a slice: another pass creates what failed in an earlier one. */
void object_set_begin_pass(const struct object_set *set);

/* store->retires: the set that represents all objects of a size, NULL: none exists; and the key of
 * one of them, < made of that set.  In reuse.c. */
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
