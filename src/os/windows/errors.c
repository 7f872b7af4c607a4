/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* errors.c - maps Windows error codes to errno, and describes those the C library does not know. */
#include "base/compat.h"

#include "os/windows/win.h"

#include <errno.h>
#include <string.h>

int win_errno(DWORD code)
{
    static const struct {
        int errnum;
        DWORD codes[9]; /* ended by 0 */
    } table[] = {
        {ENOENT,
         {ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_INVALID_DRIVE, ERROR_BAD_PATHNAME,
          ERROR_BAD_NETPATH, ERROR_BAD_NET_NAME, ERROR_DELETE_PENDING, ERROR_INVALID_NAME}},
        {EACCES, {ERROR_ACCESS_DENIED, ERROR_CANNOT_MAKE, WSAEACCES}},
        {EPERM, {ERROR_PRIVILEGE_NOT_HELD}},
        {EEXIST, {ERROR_FILE_EXISTS, ERROR_ALREADY_EXISTS}},
        {ENOTDIR, {ERROR_DIRECTORY}},
        {ENOTEMPTY, {ERROR_DIR_NOT_EMPTY}},
        {EBUSY,
         {ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION, ERROR_BUSY, ERROR_USER_MAPPED_FILE}},
        {EBADF, {ERROR_INVALID_HANDLE, WSAEBADF}},
        {EFAULT, {ERROR_NOACCESS, ERROR_INVALID_USER_BUFFER}},
        {EMFILE, {ERROR_TOO_MANY_OPEN_FILES, WSAEMFILE}},
        {ENOMEM,
         {ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_NO_SYSTEM_RESOURCES,
          ERROR_COMMITMENT_LIMIT, ERROR_WORKING_SET_QUOTA}},
        {ENOSPC, {ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL}},
        {EDQUOT, {1295 /* ERROR_DISK_QUOTA_EXCEEDED */}},
        {EROFS, {ERROR_WRITE_PROTECT}},
        {EPIPE, {ERROR_BROKEN_PIPE, ERROR_NO_DATA, WSAESHUTDOWN}},
        {ENAMETOOLONG, {ERROR_FILENAME_EXCED_RANGE, ERROR_BUFFER_OVERFLOW}},
        {ELOOP, {ERROR_CANT_RESOLVE_FILENAME}},
        {EXDEV, {ERROR_NOT_SAME_DEVICE}},
        {EINVAL, {ERROR_INVALID_PARAMETER, ERROR_NEGATIVE_SEEK, WSAEINVAL}},
        {ENOTSUP, {ERROR_NOT_SUPPORTED, ERROR_INVALID_FUNCTION}},
        {ENOSYS, {ERROR_CALL_NOT_IMPLEMENTED}},
        {ECANCELED, {ERROR_OPERATION_ABORTED}},
        {EFBIG, {ERROR_FILE_TOO_LARGE}},
        {ETIMEDOUT, {ERROR_SEM_TIMEOUT, WSAETIMEDOUT}},
        {ESTALE, {ERROR_NETNAME_DELETED}},
        {ENXIO, {ERROR_NOT_READY}},
        {EINTR, {WSAEINTR}},
        {EAGAIN, {WSAEWOULDBLOCK}},
        {ENOTSOCK, {WSAENOTSOCK}},
        {EADDRINUSE, {WSAEADDRINUSE}},
        {EADDRNOTAVAIL, {WSAEADDRNOTAVAIL}},
        {ENETDOWN, {WSAENETDOWN}},
        {ENETUNREACH, {WSAENETUNREACH}},
        {ECONNRESET, {WSAENETRESET, WSAECONNRESET}},
        {ECONNABORTED, {WSAECONNABORTED}},
        {ENOBUFS, {WSAENOBUFS}},
        {ENOTCONN, {WSAENOTCONN}},
        {ECONNREFUSED, {WSAECONNREFUSED}},
        {EHOSTUNREACH, {WSAEHOSTUNREACH}},
    };

    for (size_t i = 0; i < COUNT_OF(table); i++)
        for (size_t k = 0; table[i].codes[k]; k++)
            if (table[i].codes[k] == code)
                return table[i].errnum;
    return EIO;
}

int win_status_errno(NTSTATUS status)
{
    if ((ULONG)status == 0xC00000BAu) /* STATUS_FILE_IS_A_DIRECTORY: "access denied" in Win32 */
        return EISDIR;
    if ((ULONG)status == 0xC0000056u) /* STATUS_DELETE_PENDING, likewise */
        return ENOENT;
    return win_errno(RtlNtStatusToDosError(status));
}

int win_failed(void)
{
    errno = win_errno(GetLastError());
    return -1;
}

int win_status_failed(NTSTATUS status)
{
    errno = win_status_errno(status);
    return -1;
}

/* Replaces the C library's, which ends at 42. */
char *strerror(int errnum)
{
    static const struct {
        int errnum;
        const char *words;
    } table[] = {{ECANCELED, "Operation canceled"},
                 {EDQUOT, "Disk quota exceeded"},
                 {ELOOP, "Too many levels of symbolic links"},
                 {ENOTSUP, "Operation not supported"},
                 {EOPNOTSUPP, "Operation not supported"},
                 {EOVERFLOW, "Value too large for defined data type"},
                 {EPROTO, "Protocol error"},
                 {EREMOTEIO, "Remote I/O error"},
                 {ESTALE, "Stale file handle"},
                 {ETIMEDOUT, "Connection timed out"},
                 {EWOULDBLOCK, "Resource temporarily unavailable"},
                 {ECONNREFUSED, "Connection refused"},
                 {ECONNRESET, "Connection reset by peer"},
                 {EADDRINUSE, "Address already in use"},
                 {EADDRNOTAVAIL, "Cannot assign requested address"},
                 {ECONNABORTED, "Software caused connection abort"},
                 {EHOSTUNREACH, "No route to host"},
                 {ENETDOWN, "Network is down"},
                 {ENETUNREACH, "Network is unreachable"},
                 {ENOBUFS, "No buffer space available"},
                 {ENOTCONN, "Transport endpoint is not connected"}};

    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (table[i].errnum == errnum)
            return (char *)(uintptr_t)table[i].words;
    if (errnum >= 0 && errnum < _sys_nerr)
        return _sys_errlist[errnum];
    return (char *)(uintptr_t) "Unknown error";
}
