/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stdio.h - UTF-8 names and no line end translation: the linker (--wrap) replaces the C library's
 * functions. See streams.c. */
#ifndef OS_WINDOWS_STDIO_H
#define OS_WINDOWS_STDIO_H

#include_next <stdio.h>

int renameat(int from_fd, const char *from, int to_fd, const char *to);

#endif
