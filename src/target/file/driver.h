/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver.h - the three parts of the `file` store driver: store_file.c turns a target into
 * objects and removes what is ours, store_cache.c sets the state of the page cache, store_verify.c
 * knows what the objects must hold. */
#ifndef TARGET_FILE_DRIVER_H
#define TARGET_FILE_DRIVER_H

#include "target/file/fileset.h"
#include "target/target.h"
#include "target/file/walk.h"

struct store_content; /* store_verify.c */

struct file_store {
    struct store store; /* first: the hooks get a pointer to it */
    struct fileset_layout layout;
    int parent_fd;     /* the directory that holds ours */
    char *parent_path; /* absolute */
    bool made;         /* ours exists and is to be removed */
    int hold_fd;       /* a block device; for writing exclusively, so that nobody mounts it.  Or the
                        * directory of the run that is read, locked against its removal */
    uint64_t *lengths;
    char **names;
    char *directory;               /* what store.dir_path points to */
    char *mount_entry;             /* of NFS: see mountstats.h; NULL: none */
    int mountstats_fd;             /* valid with mount_entry; -1: cannot be read */
    struct store_content *content; /* NULL without --verify */
    struct file_known *known;      /* what each object is; NULL: none has a name */
    uint64_t mount;                /* of the directory of the objects, with has_mount */
    bool has_mount;
    uint32_t guarded;              /* how many objects were looked at by the guard */
    uint32_t sampled;              /* how often it was looked what is in the page cache */
};

/* Opens object `index` for a pass of the store.  Returns a descriptor or -1 with err filled. */
int store_file_open_object(const struct store *store, uint32_t index, struct error *err);

/* store_extents.c: fills store.extents for files that exist, and adds "unwritten" and "compressed" to
 * the notes.  Nothing in a dry run. */
void store_file_look_at_extents(struct store *store);

/* --verify: data of this run in all objects, file numbers in their order; sets content (and
 * nothing in a dry run).  Returns 0 or -1 (no memory). */
int store_file_know_run(struct file_store *fs, uint64_t seed, struct error *err);

/* --verify of what exists: finds the test files of earlier runs that the objects are.  whole_bytes:
 * the whole length of each object; all: where the directory of a run is in the target, all of its
 * files must be.  Sets content and content_known, or refuses (STATUS_TARGET) what is not known. */
int store_file_know_kept(struct file_store *fs, const uint64_t *whole_bytes, bool all,
                         struct error *err);
void store_file_forget_content(struct file_store *fs);

/* The manifest in the directory of a run; false: none that is as this program writes it. */
bool store_file_read_manifest(const char *root, struct fileset_layout *layout);

/* store_runs.c.  Of what a walk through store.dir_path found, leaves in it the files of the user, or else
 * those of the one run there, as its manifest says (and adds "partial:N/M" to the notes when some are
 * missing).  Refuses several runs (STATUS_USAGE) and one that is alive (STATUS_TARGET). */
int store_file_choose_run(struct file_store *fs, struct walk *walk, struct error *err);

/* A name that the user chose: well formed (STATUS_USAGE), and not taken when files are to be made in
 * parent_fd (STATUS_TARGET, as store_file_name_taken says it). */
int store_file_check_run_name(const struct file_store *fs, struct error *err);
int store_file_name_taken(const struct file_store *fs, struct error *err);

/* Opens the run of request->run_name below store.place: sets place and dir_fd.  Returns 0 or -1. */
int store_file_enter_run(struct file_store *fs, struct error *err);

/* Finds the NFS mount that an open store lies on, its counters and options; forgets them.  store_traffic.c */
void store_file_find_mount(struct file_store *fs);
void store_file_forget_mount(struct file_store *fs);

/* Notes what the objects are, for the guard and for removal.  -1: one of our own is not what was made.
 * store_guard.c */
int store_file_know_objects(struct file_store *fs, struct error *err);

/* The hooks of the same names, see store.h. */
int store_file_guard(struct store *store, uint32_t first, uint32_t count, struct error *err);
int store_file_clean(const struct clean_request *request, struct clean_outcome *outcome,
                     struct error *err);
int store_file_prepare(struct store *store, enum cache_mode mode, enum io_test test,
                       struct error *err);
int store_file_before_round(struct store *store, enum cache_mode mode, struct error *err);
int store_file_probe_direct(struct store *store, struct error *err);
double store_file_resident(struct store *store);
bool store_file_traffic(const struct store *store, struct store_traffic *traffic);
void store_file_make_content(const struct store *store, uint32_t object, uint64_t offset_bytes,
                             uint64_t size_bytes, uint32_t generation, void *buffer);
bool store_file_check_content(const struct store *store, uint32_t object, uint64_t offset_bytes,
                              uint64_t size_bytes, uint32_t generation, const void *buffer,
                              struct store_mismatch *mismatch);
int64_t store_file_read_back(const struct store *store, uint32_t object, uint64_t offset_bytes,
                             uint64_t size_bytes, bool direct, void *buffer);

/* Looking at all objects would take too long: this many are looked at, in turn. */
#define STORE_FILE_SAMPLES 16u

#endif
