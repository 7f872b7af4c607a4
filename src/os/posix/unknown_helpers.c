/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_helpers.c - no engine uses kernel threads. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

void usage_read_helpers(struct usage *usage)
{
    *usage = (struct usage){.io_known = true};
}
