/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dirent.h - POSIX, because the C library cannot list an open directory. */
#ifndef OS_WINDOWS_DIRENT_H
#define OS_WINDOWS_DIRENT_H

#include <limits.h>
#include <sys/types.h>

struct dirent {
    ino_t d_ino;
    char d_name[NAME_MAX + 1];
};
typedef struct os_directory DIR;

DIR *opendir(const char *name);
DIR *fdopendir(int fd); /* takes the descriptor over */
struct dirent *readdir(DIR *dir);
int closedir(DIR *dir);

#endif
