/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* usage.c - the kernel's accounts of the calling thread and the kernel threads that work for it
 * (CPU time, bytes actually moved to or from storage), and of memory. Comparing those bytes with
 * the bytes requested is the only proof of whether a cache was involved. The files are opened, read
 * and closed each time: they are read between slices, and a thread must not use another thread's
 * file. */
#include "base/compat.h"

#include "os/os.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "os/linux/facts_parts.h"
#include "os/linux/kernel.h"
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

static uint64_t time_ns(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_usec * 1000;
}

static void read_modes(struct usage *usage)
{
    struct rusage used;

    if (getrusage(RUSAGE_THREAD, &used) != 0)
        return;
    usage->user_ns = time_ns(&used.ru_utime);
    usage->system_ns = time_ns(&used.ru_stime);
}

void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns(),
                            .queued_ns =
                                read_schedstat(AT_FDCWD, "/proc/thread-self/schedstat", QUEUED_NS)};
    read_modes(usage);
    read_io(AT_FDCWD, "/proc/thread-self/io", usage);
}

/* ---- helper threads of the kernel ---- */

#define TASK_PATH 64 /* "NUMBER/schedstat" */

/* Kernel threads that help threads of the process, from one scan of its tasks.  Threads that begin
 * or end a slice together share it, because scanning a thousand tasks takes thousands of calls. */
static struct {
    pthread_mutex_t lock;
    atomic_uint_fast64_t asked; /* scans requested */
    uint64_t answered;          /* of these, those requested before the last scan began */
    struct helper {
        uint64_t master; /* the thread it works for */
        bool orphan;     /* which has ended, or whose id is wrong, as in other namespaces */
        struct usage usage;
    } * helper;
    size_t count;
    unsigned others; /* tasks that are not helpers */
    bool known;      /* the last scan was possible */
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The id of the thread that a helper works for, from its name. 0: not a helper. */
static uint64_t helper_master(const char *comm)
{
    uint64_t number;

    if (strncmp(comm, "iou-wrk-", 8) != 0 && strncmp(comm, "iou-sqp-", 8) != 0)
        return 0;
    comm += 8;
    return sysfile_take(&comm, &number) && *comm == '\n' ? number : 0;
}

static void count_task(int dir_fd, const char *task)
{
    char path[TASK_PATH], comm[64];
    struct helper *helper;
    uint64_t master;
    struct stat st;

    snprintf(path, sizeof(path), "%s/comm", task);
    if (!sysfile_read(dir_fd, path, comm, sizeof(comm)))
        return; /* it has just ended */
    master = helper_master(comm);
    if (master == 0) {
        seen.others++;
        return;
    }
    if ((seen.count & (seen.count - 1)) == 0)
        seen.helper =
            mem_realloc_array(seen.helper, seen.count ? 2 * seen.count : 1, sizeof(*seen.helper));
    helper = &seen.helper[seen.count++];
    *helper = (struct helper){.master = master};
    snprintf(path, sizeof(path), "%llu", (unsigned long long)master);
    helper->orphan = fstatat(dir_fd, path, &st, 0) != 0;
    snprintf(path, sizeof(path), "%s/io", task);
    read_io(dir_fd, path, &helper->usage);
    snprintf(path, sizeof(path), "%s/schedstat", task);
    helper->usage.cpu_ns = read_schedstat(dir_fd, path, CPU_NS);
}

static void look_at_tasks(void)
{
    DIR *dir = sysfile_list("", "/proc/self/task");
    const char *task;

    seen.count = seen.others = 0;
    seen.known = dir != NULL;
    while ((task = sysfile_entry(dir, false)) != NULL)
        count_task(dirfd(dir), task);
}

void usage_read_helpers(struct usage *usage)
{
    const uint64_t self = (uint64_t)syscall(SYS_gettid);
    const uint64_t ticket = atomic_fetch_add(&seen.asked, 1);
    unsigned ours = 0, known = 0, strangers = 0;
    struct stat st;

    *usage = (struct usage){.io_known = true};
    if (stat("/proc/self/task", &st) == 0 && st.st_nlink == 3)
        return; /* usual case, at the cost of one call: 2 links, and one per task */
    pthread_mutex_lock(&seen.lock);
    if (seen.answered <= ticket) {
        seen.answered = atomic_load(&seen.asked);
        look_at_tasks();
    }
    for (size_t i = 0; i < seen.count; i++) {
        const struct helper *helper = &seen.helper[i];

        if (helper->master != self && !helper->orphan)
            continue;                                    /* it helps another thread of ours */
        if (helper->master != self && seen.others > 1) { /* any thread could own it */
            strangers++;
            continue;
        }
        usage->cpu_ns += helper->usage.cpu_ns;
        usage->read_bytes += helper->usage.read_bytes;
        usage->write_bytes += helper->usage.write_bytes;
        ours++;
        known += helper->usage.io_known;
    }
    usage->io_known = seen.known && strangers == 0 && (ours == 0 || known > 0);
    pthread_mutex_unlock(&seen.lock);
}

/* ---- memory ---- */

/* What remains of a limit (ulimit -v, -d) after the current use, a line of /proc/self/status. */
static uint64_t limit_left(int what, const char *status, const char *key)
{
    struct rlimit limit;
    uint64_t used_kib;

    if (getrlimit(what, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !sysfile_number(status, key, &used_kib))
        return UINT64_MAX;
    return number_most(number_minus(limit.rlim_cur, used_kib * 1024), 1);
}

struct os_memory os_memory(void)
{
    char text[4096];
    uint64_t least = cgroup_memory_left(""), available_kib;
    struct os_memory memory;

    if (sysfile_read(AT_FDCWD, "/proc/meminfo", text, sizeof(text)) &&
        sysfile_number(text, "MemAvailable:", &available_kib))
        least = number_least(least, available_kib * 1024);
    least = number_most(least, 1); /* 0 would mean unknown */
    memory.available_bytes = least == UINT64_MAX ? 0 : least;
    if (sysfile_read(AT_FDCWD, "/proc/self/status", text, sizeof(text))) {
        least = number_least(least, limit_left(RLIMIT_AS, text, "VmSize:"));
        least = number_least(least, limit_left(RLIMIT_DATA, text, "VmData:"));
    }
    memory.allocatable_bytes = least == UINT64_MAX ? 0 : least;
    return memory;
}
