/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* open.c - opens and inspects names below a directory, and creates unnamed files. */
#include "base/compat.h"

#include "os/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

bool os_opens_beneath(void)
{
    enum { UNKNOWN, THERE, MISSING };
    static atomic_int state;
    const struct os_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = OS_BENEATH};
    int fd, found = atomic_load(&state);

    if (found == UNKNOWN) {
        fd = os_openat(AT_FDCWD, ".", &how);
        found = fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL) ? MISSING : THERE;
        if (fd >= 0)
            close(fd);
        atomic_store(&state, found);
    }
    return found == THERE;
}

int os_look(int dir_fd, const char *name, struct beneath_id *id)
{
    /* type, links, inode, length */
    enum { WANTED = 0x001 | 0x004 | 0x100 | 0x200 | STATX_MNT_ID };
    struct kernel_statx found = {.mask = 0};

    if (kernel_statx(dir_fd, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, WANTED, &found) != 0)
        return errno == ENOSYS || errno == EPERM ? -ENOTSUP : -errno;
    *id = (struct beneath_id){.inode = found.inode,
                              .device = (uint64_t)found.device[0] << 32 | found.device[1],
                              .links = found.links,
                              .type = found.mode & S_IFMT,
                              .bytes = found.size_bytes,
                              .has_mount = found.mask & STATX_MNT_ID,
                              .mount = found.mount};
    return 0;
}

int64_t os_born_s(int dir_fd, const char *name)
{
    enum { BORN = 0x800, BORN_LOOKS = 2 }; /* a system call filter forbids each, a fault one */
    struct kernel_statx found = {.mask = 0};
    struct statfs fs;

    for (unsigned looks = 0; looks < BORN_LOOKS; looks++) {
        if (kernel_statx(dir_fd, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, BORN, &found) != 0)
            continue;
        if (!(found.mask & BORN))
            return 0;
        /* File systems with layers or branches copy a directory up when it is modified, so it can
         * seem younger than its contents. */
        if (fstatfs(dir_fd, &fs) == 0)
            return (uint32_t)fs.f_type == MAGIC_OVERLAYFS || (uint32_t)fs.f_type == MAGIC_FUSE
                       ? 0
                       : found.born_s;
    }
    return errno == ENOSYS || errno == EPERM ? 0 : -1;
}

int os_list_next(struct os_listing *listing, const char **name, enum os_entry *kind)
{
    const struct kernel_entry *entry;

    do {
        if (listing->at >= listing->end) {
            const long got = syscall(SYS_getdents64, listing->fd, listing->buffer, listing->room);
            if (got <= 0)
                return got < 0 ? -errno : 0;
            listing->at = 0;
            listing->end = (size_t)got;
        }
        entry = (const void *)(listing->buffer + listing->at);
        listing->at += entry->length;
    } while (entry->name[0] == '.' &&
             (entry->name[1] == '\0' || (entry->name[1] == '.' && entry->name[2] == '\0')));
    *name = entry->name;
    *kind = entry->type == DT_UNKNOWN ? OS_ENTRY_UNKNOWN
            : entry->type == DT_DIR   ? OS_ENTRY_DIRECTORY
                                      : OS_ENTRY_OTHER;
    return 1;
}

void os_list_end(struct os_listing *listing)
{
    close(listing->fd);
}

/* ---- a file in memory ---- */

int os_open_memory_file(char *path, size_t path_size)
{
    const int fd = memfd_create("iosweep-reference", MFD_CLOEXEC);

    if (fd < 0)
        return -errno;
    snprintf(path, path_size, "/proc/self/fd/%d", fd);
    return fd;
}
