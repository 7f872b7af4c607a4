/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_cache.c - cached pages are unknown, and nothing is dropped. (posix_fadvise may drop
 * pages, but whether it did could not be verified.) */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

int os_evict(int fd)
{
    if (fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS && errno != EBADF)
        return -errno; /* EBADF: some systems only sync files open for writing */
    return -ENOTSUP;
}

void os_evict_range(int fd, uint64_t begin_bytes, uint64_t end_bytes) {}

int64_t os_resident_bytes(int fd, uint64_t length_bytes)
{
    return length_bytes == 0 ? 0 : -1;
}
