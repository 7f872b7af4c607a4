/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* object.h - a store as a target: the objects that its driver creates and removes, and that the
 * engine (operation.h) accesses.
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
#ifndef STORAGE_OBJECT_OBJECT_H
#define STORAGE_OBJECT_OBJECT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "storage/life/choose.h"
#include "storage/life/heartbeat.h"
#include "storage/life/life.h"
#include "storage/object/client.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"
#include "storage/pattern.h"
#include "storage/storage.h"

/* Longer objects are filled in parts of at least this size. */
#define OBJECT_FILL_PART_BYTES ((uint64_t)16 << 20)

struct object_set {
    enum life_kind kind;
    uint64_t size_bytes; /* of each object; FOUND: of the longest */
    /* of its objects that exist, or of our own run that are to; there RENAME, DELETE, CREATE, COPY:
     * 0, as many as needed are created */
    uint32_t count;
    uint32_t first;               /* number of the first object among those of the target */
    uint32_t content;             /* the same in the run that created it; determines its content */
    bool ranges;                  /* parts of its objects were overwritten, or may have been */
    const uint64_t *length_bytes; /* count of them, in the target's array */
    char *prefix;                 /* of the keys: "PREFIX/iosweep-NAME/4096/" */
    char **key;                   /* FOUND: complete keys; else NULL */
    /* of each object: it exists; set by the engine after a write.  NULL: all exist */
    atomic_uchar *present;
    /* of each object: held by one slot, see object_set_hold; NULL if any slot may write any object,
     * and for a set of one */
    atomic_uchar *held;
    atomic_uint_least32_t spare; /* may still be put aside, see object_slot_put_aside */
    /* Of sets that are written: position of the pass that creates each object once. */
    atomic_uint_least32_t next;
    /* -r, a run whose set is incomplete: numbers of the objects, ascending; else NULL */
    uint32_t *there;
    /* DELETE: the objects from number `taken` up to `made` exist; 0 at first.  One pair per set, so
     * that the next slice of that size uses what a slice left over.  CREATE, COPY: numbers below
     * `taken` are assigned; `made` counts the objects created in finished slices. */
    atomic_uint_least64_t made, taken;
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
    struct life_heart heart; /* end.c; its lock protects the manifest's state of sets */
    struct object_client *heart_client;
    bool made;    /* the manifest exists: objects must be removed */
    bool uploads; /* multipart uploads were begun */
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

/* ---- manifest.c: the sets of objects that a run creates, and their names.  A key belongs to a run
 * if the run's manifest can contain it; all others belong to others.  Pure. ---- */

#define OBJECT_SET_DIRECTORY_MAX 40u /* "append-18446744073709551615/" */

/* Whether the last component of a prefix ("a/iosweep-NAME/") can be that of a run; stores NAME in
 * run_name. */
bool object_run_of_prefix(const char *prefix, char run_name[TARGET_RUN_NAME_MAX + 1]);

/* The number of objects of a set of that size: as requested, or 64, but no more than 256 MiB in
 * total and at least 1. */
uint32_t object_set_objects(uint64_t wanted, uint64_t size_bytes);

/* How many numbers of a target's objects a set occupies: count, or 1 if its objects have no numbers
 * of their own, so that operations have one to draw. */
static inline uint32_t object_set_numbers(uint32_t count)
{
    return count > 0 ? count : 1;
}

/* Plans the sets for tests (bits 1 << TEST_x) of these sizes, with those of `ranged` in one set of
 * objects of --object-size, in manifest->set, which the caller frees.  manifest->storage must be
 * set.  Errors: too many sets or objects (STATUS_USAGE).  Returns 0 or -1. */
int object_manifest_plan(struct life_manifest *manifest, unsigned tests, const uint64_t *size_bytes,
                         size_t size_count, const struct object_options *options, unsigned ranged,
                         struct error *err);

/* The part of keys after the run's prefix: "4096/", "object/", "rename-4096/".  Returns text. */
char *object_set_directory(const struct life_set *set, char text[OBJECT_SET_DIRECTORY_MAX]);

/* With that prefix; to be freed. */
char *object_set_prefix(const char *run_prefix, const struct life_set *set);

/* The set and object of a key without the run's prefix ("4096/000017").  False: it belongs to none;
 * neither does a manifest. */
bool object_manifest_owns(const struct life_manifest *manifest, const char *name, unsigned *set,
                          uint64_t *object);

/* Classifies an object of such a set by its length.  A run puts each object in one go, so one of
 * another length is not its own, except: without uploads in parts, long objects and those of append
 * grow piece by piece; if objects are visible while they are being put (gradual), interrupted ones
 * are shorter; objects with values have no data.  CHANGED: it is shorter than its set says, and was
 * not interrupted during the run, so another program has changed it. */
enum object_standing { OBJECT_FOREIGN, OBJECT_CHANGED, OBJECT_OWN };
enum object_standing object_manifest_judge(const struct life_manifest *manifest, unsigned set,
                                           const struct object_service *service,
                                           uint64_t size_bytes);

/* ---- dataset.c: the sets of a target, and which of them tests use ---- */

/* The kind of set that a test uses; with --object-size see object_tests_in_ranges. */
enum life_kind object_set_kind(const struct object_options *options, enum io_test test);

/* Whether operations add objects to a set of this kind permanently. */
static inline bool object_set_grows(enum life_kind kind)
{
    return kind == LIFE_CREATE || kind == LIFE_COPY;
}

/* The requests (bits 1 << OBJECT_x) of an operation of a test; 0: it is not possible. */
unsigned object_requests_of(const struct object_service *service, enum io_test test);

/* The tests (bits 1 << TEST_x) that are possible with these options and the requests that the
 * service supports; and those that access ranges of objects of --object-size. */
unsigned object_tests_of(const struct object_service *service);
unsigned object_tests_in_ranges(const struct object_service *service);

/* Requests that put or get a value of a set's objects; for other sets, their data. */
enum object_verb object_put_verb(enum life_kind kind);
enum object_verb object_get_verb(enum life_kind kind);

struct object_numbers { /* of objects of a set that were found, ascending; owned */
    uint32_t *number;
    size_t room;
    uint32_t count;
};

/* Makes store->set, lengths and names of the manifest's sets below store->run_prefix.  found: the
 * objects of each set that exist; NULL: none exists yet. */
void object_sets_make(struct object_store *store, const struct object_numbers *found);

/* The same for found objects, sorted; takes over their names. */
void object_sets_make_found(struct object_store *store, struct life_objects *found);
void object_sets_free(struct object_store *store);

/* "16 sets of 64 objects of 2 B to 64 KiB", to be freed. */
char *object_sets_describe(const struct object_store *store);

/* The set and index of an object by its number in the target. */
const struct object_set *object_sets_find(const struct object_store *store, uint32_t number,
                                          uint32_t *index);

/* The set that operations of a test and size use; NULL: none. */
struct object_set *object_set_for(const struct object_store *store, enum io_test test,
                                  uint64_t size_bytes);

/* The set for the new objects of test copy. */
struct object_set *object_set_of_copies(const struct object_store *store, uint64_t size_bytes);

/* Whether a test removes objects of a kept run (store->retires).  Sets of a size are adjacent: the
 * first represents all of their objects, < made of that set, with the names from set->first on. */
bool object_retire_asked(const struct target_request *request);

/* The number of existing objects of a set, and whether it is all of them. */
uint32_t object_set_made(const struct object_set *set);

static inline bool object_set_complete(const struct object_set *set)
{
    return object_set_made(set) == set->count;
}

/* Before a slice: another pass creates what failed in an earlier one. */
void object_set_begin_pass(struct object_set *set);

/* Hot.  The object for a write: a missing one while the pass that creates each of them in order is
 * not complete, else the drawn one. */
uint32_t object_set_choose(struct object_set *set, uint32_t drawn);

/* Hot.  The next number of a set that grows. */
static inline uint64_t object_set_take_number(struct object_set *set)
{
    return atomic_fetch_add_explicit(&set->taken, 1, memory_order_relaxed);
}

/* The number of an object in the manifest's set. */
static inline uint64_t object_set_number(const struct object_set *set, uint64_t object)
{
    return set->there ? set->there[object] : object;
}

/* Hot.  The key of an object (< set->count; for RENAME and DELETE any number) into key.  Returns
 * key. */
const char *object_key(const struct object_set *set, uint64_t object, char key[OBJECT_KEY_BYTES]);

/* Sets that tests write must have enough objects for all slots, if only one slot at a time may
 * write an object.  Returns 0 or -1 (STATUS_USAGE: --objects or a kept run has fewer, or other
 * ranks write them too). */
int object_exclusive_plan(struct object_store *store, struct error *err);

/* ---- run.c: the place of a run, its manifests, and its heartbeat ---- */

/* The command that removes a run later, with the options needed to reach it, quoted for a shell; to
 * be freed. */
char *object_clean_command(const struct object_store *store);

/* The same by the name of the run, with the target as the user wrote it; NULL: the target is the
 * run. */
char *object_clean_named(const struct object_service *service, const char *target,
                         const char *run_name);

/* Sets store->run_prefix, which it takes over ("": none), and the place. */
void object_store_enter(struct object_store *store, char *run_prefix);

/* The place of a run, for life.h; valid until the next call with that client. */
const struct life_place *object_run_place(struct object_client *client, const char *prefix);

/* life_look for the run of this prefix. */
enum life_found object_run_look(struct object_client *client, const char *run_prefix,
                                struct life_manifest *manifest, int64_t *age_s, struct error *err);

/* Examines the run in store->run_prefix, and reads its manifest.  READ: it may be used; else
 * err. */
enum life_found object_run_expect(struct object_store *store, struct error *err);

/* After a failure that left it unknown whether the first manifest exists: removes it if it exists
 * and is ours.  False: it may be left, or still appear. */
bool object_run_take_back(struct object_store *store);

/* life_remove, and checks that they are gone. */
int object_manifest_remove(struct object_client *client, const char *run_prefix,
                           const struct life_manifest *manifest, struct error *err);

/* Whether any object exists below a prefix, and not only in an outdated list.  Returns 1 with its
 * key (to be freed), 0, or -1, perhaps also with the key of an object that cannot be checked. */
int object_place_holds(struct object_client *client, const char *prefix, char **key,
                       struct error *err);

/* Before a run begins: refuses existing objects below its prefix, which it did not make, and an
 * existing place.  Returns 0 or -1 (STATUS_TARGET). */
int object_run_expect_empty(struct object_store *store, struct error *err);

/* Removes a place that the service keeps, unless it holds something.  Returns 0 or -1. */
int object_place_remove(struct object_client *client, const char *key, struct error *err);

/* ---- existing.c ---- */

/* -r: fills in sets and the fields of the target that follow from them. */
int object_existing_open(struct object_store *store, struct error *err);

/* For the run in store->run_prefix, whose manifest was read: fills in sets and the fields of the
 * target that follow from the existing objects.  Returns 0 or -1. */
int object_existing_take(struct object_store *store, struct error *err);

/* The sizes of the sets of the requested run, ascending, to be freed; none: no run is requested, or
 * it does not exist.  Returns 0 or -1. */
int object_existing_sizes(struct object_store *store, uint64_t **size_bytes, size_t *count,
                          struct error *err);

/* ---- fill.c ---- */

/* Length of the parts in which an object is filled: all of it if one request suffices, else a
 * multiple of align_bytes (0: any). */
uint64_t object_fill_part(uint64_t size_bytes, uint64_t align_bytes);

/* Whether a test reads objects of a set, which must exist before. */
bool object_fill_wanted(const struct object_store *store, const struct object_set *set,
                        enum io_test test);

/* If only requests show which sizes are too long, or not supported at all: tries a test with each
 * of its sizes, longest first, until one succeeds.  Removes what it makes.  Returns 0 or -1. */
int object_bounds_try(struct object_store *store, enum io_test test, struct error *err);

/* Uploads the missing objects of the sets that a test reads.  Returns 0 or -1; STATUS_PARTIAL with
 * EINTR after a stop. */
int object_fill(struct object_store *store, enum io_test test, struct error *err);

/* ---- cost.c ---- */

/* Doubles, because products could overflow. */
struct object_cost {
    double requests;                   /* without retries; the maximum of each call */
    double sent_bytes, received_bytes; /* bodies */
};

/* Estimates the cost of filling and of the rows. */
void object_cost_estimate(const struct object_store *store, struct object_cost *fill,
                          struct object_cost *rows);

/* Reports the expected usage; refuses if --max-requests does not even allow filling. */
int object_cost_tell(const struct object_store *store, struct error *err);

/* Reports what removal used after the hook `summarise` was called. */
void object_cost_tell_removal(struct object_store *store);

/* ---- removal.c ---- */

/* Goes over the objects that the manifest names (way), and removes the manifest last; other objects
 * are left, with the manifest, and are an error (ENOTEMPTY).  own: the run is ours and has ended;
 * NULL: another process's.  uploads: some may be pending.  If requests may still be carried out
 * (the run did not end, or service->unsure), checks everything again after a pause; if some were
 * dropped, keeps the manifest, for `iosweep clean`.  Detects, with bounded effort, removals without
 * effect and objects missing from a list.  Returns 0, OBJECT_REMOVAL_UNSURE (not an error: all
 * objects found are removed), or -1. */
#define OBJECT_REMOVAL_UNSURE 1
int object_run_go_over(struct object_client *client, const char *run_prefix,
                       const struct life_manifest *manifest, const struct object_store *own,
                       bool uploads, enum life_way way, struct life_tally *tally,
                       struct error *err);

/* Aborts the uploads in parts that the manifest's sets may have pending: of a run of this process
 * (`own`), or of one of which `listed` objects of each set were found.  Returns 0 or -1. */
int object_uploads_abort(struct object_client *client, const char *run_prefix,
                         const struct life_manifest *manifest, const struct object_store *own,
                         const uint64_t *listed, struct error *err);

/* Time for what the server may still carry out: 2 s, also after a signal. */
void object_removal_pause(void);

/* Error: the key still exists, although the server reported its removal.  Returns -1. */
int object_removal_no_effect(const struct object_service *service, const char *key,
                             struct error *err);

/* ---- end.c ---- */

/* Fills in what renewing the run needs, before it starts.  Returns 0 or -1.  If the run is no
 * longer ours, renewing sets target.lost: then no request is sent. */
int object_heartbeat_ready(struct object_store *store, struct error *err);
void object_heartbeat_stop(struct object_store *store); /* also if not started */

/* What object stores do for a run of this process. */
extern const struct life_hooks object_life;

/* Removes or keeps this process's run at its end, by store->client.  Returns as
 * object_run_go_over. */
int object_run_end(struct object_store *store, struct error *err);

/* Error: the server did not answer; objects may still appear.  Replaces *err.  Returns -1. */
int object_may_appear(const struct object_store *store, struct error *err);

/* ---- driver.c ---- */

struct object_store *object_store_new(void);

/* Frees a target; removes nothing. */
void object_store_free(struct object_store *store);

/* The run in store->run_prefix belongs to another rank of this team: uses its sets.  Returns 0 or
 * -1. */
int object_join_open(struct object_store *store, struct error *err);

/* ---- hooks of the drivers of all protocols ---- */

int object_open(const struct target_request *request, struct target **out, struct error *err);
int object_kept_sizes(const struct target_request *request, uint64_t **size_bytes, size_t *count,
                      struct error *err);
int object_open_created(struct target *target, uint64_t size_bytes, enum io_test test,
                        struct target **out, struct error *err);
int object_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                   struct error *err);
const char *object_sets_objects(const struct target *target, enum io_test test, uint64_t size_bytes,
                                uint32_t *first, uint32_t *count);
