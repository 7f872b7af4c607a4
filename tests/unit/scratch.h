/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* scratch.h - a new directory below the current one for tests that need real files, with helpers.
 * Tests must close what they open there. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "unit/cmocka_all.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Deeper than any test's tree: musl's nftw stops at this depth. */
#define SCRATCH_DEPTH 64

static int scratch_descriptors; /* open before */

static inline int scratch_count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Creates NAME.XXXXXX and stores its absolute path in `path` (PATH_MAX bytes). Returns its
 * descriptor or -1. */
static inline int scratch_make(const char *name, char *path)
{
    char pattern[64];

    scratch_descriptors = scratch_count_descriptors();
    snprintf(pattern, sizeof(pattern), "%s.XXXXXX", name);
    if (!mkdtemp(pattern) || !realpath(pattern, path))
        return -1;
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static inline int scratch_remove_one(const char *path, const struct stat *st, int kind,
                                     struct FTW *ftw)
{
    return kind == FTW_DP ? rmdir(path) : unlink(path);
}

/* Fails if anything opened since scratch_make is still open, including the directory. */
static inline void scratch_remove(const char *path)
{
    nftw(path, scratch_remove_one, SCRATCH_DEPTH, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(scratch_count_descriptors(), scratch_descriptors);
}

/* Skips the test where symbolic links cannot be created. To be called before anything is open. */
static inline void scratch_needs_links(int dir_fd)
{
    if (symlinkat("nowhere", dir_fd, "link") < 0)
        skip_because("no symbolic link can be made here");
    assert_int_equal(unlinkat(dir_fd, "link", 0), 0);
}

static uint64_t scratch_counted;

static inline int scratch_count_one(const char *path, const struct stat *st, int kind,
                                    struct FTW *ftw)
{
    scratch_counted += ftw->level > 0;
    return 0;
}

/* Number of files and directories below it, at any depth, without following links. */
static inline uint64_t scratch_entries(const char *path)
{
    scratch_counted = 0;
    if (nftw(path, scratch_count_one, SCRATCH_DEPTH, FTW_PHYS) != 0)
        return UINT64_MAX;
    return scratch_counted;
}

static inline bool scratch_exists(int dir_fd, const char *name)
{
    struct stat st;

    return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

#endif
