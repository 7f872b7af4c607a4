/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* system.c - facts from sysctl(3) and Mach, the times of a thread, space for files, and disks. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <mach/mach.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef HAVE_SYS_DISK_H
#include <sys/disk.h>
#endif

#ifndef DKIOCGETBLOCKCOUNT /* as in that header */
#define DKIOCGETBLOCKSIZE  _IOR('d', 24, uint32_t)
#define DKIOCGETBLOCKCOUNT _IOR('d', 25, uint64_t)
#endif

/* --- facts --- */

struct bsd_memory bsd_memory(void)
{
    const mach_port_t host = mach_host_self();
    struct vm_statistics64 vm;
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    struct bsd_memory memory = {.all_bytes = 0};
    size_t length = sizeof(memory.all_bytes);

    if (sysctlbyname("hw.memsize", &memory.all_bytes, &length, NULL, 0) == 0 &&
        host_statistics64(host, HOST_VM_INFO64, (host_info64_t)&vm, &count) == KERN_SUCCESS)
        memory.available_bytes =
            ((uint64_t)vm.free_count + vm.external_page_count + vm.purgeable_count) *
            (uint64_t)sysconf(_SC_PAGESIZE);
    mach_port_deallocate(mach_task_self(), host);
    return memory;
}

static bool read_one(const processor_cpu_load_info_data_t *load, struct bsd_ticks *ticks)
{
    const unsigned *spent = load->cpu_ticks;

    *ticks = (struct bsd_ticks){.busy = (uint64_t)spent[CPU_STATE_USER] + spent[CPU_STATE_NICE] +
                                        spent[CPU_STATE_SYSTEM],
                                .idle = spent[CPU_STATE_IDLE],
                                .online = true};
    return true;
}

/* The kernel returns all processors at once; they are freed after the last one. */
bool bsd_read_ticks(unsigned number, struct bsd_ticks *ticks)
{
    const mach_port_t host = mach_host_self();
    processor_info_array_t info = NULL;
    mach_msg_type_number_t length;
    natural_t count = 0;
    bool found;

    found = host_processor_info(host, PROCESSOR_CPU_LOAD_INFO, &count, &info, &length) ==
                KERN_SUCCESS &&
            number < count &&
            read_one((const processor_cpu_load_info_data_t *)(const void *)info + number, ticks);
    if (info)
        vm_deallocate(mach_task_self(), (vm_address_t)info, length * sizeof(*info));
    mach_port_deallocate(mach_task_self(), host);
    return found;
}

/* --- threads and files --- */

static uint64_t time_ns(const time_value_t *time)
{
    return (uint64_t)time->seconds * UINT64_C(1000000000) + (uint64_t)time->microseconds * 1000;
}

void usage_read(struct usage *usage)
{
    const mach_port_t self = mach_thread_self();
    thread_basic_info_data_t used;
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;

    *usage = (struct usage){.cpu_ns = usage_cpu_ns()};
    if (thread_info(self, THREAD_BASIC_INFO, (thread_info_t)&used, &count) == KERN_SUCCESS) {
        usage->user_ns = time_ns(&used.user_time);
        usage->system_ns = time_ns(&used.system_time);
    }
    mach_port_deallocate(mach_task_self(), self);
}

int os_reserve(int fd, uint64_t bytes)
{
    fstore_t space = {.fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE};
    struct stat st;

    if (fstat(fd, &st) != 0)
        return -errno;
    if ((uint64_t)st.st_size >= bytes)
        return 0;
    space.fst_length = (off_t)bytes - st.st_size;
    if (fcntl(fd, F_PREALLOCATE, &space) != -1)
        return 0;
    return errno == ENOSPC ? -ENOSPC : -ENOTSUP;
}

int os_device_bytes(int fd, uint64_t *bytes)
{
    uint64_t blocks;
    uint32_t block_bytes;

    if (ioctl(fd, DKIOCGETBLOCKCOUNT, &blocks) == 0 &&
        ioctl(fd, DKIOCGETBLOCKSIZE, &block_bytes) == 0) {
        *bytes = blocks * block_bytes;
        return 0;
    }
    return -ENOTSUP;
}
