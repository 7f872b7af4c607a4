/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_user.c - the system does not list the users of a file or device. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

int os_user_of(int fd, const char *path, char *who, size_t size)
{
    return -ENOTSUP;
}
