/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* inline.h - hot calls and constants of Windows, as specified in os/os.h. The Windows engines do
 * not use these. */
#ifndef OS_WINDOWS_INLINE_H
#define OS_WINDOWS_INLINE_H

#include <fcntl.h>

#include "os/posix/calls.h"
/* what the system does itself; the rest is in os/posix/unknown.[ch] */
#define OS_HAS_ALIGN
#define OS_HAS_BIRTH
#define OS_HAS_FACTS
#define OS_HAS_MEMORY
#define OS_HAS_PIN
#define OS_HAS_SPACE
#define OS_HAS_USAGE
#include "os/posix/unknown.h"

#define OS_O_DIRECT        0x20000000
#define OS_DIRECT_ADVISORY 0
#define OS_OPEN_SYNCS      1 /* FILE_WRITE_THROUGH */
#define OS_CLAIMS_DEVICES  0
#define OS_O_NOATIME       0
#define OS_O_LOOK          (O_RDONLY | O_NONBLOCK)
#define OS_O_LARGEFILE     0
#define OS_CAN_EVICT       0
#define OS_CAN_PIN         1
#define OS_CALLS           "windows"
#define OS_STREAM_PATHS    "\\\\.\\", "//./", "/dev/"

static inline int os_openat(int dir_fd, const char *name, const struct os_how *how)
{
    return openat(dir_fd, name, (int)how->flags);
}

#endif
