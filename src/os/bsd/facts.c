/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - facts about the machine: processors and memory. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/facts.h"
#include "os/os.h"
#include "os/processors.h"

#include <stdlib.h>
#include <sys/types.h> /* needed by the others */

#include <sys/resource.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"

#ifndef SYSTEM_OPENBSD /* which has numbers instead of names */
void bsd_read_text(enum bsd_text which, char *text, size_t size)
{
    /* of macOS, NetBSD on x86, and FreeBSD or any NetBSD; the first that exists */
    static const char *const names[][4] = {
        [BSD_CPU_NAME] = {"machdep.cpu.brand_string", "machdep.cpu_brand", "hw.model"},
        [BSD_CLOCK_SOURCE] = {"kern.timecounter.hardware"},
        [BSD_VIRTUALIZATION] = {"kern.vm_guest", "machdep.hypervisor"}};
    size_t length = 0;

    for (const char *const *name = names[which]; *name && length == 0; name++) {
        length = size - 1;
        if (sysctlbyname(*name, text, &length, NULL, 0) != 0)
            length = 0;
    }
    text[length] = '\0';
}
#endif

/* Facts come from system calls, so `root` is not used. */
void os_host_facts(const char *root, struct hostinfo *info)
{
    (void)root;
    bsd_read_text(BSD_CPU_NAME, info->cpu, sizeof(info->cpu));
    bsd_read_text(BSD_CLOCK_SOURCE, info->clock_source, sizeof(info->clock_source));
    bsd_read_text(BSD_VIRTUALIZATION, info->virtualization, sizeof(info->virtualization));
    info->memory_bytes = bsd_memory().all_bytes;
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

/* The length of a tick; 0: unknown. */
static uint64_t read_tick_ns(void)
{
#ifdef SYSTEM_DARWIN
    const long hertz = sysconf(_SC_CLK_TCK);

    return UINT64_C(1000000000) / (uint64_t)(hertz > 0 ? hertz : 100);
#else
    int name[] = {CTL_KERN, KERN_CLOCKRATE};
    struct clockinfo rate;
    size_t length = sizeof(rate);

    if (sysctl(name, 2, &rate, &length, NULL, 0) != 0)
        return 0;
    if (rate.stathz <= 0)
        rate.stathz = rate.hz;
    return rate.stathz > 0 ? UINT64_C(1000000000) / (uint64_t)rate.stathz : 0;
#endif
}

void processors_look(const char *root, struct processors *look)
{
    const uint64_t tick_ns = read_tick_ns();
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
