/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown.h - for the inline.h of systems that cannot read or write without leaving pages in the
 * cache and, without OS_HAS_ADVICE, take no advice on how a file will be read; see os/os.h. */
#ifndef OS_POSIX_UNKNOWN_H
#define OS_POSIX_UNKNOWN_H

#include <errno.h>
#include <sys/types.h>

static inline ssize_t os_read_dropping(int fd, void *buffer, size_t size_bytes, off_t offset)
{
    (void)fd, (void)buffer, (void)size_bytes, (void)offset;
    errno = ENOTSUP;
    return -1;
}

static inline ssize_t os_write_dropping(int fd, const void *buffer, size_t size_bytes, off_t offset)
{
    (void)fd, (void)buffer, (void)size_bytes, (void)offset;
    errno = ENOTSUP;
    return -1;
}

#ifndef OS_HAS_ADVICE
static inline void os_expect_random(int fd)
{
    (void)fd;
}

static inline void os_expect_sequence(int fd)
{
    (void)fd;
}

static inline void os_fetch(int fd)
{
    (void)fd;
}
#endif

#endif
