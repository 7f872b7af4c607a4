/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* limits.h - lengths of names: Windows counts UTF-16 units, each of at most 3 bytes in UTF-8. */
#ifndef OS_WINDOWS_LIMITS_H
#define OS_WINDOWS_LIMITS_H

#include_next <limits.h>

#define NAME_MAX 765
#undef PATH_MAX
#define PATH_MAX 4096

#endif
