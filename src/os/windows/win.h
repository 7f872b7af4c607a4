/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* win.h - shared by the files of this port: Windows names, handles and error codes and their POSIX
 * equivalents. Descriptors are the C library's, for handles opened here. */
#ifndef OS_WINDOWS_WIN_H
#define OS_WINDOWS_WIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <winternl.h>

/* ---- codes ---- */

/* The errno of a GetLastError() code, or of an NTSTATUS. */
int win_errno(DWORD code);
int win_status_errno(NTSTATUS status);
/* Set errno and return -1. */
int win_failed(void);
int win_status_failed(NTSTATUS status);

/* ---- names ---- */

/* UTF-8 to UTF-16 and back, to be freed.  NULL with errno: EILSEQ or ENOMEM. */
wchar_t *win_wide(const char *text);
char *win_utf8(const wchar_t *text);
char *win_path(const wchar_t *name); /* with slashes */

/* Converts to an absolute name that Win32 calls accept at any length. */
wchar_t *win_long_name(const char *name);

/* ---- handles ---- */

struct win_how {
    ACCESS_MASK access;
    ULONG disposition, options; /* of NtCreateFile */
};

/* Opens a name below an open directory (AT_FDCWD: as CreateFile does; not inherited, shared with
 * all). Hot: allocates nothing for names of less than 256 bytes below a directory. */
NTSTATUS win_open(int dir_fd, const char *name, const struct win_how *how, HANDLE *handle);

/* The equivalent of open(2) flags. */
struct win_how win_how_of_flags(int flags);

/* What kind of reparse point a handle is. A link: a symbolic link, a junction or another name
 * surrogate. Others are files: deduplicated, compressed, or kept in a cloud. */
enum win_reparse { WIN_NONE, WIN_FILE, WIN_LINK } win_reparse(HANDLE handle);

/* The handle of a descriptor; INVALID_HANDLE_VALUE with errno. */
HANDLE win_handle(int fd);

/* Creates a descriptor; -1 with errno, and the handle closed. */
int win_descriptor(HANDLE handle, int flags);

int win_stat(HANDLE handle, struct stat *st);

/* Converts a Windows time to time since 1970. */
struct timespec win_time(FILETIME time);

/* Releases a descriptor's lock (see lock.c) when it is closed. */
void win_unlock(int fd);

#endif
