/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* object.h - shared by the files of this layer, from which drivers take their hooks. */
#ifndef STORAGE_OBJECT_OBJECT_H
#define STORAGE_OBJECT_OBJECT_H

#include "storage/life/choose.h"
#include "storage/life/run.h"
#include "storage/object/client.h"
#include "storage/object/dataset.h"
#include "storage/object/manifest.h"

/* ---- run.c ---- */

/* The command that removes a run later, with the options needed to reach it, quoted for a shell; to
 * be freed. */
char *object_clean_command(const struct object_service *service, const char *run_prefix);

/* The same by the name of the run, with the target as the user wrote it; NULL: the target is the
 * run. */
char *object_clean_named(const struct object_service *service, const char *target,
                         const char *run_name);

/* Sets store->run_prefix, which it takes over ("": none), and the place. */
void object_store_enter(struct object_store *store, char *run_prefix);

/* ---- the manifests of a run ---- */

/* The place of a run, for life.h; valid until the next call with that client. */
const struct life_place *object_run_place(struct object_client *client, const char *prefix);

/* life_look for the run of this prefix.  manifest, age_s: MAY be NULL. */
enum life_found object_run_look(struct object_client *client, const char *run_prefix,
                                struct life_manifest *manifest, int64_t *age_s, struct error *err);

/* After a failure that left it unknown whether the first manifest exists: removes it if it exists
 * and is ours.  False: it may be left, or still appear. */
bool object_run_take_back(struct object_store *store);

/* life_remove, and checks that they are gone. */
int object_manifest_remove(struct object_client *client, const char *run_prefix,
                           const struct life_manifest *manifest, struct error *err);

/* ---- heartbeat.c: keeps our run alive ---- */

/* For a new store, whether it is started or not; object_store_free ends it. */
void object_heartbeat_init(struct object_store *store);

/* Starts renewing the run.  Sets target.lost if it is no longer ours: then no request is sent.
 * Returns 0 or -1. */
int object_heartbeat_start(struct object_store *store, struct error *err);
void object_heartbeat_stop(struct object_store *store); /* also if not started */

/* --- exclusive.c --- */

/* Whether only one slot at a time may write an object of such a set. */
bool object_set_exclusive(const struct object_service *service, enum life_kind kind);

/* How many of `count` objects of such a set can be put aside so that no slot has to wait for
 * another. */
uint32_t object_set_spare(const struct object_store *store, uint32_t count);

/* Ensures that each set of the manifest that tests write has enough objects for that.  Returns 0 or
 * -1 (STATUS_USAGE: --objects or a kept run has fewer, or other ranks write them too). */
int object_exclusive_plan(struct object_store *store, struct error *err);

/* Puts a manifest of the current state, if the run is still ours.  Returns 0 or -1; see
 * target.lost. */
int object_run_renew(struct object_store *store, struct object_client *client, struct error *err);

/* ---- place.c ---- */

/* Whether any object exists below a prefix, and not only in an outdated list.  Returns 1 with its
 * key (to be freed), 0, or -1, perhaps also with the key of an object that cannot be checked. */
int object_place_holds(struct object_client *client, const char *prefix, char **key,
                       struct error *err);

/* Before a run begins: refuses existing objects below its prefix, which it did not make.  Notes in
 * the manifest whether the place exists.  Returns 0 or -1 (STATUS_TARGET). */
int object_run_expect_empty(struct object_store *store, struct error *err);

/* Removes what the store keeps of the run's place, if the run created it and it is empty.
 * manifest: which places; NULL: only the run's own.  Returns 0 or -1. */
int object_place_remove(struct object_client *client, const char *run_prefix,
                        const struct life_manifest *manifest, struct error *err);

/* ---- dataset.c ---- */

struct object_numbers { /* of objects of a set that were found, ascending; owned */
    uint32_t *number;
    size_t room;
    uint32_t count;
};

/* Makes store->set, lengths and names of the manifest's sets below store->run_prefix.  found: the
 * objects of each set that grows; NULL: none exists yet. */
void object_sets_make(struct object_store *store, const struct object_numbers *found);

/* The same for found objects, sorted; takes over their names. */
void object_sets_make_found(struct object_store *store, struct life_objects *found);
void object_sets_free(struct object_store *store);

/* "16 sets of 64 objects of 2 B to 64 KiB", to be freed. */
char *object_sets_describe(const struct object_store *store);

/* The set and index of an object by its number in the target. */
const struct object_set *object_sets_find(const struct object_store *store, uint32_t number,
                                          uint32_t *index);

/* The hook `objects`. */
const char *object_sets_objects(const struct target *target, enum io_test test, uint64_t size_bytes,
                                uint32_t *first, uint32_t *count);

/* ---- content.c: hooks ---- */

void object_make_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *buffer);
bool object_check_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, unsigned may, const void *buffer,
                          struct target_mismatch *mismatch);
int64_t object_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *buffer);

/* ---- existing.c ---- */

/* -r: fills in sets and the fields of the target that follow from them. */
int object_existing_open(struct object_store *store, struct error *err);

/* For the run in store->run_prefix, whose manifest was read: fills in sets and the fields of the
 * target that follow from the existing objects.  Returns 0 or -1. */
int object_existing_take(struct object_store *store, struct error *err);

/* Warns if not all objects that the run made are used. */
void object_tell_most(const struct object_store *store);

/* The sizes of the sets of the requested run, ascending, to be freed; none: no run is requested, or
 * it does not exist.  Returns 0 or -1. */
int object_existing_sizes(struct object_store *store, uint64_t **size_bytes, size_t *count,
                          struct error *err);

