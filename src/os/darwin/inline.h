/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* inline.h - hot calls and constants of macOS, as specified in os/os.h. F_NOCACHE is set on an open
 * file and is only a hint: pages already in the cache are used (fcntl(2)). fsync(2) and O_DSYNC
 * leave data in the drive's cache, F_FULLFSYNC does not. */
#ifndef OS_DARWIN_INLINE_H
#define OS_DARWIN_INLINE_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* what the system does itself; the rest is in os/posix/unknown.[ch] */
#define OS_HAS_ADVICE
#define OS_HAS_CACHE
#define OS_HAS_DEVICE
#define OS_HAS_HOLES
#define OS_HAS_FACTS
#define OS_HAS_MEMORY
#define OS_HAS_SPACE
#define OS_HAS_TRAITS
#define OS_HAS_USAGE
#include "os/posix/unknown.h"

#define OS_O_DIRECT        0x10000000 /* not a flag of open(2): see os_open_at */
#define OS_DIRECT_ADVISORY 1
#define OS_OPEN_SYNCS      0
#define OS_CLAIMS_DEVICES  0
#define OS_O_NOATIME       0
#define OS_O_LOOK          (O_RDONLY | O_NONBLOCK)
#define OS_O_LARGEFILE     0
#define OS_CAN_EVICT       1
#define OS_CAN_PIN         0
#define OS_STREAM_PATHS    "/dev/std", "/dev/fd/"

static inline int os_open_at(int dir_fd, const char *name, int flags, unsigned mode)
{
    const int fd = openat(dir_fd, name, flags & ~OS_O_DIRECT, (int)mode);

    if (fd >= 0 && (flags & OS_O_DIRECT))
        (void)fcntl(fd, F_NOCACHE, 1);
    return fd;
}

static inline int os_openat(int dir_fd, const char *name, const struct os_how *how)
{
    return os_open_at(dir_fd, name, (int)how->flags, (unsigned)how->mode);
}

static inline int os_sync(int fd)
{
    if (fcntl(fd, F_FULLFSYNC) != -1)
        return 0;
    /* directories, and file systems that lack it */
    return errno == EINVAL || errno == ENOTSUP || errno == ENOTTY ? fsync(fd) : -1;
}

static inline int os_sync_data(int fd)
{
    return fsync(fd);
}

static inline void os_expect_random(int fd)
{
    (void)fcntl(fd, F_RDAHEAD, 0);
}

static inline void os_expect_sequence(int fd)
{
    (void)fcntl(fd, F_RDAHEAD, 1);
}

static inline void os_fetch(int fd)
{
    struct radvisory advice = {.ra_offset = 0, .ra_count = INT32_MAX};

    (void)fcntl(fd, F_RDADVISE, &advice);
}

#endif
