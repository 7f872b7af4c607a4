/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hostinfo.c - facts about the machine from /proc and /sys. Must never make a run fail: missing
 * facts stay an empty string, -1 or 0. */
#include "base/compat.h"

#include "base/number.h"
#include "os/linux/facts_parts.h"

#include <ctype.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "os/linux/sysfile.h"

/* Each architecture has another key for the processor's name. */
static void read_cpu_name(const char *root, char *text, size_t size)
{
    static const char *const keys[] = {"model name", "cpu model", "Model", "cpu\t", "uarch"};

    text[0] = '\0';
    for (size_t i = 0; text[0] == '\0' && i < COUNT_OF(keys); i++)
        if (sysfile_field(text, size, keys[i], root, "/proc/cpuinfo")) {
            const char *name = text + strspn(text, ": \t");

            memmove(text, name, strlen(name) + 1);
        }
}

static void read_governor(const char *root, char *text, size_t size)
{
    DIR *dir = sysfile_list(root, "/sys/devices/system/cpu");
    const char *cpu;
    char found[32];

    text[0] = '\0';
    while ((cpu = sysfile_entry(dir, false)) != NULL)
        if (strncmp(cpu, "cpu", 3) == 0 && isdigit((unsigned char)cpu[3]) &&
            sysfile_line(found, sizeof(found), root,
                         "/sys/devices/system/cpu/%.32s/cpufreq/scaling_governor", cpu))
            text_copy(text, size, text[0] == '\0' || strcmp(text, found) == 0 ? found : "mixed");
}

/* "0-3,6" */
static unsigned count_ranges(const char *text)
{
    uint64_t count = 0, first, last;

    while (number_take(&text, &first)) {
        last = first;
        if (*text == '-') {
            text++;
            (void)number_take(&text, &last);
        }
        if (last >= first)
            count += last - first + 1;
        text += *text == ',';
    }
    return (unsigned)count;
}

void os_host_facts(const char *root, struct hostinfo *info)
{
    kernel_cpus allowed;
    char line[512];
    const char *kib = line;

    read_cpu_name(root, info->cpu, sizeof(info->cpu));
    sysfile_line(info->clock_source, sizeof(info->clock_source), root,
                 "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (sysfile_line(line, sizeof(line), root, "/sys/devices/system/cpu/online"))
        info->cpus = count_ranges(line);
    if (sched_getaffinity(0, sizeof(allowed), &allowed.set) == 0)
        info->cpus_allowed = (unsigned)CPU_COUNT_S(sizeof(allowed), &allowed.set);
    info->cpus_quota = hostinfo_read_cpu_quota(root);
    read_governor(root, info->governor, sizeof(info->governor));
    hostinfo_read_virtualization(root, info->virtualization, sizeof(info->virtualization));
    sysfile_field(line, sizeof(line), "MemTotal:", root, "/proc/meminfo");
    if (number_take(&kib, &info->memory_bytes))
        info->memory_bytes *= 1024;
}
