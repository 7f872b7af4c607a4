/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* errno.h - with codes missing in the C library. */
#ifndef OS_WINDOWS_ERRNO_H
#define OS_WINDOWS_ERRNO_H

#include_next <errno.h>

#define ESTALE    150
#define EDQUOT    151
#define EREMOTEIO 152

#endif
