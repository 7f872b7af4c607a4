/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unadvised.h - for the inline.h of systems that take no advice on how a file will be read; see
 * os/os.h. */
#ifndef OS_POSIX_UNADVISED_H
#define OS_POSIX_UNADVISED_H

static inline void os_expect_random(int fd)
{
    (void)fd;
}

static inline void os_expect_sequence(int fd)
{
    (void)fd;
}

static inline void os_fetch(int fd)
{
    (void)fd;
}

#endif
