/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unistd.h - with what tests use besides.  A test that calls what cannot be had here ends as
 * skipped. */
#ifndef TESTS_WINDOWS_UNISTD_H
#define TESTS_WINDOWS_UNISTD_H

#include_next <unistd.h>

/* These skip the test. */
int symlinkat(const char *to, int dir_fd, const char *name);
pid_t fork(void);

#endif
