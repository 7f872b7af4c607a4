/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* machine.c - see machine.h. */
#include "base/compat.h"

#include "base/machine.h"

#include <string.h>

#include "base/number.h"

#define BUSY_SHARE  0.8 /* load per processor above which a machine is busy */
#define OTHER_TASKS 0.5 /* in addition to those of the run */
#define TASKS_MOST  1000000

bool machine_is_guest(const char *virtualization)
{
    return strstr(virtualization, " container in ") ||
           (virtualization[0] != '\0' && strcmp(virtualization, "none") != 0 &&
            !strstr(virtualization, " container"));
}

unsigned machine_tasks(uint64_t threads, uint64_t in_flight, bool flushes)
{
    const uint64_t each = in_flight > 0 ? number_plus(in_flight, 1) : 1;
    const uint64_t tasks = number_plus(number_times(threads, each), flushes ? 2 : 0);

    return tasks < TASKS_MOST ? (unsigned)tasks : TASKS_MOST;
}

bool machine_is_busy(double load, unsigned cpus, unsigned own_tasks)
{
    return cpus > 0 && load > BUSY_SHARE * cpus && load > own_tasks + OTHER_TASKS;
}
