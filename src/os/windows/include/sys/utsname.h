/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/utsname.h - of POSIX. */
#ifndef OS_WINDOWS_SYS_UTSNAME_H
#define OS_WINDOWS_SYS_UTSNAME_H

struct utsname {
    char sysname[32], nodename[256], release[64], version[64], machine[32];
};

int uname(struct utsname *names);

#endif
