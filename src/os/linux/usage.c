/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - the kernel's own accounts: of the calling thread and of the kernel threads that work
 * for it (CPU time, bytes that really went to or came from storage), and of memory.  Comparing
 * those bytes with the bytes asked for is the only proof that a cache was or was not in the way.
 * The files are opened, read and closed every time: they are read between slices, and a thread must
 * not keep the file of another one. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/linux/cgroup.h"
#include "os/linux/kernel.h"

/* A read that a signal interrupted is made again, so often. */
#define AGAIN_MOST 1000u

/* Reads a small file whole (or its beginning), terminated.  Returns 0 or -1. */
static int read_text_at(int dir_fd, const char *path, char *text, size_t text_size)
{
    size_t used = 0;
    unsigned again = 0;
    int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    while (used < text_size - 1) {
        ssize_t n = read(fd, text + used, text_size - 1 - used);
        if (n < 0 && errno == EINTR && again++ < AGAIN_MOST)
            continue;
        if (n < 0) {
            close(fd);
            return -1;
        }
        if (n == 0)
            break;
        used += (size_t)n;
    }
    close(fd);
    text[used] = '\0';
    return 0;
}

static int read_text(const char *path, char *text, size_t text_size)
{
    return read_text_at(AT_FDCWD, path, text, text_size);
}

/* The unsigned number at *text after blanks; moves *text behind it. */
static int take_number(const char **text, uint64_t *number)
{
    const char *s = *text;
    uint64_t value = 0;
    while (*s == ' ' || *s == '\t')
        s++;
    if (*s < '0' || *s > '9')
        return -1;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (unsigned)(*s - '0'), &value))
            return -1;
    }
    *text = s;
    *number = value;
    return 0;
}

/* The number of the line that begins with `key` ("write_bytes:" must not find
 * "cancelled_write_bytes:"). */
static int find_number(const char *text, const char *key, uint64_t *number)
{
    size_t key_length = strlen(key);
    while (text) {
        if (strncmp(text, key, key_length) == 0) {
            text += key_length;
            return take_number(&text, number);
        }
        text = strchr(text, '\n');
        if (text)
            text++;
    }
    return -1;
}

/* The I/O account of a task, from its file `path`. */
static void read_io(int dir_fd, const char *path, struct usage *usage)
{
    char text[512];

    if (read_text_at(dir_fd, path, text, sizeof(text)) != 0)
        return;
    if (find_number(text, "read_bytes:", &usage->read_bytes) == 0 &&
        find_number(text, "write_bytes:", &usage->write_bytes) == 0) {
        usage->io_known = true;
    } else {
        usage->read_bytes = 0;
        usage->write_bytes = 0;
    }
}

/* The second number there; the first one is CPU time. */
static uint64_t read_queued_ns(void)
{
    char text[128];
    const char *rest = text;
    uint64_t cpu_ns, queued_ns;

    if (read_text("/proc/thread-self/schedstat", text, sizeof(text)) != 0 ||
        take_number(&rest, &cpu_ns) != 0 || take_number(&rest, &queued_ns) != 0)
        return 0;
    return queued_ns;
}

void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns(), .queued_ns = read_queued_ns()};
    read_io(AT_FDCWD, "/proc/thread-self/io", usage);
}

/* ---- kernel threads that help ---- */

#define TASK_PATH 64 /* "NUMBER/schedstat" */

struct helpers {
    int dir_fd; /* of /proc/self/task */
    uint64_t self;
    struct usage ours, strangers; /* sums */
    unsigned our_count, our_known, stranger_count, stranger_known;
    unsigned others; /* tasks that are neither helpers nor the calling thread */
};

/* CPU time of a task: what the scheduler counts; without that account its ticks. */
static uint64_t task_cpu_ns(int dir_fd, const char *task)
{
    char path[TASK_PATH], text[1024];
    const char *s = text;
    uint64_t value, ticks = 0;

    snprintf(path, sizeof(path), "%s/schedstat", task);
    if (read_text_at(dir_fd, path, text, sizeof(text)) == 0)
        return take_number(&s, &value) == 0 ? value : 0;
    snprintf(path, sizeof(path), "%s/stat", task);
    if (read_text_at(dir_fd, path, text, sizeof(text)) != 0)
        return 0;
    s = strrchr(text, ')'); /* the name before it may hold anything */
    for (int field = 2; s && field < 15; field++) {
        s = strchr(s + 1, ' ');
        if (s && field + 1 >= 14) { /* 14 utime, 15 stime */
            const char *number = s;
            if (take_number(&number, &value) == 0)
                ticks += value;
        }
    }
    return ticks * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
}

