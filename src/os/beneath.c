/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* beneath.c - see beneath.h. Where no single call is safe (systems other than Linux, Linux before
 * 5.6, seccomp filters) a name is resolved part by part. */
#include "base/compat.h"

#include "os/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_FLAGS (OS_O_LOOK | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int beneath_look(int dir_fd, const char *name, struct beneath_id *id)
{
    struct stat st;
    int code;

    *id = (struct beneath_id){.has_mount = false};
    code = os_look(dir_fd, name, id);
    if (code != -ENOTSUP)
        return code;
    if ((name[0] == '\0' ? fstat(dir_fd, &st) : fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW)) !=
        0)
        return -errno;
    id->inode = st.st_ino;
    id->device = (uint64_t)st.st_dev;
    id->links = (uint32_t)st.st_nlink;
    id->type = st.st_mode & S_IFMT;
    id->bytes = (uint64_t)st.st_size;
    return 0;
}

/* Closes a descriptor and fails if it is not on the mount of the directory it was reached from. */
static int stay_on_mount(int dir_fd, int fd)
{
    struct beneath_id from, to;
    int code = beneath_look(dir_fd, "", &from);

    if (code == 0)
        code = beneath_look(fd, "", &to);
    if (code == 0 && !beneath_same_mount(&from, &to))
        code = -EXDEV;
    if (code == 0)
        return fd;
    close(fd);
    return code;
}

/* Opens the next part of a name and removes it from the name. */
static int open_part(int dir_fd, const char **name)
{
    const size_t length = strcspn(*name, "/");
    char part[NAME_MAX + 1];
    int fd;

    if (length > NAME_MAX)
        return -ENAMETOOLONG;
    memcpy(part, *name, length);
    part[length] = '\0';
    *name += length + strspn(*name + length, "/");
    fd = os_open_at(dir_fd, part, PART_FLAGS, 0);
    return fd < 0 ? -errno : stay_on_mount(dir_fd, fd);
}

/* Opens the directory that holds the last part of a name, which is left in *name; without a slash
 * this is a duplicate of dir_fd. */
static int open_parent(int dir_fd, const char **name)
{
    int fd = -1;

    while (strchr(*name, '/')) {
        const int next = open_part(fd < 0 ? dir_fd : fd, name);

        if (fd >= 0)
            close(fd);
        if (next < 0)
            return next;
        fd = next;
    }
    if (fd < 0)
        fd = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);
    return fd < 0 ? -errno : fd;
}

static int open_by_parts(int dir_fd, const char *name, int flags, unsigned mode)
{
    const int parent_fd = open_parent(dir_fd, &name);
    int fd;

    if (parent_fd < 0)
        return parent_fd;
    fd = os_open_at(parent_fd, name, flags, mode);
    fd = fd < 0 ? -errno : stay_on_mount(parent_fd, fd);
    close(parent_fd);
    return fd;
}

int beneath_open(int dir_fd, const char *name, int flags, unsigned mode)
{
    struct os_how how = {.mode = flags & O_CREAT ? mode : 0,
                         .resolve = OS_BENEATH | OS_NO_LINKS | OS_STAY_ON_MOUNT};
    int fd;

    flags |= O_NOFOLLOW | O_CLOEXEC;
    /* A whole name must be shorter than PATH_MAX, but by parts it may be longer. */
    if (!os_opens_beneath() || strlen(name) >= PATH_MAX)
        return open_by_parts(dir_fd, name, flags, mode);
    /* openat2(2) refuses flags that O_PATH does not support */
    how.flags = (unsigned)(flags & OS_O_LOOK ? flags : flags | OS_O_LARGEFILE);
    fd = os_openat(dir_fd, name, &how);
    return fd < 0 ? -errno : fd;
}

int beneath_mkdir(int dir_fd, const char *name)
{
    const int parent_fd = open_parent(dir_fd, &name);
    int code;

    if (parent_fd < 0)
        return parent_fd;
    code = mkdirat(parent_fd, name, 0700) != 0 ? -errno : 0;
    close(parent_fd);
    return code;
}
