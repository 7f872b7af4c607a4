/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mount.c - mounted file systems: getfsstat(2) and fstatfs(2), or NetBSD's names for them. */
#include "base/compat.h"

#include "os/bsd/system.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
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

static void take(const file_system *system, struct bsd_mount *mount)
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

    *mount = (struct bsd_mount){.local = flags & MNT_LOCAL};
    text_copy(mount->type, sizeof(mount->type), system->f_fstypename);
    text_copy(mount->point, sizeof(mount->point), system->f_mntonname);
    text_copy(mount->source, sizeof(mount->source), system->f_mntfromname);
    text_copy(mount->options, sizeof(mount->options), flags & MNT_RDONLY ? "ro" : "rw");
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (flags & options[i].flag)
            text_add(mount->options, sizeof(mount->options), ",", "%s", options[i].name);
}

bool bsd_mount_of(int fd, struct bsd_mount *mount)
{
    file_system system;

    if (look_at(fd, &system) != 0)
        return false;
    take(&system, mount);
    return true;
}

/* Length of the mount point if it is a prefix of the path; 0: it is not. */
static size_t leads_to(const char *point, const char *path)
{
    const size_t length = strlen(point);

    if (strcmp(point, "/") == 0)
        return 1;
    return strncmp(point, path, length) == 0 && (path[length] == '/' || path[length] == '\0')
               ? length
               : 0;
}

/* Mounts have the device's number, except network file systems and those on several devices. (On
 * macOS, paths such as /Users do not begin with the mount point of their file system.) */
bool bsd_mount_at(const char *path, dev_t device, struct bsd_mount *mount)
{
    const int expected = list(NULL, 0);
    const size_t room = expected > 0 ? (size_t)expected + 8 : 0; /* more may be mounted meanwhile */
    file_system *systems = mem_calloc(room + 1, sizeof(*systems));
    const int count = room > 0 ? list(systems, room * sizeof(*systems)) : 0;
    size_t best = 0;

    for (int i = 0; i < count; i++) {
        const size_t length = NUMBER_OF(&systems[i]) == (int32_t)device
                                  ? SIZE_MAX
                                  : leads_to(systems[i].f_mntonname, path);

        if (length == 0 || length < best) /* a later mount hides an earlier one at the same place */
            continue;
        best = length;
        take(&systems[i], mount);
    }
    free(systems);
    return best > 0;
}
