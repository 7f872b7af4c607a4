/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_memory.c - available memory is unknown. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct os_memory os_memory(void)
{
    return (struct os_memory){.available_bytes = 0};
}
