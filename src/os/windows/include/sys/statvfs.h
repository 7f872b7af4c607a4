/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/statvfs.h - space of a volume; the number of files is unlimited, so not reported. */
#ifndef OS_WINDOWS_SYS_STATVFS_H
#define OS_WINDOWS_SYS_STATVFS_H

#include <stdint.h>

struct statvfs {
    unsigned long f_bsize, f_frsize; /* a cluster */
    uint64_t f_blocks, f_bfree, f_bavail;
    uint64_t f_files, f_ffree, f_favail; /* 0 */
};

int fstatvfs(int fd, struct statvfs *space);

#endif
