/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_device.c - the caller finds a device's length with lseek(2). */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

int os_device_bytes(int fd, uint64_t *bytes)
{
    return -ENOTSUP;
}
