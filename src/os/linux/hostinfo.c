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
    FILE *file = sysfile_open(root, "/proc/cpuinfo");
    char line[512];

    text[0] = '\0';
    while (sysfile_next(file, text[0] != '\0', line, sizeof(line))) {
        const char *colon = strchr(line, ':');
        if (!colon)
            continue;
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
            if (strncmp(line, keys[i], strlen(keys[i])) == 0) {
                colon += 1 + strspn(colon + 1, " \t");
                text_copy(text, size, colon);
                text[strcspn(text, "\n")] = '\0';
                break;
            }
        }
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

static void read_memory(const char *root, struct hostinfo *info)
{
    FILE *file = sysfile_open(root, "/proc/meminfo");
    uint64_t all_kib = 0, swap_kib = 0, free_kib = 0;
    char line[128];

    while (sysfile_next(file, false, line, sizeof(line)))
        if (!sysfile_number(line, "MemTotal:", &all_kib) &&
            !sysfile_number(line, "SwapTotal:", &swap_kib))
            sysfile_number(line, "SwapFree:", &free_kib);
    info->memory_bytes = all_kib * 1024;
    info->swap_bytes = swap_kib * 1024;
    info->swap_used_bytes = swap_kib > free_kib ? (swap_kib - free_kib) * 1024 : 0;
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

static unsigned count_allowed(void)
{
    enum { PROCESSORS = 8192 };
    cpu_set_t *set = CPU_ALLOC(PROCESSORS);
    unsigned count = 0;

    if (set && sched_getaffinity(0, CPU_ALLOC_SIZE(PROCESSORS), set) == 0)
        count = (unsigned)CPU_COUNT_S(CPU_ALLOC_SIZE(PROCESSORS), set);
    CPU_FREE(set);
    return count;
}

void os_host_facts(const char *root, struct hostinfo *info)
{
    char line[512];

    read_cpu_name(root, info->cpu, sizeof(info->cpu));
    sysfile_line(info->clock_source, sizeof(info->clock_source), root,
                 "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (sysfile_line(line, sizeof(line), root, "/sys/devices/system/cpu/online"))
        info->cpus = count_ranges(line);
    info->cpus_allowed = count_allowed();
    info->cpus_quota = hostinfo_read_cpu_quota(root);
    read_governor(root, info->governor, sizeof(info->governor));
    hostinfo_read_virtualization(root, info->virtualization, sizeof(info->virtualization));
    read_memory(root, info);
    if (sysfile_line(line, sizeof(line), root, "/proc/loadavg")) {
        line[strcspn(line, " ")] = '\0';
        (void)number_read_real(line, &info->load1);
    }
}
