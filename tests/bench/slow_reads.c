/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* slow_reads.c - preloaded into a program: read(2) and pread(2) of files whose names contain
 * SLOW_NAME take SLOW_SHARE (0.02: 2 %) longer.  Each read is timed, whatever its file, so that the
 * clock costs all of them the same. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define FILES     65536
#define NOTED_NS  100     /* less than that is owed until more comes together */
#define AWAY_NS   5000000 /* a read of that length has lost its processor: not the file's time */
#define SECOND_NS 1000000000

static bool slow[FILES];
static const char *name;
static double share;
static ssize_t (*read_of)(int, void *, size_t), (*pread_of)(int, void *, size_t, off_t);
static int (*openat_of)(int, const char *, int, ...);

__attribute__((constructor)) static void look_up(void)
{
    const char *text = getenv("SLOW_SHARE");

    name = getenv("SLOW_NAME");
    share = text ? atof(text) : 0;
    *(void **)&read_of = dlsym(RTLD_NEXT, "read");
    *(void **)&pread_of = dlsym(RTLD_NEXT, "pread");
    *(void **)&openat_of = dlsym(RTLD_NEXT, "openat");
}

static long long now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * SECOND_NS + t.tv_nsec;
}

static void prolong(int fd, long long began_ns)
{
    static __thread double owed_ns;
    const long long ended_ns = now_ns();

    if (fd < 0 || fd >= FILES || !slow[fd] || ended_ns - began_ns > AWAY_NS)
        return;
    owed_ns += share * (double)(ended_ns - began_ns);
    if (owed_ns < NOTED_NS)
        return;
    while ((double)(now_ns() - ended_ns) < owed_ns)
        ;
    owed_ns = 0;
}

ssize_t read(int fd, void *buffer, size_t bytes)
{
    const long long began_ns = now_ns();
    const ssize_t got = read_of(fd, buffer, bytes);

    prolong(fd, began_ns);
    return got;
}

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    const long long began_ns = now_ns();
    const ssize_t got = pread_of(fd, buffer, bytes, offset);

    prolong(fd, began_ns);
    return got;
}

int openat(int directory, const char *path, int flags, ...)
{
    va_list more;
    int fd;

    va_start(more, flags);
    fd = openat_of(directory, path, flags, va_arg(more, int));
    va_end(more);
    if (fd >= 0 && fd < FILES)
        slow[fd] = share > 0 && name && strstr(path, name);
    return fd;
}
