/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* descriptors.c - POSIX calls on descriptors: read, write, sync, close, dup. */
#include "base/compat.h"

#include "os/os.h"
#include "os/windows/win.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdarg.h>
#include <unistd.h>

#define CALL_BYTES ((size_t)1 << 30) /* limit of one call */

/* ---- read, write ---- */

static OVERLAPPED place_of(off_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
}

/* at: NULL is the file position. */
static ssize_t move_bytes(int fd, void *buffer, size_t size_bytes, OVERLAPPED *at, bool writes)
{
    const HANDLE handle = win_handle(fd);
    const DWORD size = (DWORD)(size_bytes < CALL_BYTES ? size_bytes : CALL_BYTES);
    DWORD moved = 0, code;

    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    if (writes ? WriteFile(handle, buffer, size, &moved, at)
               : ReadFile(handle, buffer, size, &moved, at)) {
        if (!writes || moved > 0 || size == 0)
            return (ssize_t)moved;
        errno = EAGAIN; /* a non-blocking pipe */
        return -1;
    }
    code = GetLastError();
    if (!writes && (code == ERROR_HANDLE_EOF || code == ERROR_BROKEN_PIPE))
        return 0;
    errno = code == ERROR_ACCESS_DENIED ? EBADF : win_errno(code); /* not open for that access */
    return -1;
}

ssize_t read(int fd, void *buffer, size_t size_bytes)
{
    return move_bytes(fd, buffer, size_bytes, NULL, false);
}

ssize_t write(int fd, const void *buffer, size_t size_bytes)
{
    return move_bytes(fd, (void *)(uintptr_t)buffer, size_bytes, NULL, true);
}

/* Windows also moves the file position, which is restored. */
static ssize_t move_at(int fd, void *buffer, size_t size_bytes, off_t offset, bool writes)
{
    const HANDLE handle = win_handle(fd);
    const LARGE_INTEGER none = {.QuadPart = 0};
    OVERLAPPED at = place_of(offset);
    LARGE_INTEGER position;
    ssize_t moved;
    int code;

    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    if (!SetFilePointerEx(handle, none, &position, FILE_CURRENT)) {
        errno = ESPIPE;
        return -1;
    }
    moved = move_bytes(fd, buffer, size_bytes, &at, writes);
    code = errno;
    SetFilePointerEx(handle, position, NULL, FILE_BEGIN);
    errno = code;
    return moved;
}

ssize_t pread(int fd, void *buffer, size_t size_bytes, off_t offset)
{
    return move_at(fd, buffer, size_bytes, offset, false);
}

ssize_t pwrite(int fd, const void *buffer, size_t size_bytes, off_t offset)
{
    return move_at(fd, (void *)(uintptr_t)buffer, size_bytes, offset, true);
}

off_t lseek(int fd, off_t offset, int whence)
{
    const HANDLE handle = win_handle(fd);
    const LARGE_INTEGER to = {.QuadPart = offset};
    LARGE_INTEGER position;

    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        errno = ESPIPE;
        return -1;
    }
    if (!SetFilePointerEx(handle, to, &position, (DWORD)whence))
        return win_failed();
    return position.QuadPart;
}

/* ---- sync ---- */

int fsync(int fd)
{
    const HANDLE handle = win_handle(fd);
    struct stat st;

    if (handle == INVALID_HANDLE_VALUE || FlushFileBuffers(handle))
        return handle == INVALID_HANDLE_VALUE ? -1 : 0;
    win_failed();
    if (errno == EACCES)
        errno = win_stat(handle, &st) == 0 && S_ISDIR(st.st_mode) ? EINVAL : EBADF;
    else if (GetFileType(handle) != FILE_TYPE_DISK)
        errno = EINVAL;
    return -1;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

int ftruncate(int fd, off_t length_bytes)
{
    const HANDLE handle = win_handle(fd);
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = length_bytes};

    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof(end)) ? 0
                                                                                    : win_failed();
}

/* ---- os/os.h: alignment, and allocation of space ---- */

/* Direct I/O is aligned to the volume's sector size. */
int os_direct_align(int fd, uint32_t *offset_align_bytes, uint32_t *memory_align_bytes)
{
    FILE_STORAGE_INFO info;

    if (!GetFileInformationByHandleEx(win_handle(fd), FileStorageInfo, &info, sizeof(info)) ||
        info.LogicalBytesPerSector == 0)
        return 0;
    *offset_align_bytes = *memory_align_bytes = info.LogicalBytesPerSector;
    return 1;
}

int os_reserve(int fd, uint64_t bytes)
{
    FILE_ALLOCATION_INFO info = {.AllocationSize.QuadPart = (LONGLONG)bytes};

    if (SetFileInformationByHandle(win_handle(fd), FileAllocationInfo, &info, sizeof(info)))
        return 0;
    return GetLastError() == ERROR_DISK_FULL ? -ENOSPC : -ENOTSUP;
}

/* ---- descriptors ---- */

int close(int fd)
{
    win_unlock(fd);
    return _close(fd);
}

static unsigned access_of(HANDLE handle)
{
    ULONG access = 0;
    IO_STATUS_BLOCK done;

    if (NtQueryInformationFile(handle, &done, &access, sizeof(access), (FILE_INFORMATION_CLASS)8) <
        0) /* FileAccessInformation: not supported by consoles */
        return O_RDWR;
    return !(access & (FILE_WRITE_DATA | FILE_APPEND_DATA)) ? O_RDONLY
           : access & FILE_READ_DATA                        ? O_RDWR
                                                            : O_WRONLY;
}

static int duplicate_handle(int fd)
{
    const HANDLE from = win_handle(fd), self = GetCurrentProcess();
    HANDLE to;

    if (from == INVALID_HANDLE_VALUE)
        return -1;
    if (!DuplicateHandle(self, from, self, &to, 0, FALSE, DUPLICATE_SAME_ACCESS))
        return win_failed();
    return win_descriptor(to, (int)access_of(from));
}

int dup(int fd)
{
    return duplicate_handle(fd);
}

int dup2(int fd, int other_fd)
{
    return _dup2(fd, other_fd) < 0 ? -1 : other_fd;
}

static int set_flags(HANDLE handle, int flags)
{
    DWORD mode = PIPE_READMODE_BYTE | (flags & O_NONBLOCK ? PIPE_NOWAIT : PIPE_WAIT);

    if (GetFileType(handle) != FILE_TYPE_PIPE)
        return 0;
    return SetNamedPipeHandleState(handle, &mode, NULL, NULL) ? 0 : win_failed();
}

int fcntl(int fd, int command, ...)
{
    const HANDLE handle = win_handle(fd);
    va_list more;
    int flags;

    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    switch (command) {
    case F_DUPFD_CLOEXEC:
        return duplicate_handle(fd);
    case F_GETFD:
        return FD_CLOEXEC;
    case F_GETFL:
        return (int)access_of(handle);
    case F_SETFL:
        va_start(more, command);
        flags = va_arg(more, int);
        va_end(more);
        return set_flags(handle, flags);
    default:
        return 0;
    }
}

int isatty(int fd)
{
    const HANDLE handle = win_handle(fd);
    DWORD mode;

    if (handle != INVALID_HANDLE_VALUE && GetConsoleMode(handle, &mode))
        return 1;
    errno = handle == INVALID_HANDLE_VALUE ? EBADF : ENOTTY;
    return 0;
}
