/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* first.h - included before everything else (-include): the C library declares POSIX names with its
 * own types, such as 32-bit offsets and 16-bit inodes. Those declarations are suppressed, and here
 * and in the other headers of this folder are the POSIX ones: here what its own headers lack. */
#ifndef OS_WINDOWS_FIRST_H
#define OS_WINDOWS_FIRST_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* C99 printf, gmtime_r */
#endif
#undef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64

/* Calls of the C library go to its symbols, which this program may define itself (strerror), not
 * through the table of imports. */
#define _CRTIMP
#include <_mingw.h>

#include <_mingw_off_t.h>
#include <string.h>
#define NO_OLDNAMES
#include <direct.h>
#include <io.h>
#include <process.h>
#include <sys/types.h>
#include <wchar.h>
#undef NO_OLDNAMES
#undef lseek

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#define WIN_PTHREADS_SIGNAL_H /* a pthread_sigmask macro that ignores its arguments */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t ino_t;
typedef unsigned int dev_t, mode_t, nlink_t, uid_t, gid_t;
typedef int pid_t;

/* ---- errno.h ---- */

#define ESTALE    150
#define EDQUOT    151
#define EREMOTEIO 152

/* ---- fcntl.h: private values, since the C library never sees them ---- */

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

/* ---- limits.h: Windows counts UTF-16 units, each of at most 3 bytes in UTF-8 ---- */

#define NAME_MAX 765
#undef PATH_MAX
#define PATH_MAX 4096

/* ---- math.h: macros that do not convert their argument ---- */

#undef isfinite
#undef isinf
#undef isnan
#undef signbit
#define isfinite(number) __builtin_isfinite(number)
#define isinf(number)    __builtin_isinf(number)
#define isnan(number)    __builtin_isnan(number)
#define signbit(number)  __builtin_signbit(number)

/* ---- signal.h: signals are console events (see signals.c) ---- */

#define SIGHUP  1 /* the console is closed, the user logs off, the machine shuts down */
#define SIGQUIT 3
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGCONT 18
#define SIGURG  23
#define SIGXFSZ 25

typedef unsigned long long sigset_t;
typedef void (*sighandler_t)(int);

struct sigaction {
    void (*sa_handler)(int); /* runs on a separate thread */
    sigset_t sa_mask;
    int sa_flags;
};
#define SA_RESTART  1
#define SIG_SETMASK 2

int sigaction(int signum, const struct sigaction *action, struct sigaction *old);

/* Signals interrupt no thread, so blocking them is meaningless, and sets are not used. */
static inline int sigemptyset(sigset_t *set)
{
    *set = 0;
    return 0;
}

static inline int sigdelset(sigset_t *set, int signum)
{
    (void)set, (void)signum;
    return 0;
}

#define sigfillset sigemptyset

static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    (void)how, (void)set;
    return old ? sigemptyset(old) : 0;
}

/* ---- stdio.h: for UTF-8 names see also streams.c ---- */

int renameat(int from_fd, const char *from, int to_fd, const char *to);

/* ---- stdlib.h ---- */

int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
char *mkdtemp(char *name); /* replaces the XXXXXX at its end */
int mkstemp(char *name);

/* ---- time.h ---- */

#ifndef TIME_UTC
#define TIME_UTC 1
int timespec_get(struct timespec *now, int base);
#endif

#endif
