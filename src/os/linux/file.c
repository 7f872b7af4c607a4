/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.c - properties and operations of files, devices and file systems on Linux. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
    struct kernel_statx found = {.mask = 0};
    struct statfs fs;

    if (kernel_statx(fd, "", 0, STATX_DIOALIGN, &found) != 0 || !(found.mask & STATX_DIOALIGN)) {
        /* btrfs also accepts requests not aligned to sectors, and serves them from its cache. */
        if (fstatfs(fd, &fs) != 0 || (uint32_t)fs.f_type != MAGIC_BTRFS || fs.f_bsize <= 0)
            return 0;
        *offset_align_bytes = *memory_align_bytes = (uint32_t)fs.f_bsize;
        return 1;
    }
    *memory_align_bytes = found.direct_memory_align;
    *offset_align_bytes = found.direct_offset_align;
    return *offset_align_bytes > 0 ? 1 : -1;
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
    int read_only = 0;
    char byte;
    const struct iovec end = {.iov_base = &byte, .iov_len = 1};

    if (fstat(fd, &st) != 0 || fstatfs(fd, &fs) != 0)
        return 0;
    if (S_ISBLK(st.st_mode)) /* its node is on a tmpfs, which is irrelevant */
        return OS_ACCOUNTED | OS_INODES_LAST |
               (ioctl(fd, BLKROGET, &read_only) == 0 && read_only ? OS_READ_ONLY : 0);
    magic = (uint32_t)fs.f_type; /* the width of f_type differs between architectures */
    if (IS_ONE_OF(magic, in_memory))
        traits |= OS_IN_MEMORY;
    if (IS_ONE_OF(magic, flushing))
        traits |= OS_CLOSE_FLUSHES;
    if (!IS_ONE_OF(magic, renumbering))
        traits |= OS_INODES_LAST;
    /* fuseblk has a device, but its daemon does the I/O. */
    if (magic != MAGIC_FUSE && (major(st.st_dev) != 0 || magic == MAGIC_BTRFS))
        traits |= OS_ACCOUNTED;
    if (S_ISREG(st.st_mode) && preadv2(fd, &end, 1, st.st_size, RWF_NOWAIT) >= 0)
        traits |= OS_NOWAIT; /* reads nothing at end of file */
    return traits;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    return ioctl(fd, (kernel_request)BLKGETSIZE64, bytes) == 0 ? 0 : -ENOTSUP;
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

/* Kernels before 5.3 refuse different file systems (EXDEV), later ones those that generate file
 * contents on reading. */
int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes)
{
    int64_t offset = (int64_t)offset_bytes;
    const long done =
        syscall(SYS_copy_file_range, from_fd, &offset, to_fd, NULL, (size_t)size_bytes, 0u);

    if (done >= 0)
        return done;
    return errno == EXDEV || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL ||
                   errno == EPERM
               ? -ENOTSUP
               : -errno;
}

/* ---- streams ---- */

static ssize_t stream_write(void *fd, const char *from, size_t bytes)
{
    size_t done = 0;

    while (done < bytes) {
        const ssize_t moved = write((int)(intptr_t)fd, from + done, bytes - done);

        if (moved == 0)
            errno = 0;
        if (moved <= 0)
            break;
        done += (size_t)moved;
    }
    return (ssize_t)done;
}

static int stream_seek(void *fd, off_t *offset_bytes, int whence)
{
    *offset_bytes = lseek((int)(intptr_t)fd, *offset_bytes, whence);
    return *offset_bytes < 0 ? -1 : 0;
}

static int stream_close(void *fd)
{
    return close((int)(intptr_t)fd);
}

FILE *os_write_stream(int fd)
{
    static const cookie_io_functions_t calls = {
        .write = stream_write, .seek = stream_seek, .close = stream_close};

    return fopencookie((void *)(intptr_t)fd, "w", calls);
}
