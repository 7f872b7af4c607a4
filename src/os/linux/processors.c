/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* processors.c - takes a snapshot of the processors: /proc/stat, and the kernel
 * threads, which are children of kthreadd. */
#include "base/compat.h"

#include "os/processors.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "os/linux/kernel.h"
#include "os/linux/sysfile.h"
#include "os/os.h"

#define NUMBERS_MOST   8192         /* of processors */
#define LIST_BYTES     (256u << 10) /* for thread ids */
#define STAT_PROCESSOR 39           /* field of /proc/PID/stat: the processor it last ran on */

/* The processors this process may run on; NULL: any of a machine's `count`. (A container may be
 * shown only as many processors as it may use, with other numbers.) */
static bool *find_allowed(size_t count)
{
    kernel_cpus cpus;
    bool *allowed;

    if (sched_getaffinity(0, sizeof(cpus), &cpus.set) != 0 ||
        (size_t)CPU_COUNT_S(sizeof(cpus), &cpus.set) >= count)
        return NULL;
    allowed = mem_calloc(NUMBERS_MOST, sizeof(*allowed));
    for (size_t i = 0; i < NUMBERS_MOST; i++)
        allowed[i] = CPU_ISSET_S(i, sizeof(cpus), &cpus.set) != 0;
    return allowed;
}

static void read_times(const char *root, struct processors *look)
{
    const long hertz = sysconf(_SC_CLK_TCK);
    const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)(hertz > 0 ? hertz : 100);
    struct sysfile file = sysfile_open(root, "/proc/stat");
    bool enough = false;

    look->count = 0;
    while (sysfile_next(&file, enough))
        enough = !processors_take_line(look, file.line, tick_ns);
}

/* Whether a thread last ran on a processor that this process may use. */
static bool runs_here(const char *root, const struct processors *look, uint64_t id)
{
    uint64_t number;

    return sysfile_task(&number, root, id, STAT_PROCESSOR) && number < look->allowed_count &&
           look->allowed[number];
}

static void read_threads(const char *root, struct processors *look)
{
    char line[128], *list;
    const char *s;
    uint64_t id, cpu_ns;

    look->thread_count = 0;
    look->threads_known = false;
    if (!sysfile_line(line, sizeof(line), root, "/proc/2/comm") || strcmp(line, "kthreadd") != 0)
        return; /* kernel threads are not visible in a container */
    list = mem_calloc(1, LIST_BYTES);
    look->threads_known =
        sysfile_line(list, LIST_BYTES, root, "/proc/2/task/2/children"); /* has no newline */
    for (s = list; sysfile_take(&s, &id);) {
        const char *number = line; /* empty: the thread has just ended */
        sysfile_line(line, sizeof(line), root, "/proc/%llu/schedstat", (unsigned long long)id);
        if (number_take(&number, &cpu_ns) && cpu_ns > 0 &&
            (!look->allowed || runs_here(root, look, id)))
            processors_take_thread(look, id, cpu_ns);
    }
    free(list);
}

void processors_look(const char *root, struct processors *look)
{
    struct usage own;

    read_times(root, look);
    if (!look->asked && (look->allowed = find_allowed(look->count)) != NULL) {
        look->allowed_count = NUMBERS_MOST;
        read_times(root, look);
    }
    look->asked = true;
    look->time_ns = clock_monotonic_ns();
    usage_read_process(&own);
    look->own_ns = own.cpu_ns;
    read_threads(root, look);
}
