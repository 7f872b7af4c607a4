/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset.h - the directory of test files that is iosweep's own: names, manifest, creation,
 * filling and exact removal.  Used by the file target only.
 *
 * TARGET/iosweep-RUN/            mode 0700, made with mkdir (never reused)
 *     MANIFEST-1, ...            written before anything else (life/life.h): layout, sizes, seed,
 *                                run, and how many files are complete
 *     f0                         single file, or
 *     new/t0/n7                  what operations make: a directory for each thread, and in it the
 *                                names that fresh.h knows; no others
 *     d0/d3/f1                   directories at levels 1..L-1, W each; W files in each deepest one
 * While its run is alive the directory is locked (flock).
 * Removal unlinks the names the layout yields, one by one, through descriptors of real directories
 * (O_NOFOLLOW), where the file is like those that the run made (own.h).  Other files stay and are
 * reported. */
#ifndef STORAGE_FILE_FILESET_H
#define STORAGE_FILE_FILESET_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "storage/life/run.h"

#define FILESET_NAME_MAX 128u /* enough for every path fileset_name writes */

/* A run of files is what its manifest says; it has one set (LIFE_TREE), of which `set` is called
 * where nothing else counts. */

/* The manifest of a run for these files, without name, state, sizes and seed; manifest->set is the
 * caller's to free.  set->count is 0 where they cannot be made. */
void fileset_plan(struct life_manifest *manifest, const struct target_request *request);

/* Lists the sizes in the manifest, in any order and twice or not; more than fit: none. */
void fileset_set_sizes(struct life_manifest *manifest, const uint64_t *size_bytes, size_t count);

/* Number of directories below the top. */
uint64_t fileset_directories(const struct life_set *set);

/* Name of the directory itself, "iosweep-RUN", to text of FILESET_DIRECTORY_MAX bytes. */
#define FILESET_DIRECTORY_MAX 80u
char *fileset_directory_name(const struct life_manifest *manifest, char *text);

/* Path of file number `index` relative to the top directory ("d0/d3/f1"), written to text. */
char *fileset_name(const struct life_set *set, uint64_t index, char *text, size_t text_size);

/* The inverse: which file of the set has this name; false when none has. */
bool fileset_number(const struct life_set *set, const char *name, uint64_t *index);

/* The same of the names that operations give: the number and thread of "new/t3/n17", for as many
 * threads. */
bool fileset_fresh_number(const char *name, uint64_t threads, uint64_t *thread, uint64_t *number);

/* The directory of a run as life.h sees it. */
struct fileset_place {
    int dir_fd;
    const char *path; /* for messages; not owned */
    bool reads; /* of any user; else a manifest is believed only when it is of this user, or root */
    struct life_place place;
};

/* Fills it in, and it must stay where it is then; returns its place. */
const struct life_place *fileset_place(struct fileset_place *run, int dir_fd, const char *path,
                                       bool reads);

/* Puts the next manifest: life_go_on, where one of another process is an error.  Returns 0 or -1.
 */
int fileset_go_on(int dir_fd, const char *path, struct life_manifest *manifest, struct error *err);

/* What was filled: the number of files, from the first one on, the bytes of each, and the number of
 * directories made for them. */
struct fileset_filled {
    uint64_t files, file_bytes, directories;
};

/* What a file was when it was made or found. */
struct file_known {
    uint64_t inode; /* 0: not known, or does not last on this file system */
    uint64_t device;
    uint32_t links;
    uint32_t type;  /* S_IFMT bits; 0: nothing is known */
    uint64_t bytes; /* that are to stay: the length, but of a file that test fill has emptied */
};

/* A run of files that this process makes, or has found and may remove. */
struct fileset {
    int parent_fd;     /* the directory that holds its own */
    char *parent_path; /* for messages; the caller's, as what follows */
    struct life_manifest *manifest;
    /* Of its own directory, which no other of that name is taken for; inode 0: not known. */
    uint64_t device, inode;
    bool made;     /* by this process */
    bool unfilled; /* no file is made beforehand; the manifest then counts none */
    bool empty;    /* files are made without data */
    /* What the first files of the set are: where another file has the name of one when it is to be
     * removed, that one stays.  MAY be NULL. */
    const struct file_known *known;
    uint32_t known_count;
};

/* From now on only the directory that is open is taken for that of the run. */
void fileset_hold(struct fileset *set, int dir_fd);

