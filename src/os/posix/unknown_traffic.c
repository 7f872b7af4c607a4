/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_traffic.c - there are no counters of network file systems. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct os_mount *os_mount_find(int fd, char **options)
{
    return NULL;
}

bool os_mount_traffic(const struct os_mount *mount, struct target_traffic *traffic)
{
    return false;
}

void os_mount_free(struct os_mount *mount) {}
