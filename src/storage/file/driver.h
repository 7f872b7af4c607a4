/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.h - between the parts of the `file` target driver: driver.c turns a target into objects
 * and removes what is ours, existing.c opens what is there already, cleanup.c removes what earlier
 * runs left, cache.c sets the state of the page cache,
 * verify.c knows what the objects must hold. */
#ifndef STORAGE_FILE_DRIVER_H
#define STORAGE_FILE_DRIVER_H

#include "storage/file/fileset.h"
#include "storage/life/choose.h"
#include "storage/life/heartbeat.h"
#include "storage/storage.h"

struct target_content; /* verify.c */

struct file_target {
    struct target target;          /* first: the hooks get a pointer to it */
    struct life_manifest manifest; /* of ours, or of the run that is read; else without a set */
    struct fileset files; /* of ours, or of a run that was entered; its paths are absolute */
    bool made;            /* ours exists and is to be removed */
    struct target_retired retired; /* what target.retired points to */
    bool kept;                     /* --reuse: ours, but made by an earlier run */
    /* a block device; for writing exclusively, so that nobody mounts it */
    int hold_fd;
    uint64_t *lengths;
    char **names;
    char *directory;                /* what target.dir_path points to */
    struct os_mount *counted;       /* of a network file system; NULL: nothing is counted */
    struct target_content *content; /* NULL without --verify */
    struct file_known *known;       /* what each object is; NULL: none has a name */
    uint64_t mount;                 /* of the directory of the objects, with has_mount */
    bool has_mount;
    struct life_heart heart; /* of a run that is ours, and where it is */
    struct fileset_place run;
    uint32_t guarded; /* how many objects were looked at by the guard */
    uint32_t sampled; /* how often it was looked what is in the page cache */
};

/* Room for the lengths of so many objects; facts about the file system an open file, device or
 * directory lies on. */
void file_target_set_objects(struct file_target *fs, uint32_t count);
void file_target_set_file_system(struct target *target, int fd);

/* Forgets a target, whatever is there of it; nothing is removed. */
void file_target_free(struct file_target *fs);

/* existing.c, runs.c: target.place is known; what is there becomes the objects.  Return 0 or -1. */
int file_target_open_file(struct file_target *fs, struct error *err);
int file_target_open_device(struct file_target *fs, struct error *err);
int file_target_open_tree(struct file_target *fs, struct error *err);

/* runs.c: adds "partial:N/M" to the notes, and says so, where only so many of the files that the
 * run has are there and `done` ("read"). */
void file_target_note_partial(struct file_target *fs, uint64_t found, const char *done);

/* runs.c: target.place and dir_path are those of the run of that name in files.parent_path. */
void file_target_place_run(struct file_target *fs, const char *run_name);

/* runs.c: whether a run that was looked at may be used; its manifest becomes the target's.  why:
 * what looking at it said.  Returns 0 or -1. */
int file_target_expect(struct file_target *fs, struct life_run *run, const char *path,
                       struct error *why, struct error *err);

/* reuse.c: target.request names a run in parent_path; its files become the objects, to be written,
 * or to be removed by what is measured.  Returns 0 or -1. */
int file_target_open_kept(struct file_target *fs, struct error *err);

/* reuse.c: the files of the run in target.dir_fd that are used, or all of them to be removed,
 * become the objects; at least one.  Where they may be written, those that are not the run's are
 * left out.  Returns 0 or -1. */
int file_target_find_files(struct file_target *fs, bool removes, struct error *err);

/* existing.c: what was found becomes the objects; it is empty then.  Or the first files of the set,
 * there or not. */
void file_target_take_found(struct file_target *fs, struct life_objects *found);
void file_target_take_set(struct file_target *fs, uint64_t count, uint64_t length_bytes);

/* reuse.c: target.request names a run in parent_path that another rank holds; its files become the
 * objects.  Returns 0 or -1. */
int file_target_open_joined(struct file_target *fs, struct error *err);

