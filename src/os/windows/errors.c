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
        DWORD code;
        int errnum;
    } table[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_DELETE_PENDING, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_PRIVILEGE_NOT_HELD, EPERM},
        {ERROR_CANNOT_MAKE, EACCES},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_BUSY, EBUSY},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_NOACCESS, EFAULT},
        {ERROR_INVALID_USER_BUFFER, EFAULT},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_WORKING_SET_QUOTA, ENOMEM},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {1295 /* ERROR_DISK_QUOTA_EXCEEDED */, EDQUOT},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_INVALID_PARAMETER, EINVAL},
        {ERROR_NEGATIVE_SEEK, EINVAL},
        {ERROR_NOT_SUPPORTED, ENOTSUP},
        {ERROR_INVALID_FUNCTION, ENOTSUP},
        {ERROR_CALL_NOT_IMPLEMENTED, ENOSYS},
        {ERROR_OPERATION_ABORTED, ECANCELED},
        {ERROR_FILE_TOO_LARGE, EFBIG},
        {ERROR_SEM_TIMEOUT, ETIMEDOUT},
        {ERROR_NETNAME_DELETED, ESTALE},
        {ERROR_NOT_READY, ENXIO},
        /* of sockets */
        {WSAEINTR, EINTR},
        {WSAEBADF, EBADF},
        {WSAEACCES, EACCES},
        {WSAEINVAL, EINVAL},
        {WSAEMFILE, EMFILE},
        {WSAEWOULDBLOCK, EAGAIN},
        {WSAENOTSOCK, ENOTSOCK},
        {WSAEADDRINUSE, EADDRINUSE},
        {WSAEADDRNOTAVAIL, EADDRNOTAVAIL},
        {WSAENETDOWN, ENETDOWN},
        {WSAENETUNREACH, ENETUNREACH},
        {WSAENETRESET, ECONNRESET},
        {WSAECONNABORTED, ECONNABORTED},
        {WSAECONNRESET, ECONNRESET},
        {WSAENOBUFS, ENOBUFS},
        {WSAENOTCONN, ENOTCONN},
        {WSAESHUTDOWN, EPIPE},
        {WSAETIMEDOUT, ETIMEDOUT},
        {WSAECONNREFUSED, ECONNREFUSED},
        {WSAEHOSTUNREACH, EHOSTUNREACH},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (table[i].code == code)
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
    } table[] = {
        {ECANCELED, "Operation canceled"},
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
        {ENOTCONN, "Transport endpoint is not connected"},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (table[i].errnum == errnum)
            return (char *)(uintptr_t)table[i].words;
    if (errnum >= 0 && errnum < _sys_nerr)
        return _sys_errlist[errnum];
    return (char *)(uintptr_t) "Unknown error";
}
