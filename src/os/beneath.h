/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* beneath.h - opening what lies below a directory without being led away from it: through no
 * symbolic link in any part of the name, past no mount point, never above the directory.  And
 * knowing again what was seen before.  Allocates nothing.  Where os_opens_beneath is false it goes
 * part by part. */
#ifndef OS_BENEATH_H
#define OS_BENEATH_H

#include "os/os.h"

/* Opens `name` (relative, without "..") below dir_fd.  O_CLOEXEC and O_NOFOLLOW are added; mode is
 * for O_CREAT.  Returns a descriptor or -errno: -ELOOP or -ENOTDIR: something else stands in the
 * place of a directory; -EXDEV: something is mounted there. */
int beneath_open(int dir_fd, const char *name, int flags, unsigned mode);

/* Makes a directory of mode 0700 below dir_fd.  Returns 0 or -errno, as above. */
int beneath_mkdir(int dir_fd, const char *name);

/* Looks at name below dir_fd, or at dir_fd itself when name is "".  Links in the last part of the
 * name are not followed, those before it are: the answer is then another file.  Returns 0 or
 * -errno. */
int beneath_look(int dir_fd, const char *name, struct beneath_id *id);

/* Both are on the same mount; where the system does not number mounts: on the same file system. */
static inline bool beneath_same_mount(const struct beneath_id *a, const struct beneath_id *b)
{
    return a->device == b->device && (!a->has_mount || !b->has_mount || a->mount == b->mount);
}

#endif
