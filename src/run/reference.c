/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reference.c - the cycle on a file in memory.  Groups of cycles are timed, and their median is
 * taken: what interrupts one group is no change of speed. */
#include "base/compat.h"

#include "run/reference.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/stats.h"

#define GROUP_CYCLES 16
#define GROUPS_LEAST 3
#define GROUPS_MOST  255

void reference_open(struct reference *reference)
{
    char block[REFERENCE_BYTES];
    int fd;

    reference->fd = memfd_create("iosweep-reference", MFD_CLOEXEC);
    if (reference->fd < 0)
        return;
    memset(block, 1, sizeof block);
    snprintf(reference->path, sizeof reference->path, "/proc/self/fd/%d", reference->fd);
    fd = open(reference->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || pwrite(reference->fd, block, sizeof block, 0) != (ssize_t)sizeof block)
        reference_close(reference);
    if (fd >= 0)
        close(fd);
}

void reference_close(struct reference *reference)
{
    if (reference->fd >= 0)
        close(reference->fd);
    reference->fd = -1;
}

/* Returns 0 or -1. */
static int run_group(const struct reference *reference)
{
    char block[REFERENCE_BYTES];

    for (int i = 0; i < GROUP_CYCLES; i++) {
        const int fd = open(reference->path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return -1;
        const ssize_t got = pread(fd, block, sizeof block, 0);
        close(fd);
        if (got != (ssize_t)sizeof block)
            return -1;
    }
    return 0;
}

double reference_measure(const struct reference *reference, const struct clock *clock,
                         uint64_t budget_ns)
{
    double group_ns[GROUPS_MOST];
    const uint64_t begin_ns = clock_now(clock);
    uint64_t before_ns = begin_ns;
    size_t n = 0;

    if (reference->fd < 0)
        return -1;
    while (n < GROUPS_MOST && (n < GROUPS_LEAST || before_ns - begin_ns < budget_ns)) {
        uint64_t now_ns;
        if (run_group(reference) < 0)
            return -1;
        now_ns = clock_now(clock);
        group_ns[n++] = (double)(now_ns - before_ns) / GROUP_CYCLES;
        before_ns = now_ns;
    }
    stats_sort(group_ns, n);
    return stats_median(group_ns, n);
}
