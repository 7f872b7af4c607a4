/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bare_sync.c - bare loops of system calls: no engine, no stop flag, no failures to count; but the
 * clock is read and the latency recorded as often as a cycle of iosweep needs it. */
#include "base/compat.h"

#include "bare_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/cycle.h"

static __attribute__((noreturn)) void die(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t draw(struct bare *b)
{
    return rng_below(&b->rng, ((b->length - b->size) & ~b->mask) + b->mask + 1) & ~b->mask;
}

static inline void record(struct bare *b, uint64_t ns)
{
    hist_record(&b->hist, ns);
    if (ns < b->least)
        b->least = ns;
    if (ns > b->most)
        b->most = ns;
}

/* No I/O: an offset, one clock reading, one record. */
void bare_null(struct bare *b, uint64_t n)
{
    uint64_t t0 = clock_monotonic_ns();
    while (n--) {
        uint64_t offset = draw(b), t1;
        __asm__ volatile("" : : "r"(offset) : "memory");
        t1 = clock_monotonic_ns();
        record(b, t1 - t0);
        t0 = t1;
    }
}

void bare_kept(struct bare *b, uint64_t n)
{
    while (n--)
        if (pread(b->fd, b->buffer, b->size, (off_t)draw(b)) != (ssize_t)b->size)
            die("pread");
}

static uint64_t advance(struct bare *b)
{
    const uint64_t at = b->next;

    b->next = at + 2 * b->size > b->length ? 0 : at + b->size;
    return at;
}

void bare_null_order(struct bare *b, uint64_t n)
{
    uint64_t t0 = clock_monotonic_ns();
    while (n--) {
        uint64_t offset = advance(b), t1;
        __asm__ volatile("" : : "r"(offset) : "memory");
        t1 = clock_monotonic_ns();
        record(b, t1 - t0);
        t0 = t1;
    }
}

void bare_kept_order(struct bare *b, uint64_t n)
{
    while (n--)
        if (pread(b->fd, b->buffer, b->size, (off_t)advance(b)) != (ssize_t)b->size)
            die("pread");
}

void bare_pread(struct bare *b, uint64_t n)
{
    while (n--) {
        const off_t offset = (off_t)draw(b);
        uint64_t t0 = clock_monotonic_ns(), t1, t2, t3;
        int fd = openat(b->dir_fd, b->name, O_RDONLY | O_CLOEXEC);
        t1 = clock_monotonic_ns();
        if (pread(fd, b->buffer, b->size, offset) != (ssize_t)b->size)
            die("pread");
        t2 = clock_monotonic_ns();
        close(fd);
        t3 = clock_monotonic_ns();
        record(b, t3 - t0);
        b->sum[0] += t1 - t0;
        b->sum[1] += t2 - t1;
        b->sum[2] += t3 - t2;
    }
}

void bare_posix(struct bare *b, uint64_t n)
{
    while (n--) {
        const off_t offset = (off_t)draw(b);
        uint64_t t0 = clock_monotonic_ns(), t1, t2, t3, t4;
        int fd = openat(b->dir_fd, b->name, O_RDONLY | O_CLOEXEC);
        t1 = clock_monotonic_ns();
        lseek(fd, offset, SEEK_SET);
        t2 = clock_monotonic_ns();
        if (read(fd, b->buffer, b->size) != (ssize_t)b->size)
            die("read");
        t3 = clock_monotonic_ns();
        close(fd);
        t4 = clock_monotonic_ns();
        record(b, t4 - t0);
        b->sum[0] += t1 - t0;
        b->sum[1] += t2 - t1;
        b->sum[2] += t3 - t2;
        b->sum[3] += t4 - t3;
    }
}

void bare_write(struct bare *b, uint64_t n)
{
    while (n--) {
        const off_t offset = (off_t)draw(b);
        uint64_t t0 = clock_monotonic_ns(), t1, t2, t3;
        int fd = openat(b->dir_fd, b->name, O_WRONLY | O_CLOEXEC);
        t1 = clock_monotonic_ns();
        if (pwrite(fd, b->buffer, b->size, offset) != (ssize_t)b->size)
            die("pwrite");
        t2 = clock_monotonic_ns();
        close(fd);
        t3 = clock_monotonic_ns();
        record(b, t3 - t0);
        b->sum[0] += t1 - t0;
        b->sum[1] += t2 - t1;
        b->sum[2] += t3 - t2;
    }
}
