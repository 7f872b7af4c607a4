/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* inline.h - hot calls and constants where only POSIX.1-2008 is known, as specified in os/os.h. */
#ifndef OS_POSIX_INLINE_H
#define OS_POSIX_INLINE_H

#include <fcntl.h>

#include "os/posix/calls.h"
#include "os/posix/unknown.h"

#define OS_O_DIRECT        0
#define OS_DIRECT_ADVISORY 0
#define OS_OPEN_SYNCS      1
#define OS_CLAIMS_DEVICES  0
#define OS_O_NOATIME       0
#define OS_O_LOOK          (O_RDONLY | O_NONBLOCK)
#define OS_O_LARGEFILE     0
#define OS_CAN_EVICT       0
#define OS_CAN_PIN         0
#define OS_STREAM_PATHS    "/dev/std", "/dev/fd/"

static inline int os_openat(int dir_fd, const char *name, const struct os_how *how)
{
    return openat(dir_fd, name, (int)how->flags);
}

#endif
