/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ticks.c - the length of ticks in which FreeBSD, NetBSD and OpenBSD account processor time. */
#include "base/compat.h"

#include "os/bsd/system.h"

#include <sys/types.h> /* needed by the others */

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
