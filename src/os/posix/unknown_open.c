/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_open.c - names are resolved part by part (os/beneath.c), files are on storage, and
 * streams are the C library's. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

bool os_opens_beneath(void)
{
    return false;
}

int os_look(int dir_fd, const char *name, struct beneath_id *id)
{
    return -ENOTSUP;
}

int os_open_memory_file(char *path, size_t path_size)
{
    return -ENOTSUP;
}

FILE *os_write_stream(int fd)
{
    return fdopen(fd, "w"); /* does not truncate, since the file is already open */
}
