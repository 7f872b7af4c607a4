/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* netbsd.c - calls specific to NetBSD: sysctl(3), and disks with their partitions. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <errno.h>
#include <sys/param.h>

#include <sys/dkio.h>
#include <sys/ioctl.h>
#include <sys/sched.h> /* CP_USER etc. */
#include <sys/sysctl.h>
#include <sys/time.h>
#include <uvm/uvm_extern.h>

struct bsd_memory bsd_memory(void)
{
    int name[] = {CTL_VM, VM_UVMEXP2};
    struct uvmexp_sysctl vm;
    size_t length = sizeof(vm);

    if (sysctl(name, 2, &vm, &length, NULL, 0) != 0)
        return (struct bsd_memory){.all_bytes = 0};
    return (struct bsd_memory){.all_bytes = (uint64_t)(vm.npages * vm.pagesize),
                               .available_bytes =
                                   (uint64_t)((vm.free + vm.filepages) * vm.pagesize)};
}

bool bsd_read_ticks(unsigned number, struct bsd_ticks *ticks)
{
    int name[] = {CTL_KERN, KERN_CP_TIME, (int)number};
    uint64_t times[CPUSTATES];
    size_t length = sizeof(times);

    if (sysctl(name, 3, times, &length, NULL, 0) != 0 || length != sizeof(times))
        return false;
    *ticks = (struct bsd_ticks){.busy = times[CP_USER] + times[CP_NICE] + times[CP_SYS],
                                .interrupts = times[CP_INTR],
                                .idle = times[CP_IDLE],
                                .online = true};
    return true;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    off_t size;

    if (ioctl(fd, DIOCGMEDIASIZE, &size) != 0 || size < 0)
        return -ENOTSUP;
    *bytes = (uint64_t)size;
    return 0;
}
