/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* holes.h - where a file holds data, as lseek(2) finds them (SEEK_DATA, SEEK_HOLE): for ports that
 * fill os_extents_add. */
#ifndef OS_POSIX_HOLES_H
#define OS_POSIX_HOLES_H

#include <stdbool.h>
#include <stdint.h>

#include "os/os.h"

struct holes_look { /* one pass over one file */
    struct extents *sum;
    const struct extents_limits *limits;
    int fd;
    uint64_t end;   /* of the bytes to look at */
    uint64_t count; /* steps so far */
};

/* True when a pass has to end here; then the sum is cut. */
bool holes_enough(struct holes_look *look);

/* The next place of that kind from `at` on, at most `end`; -1: the file system cannot tell. */
int64_t holes_seek(int fd, uint64_t at, uint64_t end, int whence);

/* Adds what reads find, data and holes.  Returns how far it came. */
uint64_t holes_add(struct holes_look *look);

#endif
