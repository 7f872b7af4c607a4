/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_copy.c - the program copies data itself. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes)
{
    (void)from_fd, (void)offset_bytes, (void)to_fd, (void)size_bytes;
    return -ENOTSUP;
}
