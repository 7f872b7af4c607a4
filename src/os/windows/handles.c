/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* handles.c - opens names as handles and descriptors. A name below an open directory is passed to
 * NtCreateFile with the directory's handle, so that no path can be redirected meanwhile; other
 * names are made absolute first, which also allows them the full length that Windows supports. */
#include "base/compat.h"

#include "os/os.h"
#include "os/windows/win.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#define NAME_UNITS 256 /* shorter ones are converted on the stack */

/* ---- names ---- */

wchar_t *win_wide(const char *text)
{
    const int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide;

    if (units <= 0) {
        errno = EILSEQ;
        return NULL;
    }
    wide = malloc((size_t)units * sizeof(*wide));
    if (!wide)
        errno = ENOMEM;
    else
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, units);
    return wide;
}

char *win_utf8(const wchar_t *text)
{
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *utf8 = malloc((size_t)bytes + 1);

    if (!utf8) {
        errno = ENOMEM;
        return NULL;
    }
    utf8[0] = '\0';
    WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, bytes, NULL, NULL);
    return utf8;
}

char *win_path(const wchar_t *name)
{
    char *path = win_utf8(name);

    for (char *at = path; at && *at != '\0'; at++)
        if (*at == '\\')
            *at = '/';
    return path;
}

/* An absolute name with a prefix: "\\\\?\\" of Win32 or "\\??\\" of the kernel. */
static wchar_t *absolute_name(const char *name, const wchar_t *prefix)
{
    static const wchar_t share[] = L"UNC\\";
    wchar_t *wide = win_wide(strcmp(name, "/dev/null") == 0 ? "NUL" : name), *full = NULL;
    const wchar_t *rest;
    DWORD units = wide ? GetFullPathNameW(wide, 0, NULL, NULL) : 0;

    if (wide && (units == 0 || !(full = malloc((units + 16) * sizeof(*full)))))
        errno = units == 0 ? ENOENT : ENOMEM;
    if (!full) {
        free(wide);
        return NULL;
    }
    units = GetFullPathNameW(wide, units, full + 15, NULL);
    free(wide);
    rest = full + 15;
    if (wcsncmp(rest, L"\\\\?\\", 4) == 0 || wcsncmp(rest, L"\\\\.\\", 4) == 0)
        rest += 4;
    else if (wcsncmp(rest, L"\\\\", 2) == 0)
        rest += 2;
    wcscpy(full, prefix);
    if (rest == full + 17)
        wcscat(full, share);
    memmove(full + wcslen(full), rest, (wcslen(rest) + 1) * sizeof(*full));
    return full;
}

wchar_t *win_long_name(const char *name)
{
    return absolute_name(name, L"\\\\?\\");
}

/* A name below a directory: slashes become backslashes, "." is the directory itself. Returns the
 * length in units, or -1 with errno. */
static int relative_name(const char *name, wchar_t *wide, int room)
{
    int units;

    while (name[0] == '.' && (name[1] == '/' || name[1] == '\0'))
        name += 1 + strspn(name + 1, "/");
    if (name[0] == '\0')
        return 0;
    units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, wide, room) - 1;
    if (units < 0) {
        errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
        return -1;
    }
    for (int i = 0; i < units; i++)
        if (wide[i] == L'/')
            wide[i] = L'\\';
    while (units > 0 && wide[units - 1] == L'\\')
        units--;
    return units;
}

/* ---- opening ---- */

static NTSTATUS create_file(HANDLE root, wchar_t *name, size_t units, const struct win_how *how,
                            HANDLE *handle)
{
    UNICODE_STRING text = {.Length = (USHORT)(units * sizeof(*name)),
                           .MaximumLength = (USHORT)(units * sizeof(*name)),
                           .Buffer = name};
    OBJECT_ATTRIBUTES object = {.Length = sizeof(object),
                                .RootDirectory = root,
                                .ObjectName = &text,
                                .Attributes = OBJ_CASE_INSENSITIVE};
    IO_STATUS_BLOCK done;

    return NtCreateFile(handle, how->access | SYNCHRONIZE, &object, &done, NULL,
                        FILE_ATTRIBUTE_NORMAL,
                        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, how->disposition,
                        how->options, NULL, 0);
}

