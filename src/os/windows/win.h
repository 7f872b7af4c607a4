/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* win.h - what the files of this port share: names, handles and codes of Windows, and what they are
 * in POSIX.  Descriptors are those of the C library, over handles that are opened here. */
#ifndef OS_WINDOWS_WIN_H
#define OS_WINDOWS_WIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <winternl.h>

/* ---- codes ---- */

/* The errno of a code of GetLastError(), or of an NTSTATUS. */
int win_errno(DWORD code);
int win_status_errno(NTSTATUS status);
/* Set errno and return -1. */
int win_failed(void);
int win_status_failed(NTSTATUS status);

/* ---- names ---- */

/* UTF-8 to UTF-16 and back, to be freed.  NULL with errno: EILSEQ or ENOMEM. */
wchar_t *win_wide(const char *text);
char *win_utf8(const wchar_t *text, size_t length);

/* The absolute form of a name that Win32 calls take at any length. */
wchar_t *win_long_name(const char *name);

/* ---- handles ---- */

struct win_how {
    ACCESS_MASK access;
    ULONG disposition, options; /* of NtCreateFile */
};

/* Opens a name below an open directory (AT_FDCWD: as CreateFile takes it; never inherited, shared
 * with everybody).  Hot: allocates nothing for names of less than 256 bytes below a directory. */
NTSTATUS win_open(int dir_fd, const char *name, const struct win_how *how, HANDLE *handle);

/* As open(2) means its flags. */
struct win_how win_how_of_flags(int flags);

/* Whether a handle is of a link: a symbolic one, a junction or another that stands for a name
 * elsewhere.  Other reparse points are files: deduplicated, compressed, or kept in a cloud. */
bool win_is_link(HANDLE handle);
bool win_is_reparse_point(HANDLE handle); /* a link, or such a file */

/* What is open; INVALID_HANDLE_VALUE with errno. */
HANDLE win_handle(int fd);

/* A descriptor, or -1 with errno and the handle closed. */
int win_descriptor(HANDLE handle, int flags);

int win_stat(HANDLE handle, struct stat *st);

/* A time of Windows, since 1970. */
struct timespec win_time(FILETIME time);

/* The lock of a descriptor (see lock.c) ends with it. */
void win_unlock(int fd);

#endif
