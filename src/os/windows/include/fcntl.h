/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fcntl.h - flags missing in the C library (private values: it never sees them), and calls relative
 * to an open directory. */
#ifndef OS_WINDOWS_FCNTL_H
#define OS_WINDOWS_FCNTL_H

#include_next <fcntl.h>

#define O_CLOEXEC _O_NOINHERIT
#undef O_ACCMODE
#define O_ACCMODE   3
#define O_DIRECTORY 0x01000000
#define O_NOFOLLOW  0x02000000
#define O_NONBLOCK  0x04000000
#define O_SYNC      0x08000000
#define O_DSYNC     0x10000000
#define O_NOCTTY    0

#define AT_FDCWD            (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR        0x200
#define AT_EACCESS          0x400

#define F_DUPFD_CLOEXEC 1
#define F_GETFD         2
#define F_SETFD         3 /* other programs inherit nothing anyway */
#define F_GETFL         4
#define F_SETFL         5 /* O_NONBLOCK, of pipes */
#define FD_CLOEXEC      1

int open(const char *name, int flags, ...);
int openat(int dir_fd, const char *name, int flags, ...);
int fcntl(int fd, int command, ...);

#endif
