/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_helpers.c - no engine has threads of the kernel that work for it. */
#include "base/compat.h"

#include "os/os.h"

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

void usage_read_helpers(struct usage *usage)
{
    *usage = (struct usage){.io_known = true};
}
