/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* process.c - memory, and random bytes. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <errno.h>
#include <sys/types.h> /* needed by the next header */

#include <sys/resource.h>
#ifdef SYSTEM_DARWIN
#include <sys/random.h>
#endif

#define RANDOM_MOST 256u /* limit of one getentropy(2) call */

struct os_memory os_memory(void)
{
    static const int limits[] = {RLIMIT_DATA,
#ifdef RLIMIT_AS
                                 RLIMIT_AS
#endif
    };
    const uint64_t available_bytes = bsd_memory().available_bytes;
    struct os_memory memory = {.available_bytes = available_bytes,
                               .allocatable_bytes = available_bytes};

    /* current use is not subtracted: it is small compared with a buffer that is too large */
    for (size_t i = 0; available_bytes > 0 && i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct rlimit limit;

        if (getrlimit(limits[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            (uint64_t)limit.rlim_cur < memory.allocatable_bytes)
            memory.allocatable_bytes = (uint64_t)limit.rlim_cur;
    }
    return memory;
}

int os_random(void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += RANDOM_MOST)
        if (getentropy((char *)bytes + at, size - at < RANDOM_MOST ? size - at : RANDOM_MOST) != 0)
            return -errno;
    return 0;
}
