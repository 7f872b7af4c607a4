/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* system.c - facts from sysctl(3) and Mach. */
#include "base/compat.h"

#include "os/bsd/system.h"

#include <mach/mach.h>
#include <sys/sysctl.h>
#include <sys/types.h>
#include <unistd.h>

void bsd_read_text(enum bsd_text which, char *text, size_t size)
{
    size_t length = size - 1;

    text[0] = '\0';
    if (which != BSD_CPU_NAME)
        return;
    if (sysctlbyname("machdep.cpu.brand_string", text, &length, NULL, 0) != 0)
        length = 0;
    text[length] = '\0';
}

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

uint64_t bsd_tick_ns(void)
{
    const long hertz = sysconf(_SC_CLK_TCK);

    return UINT64_C(1000000000) / (uint64_t)(hertz > 0 ? hertz : 100);
}
