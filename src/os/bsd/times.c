/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* times.c - how FreeBSD, NetBSD and OpenBSD account processor time. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/os.h"

#include <sys/types.h> /* needed by the others */

#include <sys/resource.h>
#include <sys/sysctl.h>
#include <sys/time.h>

uint64_t bsd_tick_ns(void)
{
    int name[] = {CTL_KERN, KERN_CLOCKRATE};
    struct clockinfo rate;
    size_t length = sizeof(rate);

    if (sysctl(name, 2, &rate, &length, NULL, 0) != 0)
        return 0;
    if (rate.stathz <= 0)
        rate.stathz = rate.hz;
    return rate.stathz > 0 ? UINT64_C(1000000000) / (uint64_t)rate.stathz : 0;
}

#ifdef OS_HAS_USAGE /* RUSAGE_THREAD: also blocks moved, but not their size */
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
#endif
