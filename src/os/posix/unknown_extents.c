/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_extents.c - how data are stored is unknown. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

void os_extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                    const struct extents_limits *limits)
{
}
