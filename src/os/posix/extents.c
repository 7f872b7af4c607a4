/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* extents.c - finds holes, but nothing about how data are stored. */
#include "base/compat.h"

#include "os/posix/holes.h"

#include <sys/stat.h>

void os_extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                    const struct extents_limits *limits)
{
    struct holes_look look = {.sum = sum, .limits = limits, .fd = fd, .end = length_bytes};
    struct stat st;

    if (length_bytes == 0 || length_bytes > INT64_MAX || fstat(fd, &st) != 0 ||
        !S_ISREG(st.st_mode))
        return;
    sum->files++;
    sum->bytes += length_bytes;
    sum->unknown_extents = true;
    (void)holes_add(&look);
}
