/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* usage.c - the kernel's accounts of the calling thread and of kernel threads that work for the
 * process (CPU time, bytes actually moved to or from storage), and of memory. Comparing those bytes
 * with the bytes requested is the only proof of whether a cache was involved. The files are opened,
 * read and closed each time: they are read between slices, and a thread must not use another
 * thread's file. */
#include "base/compat.h"

#include "os/os.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/number.h"
#include "os/linux/facts_parts.h"
#include "os/linux/sysfile.h"

/* Reads the I/O account of a task from its file `path`. */
static void read_io(int dir_fd, const char *path, struct usage *usage)
{
    char text[512];

    if (!sysfile_read(dir_fd, path, text, sizeof(text)))
        return;
    if (sysfile_number(text, "read_bytes:", &usage->read_bytes) &&
        sysfile_number(text, "write_bytes:", &usage->write_bytes)) {
        usage->io_known = true;
    } else {
        usage->read_bytes = 0;
        usage->write_bytes = 0;
    }
}

/* A field of a task's schedstat; 0: not reported. */
enum { CPU_NS, QUEUED_NS };
static uint64_t read_schedstat(int dir_fd, const char *path, int field)
{
    char text[128];
    const char *rest = text;
    uint64_t value[2];

    return sysfile_read(dir_fd, path, text, sizeof(text)) && sysfile_take(&rest, &value[CPU_NS]) &&
                   sysfile_take(&rest, &value[QUEUED_NS])
               ? value[field]
               : 0;
}

void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns(),
                            .queued_ns =
                                read_schedstat(AT_FDCWD, "/proc/thread-self/schedstat", QUEUED_NS)};
    usage_read_modes(usage, RUSAGE_THREAD);
    read_io(AT_FDCWD, "/proc/thread-self/io", usage);
}

void usage_read_helpers(struct usage *usage)
{
    DIR *dir = sysfile_list("", "/proc/self/task");
    unsigned count = 0, known = 0;
    const char *task;

    *usage = (struct usage){.io_known = dir != NULL};
    while ((task = sysfile_entry(dir, false)) != NULL) {
        struct usage helper = {.io_known = false};
        char path[64], comm[64];

        snprintf(path, sizeof(path), "%.32s/comm", task);
        if (!sysfile_read(dirfd(dir), path, comm, sizeof(comm)) || /* it has just ended */
            (strncmp(comm, "iou-wrk-", 8) != 0 && strncmp(comm, "iou-sqp-", 8) != 0))
            continue;
        snprintf(path, sizeof(path), "%.32s/io", task);
        read_io(dirfd(dir), path, &helper);
        snprintf(path, sizeof(path), "%.32s/schedstat", task);
        helper.cpu_ns = read_schedstat(dirfd(dir), path, CPU_NS);
        usage_add(usage, &helper);
        count++;
        known += helper.io_known;
    }
    usage->io_known = usage->io_known && (count == 0 || known > 0);
}

/* ---- memory ---- */

/* What remains of a limit (ulimit -v, -d) after the current use, a line of /proc/self/status. */
static uint64_t limit_left(const struct rlimit *limit, const char *status, const char *key)
{
    uint64_t used_kib;

    if (limit->rlim_cur == RLIM_INFINITY || !sysfile_number(status, key, &used_kib))
        return UINT64_MAX;
    return number_most(number_minus(limit->rlim_cur, used_kib * 1024), 1);
}

struct os_memory os_memory(void)
{
    char text[4096];
    uint64_t least = cgroup_memory_left(""), available_kib;
    struct os_memory memory;
    struct rlimit limit;

    if (sysfile_read(AT_FDCWD, "/proc/meminfo", text, sizeof(text)) &&
        sysfile_number(text, "MemAvailable:", &available_kib))
        least = number_least(least, available_kib * 1024);
    least = number_most(least, 1); /* 0 would mean unknown */
    memory.available_bytes = least == UINT64_MAX ? 0 : least;
    if (sysfile_read(AT_FDCWD, "/proc/self/status", text, sizeof(text))) {
        if (getrlimit(RLIMIT_AS, &limit) == 0)
            least = number_least(least, limit_left(&limit, text, "VmSize:"));
        if (getrlimit(RLIMIT_DATA, &limit) == 0)
            least = number_least(least, limit_left(&limit, text, "VmData:"));
    }
    memory.allocatable_bytes = least == UINT64_MAX ? 0 : least;
    return memory;
}
