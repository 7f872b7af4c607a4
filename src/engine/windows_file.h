/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* windows_file.h - shared by the Windows engines: how the objects of a workload are opened. */
#ifndef ENGINE_WINDOWS_FILE_H
#define ENGINE_WINDOWS_FILE_H

#include "engine/engine.h"
#include "os/windows/win.h"

struct windows_opener {
    int dir_fd;
    const char *const *name; /* of each object */
    struct win_how how;
};

/* Read-ahead advice is part of opening here; READAHEAD_WILLNEED has no counterpart. */
static inline struct windows_opener windows_opener(const struct workload *work, bool overlapped)
{
    const bool writes = work->test != TEST_READ;
    struct windows_opener opener = {.dir_fd = work->target->dir_fd, .name = work->target->name};
    /* deduplicated, compressed and cloud files are reparse points, too, and are read as files */
    ULONG options = FILE_NON_DIRECTORY_FILE | (writes ? FILE_OPEN_REPARSE_POINT : 0);

    opener.how.access = !writes                        ? FILE_GENERIC_READ
                        : work->rmw || work->reads_too ? FILE_GENERIC_READ | FILE_GENERIC_WRITE
                                                       : FILE_GENERIC_WRITE;
    opener.how.disposition = FILE_OPEN;
    if (!overlapped)
        options |= FILE_SYNCHRONOUS_IO_NONALERT;
    if (work->cache == CACHE_DIRECT)
        options |= FILE_NO_INTERMEDIATE_BUFFERING;
    if (work->sync == SYNC_DATA || work->sync == SYNC_FULL)
        options |= FILE_WRITE_THROUGH;
    if (work->readahead == READAHEAD_NONE)
        options |= FILE_RANDOM_ACCESS;
    else if (work->readahead == READAHEAD_SEQUENTIAL)
        options |= FILE_SEQUENTIAL_ONLY;
    opener.how.options = options;
    return opener;
}

/* Hot. Returns 0 or -errno. If a file to be written is a link, the link itself is opened, which
 * holds no data, so its target is not changed. */
static inline int windows_open(const struct windows_opener *opener, uint32_t object, HANDLE *handle)
{
    const NTSTATUS status = win_open(opener->dir_fd, opener->name[object], &opener->how, handle);

    return __builtin_expect(status < 0, 0) ? -win_status_errno(status) : 0;
}

#endif
