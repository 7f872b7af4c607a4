/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* process.c - memory, and random bytes. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <errno.h>
#ifdef SYSTEM_DARWIN
#include <sys/random.h>
#endif

#define RANDOM_MOST 256u /* bytes that getentropy(2) gives at once */

struct os_memory os_memory(void)
{
    const uint64_t available_bytes = bsd_memory().available_bytes;

    return (struct os_memory){.available_bytes = available_bytes,
                              .allocatable_bytes = available_bytes};
}

int os_random(void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += RANDOM_MOST)
        if (getentropy((char *)bytes + at, size - at < RANDOM_MOST ? size - at : RANDOM_MOST) != 0)
            return -errno;
    return 0;
}
