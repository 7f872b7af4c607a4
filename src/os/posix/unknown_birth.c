/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_birth.c - creation times are unknown. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

int64_t os_born_s(int dir_fd, const char *name)
{
    return 0;
}
