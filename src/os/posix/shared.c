/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* shared.c - calls that Linux shares with other systems that have them. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_FLOCK
#include <sys/file.h>
#endif
#ifdef HAVE_SYS_IOCTL_H
#include <sys/ioctl.h>
#endif
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/clock.h"
#include "base/mem.h"

int os_lock(int fd, bool exclusive)
{
#ifdef HAVE_FLOCK
    return flock(fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 ? -errno : 0;
#else /* fcntl(2) cannot lock directories */
    (void)fd, (void)exclusive;
    return -ENOTSUP;
#endif
}

/* Finds a name in PATH as a shell does: returns the first match. */
static char *find_in_path(const char *name)
{
    for (const char *at = getenv("PATH"); at && *at; at += strcspn(at, ":"), at += *at == ':') {
        char *path = mem_printf("%.*s/%s", (int)strcspn(at, ":"), at, name);

        if (access(path, X_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

char *os_program_path(const char *called)
{
    char *found = NULL, *path = realpath("/proc/self/exe", NULL); /* of Linux, NetBSD and others */

    if (!path && !strchr(called, '/'))
        found = find_in_path(called);
    if (!path && (found || strchr(called, '/')))
        path = realpath(found ? found : called, NULL);
    free(found);
    return path;
}

int os_become_script(const char *path, char *const arguments[])
{
    execv(path, arguments);
    return -errno;
}

/* getrusage(2) is only updated at ticks, and slices are not much longer than one. */
static uint64_t cpu_ns(clockid_t whose)
{
    struct timespec cpu;

    if (clock_gettime(whose, &cpu) != 0)
        return 0;
    return (uint64_t)cpu.tv_sec * UINT64_C(1000000000) + (uint64_t)cpu.tv_nsec;
}

uint64_t usage_cpu_ns(void)
{
    return cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t time_ns(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_usec * 1000;
}

void usage_read_modes(struct usage *usage, int whose)
{
    struct rusage used;

    if (getrusage(whose, &used) != 0)
        return;
    usage->user_ns = time_ns(&used.ru_utime);
    usage->system_ns = time_ns(&used.ru_stime);
}

void usage_read_process(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID)};
    usage_read_modes(usage, RUSAGE_SELF);
}

int os_aligned(void **memory, size_t align_bytes, size_t size_bytes)
{
    return posix_memalign(memory, align_bytes, size_bytes);
}

void os_aligned_free(void *memory)
{
    free(memory);
}

void os_libc_name(char *text, size_t size)
{
#ifdef __GLIBC__
    snprintf(text, size, "glibc %s", gnu_get_libc_version());
#else
    snprintf(text, size, "%s", "");
#endif
}

/* No standard specifies this device, but practically every system has it. */
uint64_t os_random_number(void)
{
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    uint64_t number;
    const bool got = fd >= 0 && read(fd, &number, sizeof(number)) == (ssize_t)sizeof(number);

    if (fd >= 0)
        close(fd);
    if (got)
        return number;
    return ((uint64_t)getpid() << 32) ^ ((uint64_t)time(NULL) << 20) ^ clock_monotonic_ns();
}

bool os_terminal_is_ours(int fd)
{
    const pid_t group = tcgetpgrp(fd);

    return group < 0 || group == getpgrp();
}

unsigned os_terminal_columns(int fd, unsigned *lines)
{
#ifdef TIOCGWINSZ
    struct winsize size;

    if (ioctl(fd, TIOCGWINSZ, &size) != 0)
        return 0;
    if (lines)
        *lines = size.ws_row;
    return size.ws_col;
#else
    (void)fd, (void)lines;
    return 0;
#endif
}
