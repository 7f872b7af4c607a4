/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.c - properties of file systems, by type name. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <string.h>
#include <sys/stat.h>

/* A type may be followed by what the file system is on: "fusefs.sshfs", "puffs|name". */
static bool is_one_of(const char *type, const char *const *names)
{
    for (; *names; names++) {
        const size_t length = strlen(*names);

        if (strncmp(type, *names, length) == 0 &&
            (type[length] == '\0' || strchr(".|", type[length])))
            return true;
    }
    return false;
}

/* Never OS_ACCOUNTED: these kernels count operations, not bytes. */
unsigned os_traits(int fd)
{
    static const char *const in_memory[] = {"tmpfs", "mfs", NULL};
    static const char *const renumbering[] = {"fusefs", "fuse",    "puffs",   "perfuse", "smbfs",
                                              "p9fs",   "macfuse", "osxfuse", NULL};
    struct bsd_mount mount;
    struct stat st;
    unsigned traits = 0;

    if (fstat(fd, &st) == 0 && (S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode)))
        return OS_INODES_LAST; /* its node may be on any file system */
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
