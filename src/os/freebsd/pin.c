/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pin.c - binds threads to processors: cpuset(2). */
#include "base/compat.h"

#include "os/os.h"

#include <stdlib.h>
#include <sys/cpuset.h>
#include <sys/param.h>

struct os_pin {
    cpuset_t set;
};

static bool look(cpuset_t *set)
{
    return cpuset_getaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof(*set), set) == 0;
}

static void move_to(const cpuset_t *set)
{
    (void)cpuset_setaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof(*set), set);
}

void os_pin(uint32_t index, struct os_pin **before)
{
    cpuset_t set, one;
    int wanted, count;

    if (before)
        *before = NULL;
    if (!look(&set) || (count = (int)CPU_COUNT(&set)) <= 0)
        return;
    if (before && (*before = calloc(1, sizeof(**before))) == NULL)
        return;
    if (before)
        (*before)->set = set;
    wanted = (int)(index % (uint32_t)count);
    for (int cpu = 0; cpu < CPU_SETSIZE && wanted >= 0; cpu++)
        if (CPU_ISSET(cpu, &set) && wanted-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            move_to(&one);
        }
}

void os_unpin(struct os_pin *before)
{
    if (before)
        move_to(&before->set);
    free(before);
}
