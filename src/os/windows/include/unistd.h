/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unistd.h - the POSIX calls that the sources use; see names.c, descriptors.c and system.c. Names
 * are UTF-8. */
#ifndef OS_WINDOWS_UNISTD_H
#define OS_WINDOWS_UNISTD_H

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#define STDIN_FILENO  0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK          0
#define X_OK          1
#define W_OK          2
#define R_OK          4

#define _SC_PAGESIZE         1
#define _SC_NPROCESSORS_ONLN 2

/* Binary, at most 1 GiB per call. EAGAIN from a non-blocking pipe. */
ssize_t read(int fd, void *buffer, size_t size_bytes);
ssize_t write(int fd, const void *buffer, size_t size_bytes);
ssize_t pread(int fd, void *buffer, size_t size_bytes, off_t offset);
ssize_t pwrite(int fd, const void *buffer, size_t size_bytes, off_t offset);
off_t lseek(int fd, off_t offset, int whence);
int close(int fd);
int dup(int fd);
int dup2(int fd, int other_fd);
/* EINVAL for directories; EBADF if open for reading only. Both are the same here. */
int fsync(int fd);
int fdatasync(int fd);
int ftruncate(int fd, off_t length_bytes);
int isatty(int fd);

int access(const char *name, int mode);
int faccessat(int dir_fd, const char *name, int mode, int flags);
int unlink(const char *name);
int unlinkat(int dir_fd, const char *name, int flags);
int rmdir(const char *name);
int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags);
int symlink(const char *to, const char *name);
char *realpath(const char *name, char *resolved); /* slashes, no links */

long sysconf(int name);
int getpid(void);
pid_t tcgetpgrp(int fd); /* -1: there are no process groups */
uid_t geteuid(void);     /* 0, as reported for the owner of every file: owners have no numbers */
int fchown(int fd, uid_t owner, gid_t group);
unsigned sleep(unsigned seconds);
int usleep(unsigned us);
int chdir(const char *name);

#endif
