/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_traits.c - properties of file systems are unknown. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Assumes stable inodes: a replaced file is then refused, in the worst case unnecessarily. */
unsigned os_traits(int fd)
{
    return OS_INODES_LAST;
}
