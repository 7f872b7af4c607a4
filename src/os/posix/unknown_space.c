/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_space.c - space is taken as files are written, and files are synced one by one. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* posix_fallocate(3) may write zeros where the file system cannot reserve: as much as filling. */
int os_reserve(int fd, uint64_t bytes)
{
    return -ENOTSUP;
}

int os_sync_file_system(int fd)
{
    return -ENOTSUP;
}