/* Checks that the files can be made and that the file system has room for them and 10 % more,
 * unless none is made beforehand; ramfs has as much as there is memory.  replaces: a run of that
 * name will be removed first, so that the room is not known. */
int fileset_check(const struct fileset *set, bool replaces, struct error *err);

/* Error, with the way out of the usual reasons.  Returns -1. */
int fileset_creation_failed(struct error *err, int errnum, const char *action, const char *path);

/* Creates the directory, the manifest, directories and files, filled with unique incompressible
 * data in writes of at most 1 MiB over fallocated space, brought to the storage in steps and by one
 * syncfs at the end.  With request->fill_ns, of what is not kept, only as much as the storage is
 * likely to take in that time, at least 64 KiB or a whole file: fewer files, or the beginning of
 * the first.  *filled: how much of them (MAY be NULL).
 * Manifests say meanwhile how many files are complete; set->manifest is what the last one says.
 * Checks free space first (fileset_check).  On failure or stop everything made is removed again;
 * after a stop err is STATUS_PARTIAL with EINTR, for a directory that exists already its errnum is
 * EEXIST. *dir_fd: the open directory, locked with flock: as long as it stays open, `iosweep clean`
 * refuses this run.  Returns 0 or -1. */
int fileset_create(struct fileset *set, const struct target_request *request, int *dir_fd,
                   struct fileset_filled *filled, struct error *err);

/* Goes over the directory of a run; what is missing already is fine.  Returns 0, or -1 when
 * something is in the way. */
int fileset_go_over(struct fileset *set, enum life_way way, struct life_tally *tally,
                    struct error *err);

/* Visits the files of the run in an open directory that bear its marks (own.h), or with UNMARKED
 * whoever made them: all, or with FRESH those with names that operations give.  name: in the
 * directory; index: of a file of the set, else UINT64_MAX.  *away: the error number where a link or
 * a mount leads away from a file, or what is to be visited cannot be listed; 0: neither.  Returns
 * 0, or -1 (STATUS_PARTIAL) after *stop. */
#define FILESET_FRESH    1u
#define FILESET_UNMARKED 2u
typedef void fileset_visit(void *arg, const char *name, const struct stat *st, uint64_t index);
int fileset_visit_files(const struct life_manifest *manifest, int dir_fd, const char *path,
                        unsigned how, fileset_visit *visit, void *arg, const volatile int *stop,
                        int *away, struct error *err);

/* What the open directory of a run is: READ with its manifest, whoever made it and whatever it is
 * called (run_name NULL), or made by this user and called so.  Not whether it is locked. */
enum life_found fileset_read(int dir_fd, const char *path, const char *run_name,
                             struct life_run *run, struct error *err);

/* The names in an open directory, through a descriptor of its own.  Next returns 1, 0 at the end,
 * or -errno; -EOVERFLOW after the most that are expected: a list may have no end. */
#define FILESET_NAMES_MOST   (UINT64_C(1) << 26) /* in a directory that anyone or operations fill */
#define FILESET_RUN_MOST     (LIFE_OBJECTS_MAX + FILESET_FOREIGN_MOST) /* in that of a run */
#define FILESET_FOREIGN_MOST 100000u /* in a directory of a run besides those that it gave */
struct fileset_listing {
    int fd;
    uint64_t left;
    struct os_listing list;
    uint64_t entries[1024];
};
void fileset_list_begin(struct fileset_listing *listing, int dir_fd, uint64_t most);
int fileset_list_next(struct fileset_listing *listing, const char **name);
void fileset_list_end(struct fileset_listing *listing);

/* Error: what next returned.  Returns -1. */
int fileset_list_failed(int code, const char *path, struct error *err);

/* Opens the directory of the run of that name, where there is one, and looks at it.  NAMED: the
 * user said that it is a run; LOCK: takes its lock, which run->locked says another process holds.
 * ABSENT: a file, a link, or an empty directory of the user; INVALID: also one that is not empty
 * and has no manifest; TORN: also one that is empty and looks made by iosweep.  *dir_fd: to be
 * closed, or -1.  Returns run->found. */
#define FILESET_NAMED 1u
#define FILESET_LOCK  2u
enum life_found fileset_look(int parent_fd, const char *parent_path, const char *run_name,
                             unsigned how, int *dir_fd, struct life_run *run, struct error *err);

/* ---- private to the creation and removal of filesets ---- */

/* How directories of ours are opened: never through a link. */
#define FILESET_DIRECTORY_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

#endif
