/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* openbsd.c - calls specific to OpenBSD: sysctl(2), and disk partitions, from the disklabel. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <errno.h>
#include <sys/types.h> /* needed by the others */

#include <sys/disklabel.h>
#include <sys/dkio.h>
#include <sys/ioctl.h>
#include <sys/sched.h> /* CP_USER etc. */
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <uvm/uvmexp.h>

void bsd_read_text(enum bsd_text which, char *text, size_t size)
{
    int model[] = {CTL_HW, HW_MODEL};
    int clock[] = {CTL_KERN, KERN_TIMECOUNTER, KERN_TIMECOUNTER_HARDWARE};
    size_t length = size - 1;
    int failed = -1;

    if (which == BSD_CPU_NAME)
        failed = sysctl(model, 2, text, &length, NULL, 0);
    else if (which == BSD_CLOCK_SOURCE)
        failed = sysctl(clock, 3, text, &length, NULL, 0);
    text[failed ? 0 : length] = '\0';
}

struct bsd_memory bsd_memory(void)
{
    int name[] = {CTL_VM, VM_UVMEXP};
    struct uvmexp vm;
    size_t length = sizeof(vm);

    if (sysctl(name, 2, &vm, &length, NULL, 0) != 0)
        return (struct bsd_memory){.all_bytes = 0};
    return (struct bsd_memory){.all_bytes = (uint64_t)vm.npages * (uint64_t)vm.pagesize,
                               .available_bytes = ((uint64_t)vm.free + (uint64_t)vm.inactive) *
                                                  (uint64_t)vm.pagesize};
}

bool bsd_read_ticks(unsigned number, struct bsd_ticks *ticks)
{
    int name[] = {CTL_KERN, KERN_CPUSTATS, (int)number};
    struct cpustats stats;
    size_t length = sizeof(stats);

    if (sysctl(name, 3, &stats, &length, NULL, 0) != 0 || length != sizeof(stats))
        return false;
    *ticks = (struct bsd_ticks){.busy = stats.cs_time[CP_USER] + stats.cs_time[CP_NICE] +
                                        stats.cs_time[CP_SYS] + stats.cs_time[CP_SPIN],
                                .interrupts = stats.cs_time[CP_INTR],
                                .idle = stats.cs_time[CP_IDLE],
                                .online = stats.cs_flags & CPUSTATS_ONLINE};
    return true;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    struct disklabel label;
    struct stat st;

    if (fstat(fd, &st) != 0 || ioctl(fd, DIOCGDINFO, &label) != 0 ||
        DISKPART(st.st_rdev) >= label.d_npartitions)
        return -ENOTSUP;
    *bytes = DL_GETPSIZE(&label.d_partitions[DISKPART(st.st_rdev)]) * label.d_secsize;
    return 0;
}
