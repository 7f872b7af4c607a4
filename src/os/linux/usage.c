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

/* The second field of schedstat; the first is CPU time. */
static uint64_t read_queued_ns(void)
{
    char text[128];
    const char *rest = text;
    uint64_t cpu_ns, queued_ns;

    if (!sysfile_read(AT_FDCWD, "/proc/thread-self/schedstat", text, sizeof(text)) ||
        !sysfile_take(&rest, &cpu_ns) || !sysfile_take(&rest, &queued_ns))
        return 0;
    return queued_ns;
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
    *usage = (struct usage){.cpu_ns = usage_cpu_ns(), .queued_ns = read_queued_ns()};
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

/* CPU time of a task; 0: not reported. */
static uint64_t task_cpu_ns(int dir_fd, const char *task)
{
    char path[TASK_PATH], text[128];
    const char *s = text;
    uint64_t value;

    snprintf(path, sizeof(path), "%s/schedstat", task);
    return sysfile_read(dir_fd, path, text, sizeof(text)) && sysfile_take(&s, &value) ? value : 0;
}

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
    if (task[0] == '.' || !sysfile_read(dir_fd, path, comm, sizeof(comm)))
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
    helper->usage.cpu_ns = task_cpu_ns(dir_fd, task);
}

static void look_at_tasks(void)
{
    _Alignas(struct kernel_entry) char entries[32768];
    const int dir_fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long got;

    seen.count = seen.others = 0;
    seen.known = dir_fd >= 0;
    if (!seen.known)
        return;
    while ((got = syscall(SYS_getdents64, dir_fd, entries, sizeof(entries))) > 0)
        for (long at = 0; at < got;) {
            const struct kernel_entry *entry = (const void *)(entries + at);
            count_task(dir_fd, entry->name);
            at += entry->length;
        }
    close(dir_fd);
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

static uint64_t available_bytes_now(void)
{
    char text[4096];
    uint64_t available_kib = 0, available_bytes = UINT64_MAX;
    const uint64_t group_bytes = cgroup_memory_left("");

    if (sysfile_read(AT_FDCWD, "/proc/meminfo", text, sizeof(text)) &&
        sysfile_number(text, "MemAvailable:", &available_kib))
        available_bytes = available_kib * 1024;
    if (group_bytes < available_bytes) /* 0 would mean unknown */
        return group_bytes > 0 ? group_bytes : 1;
    return available_bytes == UINT64_MAX ? 0 : available_bytes;
}

/* What remains of a limit (ulimit -v, -d) after the current use, field `field` of statm. */
static uint64_t limit_left(const struct rlimit *limit, unsigned field)
{
    char text[256];
    const char *s = text;
    uint64_t pages = 0, used_bytes;

    if (limit->rlim_cur == RLIM_INFINITY ||
        !sysfile_read(AT_FDCWD, "/proc/self/statm", text, sizeof(text)))
        return UINT64_MAX;
    for (unsigned i = 0; i <= field; i++)
        if (!sysfile_take(&s, &pages))
            return UINT64_MAX;
    used_bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit->rlim_cur > used_bytes ? limit->rlim_cur - used_bytes : 1;
}

struct os_memory os_memory(void)
{
    enum { STATM_SIZE = 0, STATM_DATA = 5 };
    const uint64_t available_bytes = available_bytes_now();
    uint64_t least = available_bytes > 0 ? available_bytes : UINT64_MAX, left_bytes;
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) == 0 && (left_bytes = limit_left(&limit, STATM_SIZE)) < least)
        least = left_bytes;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 &&
        (left_bytes = limit_left(&limit, STATM_DATA)) < least)
        least = left_bytes;
    return (struct os_memory){.available_bytes = available_bytes,
                              .allocatable_bytes = least == UINT64_MAX ? 0 : least};
}
