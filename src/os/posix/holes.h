/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* holes.h - finds where a file holds data with lseek(2) (SEEK_DATA, SEEK_HOLE), for ports that
 * implement os_extents_add. */
#ifndef OS_POSIX_HOLES_H
#define OS_POSIX_HOLES_H

#include <stdbool.h>
#include <stdint.h>

#include "os/os.h"

struct holes_look { /* one pass over one file */
    struct extents *sum;
    const struct extents_limits *limits;
    int fd;
    uint64_t end;   /* of the bytes to examine */
    uint64_t count; /* steps so far */
};

/* Whether the pass has reached a limit; the sum is then marked as cut. */
bool holes_enough(struct holes_look *look);

/* The next data or hole from `at` on, at most `end`; -1: the file system does not support this. */
int64_t holes_seek(int fd, uint64_t at, uint64_t end, int whence);

/* Adds the file with its data and holes as reads see them, up to the new look->end. False: not a
 * regular file, or no bytes of it. */
bool holes_add(struct holes_look *look);

#endif
