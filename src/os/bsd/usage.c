/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* usage.c - user and system time of a thread: RUSAGE_THREAD. That also counts blocks moved, but not
 * their size. */
#include "base/compat.h"

#include "os/os.h"

#include <sys/resource.h>
#include <sys/time.h>

static uint64_t time_ns(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_usec * 1000;
}

void usage_read(struct usage *usage)
{
    struct rusage used;

    *usage = (struct usage){.cpu_ns = usage_cpu_ns()};
    if (getrusage(RUSAGE_THREAD, &used) != 0)
        return;
    usage->user_ns = time_ns(&used.ru_utime);
    usage->system_ns = time_ns(&used.ru_stime);
}
