/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* usage.c - user and system time of a thread. */
#include "base/compat.h"

#include "os/os.h"

#include <mach/mach.h>

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
