/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_traits.c - nothing is known of file systems. */
#include "base/compat.h"

#include "os/os.h"

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Inodes are taken to last: a file that was replaced is then refused, at worst once too often. */
unsigned os_traits(int fd)
{
    return OS_INODES_LAST;
}
