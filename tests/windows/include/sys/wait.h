/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sys/wait.h - of children that fork() never has here. */
#ifndef TESTS_WINDOWS_SYS_WAIT_H
#define TESTS_WINDOWS_SYS_WAIT_H

#include <sys/types.h>

pid_t waitpid(pid_t pid, int *state, int options);

#endif
