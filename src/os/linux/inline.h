/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* inline.h - hot calls and constants of Linux, as specified in os/os.h. */
#ifndef OS_LINUX_INLINE_H
#define OS_LINUX_INLINE_H

#include <fcntl.h>
#include <unistd.h>

#include "os/linux/kernel.h"
#include "os/posix/calls.h"

#define OS_O_DIRECT        O_DIRECT
#define OS_DIRECT_ADVISORY 0
#define OS_OPEN_SYNCS      1
#define OS_CLAIMS_DEVICES  1
#define OS_O_NOATIME       O_NOATIME
#define OS_O_LOOK          O_PATH
#define OS_O_LARGEFILE     O_LARGEFILE /* libc adds it to openat(2) only */
#define OS_CAN_EVICT       1
#define OS_CAN_PIN         1
#define OS_STREAM_PATHS    "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"

static inline int os_openat(int dir_fd, const char *name, const struct os_how *how)
{
    if (__builtin_expect(how->resolve != 0, 1))
        return (int)syscall(SYS_openat2, dir_fd, name, how, sizeof(*how));
    return openat(dir_fd, name, (int)how->flags);
}

static inline void os_expect_random(int fd)
{
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
}

static inline void os_expect_sequence(int fd)
{
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

static inline void os_fetch(int fd)
{
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
}

static inline ssize_t os_read_dropping(int fd, void *buffer, size_t size_bytes, off_t offset)
{
    const struct iovec vector = {.iov_base = buffer, .iov_len = size_bytes};

    return preadv2(fd, &vector, 1, offset, RWF_DONTCACHE);
}

static inline ssize_t os_write_dropping(int fd, const void *buffer, size_t size_bytes, off_t offset)
{
    const struct iovec vector = {.iov_base = (void *)(uintptr_t)buffer, .iov_len = size_bytes};

    return pwritev2(fd, &vector, 1, offset, RWF_DONTCACHE);
}

#endif
