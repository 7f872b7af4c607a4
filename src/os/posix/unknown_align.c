/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_align.c - what direct I/O needs is tried out. */
#include "base/compat.h"

#include "os/os.h"

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
    return 0;
}
