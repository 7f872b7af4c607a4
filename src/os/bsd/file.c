/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.c - what file systems are like, by their names. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <string.h>

static bool is_one_of(const char *type, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(type, *names) == 0)
            return true;
    return false;
}

/* OS_ACCOUNTED is none of them: operations are counted there, not bytes. */
unsigned os_traits(int fd)
{
    static const char *const in_memory[] = {"tmpfs", "mfs", NULL};
    static const char *const renumbering[] = {"fusefs", "fuse",    "puffs", "smbfs",
                                              "p9fs",   "macfuse", NULL};
    struct bsd_mount mount;
    unsigned traits = 0;

    if (!bsd_mount_of(fd, &mount))
        return 0;
    if (is_one_of(mount.type, in_memory))
        traits |= OS_IN_MEMORY;
    if (!mount.local || is_one_of(mount.type, renumbering))
        traits |= OS_CLOSE_FLUSHES;
    if (!is_one_of(mount.type, renumbering))
        traits |= OS_INODES_LAST;
    return traits;
}
