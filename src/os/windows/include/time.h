/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* time.h - with C11's timespec_get. */
#ifndef OS_WINDOWS_TIME_H
#define OS_WINDOWS_TIME_H

#include_next <time.h>

#ifndef TIME_UTC
#define TIME_UTC 1
int timespec_get(struct timespec *now, int base);
#endif

#endif
