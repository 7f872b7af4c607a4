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

/* The command line that removes a run later, with the options that were given to reach it, quoted
 * for a shell; to be freed. */
char *object_clean_command(const struct object_service *service, const char *run_prefix);

/* The same by the name of the run, in the target as the user wrote it; NULL: of a target that is
 * the run. */
char *object_clean_named(const struct object_service *service, const char *target,
                         const char *run_name);

/* Sets store->run_prefix, which it takes over ("": none), and where that is. */
void object_store_enter(struct object_store *store, char *run_prefix);

/* ---- the manifests of a run ---- */

/* The place of a run, for life.h: until the next call with that client. */
const struct life_place *object_run_place(struct object_client *client, const char *prefix);

/* life_look at the run that the prefix names.  manifest, age_s: MAY be NULL. */
enum life_found object_run_look(struct object_client *client, const char *run_prefix,
                                struct life_manifest *manifest, int64_t *age_s, struct error *err);

/* After a failure that left it unsure whether the first manifest is there: removes it if it is
 * there and ours.  False: it may be left, or still come. */
bool object_run_take_back(struct object_store *store);

/* life_remove, and checks that they are gone. */
int object_manifest_remove(struct object_client *client, const char *run_prefix,
                           const struct life_manifest *manifest, struct error *err);

/* ---- heartbeat.c: keeps our run alive ---- */

/* Of a new store, which need not be started; object_store_free ends it. */
void object_heartbeat_init(struct object_store *store);

/* Starts renewing the run.  Sets target.lost if it is no longer ours: then no request is sent.
 * Returns 0 or -1. */
int object_heartbeat_start(struct object_store *store, struct error *err);
void object_heartbeat_stop(struct object_store *store); /* none is fine */

/* --- exclusive.c --- */

/* Whether one slot at a time may write an object of such a set. */
bool object_set_exclusive(const struct object_service *service, enum life_kind kind);

/* How many of `count` objects of such a set can be put aside without slots waiting
 * for each other. */
uint32_t object_set_spare(const struct object_store *store, uint32_t count);

/* Enough objects for that in each set of the manifest that tests write.  Returns 0 or -1
 * (STATUS_USAGE: --objects says fewer, or a kept run has fewer, or other ranks write them, too). */
int object_exclusive_plan(struct object_store *store, struct error *err);

/* Puts the manifest with what is there now, when the one there is ours.  Returns 0 or -1; see
 * target.lost. */
int object_run_renew(struct object_store *store, struct object_client *client, struct error *err);

/* ---- place.c ---- */

/* Whether anything is below a prefix, and not only in an old list.  Returns 1 with its key, to be
 * freed, 0, or -1, also with that of one that cannot be looked for. */
int object_place_holds(struct object_client *client, const char *prefix, char **key,
                       struct error *err);

/* Before a run begins: refuses existing objects below its prefix, which it did not make.  Notes in
 * the manifest whether the place exists.  Returns 0 or -1 (STATUS_TARGET). */
int object_run_expect_empty(struct object_store *store, struct error *err);

/* Removes what the store keeps of the run's place, as far as the run made it and nothing is in it.
 * manifest: says what; NULL: only the place itself.  Returns 0 or -1. */
int object_place_remove(struct object_client *client, const char *run_prefix,
                        const struct life_manifest *manifest, struct error *err);

/* ---- dataset.c ---- */

struct object_numbers { /* of objects of a set that were found, ascending; owned */
    uint32_t *number;
    size_t room;
    uint32_t count;
};

/* Makes store->set, lengths and names of the manifest's sets below store->run_prefix.  found: of
 * each set, for those that grow; NULL: nothing is there yet. */
void object_sets_make(struct object_store *store, const struct object_numbers *found);

/* The same of objects that were found, sorted; takes over their names. */
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

/* Of the run in store->run_prefix, whose manifest was read: fills in sets and the fields of the
 * target that follow from what is there.  Returns 0 or -1. */
int object_existing_take(struct object_store *store, struct error *err);

/* Warns if not all objects that the run made are used. */
void object_tell_most(const struct object_store *store);

