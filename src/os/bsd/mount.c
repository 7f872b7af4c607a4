/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mount.c - mounted file systems and their properties: getfsstat(2) and fstatfs(2), or NetBSD's
 * names for them. */
#include "base/compat.h"

#include "os/facts.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/types.h>
#ifdef SYSTEM_NETBSD
#include <sys/statvfs.h>
#else
#include <sys/mount.h>
#endif

#include "base/mem.h"
#include "base/text.h"

#ifdef SYSTEM_NETBSD
typedef struct statvfs file_system;
#define FLAGS_OF(system)     ((system)->f_flag)
#define NUMBER_OF(system)    ((int32_t)(system)->f_fsidx.__fsid_val[0])
#define list(systems, bytes) getvfsstat(systems, bytes, ST_NOWAIT)
#define look_at(fd, system)  fstatvfs(fd, system)
#else
typedef struct statfs file_system;
#define FLAGS_OF(system)  ((system)->f_flags)
#define NUMBER_OF(system) ((int32_t)(system)->f_fsid.val[0])
#ifdef SYSTEM_DARWIN
#define list(systems, bytes) getfsstat(systems, (int)(bytes), MNT_NOWAIT)
#elif defined(SYSTEM_FREEBSD)
#define list(systems, bytes) getfsstat(systems, (long)(bytes), MNT_NOWAIT)
#else
#define list(systems, bytes) getfsstat(systems, bytes, MNT_NOWAIT)
#endif
#define look_at(fd, system) fstatfs(fd, system)
#endif

static void take_mount(const file_system *system, struct targetinfo *info)
{
    static const struct {
        uint64_t flag;
        const char *name;
    } options[] = {
        {MNT_SYNCHRONOUS, "sync"},
        {MNT_ASYNC, "async"},
#ifdef MNT_NOATIME
        {MNT_NOATIME, "noatime"},
#endif
#ifdef MNT_SOFTDEP
        {MNT_SOFTDEP, "softdep"},
#endif
#ifdef MNT_LOG
        {MNT_LOG, "log"},
#endif
#ifdef MNT_GJOURNAL
        {MNT_GJOURNAL, "gjournal"},
#endif
#ifdef MNT_JOURNALED
        {MNT_JOURNALED, "journaled"},
#endif
    };
    const uint64_t flags = (uint64_t)FLAGS_OF(system);

    text_copy(info->filesystem, sizeof(info->filesystem), system->f_fstypename);
    text_copy(info->mount_point, sizeof(info->mount_point), system->f_mntonname);
    text_copy(info->device, sizeof(info->device), system->f_mntfromname);
    text_copy(info->mount_options, sizeof(info->mount_options), flags & MNT_RDONLY ? "ro" : "rw");
    for (size_t i = 0; i < COUNT_OF(options); i++)
        if (flags & options[i].flag)
            text_add(info->mount_options, sizeof(info->mount_options), ",", "%s", options[i].name);
}

/* Contacts no server. Mounts have the device's number, except network file systems and those on
 * several devices. (On macOS, paths such as /Users do not begin with the mount point of their file
 * system.) */
static void find_mount(struct targetinfo *info)
{
    const int expected = list(NULL, 0);
    const size_t room = expected > 0 ? (size_t)expected + 8 : 0; /* more may be mounted meanwhile */
    file_system *systems = mem_calloc(room + 1, sizeof(*systems));
    const int count = room > 0 ? list(systems, room * sizeof(*systems)) : 0;
    size_t best = 0;

    for (int i = 0; i < count; i++) {
        const size_t length = NUMBER_OF(&systems[i]) == (int32_t)info->path_device
                                  ? SIZE_MAX
                                  : targetinfo_leads(systems[i].f_mntonname, info->path);

        if (length == 0 || length < best) /* a later mount hides an earlier one at the same place */
            continue;
        best = length;
        take_mount(&systems[i], info);
    }
    free(systems);
}

void os_target_facts(const char *root, struct targetinfo *info)
{
    (void)root;
    if (info->is_device)
        text_copy(info->device, sizeof(info->device), info->path);
    else
        find_mount(info);
}

/* ---- properties by type name ---- */

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
    file_system system;
    struct stat st;
    unsigned traits = 0;

    if (fstat(fd, &st) == 0 && (S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode)))
        return OS_INODES_LAST; /* its node may be on any file system */
    if (look_at(fd, &system) != 0)
        return 0;
    if (is_one_of(system.f_fstypename, in_memory))
        traits |= OS_IN_MEMORY;
    if (!((uint64_t)FLAGS_OF(&system) & MNT_LOCAL) || is_one_of(system.f_fstypename, renumbering))
        traits |= OS_CLOSE_FLUSHES;
    if (!is_one_of(system.f_fstypename, renumbering))
        traits |= OS_INODES_LAST;
    return traits;
}
