/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - facts about the machine and the targets. */
#include "base/compat.h"

#include "os/bsd/system.h"
#include "os/facts.h"
#include "os/os.h"
#include "os/processors.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

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

void os_target_facts(const char *root, struct targetinfo *info)
{
    struct bsd_mount mount;

    (void)root;
    if (info->is_device) {
        text_copy(info->device, sizeof(info->device), info->path);
        return;
    }
    if (!bsd_mount_at(info->path, info->path_device, &mount))
        return;
    text_copy(info->filesystem, sizeof(info->filesystem), mount.type);
    text_copy(info->mount_point, sizeof(info->mount_point), mount.point);
    text_copy(info->mount_options, sizeof(info->mount_options), mount.options);
    text_copy(info->device, sizeof(info->device), mount.source);
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
