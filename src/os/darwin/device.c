/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* device.c - disks. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <sys/ioctl.h>
#ifdef HAVE_SYS_DISK_H
#include <sys/disk.h>
#endif

#ifndef DKIOCGETBLOCKCOUNT /* as in that header */
#define DKIOCGETBLOCKSIZE  _IOR('d', 24, uint32_t)
#define DKIOCGETBLOCKCOUNT _IOR('d', 25, uint64_t)
#endif

int os_device_bytes(int fd, uint64_t *bytes)
{
    uint64_t blocks;
    uint32_t block_bytes;

    if (ioctl(fd, DKIOCGETBLOCKCOUNT, &blocks) == 0 &&
        ioctl(fd, DKIOCGETBLOCKSIZE, &block_bytes) == 0) {
        *bytes = blocks * block_bytes;
        return 0;
    }
    return -ENOTSUP;
}
