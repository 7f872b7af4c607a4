/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* space.c - allocates space for a file. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int os_reserve(int fd, uint64_t bytes)
{
    fstore_t space = {.fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE};
    struct stat st;

    if (fstat(fd, &st) != 0)
        return -errno;
    if ((uint64_t)st.st_size >= bytes)
        return 0;
    space.fst_length = (off_t)bytes - st.st_size;
    if (fcntl(fd, F_PREALLOCATE, &space) != -1)
        return 0;
    return errno == ENOSPC ? -ENOSPC : -ENOTSUP;
}

int os_sync_file_system(int fd)
{
    (void)fd;
    return -ENOTSUP;
}
