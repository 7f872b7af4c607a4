/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.h - describes a run: its owner, whether it is running, and its sets of files or objects.
 *
 * The manifest determines what the run itself, and `iosweep clean` after a crash, remove.  So it is
 * accepted only if it is, byte by byte, what this program writes.  Pure. */
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

/* The use of a set's objects, which also determines their names. */
enum life_kind {
    LIFE_WHOLE,  /* write, read, stat, list */
    LIFE_RANGED, /* read, with --object-size */
    LIFE_APPEND, /* append */
    LIFE_RENAME, /* rename: one object per thread and slot, made in setup */
    LIFE_DELETE, /* delete: made in setup, for each slice */
    LIFE_CREATE, /* create: a new object each time */
    LIFE_COPY,   /* copy: the same, copied from the WHOLE set */
    LIFE_XATTR,  /* --on xattr, write and read: size_bytes is that of a value */
    LIFE_OMAP,   /* --on omap: the same */
    LIFE_TREE,   /* files in directories, or one file (levels 0) */
    LIFE_FOUND,  /* not of a run: objects that were there (-r), longest first */
    LIFE_KINDS
};

/* The content of a set's objects, for --verify of a later run. */
enum life_content {
    LIFE_PATTERN, /* of pattern.h, overwritten, if at all, by operations of the run's sizes */
    LIFE_INITIAL, /* of its generation 0: never overwritten */
    LIFE_PIECES,  /* the pattern, with pieces of any size overwritten anywhere */
    LIFE_DIVIDED, /* the same, but other objects that operations made have no pattern */
    LIFE_WRITTEN, /* other data: the run wrote without --verify */
    LIFE_CONTENTS
};

struct life_set {
    enum life_kind kind; /* not FOUND */
    uint64_t size_bytes;
    uint32_t count; /* RENAME, DELETE, CREATE, COPY: 0, made as needed */
    uint32_t made;  /* number of complete objects; CREATE and COPY: lower limit */
    enum life_content content;
    uint64_t levels, width; /* TREE: width^levels files; 0 and 0: a single file */
};

/* The owner of the run, and the number of the manifest that names it. */
struct life_state {
    uint64_t owner;  /* random, drawn by the owning process: unique */
    int64_t begun_s; /* creation of the run: seconds since 1970, by the clock of the storage */
    bool running;    /* its owner renews the manifest; else the run has ended */
    struct os_process process; /* running: its owner */
    /* Not in the text: number of the manifest read or put last (life.h); whether this process has
     * owned the run, and whether it took it over from an owner that was killed. */
    uint64_t number;
    bool own, was_running;
};

struct life_manifest {
    char storage[LIFE_STORAGE_NAME]; /* "file", or the protocol by which the store is reached */
    char run_name[TARGET_RUN_NAME_MAX + 1];
    struct life_state state;
    /* Longer objects may be uploaded in parts of this size; 0: only by test append and filling. */
    uint64_t part_bytes;
    uint64_t threads; /* directories for names that tests make (fresh.h); 0: none */
    /* The I/O sizes of the run, ascending; none: those of its sets. */
    unsigned size_count;
    uint64_t sizes_bytes[LIFE_SIZES_MAX];
    uint64_t seed; /* of the pattern; objects are numbered through all sets, in their order */
    unsigned set_count;
    struct life_set *set; /* longest objects first, then by kind; no duplicates */
};

/* Whether the number of a set's objects is known beforehand: count is not 0. */
bool life_kind_counted(enum life_kind kind);

/* The word for a kind in manifests and in names ("rename"). */
const char *life_kind_word(enum life_kind kind);

/* The order of sets in a manifest. */
int life_set_order(const void *set, const void *other);

/* Number of files in a TREE of these levels and width, 1 without; 0: too many, or too large. */
uint32_t life_tree_files(const struct life_set *set);

/* The default sizes for reading a kept run, ascending, to be freed; none: unknown.  removes: a test
 * will remove its objects. */
size_t life_sizes(const struct life_manifest *manifest, bool removes, uint64_t **size_bytes);

/* The faulty part of the sets: their number, one of them, or the number of objects; NULL: none. */
const char *life_sets_fault(const struct life_manifest *manifest);

/* Formats a manifest, to be freed, and parses one.  Parsing refuses any text that formatting would
 * not write (STATUS_TARGET); the caller frees manifest->set, which is NULL on failure. */
char *life_manifest_format(const struct life_manifest *manifest);
int life_manifest_parse(const char *text, size_t length, struct life_manifest *manifest,
                        struct error *err);

/* Whether a text is a beginning, perhaps empty, of the manifest of a run of this name: a first one
 * that was truncated while it was written. */
bool life_manifest_begins(const char *text, size_t length, const char *storage,
                          const char *run_name);

/* Forgets the sets. */
void life_manifest_free(struct life_manifest *manifest);

#endif
