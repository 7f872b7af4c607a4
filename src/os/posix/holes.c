/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* holes.c - see holes.h. */
#include "base/compat.h"

#include "os/posix/holes.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"

#define CLOCK_EVERY 64u

bool holes_enough(struct holes_look *look)
{
    const struct extents_limits *limits = look->limits;
    const uint64_t step = look->count++;

    if (step < limits->count && (!limits->stop || flag_read(limits->stop) == 0) &&
        (step % CLOCK_EVERY != 0 || limits->until_ns == UINT64_MAX ||
         clock_monotonic_ns() < limits->until_ns))
        return false;
    look->sum->cut = true;
    return true;
}

int64_t holes_seek(int fd, uint64_t at, uint64_t end, int whence)
{
    const off_t found = lseek(fd, (off_t)at, whence);

    if (found < 0)
        return errno == ENXIO ? (int64_t)end : -1; /* only a hole up to the end */
    return (uint64_t)found < end ? (int64_t)found : (int64_t)end;
}

/* Returns the offset it reached. */
static uint64_t add_runs(struct holes_look *look)
{
    struct extents *sum = look->sum;
    uint64_t at = 0;

    while (at < look->end && !holes_enough(look)) {
        const int64_t data = holes_seek(look->fd, at, look->end, SEEK_DATA);
        int64_t hole;

        if (data < (int64_t)at) {
            sum->unknown_holes = true;
            return look->end;
        }
        sum->hole_bytes += (uint64_t)data - at;
        at = (uint64_t)data;
        if (at == look->end)
            break;
        hole = holes_seek(look->fd, at, look->end, SEEK_HOLE);
        if (hole <= data) /* the file changed meanwhile */
            hole = (int64_t)look->end;
        sum->data_bytes += (uint64_t)(hole - data);
        at = (uint64_t)hole;
    }
    return at;
}

bool holes_add(struct holes_look *look)
{
    struct stat st;

    if (look->end == 0 || look->end > INT64_MAX || fstat(look->fd, &st) != 0 ||
        !S_ISREG(st.st_mode))
        return false;
    look->sum->files++;
    look->sum->bytes += look->end;
    look->end = add_runs(look);
    look->count = 0;
    return true;
}
