/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* inline.h - hot calls and constants of FreeBSD, NetBSD and OpenBSD, as specified in os/os.h. On
 * the first two O_DIRECT is only a hint (open(2)): what cannot bypass the cache goes through it.
 * posix_fadvise(2) may drop nothing, so OS_CAN_EVICT is 0. */
#ifndef OS_BSD_INLINE_H
#define OS_BSD_INLINE_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* what the system does itself; the rest is in os/posix/unknown.[ch] */
#define OS_HAS_ADVICE
#define OS_HAS_DEVICE
#define OS_HAS_FACTS
#define OS_HAS_MEMORY
#define OS_HAS_TRAITS
#ifdef SYSTEM_FREEBSD
#define OS_HAS_COPY
#define OS_HAS_HOLES
#define OS_HAS_PIN
#endif
#include "os/posix/unknown.h"

#ifdef O_DIRECT
#define OS_O_DIRECT        O_DIRECT
#define OS_DIRECT_ADVISORY 1
#else
#define OS_O_DIRECT        0
#define OS_DIRECT_ADVISORY 0
#endif
#ifdef O_PATH
#define OS_O_LOOK O_PATH
#else
#define OS_O_LOOK (O_RDONLY | O_NONBLOCK)
#endif
#ifdef SYSTEM_FREEBSD
#define OS_CAN_PIN 1
#else
#define OS_CAN_PIN 0
#endif
#define OS_OPEN_SYNCS     0 /* true on FreeBSD's ZFS; others leave data in the drive's cache */
#define OS_CLAIMS_DEVICES 0
#define OS_O_NOATIME      0
#define OS_O_LARGEFILE    0
#define OS_CAN_EVICT      0
#define OS_STREAM_PATHS   "/dev/std", "/dev/fd/"

static inline int os_open_at(int dir_fd, const char *name, int flags, unsigned mode)
{
    const int fd = openat(dir_fd, name, flags, (mode_t)mode);

    /* FreeBSD reports a link with EMLINK, NetBSD with EFTYPE */
    if (fd < 0 && (flags & O_NOFOLLOW) && (errno == EMLINK || errno == EFTYPE))
        errno = ELOOP;
    return fd;
}

static inline int os_openat(int dir_fd, const char *name, const struct os_how *how)
{
    return os_open_at(dir_fd, name, (int)how->flags, (unsigned)how->mode);
}

static inline int os_sync(int fd)
{
#ifdef FDISKSYNC /* NetBSD: flushes the drive's cache, too; not for directories */
    if (fsync_range(fd, FFILESYNC | FDISKSYNC, 0, 0) == 0)
        return 0;
    if (errno != EBADF)
        return -1;
#endif
    return fsync(fd);
}

static inline int os_sync_data(int fd)
{
    return fdatasync(fd);
}

#ifdef POSIX_FADV_RANDOM
#define OS_BSD_ADVISE(fd, what) ((void)posix_fadvise(fd, 0, 0, what))
#else
#define OS_BSD_ADVISE(fd, what) ((void)(fd))
#endif

static inline void os_expect_random(int fd)
{
    OS_BSD_ADVISE(fd, POSIX_FADV_RANDOM);
}

static inline void os_expect_sequence(int fd)
{
    OS_BSD_ADVISE(fd, POSIX_FADV_SEQUENTIAL);
}

static inline void os_fetch(int fd)
{
    OS_BSD_ADVISE(fd, POSIX_FADV_WILLNEED);
}

#endif
