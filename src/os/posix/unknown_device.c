/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_device.c - a device is as long as lseek(2) finds. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

int os_device_bytes(int fd, uint64_t *bytes)
{
    return -ENOTSUP;
}
