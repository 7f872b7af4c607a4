/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cache.c - drops a file from the page cache with msync(2), MS_INVALIDATE, and counts its remaining
 * pages with mincore(2). */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW_BYTES (UINT64_C(64) << 20)
#define PAGES_MOST   (WINDOW_BYTES / 4096)

/* Counts the resident pages of [0, length_bytes), or drops them; -1: failed. */
static int64_t visit_pages(int fd, uint64_t length_bytes, bool drops)
{
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    char state[PAGES_MOST];
    int64_t pages = 0;

    for (uint64_t at = 0; at < length_bytes; at += WINDOW_BYTES) {
        const uint64_t left = length_bytes - at;
        const size_t bytes = (size_t)(left < WINDOW_BYTES ? left : WINDOW_BYTES);
        void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)at);
        int failed;

        if (map == MAP_FAILED)
            return -1;
        failed = drops ? msync(map, bytes, MS_INVALIDATE) : mincore(map, bytes, state);
        munmap(map, bytes);
        if (failed)
            return -1;
        for (size_t i = 0; !drops && i * page_bytes < bytes; i++)
            pages += (state[i] & MINCORE_INCORE) != 0;
    }
    return pages;
}

int os_evict(int fd)
{
    struct stat st;

    if (fsync(fd) != 0 && errno != EINVAL && errno != EROFS && errno != EBADF)
        return -errno;
    if (fstat(fd, &st) != 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -ENOTSUP;
    errno = 0;
    if (visit_pages(fd, (uint64_t)st.st_size, true) >= 0)
        return 0;
    return errno != 0 ? -errno : -ENOTSUP;
}

/* Not implemented, to keep it cheap: what a slice leaves behind is dropped before the next one. */
void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes)
{
    (void)fd, (void)begin_bytes, (void)end_bytes;
}

/* For other users' files the kernel may report all pages as resident. */
int64_t os_resident_bytes(int fd, uint64_t length_bytes)
{
    int64_t bytes;
    struct stat st;

    if (length_bytes == 0)
        return 0;
    if (fstat(fd, &st) != 0 || (geteuid() != 0 && st.st_uid != geteuid()))
        return -1;
    bytes = visit_pages(fd, length_bytes, false) * sysconf(_SC_PAGESIZE);
    return bytes < 0 ? -1 : bytes < (int64_t)length_bytes ? bytes : (int64_t)length_bytes;
}
