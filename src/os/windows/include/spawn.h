/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* spawn.h - one way to start a program: with its three streams given. */
#ifndef OS_WINDOWS_SPAWN_H
#define OS_WINDOWS_SPAWN_H

#include <signal.h>
#include <sys/types.h>

typedef struct {
    int fd[3];
} posix_spawn_file_actions_t;
typedef struct {
    int flags;
} posix_spawnattr_t;
#define POSIX_SPAWN_SETSIGDEF 1

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int as);
int posix_spawnattr_init(posix_spawnattr_t *attributes);
int posix_spawnattr_destroy(posix_spawnattr_t *attributes);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *attributes, const sigset_t *signals);
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags);
int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[],
                 char *const environment[]);

#endif