void object_cost_summarise(const struct target *target);
size_t object_cost_counters(const struct target *target, uint64_t *values, bool set);
bool object_exhausted(const struct target *target, char *text, size_t room);
void object_make_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *buffer);
bool object_check_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, unsigned may, const void *buffer,
                          struct target_mismatch *mismatch);
int64_t object_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *buffer);
uint64_t object_retire_left(const struct target *target, enum io_test test, uint64_t size_bytes);
const char *object_bounds_refused(const struct target *target, enum io_test test,
                                  uint64_t size_bytes);
/* "partial:49/64" if objects of a kept run are missing. */
void object_note(const struct target *target, enum io_test test, uint64_t size_bytes, char *text,
                 size_t room);
int object_close(struct target *target, struct error *err);
int object_clean(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err);

/* For the table of a driver, in addition to its names, options and protocol: the hooks of any
 * object store, and those of a store whose objects outlive the program. */
#define OBJECT_TARGET_HOOKS                                                                      \
    .open = object_open, .open_created = object_open_created, .prepare = object_prepare,         \
    .objects = object_sets_objects, .summarise = object_cost_summarise,                          \
    .counters = object_cost_counters, .exhausted = object_exhausted,                             \
    .make_content = object_make_content, .check_content = object_check_content,                  \
    .read_back = object_read_back, .left = object_retire_left, .refused = object_bounds_refused, \
    .close = object_close, .note = object_note
#define OBJECT_RUN_HOOKS .clean = object_clean, .kept_sizes = object_kept_sizes

#endif
