/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* names.c - POSIX calls on names: open, stat, mkdir, rename, unlink. */
#include "base/compat.h"

#include "os/os.h"
#include "os/windows/win.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For NtSetInformationFile, with their flags; headers differ in the names. */
#define DISPOSITION_INFORMATION    13
#define DISPOSITION_INFORMATION_EX 64
#define RENAME_INFORMATION         10
#define RENAME_INFORMATION_EX      65
#define LINK_INFORMATION           11
#define DELETES                    0x01u
#define POSIX_WAY                  0x02u /* removes the name at once, even of open files */
#define EVEN_READ_ONLY             0x10u
#define REPLACES                   0x01u

/* ---- open ---- */

/* A file whose data a filter driver keeps shows none of them when opened as a reparse point, so it
 * is opened again without that; fails if the name was replaced meanwhile. */
static NTSTATUS open_data(int dir_fd, const char *name, struct win_how how, HANDLE *handle)
{
    struct stat before, now;
    HANDLE data;
    NTSTATUS status;

    how.options &= ~(ULONG)FILE_OPEN_REPARSE_POINT;
    how.disposition = FILE_OPEN;
    status = win_open(dir_fd, name, &how, &data);
    if (status < 0)
        return status;
    if (win_stat(*handle, &before) < 0 || win_stat(data, &now) < 0 || before.st_dev != now.st_dev ||
        before.st_ino != now.st_ino) {
        CloseHandle(data);
        return (NTSTATUS)0xC0000043u; /* STATUS_SHARING_VIOLATION */
    }
    CloseHandle(*handle);
    *handle = data;
    return status;
}

static int open_at(int dir_fd, const char *name, int flags)
{
    const struct win_how how = win_how_of_flags(flags);
    HANDLE handle;
    NTSTATUS status = win_open(dir_fd, name, &how, &handle);
    enum win_reparse kind;

    if (status < 0)
        return win_status_failed(status);
    kind = flags & O_NOFOLLOW ? win_reparse(handle) : WIN_NONE;
    /* Engines write to what is on disk, bypassing the driver that keeps the data of such a file. */
    if (kind == WIN_LINK || (kind == WIN_FILE && flags & (O_WRONLY | O_RDWR))) {
        CloseHandle(handle);
        errno = kind == WIN_LINK ? ELOOP : ENOTSUP;
        return -1;
    }
    if (kind == WIN_FILE) {
        status = open_data(dir_fd, name, how, &handle);
        if (status < 0) {
            CloseHandle(handle);
            return win_status_failed(status);
        }
    }
    return win_descriptor(handle, flags);
}

/* The optional mode is ignored: permissions come from the directory. */
int openat(int dir_fd, const char *name, int flags, ...)
{
    return open_at(dir_fd, name, flags);
}

int open(const char *name, int flags, ...)
{
    return open_at(AT_FDCWD, name, flags);
}

/* ---- stat ---- */

/* Opens what is there for more than its data; attributes can be read with any access. */
static NTSTATUS open_name(int dir_fd, const char *name, ACCESS_MASK access, ULONG options,
                          HANDLE *handle)
{
    const struct win_how how = {.access = access | FILE_READ_ATTRIBUTES,
                                .disposition = FILE_OPEN,
                                .options = FILE_SYNCHRONOUS_IO_NONALERT |
                                           FILE_OPEN_FOR_BACKUP_INTENT | options};

    return win_open(dir_fd, name, &how, handle);
}

