/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* walk.h - lists the files of an existing tree for reading.  Changes nothing, follows no symbolic
 * link, stays on one file system. */
#ifndef STORAGE_FILE_WALK_H
#define STORAGE_FILE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/life/choose.h"

struct walk {
    struct life_objects files; /* names relative to the root, sorted */
    uint64_t unreadable;       /* files and directories that could not be opened; left out */
    uint64_t empty;            /* files without data; left out */
    int first_errno;           /* of the first unreadable one in the order met */
    char *first_unreadable;
    bool noatime; /* every file could be opened with O_NOATIME */
};

/* Regular files below root_fd (an open directory; path is its name, also for messages) that can be
 * opened and hold data; at most LIFE_OBJECTS_MAX.  Manifests of iosweep are left out.  An
 * unreadable file is no error here.  Free the walk in any case.  Returns 0 or -1. */
int walk_files(int root_fd, const char *path, const volatile int *stop, struct walk *walk,
               struct error *err);
void walk_free(struct walk *walk);

/* Opens a file for reading; *noatime: without touching its access time.  A descriptor or -errno. */
int walk_open(int dir_fd, const char *name, bool *noatime);

#endif
