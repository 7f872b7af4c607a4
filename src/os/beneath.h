/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* beneath.h - opens files below a directory without leaving it: follows no symbolic link in any
 * part of the name, crosses no mount point, never goes above the directory. Also identifies files
 * that were seen before. Allocates nothing. Where os_opens_beneath is false it opens one part of
 * the name at a time. */
#ifndef OS_BENEATH_H
#define OS_BENEATH_H

#include "os/os.h"

/* Opens `name` (relative, without "..") below dir_fd. O_CLOEXEC and O_NOFOLLOW are added; mode is
 * for O_CREAT. Returns a descriptor or -errno: -ELOOP or -ENOTDIR: a part of the path is not a
 * directory; -EXDEV: a file system is mounted on one. */
int beneath_open(int dir_fd, const char *name, int flags, unsigned mode);

/* Makes a directory of mode 0700 below dir_fd. Returns 0 or -errno as beneath_open. */
int beneath_mkdir(int dir_fd, const char *name);

/* Describes `name` below dir_fd, or dir_fd itself if name is "". A link in the last part of the
 * name is not followed, but links before it are, so the result may be another file's. Returns 0 or
 * -errno. */
int beneath_look(int dir_fd, const char *name, struct beneath_id *id);

/* Whether both are on the same mount or, where mounts have no ids, file system. */
static inline bool beneath_same_mount(const struct beneath_id *a, const struct beneath_id *b)
{
    return a->device == b->device && (!a->has_mount || !b->has_mount || a->mount == b->mount);
}

#endif
