/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix.h - the engines posix and pread in tests other than write and read: their tables, which
 * share the code, and the names they create. Where os/ implements these calls itself, an engine
 * named OS_CALLS uses those of posix. */
#ifndef ENGINE_POSIX_H
#define ENGINE_POSIX_H

#include "engine/engine.h"
#include "storage/fresh.h"

/* Defines both tables of a test by the members other than names. */
#define POSIX_TABLES(test, ...)                                             \
    const struct engine engine_posix_##test = {                             \
        .name = OS_CALLS, .libc_words = "Using system calls", __VA_ARGS__}; \
    const struct engine engine_pread_##test = {                             \
        .name = "pread", .libc_words = "Using system calls", __VA_ARGS__}

#define POSIX_DECLARE(test) extern const struct engine engine_posix_##test, engine_pread_##test
POSIX_DECLARE(create); /* posix_files.c */
POSIX_DECLARE(append);
POSIX_DECLARE(copy);
POSIX_DECLARE(stat); /* posix_names.c */
POSIX_DECLARE(list);
POSIX_DECLARE(rename);
POSIX_DECLARE(delete);

/* Those of an engine, for its member `others`. */
#define POSIX_OTHERS(engine)                                                              \
    &engine##_create, &engine##_append, &engine##_stat, &engine##_list, &engine##_rename, \
        &engine##_copy, &engine##_delete, NULL

/* Describes the first failure of a slice in text (FAILURE_BYTES; "": none so far): the action, the
 * name below a directory, or below none if it is NULL, and advice. Returns -errnum. */
#define FAILURE_BYTES 320u
COLD int failure_note(char *text, const char *action, const char *dir_path, const char *name,
                      int errnum);

/* Names created in the directory of a thread (storage/fresh.h); the first member of contexts. */
struct fresh {
    const struct workload *work;
    struct target_fresh *own;
    int dir_fd;           /* `own` */
    uint32_t index;       /* of the thread */
    enum fresh_kind kind; /* of the names created */
    uint64_t first;       /* number of the first name made in this slice ... */
    bool stay;            /* ... all of which are left for the removal of the run */
    char failure[FAILURE_BYTES];
};

/* Opens the thread's directory. Returns 0 or -1. */
int fresh_open(struct fresh *fresh, const struct workload *work, const struct engine_thread *thread,
               struct error *err);

/* Closes it, after removing what this slice made unless it is to be kept. */
void fresh_close(struct fresh *fresh);

/* Removes the files of these numbers that exist. */
void fresh_remove(const struct fresh *fresh, uint64_t first, uint64_t end);

/* Makes `count` files of the workload's size, with data, under the next numbers, for a slice that
 * uses them up; stops early when the run is ending. Returns 0, or -1 after removing them. */
int fresh_make(struct fresh *fresh, uint64_t count, struct error *err);

/* failure_note for a name or, kind 0, an object of the target. */
COLD int fresh_failed(struct fresh *fresh, const char *action, enum fresh_kind kind,
                      uint64_t number, int errnum);

/* The hook `report`: the first failure of the context's names. */
void fresh_report(void *fresh, struct engine_report *report);

/* Flushes the directory, as --sync end requires after names in it changed. 0 or -errno. */
COLD int fresh_sync_directory(struct fresh *fresh);

#endif
