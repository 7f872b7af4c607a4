/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* kernel.h - features of Linux that the headers of older libcs lack, for os/linux/ and the
 * Linux-only engines. */
#ifndef OS_LINUX_KERNEL_H
#define OS_LINUX_KERNEL_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The request argument of ioctl(2): int in POSIX and musl, unsigned long in glibc. */
#ifdef __GLIBC__
typedef unsigned long kernel_request;
#else
typedef int kernel_request;
#endif

/* Processors, as many as the largest kernels support, which a cpu_set_t does not: for
 * sched_getaffinity(2) and the macros that take a size. */
typedef union {
    cpu_set_t set;
    unsigned long words[8192 / (8 * sizeof(unsigned long))];
} kernel_cpus;

/* cachestat(2), Linux 6.5: the same number on every architecture. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

struct kernel_cachestat_range {
    uint64_t off, len;
};
struct kernel_cachestat {
    uint64_t nr_cache, nr_dirty, nr_writeback, nr_evicted, nr_recently_evicted;
};

/* Counts the pages of a range (length 0: to the end). False: the kernel does not report them. */
static inline bool kernel_cachestat(int fd, uint64_t begin_bytes, uint64_t length_bytes,
                                    struct kernel_cachestat *state)
{
    const struct kernel_cachestat_range range = {.off = begin_bytes, .len = length_bytes};

    return syscall(SYS_cachestat, fd, &range, state, 0) == 0;
}

/* The same from offset 0; false also for file systems where the count is not the file's own
 * (cache.c). */
bool kernel_counts_pages(int fd, uint64_t length_bytes, struct kernel_cachestat *state);

/* openat2(2), Linux 5.6: the same number on every architecture. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/* statx(2), Linux 4.11; bits of the mask mark the fields that are valid. This is the kernel's
 * structure: that of older libcs lacks the later fields. */
struct kernel_statx {
    uint32_t mask, block_bytes;
    uint64_t attributes;
    uint32_t links, uid, gid;
    uint16_t mode, spare;
    uint64_t inode, size_bytes, blocks, attributes_mask;
    uint64_t accessed[2];
    int64_t born_s; /* the other times also have nanoseconds */
    uint64_t born_ns, changed[2], modified[2];
    uint32_t device_itself[2], device[2]; /* major, minor */
    uint64_t mount;
    uint32_t direct_memory_align, direct_offset_align;
    uint64_t later[12];
};
_Static_assert(sizeof(struct kernel_statx) == 256, "as the kernel fills it");

static inline int kernel_statx(int dir_fd, const char *name, int flags, unsigned wanted,
                               struct kernel_statx *found)
{
#ifdef SYS_statx
    return (int)syscall(SYS_statx, dir_fd, name, flags | AT_EMPTY_PATH, wanted, found);
#else
    (void)dir_fd, (void)name, (void)flags, (void)wanted, (void)found;
    errno = ENOSYS;
    return -1;
#endif
}

/* The entries of getdents64(2) (readdir would allocate). */
struct kernel_entry {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
};

/* statx(2): report the mount id, Linux 5.8. */
#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x00001000U
#endif

/* statx(2): report the direct I/O alignment, Linux 6.1. */
#ifndef STATX_DIOALIGN
#define STATX_DIOALIGN 0x00002000U
#endif

/* preadv2(2), Linux 4.6: where libc lacks it, fails like an older kernel. */
#ifndef HAVE_PREADV2
#define preadv2(fd, vector, count, offset, flags) \
    ((void)(fd), (void)(vector), (void)(offset), errno = ENOSYS, (ssize_t)-1)
#define pwritev2(fd, vector, count, offset, flags) preadv2(fd, vector, count, offset, flags)
#endif

/* preadv2(2): do not wait, Linux 4.14. */
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008
#endif

/* preadv2(2): drop the pages that this call brings into the page cache, Linux 6.14. */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif

/* Magic numbers of file systems from <linux/magic.h> (some versions lack a few). */
#define MAGIC_TMPFS     0x01021994u
#define MAGIC_RAMFS     0x858458f6u
#define MAGIC_HUGETLBFS 0x958458f6u
#define MAGIC_BTRFS     0x9123683eu
#define MAGIC_FUSE      0x65735546u
#define MAGIC_NFS       0x00006969u
#define MAGIC_CIFS      0xff534d42u
#define MAGIC_SMB2      0xfe534d42u
#define MAGIC_CEPH      0x00c36400u
#define MAGIC_9P        0x01021997u
#define MAGIC_AFS       0x5346414fu
#define MAGIC_OVERLAYFS 0x794c7630u

#endif
