/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - facts about the machine: processors and memory. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/facts.h"
#include "os/os.h"
#include "os/processors.h"

#include <stdlib.h>
#include <sys/types.h> /* needed by the next header */

#include <sys/resource.h>

#include "base/clock.h"

/* Facts come from system calls, so `root` is not used. */
void os_host_facts(const char *root, struct hostinfo *info)
{
    double load;

    (void)root;
    bsd_read_text(BSD_CPU_NAME, info->cpu, sizeof(info->cpu));
    bsd_read_text(BSD_CLOCK_SOURCE, info->clock_source, sizeof(info->clock_source));
    bsd_read_text(BSD_VIRTUALIZATION, info->virtualization, sizeof(info->virtualization));
    info->memory_bytes = bsd_memory().all_bytes;
    if (getloadavg(&load, 1) == 1)
        info->load1 = load;
}

struct os_memory os_memory(void)
{
    static const int limits[] = {RLIMIT_DATA,
#ifdef RLIMIT_AS
                                 RLIMIT_AS
#endif
    };
    const uint64_t available_bytes = bsd_memory().available_bytes;
    struct os_memory memory = {.available_bytes = available_bytes,
                               .allocatable_bytes = available_bytes};

    /* current use is not subtracted: it is small compared with a buffer that is too large */
    for (size_t i = 0; available_bytes > 0 && i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct rlimit limit;

        if (getrlimit(limits[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            (uint64_t)limit.rlim_cur < memory.allocatable_bytes)
            memory.allocatable_bytes = (uint64_t)limit.rlim_cur;
    }
    return memory;
}

void processors_look(const char *root, struct processors *look)
{
    const uint64_t tick_ns = bsd_tick_ns();
    struct bsd_ticks ticks;
    struct usage own;

    (void)root;
    look->count = 0;
    for (unsigned i = 0; tick_ns > 0 && bsd_read_ticks(i, &ticks); i++)
        if (ticks.online)
            processors_take(look, &(struct processor){
                                      .number = i,
                                      .busy_ns = (int64_t)(ticks.busy * tick_ns),
                                      .idle_ns = (int64_t)(ticks.idle * tick_ns),
                                      .interrupts_ns = (int64_t)(ticks.interrupts * tick_ns),
                                  });
    look->time_ns = clock_monotonic_ns();
    usage_read_process(&own);
    look->own_ns = own.cpu_ns;
}
