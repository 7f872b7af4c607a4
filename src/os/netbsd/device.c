/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* device.c - disks and their partitions. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <sys/dkio.h>
#include <sys/ioctl.h>

int os_device_bytes(int fd, uint64_t *bytes)
{
    off_t size;

    if (ioctl(fd, DIOCGMEDIASIZE, &size) != 0 || size < 0)
        return -ENOTSUP;
    *bytes = (uint64_t)size;
    return 0;
}
