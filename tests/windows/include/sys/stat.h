/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/stat.h - with what tests use besides. */
#ifndef TESTS_WINDOWS_SYS_STAT_H
#define TESTS_WINDOWS_SYS_STAT_H

#include_next <sys/stat.h>

int fchmodat(int dir_fd, const char *name, mode_t mode,
             int flags);                                 /* 0: there is nothing to change */
int mkfifoat(int dir_fd, const char *name, mode_t mode); /* skips the test */

#endif