static void add_task(int dir_fd, const char *task, struct usage *sum, unsigned *count,
                     unsigned *known)
{
    struct usage usage = {.io_known = false};
    char path[TASK_PATH];

    snprintf(path, sizeof(path), "%s/io", task);
    read_io(dir_fd, path, &usage);
    sum->cpu_ns += task_cpu_ns(dir_fd, task);
    sum->read_bytes += usage.read_bytes;
    sum->write_bytes += usage.write_bytes;
    *count += 1;
    *known += usage.io_known;
}

/* Which thread a helper works for: the number in its name.  0: it is no helper. */
static uint64_t helper_master(const char *comm)
{
    uint64_t number;

    if (strncmp(comm, "iou-wrk-", 8) != 0 && strncmp(comm, "iou-sqp-", 8) != 0)
        return 0;
    comm += 8;
    return take_number(&comm, &number) == 0 && *comm == '\n' ? number : 0;
}

static void count_task(struct helpers *helpers, const char *task)
{
    char path[TASK_PATH], comm[64];
    const char *s = task;
    uint64_t number, master;
    struct stat st;

    if (take_number(&s, &number) != 0 || *s != '\0' || number == helpers->self)
        return;
    snprintf(path, sizeof(path), "%s/comm", task);
    if (read_text_at(helpers->dir_fd, path, comm, sizeof(comm)) != 0)
        return; /* it has just ended */
    master = helper_master(comm);
    if (master == 0) {
        helpers->others++;
    } else if (master == helpers->self) {
        add_task(helpers->dir_fd, task, &helpers->ours, &helpers->our_count, &helpers->our_known);
    } else {
        snprintf(path, sizeof(path), "%llu", (unsigned long long)master);
        if (fstatat(helpers->dir_fd, path, &st, 0) != 0) /* else of another thread of ours */
            add_task(helpers->dir_fd, task, &helpers->strangers, &helpers->stranger_count,
                     &helpers->stranger_known);
    }
}

static void count_tasks(struct helpers *helpers)
{
    _Alignas(struct kernel_entry) char entries[2048];
    long got;

    while ((got = syscall(SYS_getdents64, helpers->dir_fd, entries, sizeof(entries))) > 0)
        for (long at = 0; at < got;) {
            const struct kernel_entry *entry = (const void *)(entries + at);
            count_task(helpers, entry->name);
            at += entry->length;
        }
}

void usage_read_helpers(struct usage *usage)
{
    struct helpers helpers = {.self = (uint64_t)syscall(SYS_gettid)};
    struct stat st;

    *usage = (struct usage){.io_known = true};
    if (stat("/proc/self/task", &st) == 0 && st.st_nlink == 3)
        return; /* the usual case, for one call: 2, and one for each task */
    helpers.dir_fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (helpers.dir_fd < 0) {
        usage->io_known = false;
        return;
    }
    count_tasks(&helpers);
    close(helpers.dir_fd);
    if (helpers.stranger_count > 0 && helpers.others == 0) { /* whose could they be but ours */
        helpers.ours.cpu_ns += helpers.strangers.cpu_ns;
        helpers.ours.read_bytes += helpers.strangers.read_bytes;
        helpers.ours.write_bytes += helpers.strangers.write_bytes;
        helpers.our_count += helpers.stranger_count;
        helpers.our_known += helpers.stranger_known;
        helpers.stranger_count = 0;
    }
    *usage = helpers.ours;
    usage->io_known =
        helpers.stranger_count == 0 && (helpers.our_count == 0 || helpers.our_known > 0);
}

/* ---- memory ---- */

static uint64_t available(void)
{
    char text[4096];
    uint64_t available_kib = 0, available_bytes = UINT64_MAX;
    const uint64_t group_bytes = cgroup_memory_left("");

    if (read_text("/proc/meminfo", text, sizeof(text)) == 0 &&
        find_number(text, "MemAvailable:", &available_kib) == 0)
        available_bytes = available_kib * 1024;
    if (group_bytes < available_bytes) /* 0 is for unknown */
        return group_bytes > 0 ? group_bytes : 1;
    return available_bytes == UINT64_MAX ? 0 : available_bytes;
}

/* What a limit (ulimit -v, -d) leaves of what is taken, number `field` of statm. */
static uint64_t limit_left(const struct rlimit *limit, unsigned field)
{
    char text[256];
    const char *s = text;
    uint64_t pages = 0, used_bytes;

    if (limit->rlim_cur == RLIM_INFINITY || read_text("/proc/self/statm", text, sizeof(text)) != 0)
        return UINT64_MAX;
    for (unsigned i = 0; i <= field; i++)
        if (take_number(&s, &pages) != 0)
            return UINT64_MAX;
    used_bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit->rlim_cur > used_bytes ? limit->rlim_cur - used_bytes : 1;
}

struct os_memory os_memory(void)
{
    enum { STATM_SIZE = 0, STATM_DATA = 5 };
    const uint64_t available_bytes = available();
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
