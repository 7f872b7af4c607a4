/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.h - shared by the parts of the `file` target driver: driver.c turns a target into objects
 * and removes ours, existing.c and tree.c open what exists, kept.c runs that exist, place.c removes
 * what earlier runs left, cache.c sets the state of the page cache, verify.c computes the expected
 * content of objects. */
#ifndef STORAGE_FILE_DRIVER_H
#define STORAGE_FILE_DRIVER_H

#include <fcntl.h>

#include "storage/file/fileset.h"
#include "storage/fresh.h"
#include "storage/life/choose.h"
#include "storage/life/heartbeat.h"
#include "storage/storage.h"

struct target_content; /* verify.c */

struct file_target {
    struct target target;          /* first: the hooks get a pointer to it */
    struct life_manifest manifest; /* of our run, or of the run that is read; else without a set */
    struct fileset files;          /* of our run or an existing one; its paths are absolute */
    bool made;                     /* our run exists and must be removed */
    struct target_retired retired; /* what target.retired points to */
    /* a block device; opened exclusively for writing, so that it cannot be mounted */
    int hold_fd;
    uint64_t *lengths;
    char **names;
    /* on which their content depends: of files of a run, in its set.  UINT64_MAX: unknown so far,
     * an operation has made it.  NULL: that of the object */
    uint64_t *numbers;
    char *directory;                /* what target.dir_path points to */
    struct os_mount *counted;       /* of a network file system; NULL: traffic is not counted */
    struct target_content *content; /* NULL without --verify */
    /* The identity of each object when it was created or found.  Inode 0: not stable on this file
     * system; bytes: to be preserved.  NULL: objects have no names */
    struct beneath_id *known;
    struct life_heart heart; /* of our run, and its place */
    struct fileset_place run;
    uint32_t guarded; /* objects checked by the guard so far */
    uint32_t sampled; /* samples of the page cache taken so far */
};

/* A target without anything in it; frees one, even if incomplete, and removes nothing. */
struct file_target *file_target_new(void);
void file_target_free(struct file_target *fs);

/* Allocates the lengths of `count` objects; sets the facts about the file system that contains an
 * open file, device or directory. */
void file_target_set_objects(struct file_target *fs, uint32_t count);
void file_target_set_file_system(struct target *target, int fd);

/* Finds the NFS mount of an open target, its counters and options. */
void file_target_find_mount(struct file_target *fs);

/* existing.c, tree.c: target.place is set; existing files become the objects.  Return 0 or -1. */
int file_target_open_file(struct file_target *fs, struct error *err);
int file_target_open_device(struct file_target *fs, struct error *err);
int file_target_open_tree(struct file_target *fs, struct error *err);

/* existing.c: the found files become the objects, which empties the list; or the first `count`
 * files of the set do, existing or not. */
void file_target_take_found(struct file_target *fs, struct life_objects *found);
void file_target_take_set(struct file_target *fs, uint64_t count, uint64_t length_bytes);

/* Whether reading an open file leaves its access time alone. */
static inline bool file_target_is_untouched(int fd)
{
    return (fcntl(fd, F_GETFL) & OS_O_NOATIME) != 0;
}

/* existing.c: fills in target.extents and target.zeros for existing data, by samples that take a
 * second at most, and adds "unwritten", "compressed" and "zeros" to the notes.  Does nothing in a
 * dry run. */
void file_target_look_at_data(struct target *target);

/* tree.c: opens target.place, a directory, for reading.  Returns 0 or -1. */
int file_target_open_directory(struct file_target *fs, struct error *err);

/* kept.c: the path of a run by name, to be freed; sets target.place and dir_path for the run of
 * that name in files.parent_path. */
char *file_target_run_path(const char *parent_path, const char *run_name);
void file_target_place_run(struct file_target *fs, const char *run_name);

/* kept.c: what files do for a run of this process (life/heartbeat.h). */
extern const struct life_hooks file_target_life;

/* kept.c: the files of the run in target.place become the objects, to be read; other processes may
 * read it, too, but not remove it meanwhile.  Refuses a run that is alive.  Or those of the run
 * that the request names in parent_path, to be written, or to be removed by the test.  Or those of
 * such a run that another rank owns.  Return 0 or -1. */
int file_target_read_run(struct file_target *fs, struct error *err);
int file_target_open_kept(struct file_target *fs, struct error *err);
int file_target_open_joined(struct file_target *fs, struct error *err);

/* kept.c: whether the test removes the files of a kept run. */
bool file_target_retires(const struct target_request *request);

/* kept.c: the place of the run, which fills in what renewing it needs. */
const struct life_place *file_target_run_place(struct file_target *fs);

/* tree.c: an error of a path that cannot be opened or listed, with advice.  Returns -1. */
int file_target_unreadable(int errnum, const char *action, const char *path, struct error *err);

/* cache.c: the full path of an object, to be freed.  An error of object `index`, which names it;
 * returns -1.  Opens it for a pass over the target; a descriptor or -1 with err filled. */
char *file_target_path(const struct target *target, uint32_t index);
int file_target_failed(const struct target *target, uint32_t index, int errnum, const char *action,
                       struct error *err);
int file_target_open_object(const struct target *target, uint32_t index, struct error *err);

/* verify.c: sets the content of the files of our own run in its manifest. */
void file_target_plan_content(struct file_target *fs);

/* --verify: all objects hold data of this run, with file numbers in their order; sets content.
 * Returns 0 or -1 (no memory). */
int file_target_know_run(struct file_target *fs, struct error *err);

/* --verify of existing files: those of the run that `manifest` describes; all: each that it counts
 * must be there.  Sets content and content_known, or refuses unknown files (STATUS_TARGET). */
int file_target_know_kept(struct file_target *fs, bool all, struct error *err);
void file_target_forget_content(struct file_target *fs);

/* Refuses a path that is or lies in the directory of a run that is alive.  Returns 0 or -1. */
int file_target_refuse_alive(const char *path, struct error *err);

/* The current manifest in a directory, of any user (manifest MAY be NULL); false: there is none.
 * One that is not valid is true, too. */
bool file_target_find_manifest(const char *root, struct life_manifest *manifest);

/* guard.c: records the identity of the objects, for the guard and for removal.  -1: one of our own
 * files was replaced. */
int file_target_know_objects(struct file_target *fs, struct error *err);

/* The hooks of the same names, see storage.h. */
int file_target_open_created(struct target *run, uint64_t size_bytes, enum io_test test,
                             struct target **out, struct error *err);
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

#endif
