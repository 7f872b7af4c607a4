/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_usage.c - a thread's traffic with the storage is not counted. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns()};
}
