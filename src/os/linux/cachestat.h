/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cachestat.h - counting pages of the page cache by their state, for os/linux/ only. */
#ifndef OS_LINUX_CACHESTAT_H
#define OS_LINUX_CACHESTAT_H

#include <stdbool.h>
#include <unistd.h>

#include "os/linux/kernel.h"

/* Counts the pages of a range (length 0: up to the end).  False: the kernel does not tell. */
static inline bool kernel_cachestat(int fd, uint64_t begin_bytes, uint64_t length_bytes,
                                    struct kernel_cachestat *state)
{
    const struct kernel_cachestat_range range = {.off = begin_bytes, .len = length_bytes};

    return syscall(SYS_cachestat, fd, &range, state, 0) == 0;
}

/* The same from the beginning, and false for file systems where the count is not that of the
 * file. */
bool kernel_counts_pages(int fd, uint64_t length_bytes, struct kernel_cachestat *state);

#endif