static NTSTATUS status_of_errno(void)
{
    return (NTSTATUS)(errno == ENOMEM         ? 0xC0000017u   /* STATUS_NO_MEMORY */
                      : errno == ENAMETOOLONG ? 0xC0000106u   /* STATUS_NAME_TOO_LONG */
                                              : 0xC0000034u); /* STATUS_OBJECT_NAME_NOT_FOUND */
}

static COLD NTSTATUS open_absolute(const char *name, const struct win_how *how, HANDLE *handle)
{
    wchar_t *full;
    NTSTATUS status;

    if (name[0] == '\0')
        return (NTSTATUS)0xC0000034u;
    full = absolute_name(name, L"\\??\\");
    if (!full)
        return status_of_errno();
    status = wcslen(full) >= 0x7fff ? (NTSTATUS)0xC0000106u
                                    : create_file(NULL, full, wcslen(full), how, handle);
    free(full);
    return status;
}

NTSTATUS win_open(int dir_fd, const char *name, const struct win_how *how, HANDLE *handle)
{
    wchar_t few[NAME_UNITS], *wide = few;
    int room = NAME_UNITS, units;
    NTSTATUS status;

    if (dir_fd == AT_FDCWD || name[0] == '\\' || (name[0] != '\0' && name[1] == ':'))
        return open_absolute(name, how, handle);
    if (strlen(name) >= NAME_UNITS) {
        room = 0x7fff;
        wide = malloc((size_t)room * sizeof(*wide));
    }
    units = wide ? relative_name(name, wide, room) : -1;
    status = units < 0
                 ? status_of_errno()
                 : create_file((HANDLE)_get_osfhandle(dir_fd), wide, (size_t)units, how, handle);
    if (wide != few)
        free(wide);
    return status;
}

struct win_how win_how_of_flags(int flags)
{
    const int mode = flags & O_ACCMODE;
    struct win_how how = {.options = FILE_SYNCHRONOUS_IO_NONALERT | FILE_OPEN_FOR_BACKUP_INTENT};

    how.access = mode == O_RDONLY   ? FILE_GENERIC_READ
                 : mode == O_WRONLY ? FILE_GENERIC_WRITE | FILE_READ_ATTRIBUTES
                                    : FILE_GENERIC_READ | FILE_GENERIC_WRITE;
    if (flags & O_APPEND)
        how.access &= ~(ACCESS_MASK)FILE_WRITE_DATA; /* leaves FILE_APPEND_DATA */
    how.disposition = flags & O_CREAT   ? flags & O_EXCL    ? FILE_CREATE
                                          : flags & O_TRUNC ? FILE_OVERWRITE_IF
                                                            : FILE_OPEN_IF
                      : flags & O_TRUNC ? FILE_OVERWRITE
                                        : FILE_OPEN;
    if (flags & O_DIRECTORY)
        how.options |= FILE_DIRECTORY_FILE;
    else if (flags & O_CREAT || mode != O_RDONLY)
        how.options |= FILE_NON_DIRECTORY_FILE;
    if (flags & O_NOFOLLOW)
        how.options |= FILE_OPEN_REPARSE_POINT;
    if (flags & (O_SYNC | O_DSYNC))
        how.options |= FILE_WRITE_THROUGH;
    if (flags & OS_O_DIRECT)
        how.options |= FILE_NO_INTERMEDIATE_BUFFERING;
    return how;
}

enum win_reparse win_reparse(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO info;

    if (!GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof(info)) ||
        !(info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return WIN_NONE;
    return IsReparseTagNameSurrogate(info.ReparseTag) ? WIN_LINK : WIN_FILE;
}

/* ---- descriptors ---- */

HANDLE win_handle(int fd)
{
    const HANDLE handle = fd < 0 ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(fd);

    if (handle == INVALID_HANDLE_VALUE || handle == (HANDLE)(intptr_t)-2) {
        errno = EBADF;
        return INVALID_HANDLE_VALUE;
    }
    return handle;
}

int win_descriptor(HANDLE handle, int flags)
{
    const int fd = _open_osfhandle((intptr_t)handle,
                                   (flags & (O_ACCMODE | O_APPEND)) | _O_BINARY | _O_NOINHERIT);

    if (fd < 0) {
        CloseHandle(handle);
        errno = EMFILE;
    }
    return fd;
}
