/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pwd.h - the name of the user running the program. */
#ifndef OS_WINDOWS_PWD_H
#define OS_WINDOWS_PWD_H

#include <sys/types.h>

struct passwd {
    char *pw_name;
};

/* Ignores the number, since there is only one user. Valid until the next call; NULL: unknown. */
struct passwd *getpwuid(uid_t user);

#endif