/* The hook `note`: "partial:49/64" if objects of a kept run are missing. */
void object_note(const struct target *target, enum io_test test, uint64_t size_bytes, char *text,
                 size_t room);

/* ---- reuse.c ---- */

/* Examines the run in store->run_prefix, and reads its manifest.  READ: it may be used; else
 * err. */
enum life_found object_run_expect(struct object_store *store, struct error *err);

/* --reuse, or store->retires: takes over the run in store->run_prefix, with its objects.  Refuses a
 * run that is alive.  Returns 0, or -1 with the run unchanged. */
int object_reuse_open(struct object_store *store, struct error *err);

/* The run in store->run_prefix belongs to another rank of this team: uses its sets.  Returns 0 or
 * -1. */
int object_join_open(struct object_store *store, struct error *err);

/* The hook `left`. */
uint64_t object_retire_left(const struct target *target, enum io_test test, uint64_t size_bytes);

bool object_retire_asked(const struct target_request *request);

/* Takes over the run in store->run_prefix for removal.  Returns 0, or -1 with the run unchanged. */
int object_retire_open(struct object_store *store, struct error *err);

/* Reports the objects left, which others may remove from now on; if none is left, removes the
 * manifest.  Returns as object_run_remove. */
int object_retire_end(struct object_store *store, struct object_client *client, struct error *err);

/* ---- bounds.c: limits of a service ---- */

/* If only requests show which sizes are too long, or not supported at all: tries a test with each
 * of its sizes, longest first, until one succeeds.  Removes what it makes.  Returns 0 or -1. */
int object_bounds_try(struct object_store *store, enum io_test test, struct error *err);

/* The hook `refused`. */
const char *object_bounds_refused(const struct target *target, enum io_test test,
                                  uint64_t size_bytes);

/* ---- fill.c ---- */

/* Length of the parts in which an object is filled: all of it if one request suffices, else a
 * multiple of align_bytes (0: any). */
uint64_t object_fill_part(uint64_t size_bytes, uint64_t align_bytes);

/* Uploads the missing objects of the sets that a test reads.  Returns 0 or -1; STATUS_PARTIAL with
 * EINTR after a stop. */
int object_fill(struct object_store *store, enum io_test test, struct error *err);

/* Whether a test reads objects of a set, which must exist before. */
bool object_fill_wanted(const struct object_store *store, const struct object_set *set,
                        enum io_test test);

/* ---- cost.c ---- */

/* Doubles, because products could overflow. */
struct object_cost {
    /* requests; most: with the maximum per call and all possible retries */
    double least, most;
    double sent_bytes, received_bytes; /* bodies */
};

/* Estimates the cost of filling and of the rows. */
void object_cost_estimate(const struct object_store *store, struct object_cost *fill,
                          struct object_cost *rows);

/* Reports the expected usage; refuses if --max-requests does not even allow filling. */
int object_cost_tell(const struct object_store *store, struct error *err);

/* The hooks `summarise` and `counters`. */
void object_cost_summarise(const struct target *target);
size_t object_cost_counters(const struct target *target, uint64_t *values, bool set);

/* Reports what removal used after that hook was called. */
void object_cost_tell_removal(struct object_store *store);

/* ---- removal.c ---- */

/* Removes the objects that the manifest names, and the manifest last; other objects are left, with
 * the manifest, and are an error (ENOTEMPTY).  own: the run is ours and has ended; NULL: another
 * process's.  uploads: some may be pending.  If requests may still be carried out (the run did not
 * end, or service->unsure), checks everything again after a pause; if some were dropped, keeps the
 * manifest, for `iosweep clean`.  Detects, with bounded effort, removals without effect and objects
 * missing from a list.  *tally MAY be NULL.  Returns 0, OBJECT_REMOVAL_UNSURE (not an error: all
 * objects found are removed), or -1. */
#define OBJECT_REMOVAL_UNSURE 1
int object_run_remove(struct object_client *client, const char *run_prefix,
                      const struct life_manifest *manifest, const struct object_store *own,
                      bool uploads, struct life_tally *tally, struct error *err);

/* Finds objects that removing another process's run would leave, and removes nothing.  Returns 0,
 * or -1 if there are any. */
int object_run_check(struct object_client *client, const char *run_prefix,
                     const struct life_manifest *manifest, struct error *err);

/* Aborts the uploads in parts that the manifest's sets may have pending.  Returns 0 or -1. */
int object_uploads_abort(struct object_client *client, const char *run_prefix,
                         const struct life_manifest *manifest, struct error *err);

/* Time for what the server may still carry out: 2 s, also after a signal. */
void object_removal_pause(void);

/* Error: the key still exists, although the server reported its removal.  Returns -1. */
int object_removal_no_effect(const struct object_service *service, const char *key,
                             struct error *err);

/* ---- cleanup.c: the hook `clean` ---- */
int object_clean(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err);

/* ---- driver.c: hooks of the drivers of all protocols ---- */

int object_open(const struct target_request *request, struct target **out, struct error *err);
int object_kept_sizes(const struct target_request *request, uint64_t **size_bytes, size_t *count,
                      struct error *err);
int object_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                   struct error *err);
int object_close(struct target *target, struct error *err);

/* Removes or keeps this process's run at its end, with a separate client.  Returns as
 * object_run_remove. */
int object_run_end(struct object_store *store, struct object_client *client, struct error *err);

struct object_store *object_store_new(void);

/* Frees a target; removes nothing.  service NULL: the service is shared, and kept. */
void object_store_free(struct object_store *store);

/* created.c */
void object_close_created(struct object_store *store);
int object_open_created(struct target *target, uint64_t size_bytes, enum io_test test,
                        uint64_t operations, struct target **out, struct error *err);
bool object_exhausted(const struct target *target, char *text, size_t room);

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
