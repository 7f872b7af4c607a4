/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_usage.c - nobody counts what a thread moves to and from storage. */
#include "base/compat.h"

#include "os/os.h"

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns()};
}
