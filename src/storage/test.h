/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test.h - what one operation of the sweep does, and how its data meet the page cache: one row per
 * test, one per cache state.  Options, columns, messages, the plan, targets and the reader of
 * results use these tables.  A new test needs a row here and an implementation in a target. */
#ifndef STORAGE_TEST_H
#define STORAGE_TEST_H

#include <stdbool.h>
#include <stddef.h>

/* What must exist before an operation. */
enum test_needs {
    TEST_NEEDS_NOTHING, /* it creates what it writes */
    TEST_NEEDS_DATA,    /* objects with their data */
    TEST_NEEDS_NAMES,   /* objects with any content */
    TEST_NEEDS_OWN,     /* an object for this operation alone, which consumes it */
};

/* Each test: its name on the command line and in results, the plural of its operations in messages,
 * whether it writes data of the requested size, whether it moves any (and so has a throughput),
 * whether it changes the target, and what it needs.
 *     write        into an existing object; on object stores a whole one, perhaps in parts
 *     create       a new object each time
 *     append       a new object, written in small pieces; on object stores without append in parts
 *     stat         does it exist?
 *     list         all names: of a tree, or of a set, page by page
 *     rename       to another name, and the next time back
 *     copy         to a new name
 *     fill         one file from beginning to end, on object stores each object once, in order:
 *                  consecutive writes, reported for each interval of bytes */
#define TEST_TABLE(ROW)                                                                \
    /*  enum        name           plural               writes moves  changes needs */ \
    ROW(WRITE, "write", "writes", true, true, true, NOTHING)                           \
    ROW(READ, "read", "reads", false, true, false, DATA)                               \
    ROW(CREATE, "create", "creations", true, true, true, NOTHING)                      \
    ROW(APPEND, "append", "appends", true, true, true, NOTHING)                        \
    ROW(STAT, "stat", "stat calls", false, false, false, NAMES)                        \
    ROW(LIST, "list", "listings", false, false, false, NAMES)                          \
    ROW(RENAME, "rename", "renames", false, false, true, NAMES)                        \
    ROW(COPY, "copy", "copies", false, true, true, DATA)                               \
    ROW(DELETE, "delete", "deletions", false, false, true, OWN)                        \
    ROW(FILL, "fill", "fills", true, true, true, NOTHING)

#define TEST_ENUM(word, ...) TEST_##word,
enum io_test { TEST_TABLE(TEST_ENUM) TEST_COUNT };
#undef TEST_ENUM

struct test_descriptor {
    const char *name, *plural;
    bool writes, moves_data, changes;
    enum test_needs needs;
};
extern const struct test_descriptor test_table[TEST_COUNT];

/* The names alone, in the same order, ended by NULL. */
extern const char *const test_names[TEST_COUNT + 1];

static inline bool test_writes(enum io_test test)
{
    return test_table[test].writes;
}

static inline bool test_moves_data(enum io_test test)
{
    return test_table[test].moves_data;
}

static inline bool test_changes(enum io_test test)
{
    return test_table[test].changes;
}

/* Whether it reads or writes data inside existing objects, at an offset, in a file that is kept
 * open or not. */
static inline bool test_in_place(enum io_test test)
{
    return test == TEST_WRITE || test == TEST_READ || test == TEST_FILL;
}

/* Whether its operations create or change names, which on files requires a directory of our own. */
static inline bool test_makes_names(enum io_test test)
{
    return test_changes(test) && !test_in_place(test);
}

/* Whether, on files, it needs no files shared by all rows: it creates what it writes, or has its
 * own files for each slice. */
static inline bool test_makes_own(enum io_test test)
{
    return test == TEST_CREATE || test == TEST_APPEND || test == TEST_RENAME || test == TEST_DELETE;
}

/* Whether each operation consumes an object that must have been created for it. */
static inline bool test_consumes(enum io_test test)
{
    return test_table[test].needs == TEST_NEEDS_OWN;
}

enum cache_mode {
    CACHE_CACHED,   /* all data in the page cache: evicted, then read once in order */
    CACHE_ASIS,     /* left as found */
    CACHE_UNCACHED, /* evicted before each round, dropped by or after each operation */
    CACHE_DIRECT,   /* O_DIRECT */
    /* Only a request, never the mode of a row: CACHE_DIRECT if there is a device below and O_DIRECT
     * works, else no rows. */
    CACHE_DEVICE,
    CACHE_COUNT
};

/* Their names, ended by NULL. */
extern const char *const cache_names[CACHE_COUNT + 1];

/* The order of the places that operations access. */
enum access_mode {
    ACCESS_RANDOM,     /* anywhere */
    ACCESS_SEQUENTIAL, /* after the previous one, and from the beginning again at the end */
    ACCESS_ONCE,       /* each place once, in order */
    ACCESS_COUNT
};

/* Their names, ended by NULL. */
extern const char *const access_names[ACCESS_COUNT + 1];

/* Whether operations access existing objects, in any order. */
static inline bool test_ordered(enum io_test test)
{
    return test == TEST_WRITE || test == TEST_READ || test == TEST_STAT;
}

/* Advice to the kernel about reads of a file, given when it is opened. */
enum readahead_mode {
    READAHEAD_NORMAL,     /* none: the kernel's default readahead */
    READAHEAD_NONE,       /* POSIX_FADV_RANDOM */
    READAHEAD_SEQUENTIAL, /* POSIX_FADV_SEQUENTIAL: more than the default */
    READAHEAD_WILLNEED,   /* POSIX_FADV_WILLNEED: all of the file, at once */
    READAHEAD_COUNT
};

/* Their names, ended by NULL. */
extern const char *const readahead_names[READAHEAD_COUNT + 1];

/* When written data must have reached the storage. */
enum sync_mode {
    SYNC_NONE,
    SYNC_DATA, /* each write returns once its data are on the storage (O_DSYNC) */
    SYNC_FULL, /* ... and all metadata too (O_SYNC) */
    SYNC_END,  /* fsync before close; if files are kept open, after each write */
    SYNC_COUNT
};

/* Their names, ended by NULL. */
extern const char *const sync_names[SYNC_COUNT + 1];

#endif
