/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_space.c - space is allocated as files are written, and files are synced one by one. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Not posix_fallocate(3): where it cannot reserve it may write zeros, which costs as much. */
int os_reserve(int fd, uint64_t bytes)
{
    return -ENOTSUP;
}

int os_sync_file_system(int fd)
{
    return -ENOTSUP;
}
