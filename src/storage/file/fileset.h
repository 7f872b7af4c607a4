/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset.h - the directory of iosweep's own test files: names, manifest, creation, filling and
 * exact removal.  Used by the file target only.
 *
 *     TARGET/iosweep-RUN/      created with mkdir (never reused)
 *         MANIFEST-1, ...      written before anything else (life/life.h): layout, sizes, seed,
 *                              run, and how many files are complete
 *         f0                   a single file, or
 *         d0/d3/f1             directories at levels 1..L-1, W each; W files in each deepest one
 *         new/t0/n7            created by operations: a directory for each thread, which contains
 *                              only names of fresh.h
 *
 * While its run is alive the directory is locked (flock).  Removal unlinks the names that follow
 * from the layout, one by one, through descriptors of real directories (O_NOFOLLOW), if the file
 * has the marks of the run (fileset_remove.c).  Other files stay and are reported. */
#ifndef STORAGE_FILE_FILESET_H
#define STORAGE_FILE_FILESET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "storage/life/life.h"

#define FILESET_NAME_MAX 128u /* enough for any path of fileset_name */

/* The mode of the run's directory, of which the sticky bit is a mark: hardly a private directory of
 * the user has it, so that an empty one is the run's whose first manifest was not written yet, or
 * whose last one is removed.  File systems may ignore it. */
#define FILESET_MARK 01000u
#define FILESET_MODE (FILESET_MARK | 0700u)

/* The manifest describes a run of files completely; it has one set (LIFE_TREE), and functions that
 * need only the set take that. */

/* Makes the manifest of a run for these files, without name, state and seed; the caller frees
 * manifest->set.  set->count is 0 if the files cannot be created; no sizes are listed if they are
 * too many. */
void fileset_plan(struct life_manifest *manifest, const struct target_request *request);

/* Number of directories below the top. */
uint64_t fileset_directories(const struct life_set *set);

/* Name of the directory itself, "iosweep-RUN", to text of FILESET_DIRECTORY_MAX bytes. */
#define FILESET_DIRECTORY_MAX 80u
char *fileset_directory_name(const struct life_manifest *manifest, char *text);

/* Path of file number `index` relative to the top directory ("d0/d3/f1"), written to text. */
char *fileset_name(const struct life_set *set, uint64_t index, char *text, size_t text_size);

/* Number and thread of a name created by operations, "new/t3/n17", with thread below `threads`;
 * false: it is none. */
bool fileset_fresh_number(const char *name, uint64_t threads, uint64_t *thread, uint64_t *number);

/* The directory of a run as a place of life.h. */
struct fileset_place {
    int dir_fd;
    const char *path; /* for messages; not owned */
    bool reads;       /* accept manifests of any user; else only those of this user or root */
    struct life_place place;
};

/* Initialises *run, which must not be moved afterwards; returns its place. */
const struct life_place *fileset_place(struct fileset_place *run, int dir_fd, const char *path,
                                       bool reads);

/* Puts the next manifest with life_go_on; one of another process is an error.  Returns 0 or -1. */
int fileset_go_on(int dir_fd, const char *path, struct life_manifest *manifest, struct error *err);

/* Result of filling: the number of files, from the first one on, the bytes of each, and the number
 * of directories created for them. */
struct fileset_filled {
    uint64_t files, file_bytes, directories;
};

/* A run of files that this process creates, or has found and may remove. */
struct fileset {
    int parent_fd;     /* directory that contains the run's */
    char *parent_path; /* for messages; owned by the caller, like the manifest */
    struct life_manifest *manifest;
    /* Identifies the run's own directory, not another of that name; inode 0: unknown. */
    uint64_t device, inode;
    int held_fd;   /* of that directory */
    bool made;     /* created by this process */
    bool unfilled; /* no file is created beforehand; the manifest then counts none */
    bool empty;    /* files are created without data */
    /* Identity of the first files of the set: a different file found under one of their names is
     * not removed.  MAY be NULL. */
    const struct beneath_id *known;
    uint32_t known_count;
};

/* From now on only the open directory is accepted as that of the run. */
void fileset_hold(struct fileset *set, int dir_fd);

/* Checks that the files can be created and that the file system has room for them plus 10 %, unless
 * none is created beforehand; on ramfs the free memory counts.  replaces: a run of that name will
 * be removed first, so that the free space is unknown. */
int fileset_check(const struct fileset *set, bool replaces, struct error *err);

