/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - the kernel's own accounts: of the calling thread (CPU time, bytes that really went to
 * or came from storage) and of memory.  Comparing those bytes with the bytes asked for is the only
 * proof that a cache was or was not in the way.  The files are opened, read and closed every time:
 * they are read between slices, and a thread must not keep the file of another one. */
#include "base/compat.h"

#include "base/usage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads a small file whole (or its beginning), terminated.  Returns 0 or -1. */
static int read_text(const char *path, char *text, size_t text_size)
{
    size_t used = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    while (used < text_size - 1) {
        ssize_t n = read(fd, text + used, text_size - 1 - used);
        if (n < 0 && errno == EINTR)
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
    while (text != NULL) {
        if (strncmp(text, key, key_length) == 0) {
            text += key_length;
            return take_number(&text, number);
        }
        text = strchr(text, '\n');
        if (text != NULL)
            text++;
    }
    return -1;
}

static uint64_t timeval_ns(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_usec * 1000u;
}

void usage_read(struct usage *usage)
{
    struct rusage resources;
    char text[512];

    *usage = (struct usage){.io_known = false};
    if (getrusage(RUSAGE_THREAD, &resources) == 0)
        usage->cpu_ns = timeval_ns(&resources.ru_utime) + timeval_ns(&resources.ru_stime);
    if (read_text("/proc/thread-self/io", text, sizeof(text)) != 0)
        return;
    if (find_number(text, "read_bytes:", &usage->read_bytes) == 0 &&
        find_number(text, "write_bytes:", &usage->write_bytes) == 0) {
        usage->io_known = true;
    } else {
        usage->read_bytes = 0;
        usage->write_bytes = 0;
    }
}

uint64_t usage_resident_bytes(void)
{
    char text[256];
    const char *s = text;
    uint64_t total_pages, resident_pages;
    if (read_text("/proc/self/statm", text, sizeof(text)) != 0 ||
        take_number(&s, &total_pages) != 0 || take_number(&s, &resident_pages) != 0)
        return 0;
    return resident_pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t usage_available_bytes(void)
{
    char text[4096];
    uint64_t available_kib;
    if (read_text("/proc/meminfo", text, sizeof(text)) != 0 ||
        find_number(text, "MemAvailable:", &available_kib) != 0)
        return 0;
    return available_kib * 1024;
}