/* reuse.c: the request is to remove the files of a kept run, which is what is measured.  At the end
 * removes what holds no files any more, or tells what is left: 0 or -1. */
bool file_target_retires(const struct target_request *request);
int file_target_end_retired(struct file_target *fs, struct error *err);

/* The whole path of an object, to be freed. */
char *file_target_path(const struct target *target, uint32_t index);

/* Opens object `index` for a pass of the target.  Returns a descriptor or -1 with err filled. */
int file_target_open_object(const struct target *target, uint32_t index, struct error *err);

/* written.c: fills target.extents for files that exist, and adds "unwritten" and
 * "compressed" to the notes.  Nothing in a dry run. */
void file_target_look_at_extents(struct target *target);

/* Looks at a few places of what exists, and adds "zeros" to the notes where most of them hold
 * nothing else.  Nothing in a dry run, nor where writes come before reads. */
void file_target_look_for_zeros(struct target *target);

/* verify.c: what the manifest of a run of our own says of the contents of its files. */
void file_target_plan_content(struct file_target *fs);

/* --verify: data of this run in all objects, file numbers in their order; sets content.  Returns 0
 * or -1 (no memory). */
int file_target_know_run(struct file_target *fs, struct error *err);

/* --verify of what exists: finds the test files of earlier runs that the objects are.  all: where
 * the directory of a run is in the target, all of its files must be.  Sets content and
 * content_known, or refuses (STATUS_TARGET) what is not known. */
int file_target_know_kept(struct file_target *fs, bool all, struct error *err);
void file_target_forget_content(struct file_target *fs);

/* The manifest that counts in a directory, whoever made it (manifest MAY be NULL); false: none that
 * is as this program writes it. */
bool file_target_find_manifest(const char *root, struct life_manifest *manifest);

/* reuse.c.  Takes the run over: other processes see it as alive from now on. */
int file_target_go_on(struct file_target *fs, struct error *err);

/* It has ended; a warning where its manifest cannot say so. */
void file_target_give_back(struct file_target *fs);

/* A name that the user chose: well formed (STATUS_USAGE), and not taken when files are to be made
 * in parent_fd (STATUS_TARGET, as file_target_name_taken says it). */
int file_target_check_run_name(const struct file_target *fs, struct error *err);
int file_target_name_taken(const struct file_target *fs, struct error *err);

/* The command line that removes a run later, quoted for a shell; to be freed. */
char *file_target_clean_command(const struct file_target *fs, const char *run_name);

/* Finds the NFS mount that an open target lies on, its counters and options. */
void file_target_find_mount(struct file_target *fs);

/* Notes what the objects are, for the guard and for removal.  -1: one of our own is not what was
 * made. guard.c */
int file_target_know_objects(struct file_target *fs, struct error *err);

/* The hooks of the same names, see target.h. */
int file_target_open_created(struct target *run, uint64_t size_bytes, enum io_test test,
                             uint64_t operations, struct target **out, struct error *err);
uint64_t file_target_left(const struct target *target, enum io_test test, uint64_t size_bytes);
int file_target_kept_sizes(const struct target_request *request, uint64_t **size_bytes,
                           size_t *count, struct error *err);
int file_target_guard(struct target *target, uint32_t first, uint32_t count, struct error *err);
int file_target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                      struct error *err);
int file_target_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                        struct error *err);
int file_target_before_round(struct target *target, enum cache_mode mode, struct error *err);
int file_target_probe_direct(struct target *target, struct error *err);
double file_target_resident(struct target *target);
void file_target_make_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                              uint64_t size_bytes, uint32_t generation, void *buffer);
bool file_target_check_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                               uint64_t size_bytes, unsigned may, const void *buffer,
                               struct target_mismatch *mismatch);
int64_t file_target_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                              uint64_t size_bytes, bool direct, void *buffer);

/* Looking at all objects would take too long: this many are looked at, in turn. */
#define FILE_TARGET_SAMPLES 16u

#endif