/* Error of a creation, with advice for common reasons.  Returns -1. */
int fileset_creation_failed(struct error *err, int errnum, const char *action, const char *path);

/* Creates the directory, the manifest, directories and files.  Files are filled with unique
 * incompressible data in writes of at most 1 MiB over fallocated space, flushed in steps and by a
 * final syncfs.  With request->fill_ns, unless files are kept, writes only as much as the storage
 * is likely to take in that time, at least 64 KiB or a whole file: fewer files, or the beginning of
 * the first.  *filled: how much was filled (MAY be NULL).  Manifests count the complete files
 * meanwhile; set->manifest equals the last one.  Checks free space first (fileset_check).  On
 * failure or stop removes everything again; after a stop err is STATUS_PARTIAL with EINTR; if the
 * directory already exists its errnum is EEXIST.  *dir_fd: the open directory, locked with flock:
 * as long as it is open, `iosweep clean` refuses this run.  Returns 0 or -1. */
int fileset_create(struct fileset *set, const struct target_request *request, int *dir_fd,
                   struct fileset_filled *filled, struct error *err);

/* Counts, checks or removes (way) the contents of a run's directory; missing files are not an
 * error.  Returns 0, or -1 if something prevents it. */
int fileset_go_over(struct fileset *set, enum life_way way, struct life_tally *tally,
                    struct error *err);

/* Whether a run made a file.  The name alone is no proof: the file may have been replaced.  But all
 * files of a run are younger than its directory, have the owner of its first manifest (or current
 * one, or once both are gone, of the directory) and its permissions or those it was made with (or
 * are empty and have none yet), and are not longer than it says.  Files that differ are not
 * iosweep's.  born_s: creation of the file, as below; is_new: its name is one of fresh.h.  Learning
 * returns 0 or an error number: then no file may be taken for the run's. */
struct fileset_marks {
    bool has_manifest; /* its permissions are known */
    bool modes_late;   /* a server may have set no permissions yet */
    uint32_t owner, permissions;
    int64_t born_s;      /* creation of the run's directory, since 1970; 0: unknown */
    uint64_t file_bytes; /* maximum length of a file of the set ... */
    uint64_t new_bytes;  /* ... and of one that operations created */
};
int fileset_learn_marks(struct fileset_marks *marks, int dir_fd,
                        const struct life_manifest *manifest);
bool fileset_has_marks(const struct fileset_marks *marks, const struct stat *st, int64_t born_s,
                       bool is_new);

/* Whether a file of the set is shorter than its manifest says: in a run that has ended, all
 * complete files have their length, so another program has changed it. */
bool fileset_is_changed(const struct life_manifest *manifest, uint64_t index,
                        const struct stat *st);

/* Examines the open directory of a run.  READ: it has a valid manifest, of any user and name
 * (run_name NULL), or of this user and name.  Does not check the lock. */
enum life_found fileset_read(int dir_fd, const char *path, const char *run_name,
                             struct life_run *run, struct error *err);

/* Lists the names in an open directory, through a separate descriptor.  Next returns 1, 0 at the
 * end, or -errno; -EOVERFLOW beyond the expected maximum, because a list may never end. */
#define FILESET_NAMES_MOST   (UINT64_C(1) << 26) /* in a directory filled by users or operations */
#define FILESET_RUN_MOST     (LIFE_OBJECTS_MAX + FILESET_FOREIGN_MOST) /* in that of a run */
#define FILESET_FOREIGN_MOST 100000u /* in a directory of a run: names that are not the run's */
struct fileset_listing {
    int fd;
    uint64_t left;
    struct os_listing list;
    uint64_t entries[1024];
};
void fileset_list_begin(struct fileset_listing *listing, int dir_fd, uint64_t most);
int fileset_list_next(struct fileset_listing *listing, const char **name);
void fileset_list_end(struct fileset_listing *listing);

/* Opens the directory of the run of that name, if it exists, and examines it.  NAMED: the user
 * named it as a run; LOCK: takes its lock; run->locked is set if another process holds it.  ABSENT:
 * also a file, a link, or an empty directory of the user; INVALID: also one that is not empty and
 * has no manifest; TORN: also one that is empty and looks made by iosweep.  *dir_fd: to be closed,
 * or -1.  Returns run->found. */
#define FILESET_NAMED 1u
#define FILESET_LOCK  2u
enum life_found fileset_look(int parent_fd, const char *parent_path, const char *run_name,
                             unsigned how, int *dir_fd, struct life_run *run, struct error *err);

#endif
