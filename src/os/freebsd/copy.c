/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* copy.c - copies inside the kernel, FreeBSD 13. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

int64_t os_copy_range(int from_fd, uint64_t offset_bytes, int to_fd, uint64_t size_bytes)
{
    off_t offset = (off_t)offset_bytes;
    const ssize_t done = copy_file_range(from_fd, &offset, to_fd, NULL, (size_t)size_bytes, 0);

    if (done >= 0)
        return done;
    return errno == EXDEV || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL ? -ENOTSUP
                                                                                       : -errno;
}
