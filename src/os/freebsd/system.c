/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* system.c - facts from FreeBSD's sysctl(3). */
#include "base/compat.h"

#include "os/bsd/system.h"

#include <sys/param.h>
#include <sys/resource.h> /* CP_USER etc. */
#include <sys/sysctl.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

#define PROCESSORS_MOST 1024 /* MAXCPU of the largest machines */

void bsd_read_text(enum bsd_text which, char *text, size_t size)
{
    static const char *const names[] = {[BSD_CPU_NAME] = "hw.model",
                                        [BSD_CLOCK_SOURCE] = "kern.timecounter.hardware",
                                        [BSD_VIRTUALIZATION] = "kern.vm_guest"};
    size_t length = size - 1;

    if (sysctlbyname(names[which], text, &length, NULL, 0) != 0)
        length = 0;
    text[length] = '\0';
}

static uint64_t pages(const char *name)
{
    unsigned count;
    size_t length = sizeof(count);

    return sysctlbyname(name, &count, &length, NULL, 0) == 0 ? count : 0;
}

static uint64_t bytes(const char *name)
{
    uint64_t count;
    size_t length = sizeof(count);

    return sysctlbyname(name, &count, &length, NULL, 0) == 0 && length == sizeof(count) ? count : 0;
}

/* The part of the ZFS cache that is released under memory pressure. */
static uint64_t zfs_cache_bytes(void)
{
    const uint64_t size = bytes("kstat.zfs.misc.arcstats.size");
    const uint64_t least = bytes("kstat.zfs.misc.arcstats.c_min");

    return size > least ? size - least : 0;
}

struct bsd_memory bsd_memory(void)
{
    unsigned long all_bytes;
    size_t length = sizeof(all_bytes);
    struct bsd_memory memory = {.all_bytes = 0};

    if (sysctlbyname("hw.physmem", &all_bytes, &length, NULL, 0) != 0)
        return memory;
    memory.all_bytes = all_bytes;
    memory.available_bytes =
        (pages("vm.stats.vm.v_free_count") + pages("vm.stats.vm.v_inactive_count")) *
            (uint64_t)sysconf(_SC_PAGESIZE) +
        zfs_cache_bytes();
    return memory;
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
