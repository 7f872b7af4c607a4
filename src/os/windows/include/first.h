/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* first.h - included before everything else (-include): the C library declares POSIX names with its
 * own types, such as 32-bit offsets and 16-bit inodes. Those declarations are suppressed, and the
 * headers here declare the POSIX ones. */
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

#include <stdint.h>

typedef uint64_t ino_t;
typedef unsigned int dev_t, mode_t, nlink_t, uid_t, gid_t;
typedef int pid_t;

#endif
