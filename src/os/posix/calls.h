/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* calls.h - for the inline.h of systems whose calls of the same names do what os/os.h specifies. */
#ifndef OS_POSIX_CALLS_H
#define OS_POSIX_CALLS_H

#include <fcntl.h>
#include <unistd.h>

static inline int os_open_at(int dir_fd, const char *name, int flags, unsigned mode)
{
    return openat(dir_fd, name, flags, mode);
}

static inline int os_sync(int fd)
{
    return fsync(fd);
}

static inline int os_sync_data(int fd)
{
    return fdatasync(fd);
}

#endif
