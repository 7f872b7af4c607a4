/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ftw.h - of POSIX, as tests use it. */
#ifndef TESTS_WINDOWS_FTW_H
#define TESTS_WINDOWS_FTW_H

#include <sys/stat.h>

struct FTW {
    int level; /* 0: the path that was given */
};
#define FTW_F     0
#define FTW_D     1
#define FTW_DP    2
#define FTW_PHYS  1
#define FTW_DEPTH 8

/* Calls `visit` with the path itself and all that is below it, until it returns another value than
 * 0, which is returned.  No link is followed, whatever the flags.  -1 with errno: what is there
 * cannot be read. */
int nftw(const char *path,
         int (*visit)(const char *path, const struct stat *st, int kind, struct FTW *at),
         int descriptors, int flags);

#endif
