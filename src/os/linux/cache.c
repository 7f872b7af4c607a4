/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cache.c - determines which pages of a file are cached, and drops them. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "os/linux/kernel.h"

#define MINCORE_PAGES 4096u
#define EVICT_TRIES   3

/* On overlayfs the pages belong to the file below, and cachestat reports none of them. */
bool kernel_counts_pages(int fd, uint64_t length_bytes, struct kernel_cachestat *state)
{
    struct statfs fs;

    return fstatfs(fd, &fs) == 0 && (uint32_t)fs.f_type != MAGIC_OVERLAYFS &&
           kernel_cachestat(fd, 0, length_bytes, state);
}

int os_evict(int fd)
{
    struct kernel_cachestat state;
    int code, tries = 0;

    /* Pages that the kernel holds at the moment are not dropped, nor is the rest of their folio,
     * which may be a MiB and answer all reads of a round. Another process may hold them for good,
     * so retries are limited. */
    do {
        const bool counted = kernel_counts_pages(fd, 0, &state);

        if (tries > 0 && (!counted || state.nr_cache == 0))
            break;
        /* fsync of a clean file may still flush the device, at the cost of a millisecond. */
        if (!counted || state.nr_dirty > 0 || state.nr_writeback > 0)
            if (fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS)
                return -errno;
        code = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    } while (code == 0 && ++tries < EVICT_TRIES);
    return code == EINVAL || code == ENOSYS ? 0 : -code;
}

void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes)
{
    (void)posix_fadvise(fd, (off_t)begin_bytes, (off_t)(end_bytes - begin_bytes),
                        POSIX_FADV_DONTNEED);
}

/* The kernel reports all pages as resident to callers that neither own nor may write the file. */
static bool mincore_is_honest(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (geteuid() == 0 || st.st_uid == geteuid());
}

static int64_t resident_by_mincore(int fd, uint64_t length_bytes)
{
    unsigned char state[MINCORE_PAGES];
    uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t window_bytes = page_bytes * MINCORE_PAGES, pages = 0;

    if (!mincore_is_honest(fd))
        return -1;
    for (uint64_t at = 0; at < length_bytes; at += window_bytes) {
        uint64_t left = length_bytes - at;
        size_t size_bytes = (size_t)(left < window_bytes ? left : window_bytes);
        void *map = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, fd, (off_t)at);
        int failed;

        if (map == MAP_FAILED)
            return -1;
        failed = mincore(map, size_bytes, state);
        munmap(map, size_bytes);
        if (failed)
            return -1;
        for (uint64_t i = 0; i * page_bytes < size_bytes; i++)
            pages += state[i] & 1u;
    }
    return (int64_t)(pages * page_bytes);
}

int64_t os_resident_bytes(int fd, uint64_t length_bytes)
{
    struct kernel_cachestat state;
    int64_t bytes;

    if (length_bytes == 0)
        return 0;
    if (kernel_counts_pages(fd, length_bytes, &state))
        bytes = (int64_t)(state.nr_cache * (uint64_t)sysconf(_SC_PAGESIZE));
    else
        bytes = resident_by_mincore(fd, length_bytes);
    return bytes > (int64_t)length_bytes ? (int64_t)length_bytes : bytes;
}
