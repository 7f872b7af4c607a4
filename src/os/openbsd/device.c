/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* device.c - disk partitions, from the disklabel. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <sys/types.h> /* needed by the others */

#include <sys/disklabel.h>
#include <sys/dkio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

int os_device_bytes(int fd, uint64_t *bytes)
{
    struct disklabel label;
    struct stat st;

    if (fstat(fd, &st) != 0 || ioctl(fd, DIOCGDINFO, &label) != 0 ||
        DISKPART(st.st_rdev) >= label.d_npartitions)
        return -ENOTSUP;
    *bytes = DL_GETPSIZE(&label.d_partitions[DISKPART(st.st_rdev)]) * label.d_secsize;
    return 0;
}
