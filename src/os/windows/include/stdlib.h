/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stdlib.h - with additions of POSIX. */
#ifndef OS_WINDOWS_STDLIB_H
#define OS_WINDOWS_STDLIB_H

#include_next <stdlib.h>

int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
char *mkdtemp(char *name); /* replaces the XXXXXX at its end */
int mkstemp(char *name);

#endif
