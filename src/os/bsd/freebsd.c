/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* freebsd.c - calls specific to FreeBSD: sysctl(3), cpuset(2), copies inside the kernel, and disks,
 * which are character devices here. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include <sys/cpuset.h>
#include <sys/disk.h>
#include <sys/ioctl.h>
#include <sys/resource.h> /* CP_USER etc. */
#include <sys/sysctl.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

/* --- facts --- */

#define PROCESSORS_MOST 1024 /* MAXCPU of the largest machines */

/* A number of 4 or 8 bytes; 0: unknown. */
static uint64_t read_number(const char *name)
{
    union {
        uint32_t few;
        uint64_t many;
    } count;
    size_t length = sizeof(count);

    if (sysctlbyname(name, &count, &length, NULL, 0) != 0)
        return 0;
    return length == sizeof(count.few) ? count.few : length == sizeof(count) ? count.many : 0;
}

/* The part of the ZFS cache that is released under memory pressure. */
static uint64_t zfs_cache_bytes(void)
{
    const uint64_t size = read_number("kstat.zfs.misc.arcstats.size");
    const uint64_t least = read_number("kstat.zfs.misc.arcstats.c_min");

    return size > least ? size - least : 0;
}

struct bsd_memory bsd_memory(void)
{
    const uint64_t pages =
        read_number("vm.stats.vm.v_free_count") + read_number("vm.stats.vm.v_inactive_count");

    return (struct bsd_memory){.all_bytes = read_number("hw.physmem"),
                               .available_bytes =
                                   pages * (uint64_t)sysconf(_SC_PAGESIZE) + zfs_cache_bytes()};
}

/* The kernel returns all processors at once, CPUSTATES values each. */
bool bsd_read_ticks(unsigned number, struct bsd_ticks *ticks)
{
    long times[PROCESSORS_MOST * CPUSTATES];
    const long *row = times + (size_t)number * CPUSTATES;
    size_t length = sizeof(times);

    if (sysctlbyname("kern.cp_times", times, &length, NULL, 0) != 0 ||
        (number + (size_t)1) * CPUSTATES * sizeof(long) > length)
        return false;
    *ticks = (struct bsd_ticks){.busy = (uint64_t)(row[CP_USER] + row[CP_NICE] + row[CP_SYS]),
                                .interrupts = (uint64_t)row[CP_INTR],
                                .idle = (uint64_t)row[CP_IDLE]};
    ticks->online = ticks->busy + ticks->idle > 0;
    return true;
}

/* --- files and threads --- */

/* From FreeBSD 13 on. */
int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes)
{
    off_t offset = (off_t)offset_bytes;
    const ssize_t done = copy_file_range(from_fd, &offset, to_fd, NULL, (size_t)size_bytes, 0);

    if (done >= 0)
        return done;
    return errno == EXDEV || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL ? -ENOTSUP
                                                                                       : -errno;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    off_t size;

    if (ioctl(fd, DIOCGMEDIASIZE, &size) != 0 || size < 0)
        return -ENOTSUP;
    *bytes = (uint64_t)size;
    return 0;
}

struct os_pin {
    cpuset_t set;
};

static bool look(cpuset_t *set)
{
    return cpuset_getaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof(*set), set) == 0;
}

static void move_to(const cpuset_t *set)
{
    (void)cpuset_setaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof(*set), set);
}

void os_pin(uint32_t index, struct os_pin **before)
{
    cpuset_t set, one;
    int wanted, count;

    if (before)
        *before = NULL;
    if (!look(&set) || (count = (int)CPU_COUNT(&set)) <= 0)
        return;
    if (before && (*before = calloc(1, sizeof(**before))) == NULL)
        return;
    if (before)
        (*before)->set = set;
    wanted = (int)(index % (uint32_t)count);
    for (int cpu = 0; cpu < CPU_SETSIZE && wanted >= 0; cpu++)
        if (CPU_ISSET(cpu, &set) && wanted-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            move_to(&one);
        }
}

void os_unpin(struct os_pin *before)
{
    if (before)
        move_to(&before->set);
    free(before);
}