/* The sizes that the run which is meant has sets of, ascending, to be freed; none: no run is meant
 * or there.  Returns 0 or -1. */
int object_existing_sizes(struct object_store *store, uint64_t **size_bytes, size_t *count,
                          struct error *err);

/* The hook `note`: "partial:49/64" where objects of a kept run are not all there. */
void object_note(const struct target *target, enum io_test test, uint64_t size_bytes, char *text,
                 size_t room);

/* ---- reuse.c ---- */

/* Looks at the run in store->run_prefix, and reads its manifest.  READ: it may be used; else err.
 */
enum life_found object_run_expect(struct object_store *store, struct error *err);

/* --reuse, or store->retires: makes the run in store->run_prefix ours, with its objects.  What is
 * alive is refused.  Returns 0 or -1, and then it is as it was. */
int object_reuse_open(struct object_store *store, struct error *err);

/* The run in store->run_prefix belongs to another rank of this team: its sets, to be used.  Returns
 * 0 or -1. */
int object_join_open(struct object_store *store, struct error *err);

/* The hook `left`. */
uint64_t object_retire_left(const struct target *target, enum io_test test, uint64_t size_bytes);

bool object_retire_asked(const struct target_request *request);

/* Makes the run in store->run_prefix ours for that.  Returns 0 or -1, and then it is as it was. */
int object_retire_open(struct object_store *store, struct error *err);

/* Tells what is left, which others may remove from now on; when it is nothing, the manifest goes.
 * Returns as object_run_remove. */
int object_retire_end(struct object_store *store, struct object_client *client, struct error *err);

/* ---- bounds.c: limits of a service ---- */

/* If only requests show which sizes are too long, or not supported at all: tries a test with each
 * of its sizes, longest first, until one succeeds.  Removes what it makes.  Returns 0 or -1. */
int object_bounds_try(struct object_store *store, enum io_test test, struct error *err);

/* The hook `refused`. */
const char *object_bounds_refused(const struct target *target, enum io_test test,
                                  uint64_t size_bytes);

/* ---- fill.c ---- */

/* Length of the parts that an object is filled in by: all of it when it goes in one request, else a
 * multiple of align_bytes (0: any). */
uint64_t object_fill_part(uint64_t size_bytes, uint64_t align_bytes);

/* Uploads what is missing of the sets that a test reads.  Returns 0 or -1; STATUS_PARTIAL with
 * EINTR after a stop. */
int object_fill(struct object_store *store, enum io_test test, struct error *err);

/* Whether a test reads objects of a set that must be there before. */
bool object_fill_wanted(const struct object_store *store, const struct object_set *set,
                        enum io_test test);

/* ---- cost.c ---- */

/* Doubles, because products could overflow. */
struct object_cost {
    /* requests: most: with all that a call may take and that may be repeated */
    double least, most;
    double sent_bytes, received_bytes; /* bodies */
};

/* What filling and the rows will take. */
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

/* Forgets a target; nothing is removed.  Without a service, one that is shared. */
void object_store_free(struct object_store *store);

/* created.c */
void object_close_created(struct object_store *store);
int object_open_created(struct target *target, uint64_t size_bytes, enum io_test test,
                        uint64_t operations, struct target **out, struct error *err);
bool object_exhausted(const struct target *target, char *text, size_t room);

/* For the table of a driver, beside its words, options and protocol: the hooks of any object store,
 * and those of one whose objects outlive the program. */
#define OBJECT_TARGET_HOOKS                                                                      \
    .open = object_open, .open_created = object_open_created, .prepare = object_prepare,         \
    .objects = object_sets_objects, .summarise = object_cost_summarise,                          \
    .counters = object_cost_counters, .exhausted = object_exhausted,                             \
    .make_content = object_make_content, .check_content = object_check_content,                  \
    .read_back = object_read_back, .left = object_retire_left, .refused = object_bounds_refused, \
    .close = object_close, .note = object_note
#define OBJECT_RUN_HOOKS .clean = object_clean, .kept_sizes = object_kept_sizes

#endif
