/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/uio.h - scatter/gather buffers. */
#ifndef OS_WINDOWS_SYS_UIO_H
#define OS_WINDOWS_SYS_UIO_H

#include <stddef.h>

struct iovec {
    void *iov_base;
    size_t iov_len;
};

#endif
