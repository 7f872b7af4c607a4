/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.c - what Linux tells of files, devices and file systems, and what it does for them. */
#include "base/compat.h"

#include "os/file.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

/* The two fields are taken by their place in the structure, because headers of older libcs lack
 * them. */
int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
#ifdef SYS_statx
    enum { PLACE_MASK = 0x00, PLACE_MEMORY = 0x98, PLACE_OFFSET = 0x9c };
    union {
        uint64_t align;
        char bytes[256];
    } found;
    uint32_t mask;

    memset(&found, 0, sizeof(found));
    if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &found) != 0)
        return 0;
    memcpy(&mask, found.bytes + PLACE_MASK, sizeof(mask));
    if (!(mask & STATX_DIOALIGN))
        return 0;
    memcpy(memory_align_bytes, found.bytes + PLACE_MEMORY, sizeof(uint32_t));
    memcpy(offset_align_bytes, found.bytes + PLACE_OFFSET, sizeof(uint32_t));
    return *offset_align_bytes > 0 ? 1 : -1;
#else
    (void)fd;
    (void)offset_align_bytes;
    (void)memory_align_bytes;
    return 0;
#endif
}

static bool is_one_of(uint32_t magic, const uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (magic == list[i])
            return true;
    return false;
}
#define IS_ONE_OF(magic, list) is_one_of(magic, list, sizeof(list) / sizeof((list)[0]))

unsigned os_traits(int fd)
{
    static const uint32_t in_memory[] = {MAGIC_TMPFS, MAGIC_RAMFS, MAGIC_HUGETLBFS};
    static const uint32_t flushing[] = {MAGIC_NFS,  MAGIC_FUSE, MAGIC_CIFS, MAGIC_SMB2,
                                        MAGIC_CEPH, MAGIC_9P,   MAGIC_AFS};
    static const uint32_t renumbering[] = {MAGIC_FUSE, MAGIC_CIFS, MAGIC_SMB2, MAGIC_9P};
    struct stat st;
    struct statfs fs;
    uint32_t magic;
    unsigned traits = 0;

    if (fstat(fd, &st) != 0 || fstatfs(fd, &fs) != 0)
        return 0;
    if (S_ISBLK(st.st_mode)) /* its node lies on a tmpfs, but that says nothing about it */
        return OS_ACCOUNTED | OS_INODES_LAST;
    magic = (uint32_t)fs.f_type; /* the type differs between architectures, the low half not */
    if (IS_ONE_OF(magic, in_memory))
        traits |= OS_IN_MEMORY;
    if (IS_ONE_OF(magic, flushing))
        traits |= OS_CLOSE_FLUSHES;
    if (!IS_ONE_OF(magic, renumbering))
        traits |= OS_INODES_LAST;
    /* fuseblk has a device, but its server does the I/O. */
    if (magic != MAGIC_FUSE && (major(st.st_dev) != 0 || magic == MAGIC_BTRFS))
        traits |= OS_ACCOUNTED;
    return traits;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    return ioctl(fd, BLKGETSIZE64, bytes) == 0 ? 0 : -ENOTSUP;
}

bool os_device_read_only(int fd)
{
    int read_only = 0;

    return ioctl(fd, BLKROGET, &read_only) == 0 && read_only;
}

int os_reserve(int fd, uint64_t bytes)
{
    if (fallocate(fd, 0, 0, (off_t)bytes) == 0)
        return 0;
    return errno == EOPNOTSUPP || errno == ENOSYS ? -ENOTSUP : -errno;
}

int os_sync_file_system(int fd)
{
    return syncfs(fd) != 0 ? -errno : 0;
}

int os_lock(int fd, bool exclusive)
{
    return flock(fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 ? -errno : 0;
}

int os_first_entry(int dir_fd, const char *except, char *name, size_t name_size)
{
    struct entry { /* struct linux_dirent64 */
        uint64_t inode;
        int64_t next;
        unsigned short length;
        unsigned char type;
        char name[];
    };
    union {
        uint64_t align;
        char bytes[4096];
    } buffer;
    long got;

    while ((got = syscall(SYS_getdents64, dir_fd, &buffer, sizeof(buffer))) > 0) {
        for (long at = 0; at < got;) {
            const struct entry *entry = (const struct entry *)(const void *)(buffer.bytes + at);

            at += entry->length;
            if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0 ||
                strcmp(entry->name, except) == 0)
                continue;
            snprintf(name, name_size, "%s", entry->name);
            return 1;
        }
    }
    return got < 0 ? -errno : 0;
}

/* ---- files without a name ---- */

/* Such a file gets a name through /proc only. */
int os_open_unnamed(const char *directory)
{
#ifdef O_TMPFILE
    const int fd = access("/proc/self/fd", X_OK) != 0
                       ? -1
                       : open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

    return fd < 0 ? -errno : fd;
#else
    (void)directory;
    return -ENOTSUP;
#endif
}

int os_name_file(int fd, const char *name)
{
    char from[64];

    snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 ? -errno : 0;
}

int os_open_memory_file(char *path, size_t path_size)
{
    const int fd = memfd_create("iosweep-reference", MFD_CLOEXEC);

    if (fd < 0)
        return -errno;
    snprintf(path, path_size, "/proc/self/fd/%d", fd);
    return fd;
}

bool os_path_is_stream(const char *path)
{
    static const char *const streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};

    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
        if (strcmp(path, streams[i]) == 0)
            return true;
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}
