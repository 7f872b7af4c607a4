/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.h - what a run is: who made it, whether it goes on, and its sets of files or objects.
 *
 * The manifest decides what is removed, by the run itself and by `iosweep clean` after a crash, so
 * it is believed only when it is, byte by byte, what this program writes.  Pure. */
#ifndef STORAGE_LIFE_MANIFEST_H
#define STORAGE_LIFE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "os/os.h"
#include "storage/storage.h"

#define LIFE_STORAGE_NAME 16u                 /* bytes, with the end */
#define LIFE_FILES        "file"              /* the storage of files */
#define LIFE_SETS_MAX     8192u               /* of a run */
#define LIFE_SIZES_MAX    64u                 /* I/O sizes that a manifest lists */
#define LIFE_LEVELS_MAX   32u                 /* of a tree */
#define LIFE_OBJECTS_MAX  1000000u            /* of all sets together */
#define LIFE_TEXT_MAX     ((size_t)512 << 10) /* bytes of the longest manifest that is written */

/* What the objects of a set are for, which is also their place in the run. */
enum life_kind {
    LIFE_WHOLE,  /* write, read, stat, list */
    LIFE_RANGED, /* read, with --object-size */
    LIFE_APPEND, /* append */
    LIFE_RENAME, /* rename: one object per thread and slot, made in setup */
    LIFE_DELETE, /* delete: made in setup, for each slice */
    LIFE_CREATE, /* create: a new object each time */
    LIFE_COPY,   /* copy: the same, of objects of the set of WHOLE ones */
    LIFE_XATTR,  /* --on xattr, write and read: size_bytes is that of a value */
    LIFE_OMAP,   /* --on omap: the same */
    LIFE_TREE,   /* files in directories, or one file (levels 0) */
    LIFE_FOUND,  /* not of a run: objects that were there (-r), longest first */
    LIFE_KINDS
};

/* What the objects of a set hold, which --verify goes by later. */
enum life_content {
    LIFE_PATTERN, /* of pattern.h; written over, if at all, in operations of the run's sizes */
    LIFE_INITIAL, /* of its generation 0: never written over */
    LIFE_PIECES,  /* pieces of it were written over, of any size, anywhere */
    LIFE_DIVIDED, /* the same, but what operations made beside them is of no pattern */
    LIFE_WRITTEN, /* the run wrote other data: it ran without --verify */
    LIFE_CONTENTS
};

struct life_set {
    enum life_kind kind; /* not FOUND */
    uint64_t size_bytes;
    uint32_t count; /* RENAME, DELETE, CREATE, COPY: 0, they make as many as they need */
    uint32_t made;  /* the number that is complete; of CREATE and COPY: at least */
    enum life_content content;
    uint64_t levels, width; /* TREE: width^levels files; 0 and 0: a single file */
};

/* Who has the run, since when, and which of its manifests says so. */
struct life_state {
    uint64_t owner;  /* drawn by the process that has the run: tells it from any other */
    int64_t begun_s; /* when the run was made: seconds since 1970, by the clock of the storage */
    bool running;    /* its owner goes on and renews the manifest; else the run has ended */
    struct os_process process; /* running: its owner */
    /* Not in the text: of the manifest that was read or put last (life.h); and that this process
     * has owned the run. */
    uint64_t number;
    bool own;
};

struct life_manifest {
    char storage[LIFE_STORAGE_NAME]; /* "file", or the protocol by which the store is reached */
    char run_name[TARGET_RUN_NAME_MAX + 1];
    struct life_state state;
    bool place_found; /* what the storage keeps of the run's place was there before it, and stays */
    /* What is longer may be uploaded in parts of this size; 0: only for test append and in filling.
     */
    uint64_t part_bytes;
    uint64_t threads; /* directories for names that tests make (fresh.h); 0: none */
    /* The I/O sizes the run was made for, ascending; none: those of its sets. */
    unsigned size_count;
    uint64_t sizes_bytes[LIFE_SIZES_MAX];
    uint64_t seed; /* of the pattern; objects are numbered through all sets, in their order */
    unsigned set_count;
    struct life_set *set; /* the longest objects first, then by kind; no two alike */
};

/* Whether a set's objects have numbers that are known beforehand: count is not 0. */
bool life_kind_counted(enum life_kind kind);

/* The word for a kind in manifests and in names ("rename"). */
const char *life_kind_word(enum life_kind kind);

/* The order of sets in a manifest. */
int life_set_order(const void *set, const void *other);

/* How many files the levels and width of a TREE make, one without; 0: they, or files of that size,
 * cannot be made. */
uint32_t life_tree_files(const struct life_set *set);

/* The sizes in which a kept run is read by default, ascending, to be freed; none: it does not
 * tell.  removes: a test is to remove its objects. */
size_t life_sizes(const struct life_manifest *manifest, bool removes, uint64_t **size_bytes);

/* What is wrong with the sets: their number, one of them, or the number of objects; NULL: nothing.
 */
const char *life_sets_fault(const struct life_manifest *manifest);

/* Text of a manifest, to be freed; and what it contains.  Parsing refuses all that format would not
 * have written (STATUS_TARGET); manifest->set is the caller's to free, NULL on failure. */
char *life_manifest_format(const struct life_manifest *manifest);
int life_manifest_parse(const char *text, size_t length, struct life_manifest *manifest,
                        struct error *err);

/* Whether a text is the beginning of the manifest of a run of this name: what is left of a first
 * one that was cut off while it was written, also nothing. */
bool life_manifest_begins(const char *text, size_t length, const char *storage,
                          const char *run_name);

/* Forgets the sets. */
void life_manifest_free(struct life_manifest *manifest);

#endif