struct timespec win_time(FILETIME time)
{
    const int64_t since_1601 = (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
    const int64_t ticks = since_1601 - INT64_C(116444736000000000); /* 100 ns */

    return (struct timespec){.tv_sec = ticks / 10000000, .tv_nsec = (long)(ticks % 10000000 * 100)};
}

/* For pipes, consoles and devices. */
static int stat_stream(HANDLE handle, DWORD type, struct stat *st)
{
    st->st_mode = (type == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR) | 0600;
    st->st_ino = (ino_t)(uintptr_t)handle; /* unique */
    st->st_nlink = 1;
    return 0;
}

int win_stat(HANDLE handle, struct stat *st)
{
    const DWORD type = GetFileType(handle);
    BY_HANDLE_FILE_INFORMATION info;

    memset(st, 0, sizeof(*st));
    if (type == FILE_TYPE_PIPE || type == FILE_TYPE_CHAR)
        return stat_stream(handle, type, st);
    if (!GetFileInformationByHandle(handle, &info))
        return win_failed();
    st->st_dev = info.dwVolumeSerialNumber;
    st->st_ino = (ino_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    st->st_mode = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY  ? S_IFDIR | 0700
                  : info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? S_IFREG | 0400
                                                                    : S_IFREG | 0600;
    if (info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT && win_reparse(handle) == WIN_LINK)
        st->st_mode = S_IFLNK | 0777;
    st->st_nlink = info.nNumberOfLinks;
    st->st_size = (off_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
    st->st_atim = win_time(info.ftLastAccessTime);
    st->st_mtim = win_time(info.ftLastWriteTime);
    st->st_ctim = st->st_mtim;
    return 0;
}

int fstat(int fd, struct stat *st)
{
    const HANDLE handle = win_handle(fd);

    return handle == INVALID_HANDLE_VALUE ? -1 : win_stat(handle, st);
}

int fstatat(int dir_fd, const char *name, struct stat *st, int flags)
{
    HANDLE handle;
    const NTSTATUS status = open_name(
        dir_fd, name, 0, flags & AT_SYMLINK_NOFOLLOW ? FILE_OPEN_REPARSE_POINT : 0, &handle);
    int code;

    if (status < 0)
        return win_status_failed(status);
    code = win_stat(handle, st);
    CloseHandle(handle);
    return code;
}

int stat(const char *name, struct stat *st)
{
    return fstatat(AT_FDCWD, name, st, 0);
}

int lstat(const char *name, struct stat *st)
{
    return fstatat(AT_FDCWD, name, st, AT_SYMLINK_NOFOLLOW);
}

/* Tries to open with that access, since only the system can evaluate permissions. */
int faccessat(int dir_fd, const char *name, int mode, int flags)
{
    HANDLE handle;
    const NTSTATUS status = open_name(dir_fd, name,
                                      (mode & R_OK ? FILE_READ_DATA : 0) |
                                          /* of directories: creating files */
                                          (mode & W_OK ? FILE_WRITE_DATA : 0),
                                      0, &handle);

    (void)flags;
    if (status < 0)
        return win_status_failed(status);
    CloseHandle(handle);
    return 0;
}

int access(const char *name, int mode)
{
    return faccessat(AT_FDCWD, name, mode, 0);
}

/* The creation time, which every Windows file system keeps. */
int64_t os_born_s(int dir_fd, const char *name)
{
    BY_HANDLE_FILE_INFORMATION info;
    HANDLE handle;
    int64_t born_s = 0;

    if (open_name(dir_fd, name, 0, FILE_OPEN_REPARSE_POINT, &handle) < 0)
        return 0;
    if (GetFileInformationByHandle(handle, &info))
        born_s = win_time(info.ftCreationTime).tv_sec;
    CloseHandle(handle);
    return born_s > 0 ? born_s : 0;
}

/* "\\\\?\\UNC\\server\\share" and "\\\\?\\C:\\name" without their prefixes, with slashes. */
static char *plain_name(wchar_t *wide)
{
    DWORD skip = 0;

    if (wcsncmp(wide, L"\\\\?\\UNC\\", 8) == 0) {
        wide[6] = L'\\';
        skip = 6;
    } else if (wcsncmp(wide, L"\\\\?\\", 4) == 0) {
        skip = 4;
    }
    return win_path(wide + skip);
}

static wchar_t *final_name(HANDLE handle)
{
    const DWORD units = GetFinalPathNameByHandleW(handle, NULL, 0, 0);
    wchar_t *wide = units == 0 ? NULL : malloc((units + 1) * sizeof(*wide));

    if (wide && GetFinalPathNameByHandleW(handle, wide, units + 1, 0) == 0) {
        free(wide);
        wide = NULL;
    }
    return wide;
}

/* Copies and frees the name; NULL with errno: it is too long. */
static char *copy_name(char *name, char room[PATH_MAX])
{
    const size_t length = strlen(name);

    if (length < PATH_MAX)
        memcpy(room, name, length + 1);
    else
        errno = ENAMETOOLONG;
    free(name);
    return length < PATH_MAX ? room : NULL;
}

char *realpath(const char *name, char *resolved)
{
    HANDLE handle;
    const NTSTATUS status = open_name(AT_FDCWD, name, 0, 0, &handle);
    wchar_t *wide;
    char *path;

    if (status < 0) {
        win_status_failed(status);
        return NULL;
    }
    wide = final_name(handle);
    CloseHandle(handle);
    if (!wide) /* not supported by some file systems, nor by wine for long names: links remain */
        wide = win_long_name(name);
    path = wide ? plain_name(wide) : NULL;
    free(wide);
    return path && resolved ? copy_name(path, resolved) : path;
}

/* ---- mkdir ---- */

int mkdirat(int dir_fd, const char *name, mode_t mode)
{
    const struct win_how how = {.access = FILE_READ_ATTRIBUTES,
                                .disposition = FILE_CREATE,
                                .options = FILE_SYNCHRONOUS_IO_NONALERT | FILE_DIRECTORY_FILE |
                                           FILE_OPEN_FOR_BACKUP_INTENT};
    HANDLE handle;
    const NTSTATUS status = win_open(dir_fd, name, &how, &handle);

    (void)mode;
    if (status < 0)
        return win_status_failed(status);
    CloseHandle(handle);
    return 0;
}

int mkdir(const char *name, mode_t mode)
{
    return mkdirat(AT_FDCWD, name, mode);
}

/* ---- remove, rename ---- */

static NTSTATUS set_information(HANDLE handle, int what, void *info, size_t size)
{
    IO_STATUS_BLOCK done;

    return NtSetInformationFile(handle, &done, info, (ULONG)size, (FILE_INFORMATION_CLASS)what);
}

/* Before Windows 10 1809 and outside NTFS, the name goes only with the last open handle. */
static NTSTATUS remove_open(HANDLE handle)
{
    ULONG way = DELETES | POSIX_WAY | EVEN_READ_ONLY;
    BOOLEAN deletes = TRUE;
    NTSTATUS status = set_information(handle, DISPOSITION_INFORMATION_EX, &way, sizeof(way));

    if (status < 0 && (ULONG)status != 0xC0000101u &&
        (ULONG)status != 0xC0000121u) /* not empty, cannot be deleted */
        status = set_information(handle, DISPOSITION_INFORMATION, &deletes, sizeof(deletes));
    return status;
}

int unlinkat(int dir_fd, const char *name, int flags)
{
    const ULONG kind = flags & AT_REMOVEDIR ? FILE_DIRECTORY_FILE : FILE_NON_DIRECTORY_FILE;
    HANDLE handle;
    NTSTATUS status = open_name(dir_fd, name, DELETE, FILE_OPEN_REPARSE_POINT | kind, &handle);

    if (status < 0)
        return win_status_failed(status);
    status = remove_open(handle);
    CloseHandle(handle);
    return status < 0 ? win_status_failed(status) : 0;
}

int unlink(const char *name)
{
    return unlinkat(AT_FDCWD, name, 0);
}

int rmdir(const char *name)
{
    return unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
}

/* The argument of NtSetInformationFile for renaming and linking. */
struct new_name {
    ULONG flags; /* BOOLEAN in the older form: replace */
    HANDLE root;
    ULONG bytes;
    wchar_t name[1];
};

static struct new_name *new_name(int dir_fd, const char *name, size_t *size)
{
    wchar_t *wide = dir_fd == AT_FDCWD ? win_long_name(name) : win_wide(name);
    const size_t units = wide ? wcslen(wide) : 0;
    struct new_name *info;

    *size = sizeof(*info) + units * sizeof(*wide);
    info = wide ? calloc(1, *size) : NULL;
    if (info) {
        if (dir_fd == AT_FDCWD)
            wide[1] = L'?'; /* "\??\": form required by the kernel */
        else
            info->root = (HANDLE)_get_osfhandle(dir_fd);
        info->bytes = (ULONG)(units * sizeof(*wide));
        for (size_t i = 0; i < units; i++)
            info->name[i] = wide[i] == L'/' ? L'\\' : wide[i];
    }
    free(wide);
    return info;
}

static int give_name(int from_fd, const char *from, int to_fd, const char *to, bool links)
{
    HANDLE handle;
    NTSTATUS status =
        open_name(from_fd, from, DELETE | FILE_WRITE_ATTRIBUTES, FILE_OPEN_REPARSE_POINT, &handle);
    struct new_name *info;
    size_t size;

    if (status < 0)
        return win_status_failed(status);
    info = new_name(to_fd, to, &size);
    if (!info) {
        CloseHandle(handle);
        return -1;
    }
    info->flags = links ? 0 : REPLACES | POSIX_WAY;
    status = set_information(handle, links ? LINK_INFORMATION : RENAME_INFORMATION_EX, info, size);
    if (status < 0 && !links && (ULONG)status != 0xC0000035u) { /* the name exists */
        info->flags = TRUE;
        status = set_information(handle, RENAME_INFORMATION, info, size);
    }
    free(info);
    CloseHandle(handle);
    return status < 0 ? win_status_failed(status) : 0;
}

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    return give_name(from_fd, from, to_fd, to, false);
}

/* Replaces the C library's, which never overwrites. */
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    return give_name(AT_FDCWD, from, AT_FDCWD, to, false);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    (void)flags;
    return give_name(from_fd, from, to_fd, to, true);
}

/* ---- owners and permissions, which have no numbers here ---- */

uid_t geteuid(void)
{
    return 0;
}

int fchown(int fd, uid_t owner, gid_t group)
{
    (void)fd, (void)owner, (void)group;
    return 0;
}

int fchmod(int fd, mode_t mode)
{
    (void)fd, (void)mode;
    return 0;
}
