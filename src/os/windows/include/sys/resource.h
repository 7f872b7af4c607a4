/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/resource.h - the C library's limit of descriptors. */
#ifndef OS_WINDOWS_SYS_RESOURCE_H
#define OS_WINDOWS_SYS_RESOURCE_H

#include <stdint.h>

#define RLIMIT_CORE   4 /* EINVAL: there are no core files */
#define RLIMIT_NOFILE 7
#define RLIM_INFINITY UINT64_MAX

typedef uint64_t rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};

int getrlimit(int what, struct rlimit *limit);
int setrlimit(int what, const struct rlimit *limit); /* EPERM: limits cannot be changed */

#endif
