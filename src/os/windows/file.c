/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.c - os/os.h: facts about files and file systems, and allocation of space. */
#include "base/compat.h"

#include "os/os.h"
#include "os/windows/win.h"

#include <errno.h>
#include <fcntl.h>

/* The creation time, in 100 ns since 1601, is kept by every Windows file system. */
int64_t os_born_s(int dir_fd, const char *name)
{
    const struct win_how how = {.access = FILE_READ_ATTRIBUTES,
                                .disposition = FILE_OPEN,
                                .options = FILE_SYNCHRONOUS_IO_NONALERT | FILE_OPEN_REPARSE_POINT |
                                           FILE_OPEN_FOR_BACKUP_INTENT};
    FILE_BASIC_INFO info;
    HANDLE handle;
    int64_t born_s = 0;

    if (win_open(dir_fd, name, &how, &handle) < 0)
        return 0;
    if (GetFileInformationByHandleEx(handle, FileBasicInfo, &info, sizeof(info)) &&
        info.CreationTime.QuadPart > INT64_C(116444736000000000))
        born_s = (info.CreationTime.QuadPart - INT64_C(116444736000000000)) / 10000000;
    CloseHandle(handle);
    return born_s;
}

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

int os_sync_file_system(int fd)
{
    (void)fd;
    return -ENOTSUP;
}
