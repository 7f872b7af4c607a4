/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/resource.h - with a limit that only children of a test set. */
#ifndef TESTS_WINDOWS_SYS_RESOURCE_H
#define TESTS_WINDOWS_SYS_RESOURCE_H

#include_next <sys/resource.h>

#define RLIMIT_FSIZE 1

#endif
