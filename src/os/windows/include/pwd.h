/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* pwd.h - the name of who runs the program. */
#ifndef OS_WINDOWS_PWD_H
#define OS_WINDOWS_PWD_H

#include <sys/types.h>

struct passwd {
    char *pw_name;
};

/* Whatever the number is: there is nobody else.  Valid until the next call; NULL: not known. */
struct passwd *getpwuid(uid_t user);

#endif
