/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* random.c - random bytes. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* No standard specifies this device, but practically every system has it. */
int os_random(void *bytes, size_t size)
{
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got;
    int code;

    if (fd < 0)
        return -errno;
    got = read(fd, bytes, size);
    code = got < 0 ? -errno : got != (ssize_t)size ? -EIO : 0;
    close(fd);
    return code;
}
