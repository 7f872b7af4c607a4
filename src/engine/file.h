/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.h - shared by file engines and the file target: open flags, O_DIRECT alignment, loading into
 * the page cache, size of files and devices. Cold unless stated otherwise. */
#ifndef ENGINE_FILE_H
#define ENGINE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "os/os.h"

/* The flags for os_open_at that a workload requires: access mode, O_DIRECT, O_DSYNC/O_SYNC,
 * O_CLOEXEC, O_NOFOLLOW, O_NONBLOCK for all but devices (so that a FIFO in place of a file does not
 * block the run; it has no effect on files), OS_O_NOATIME if the target found it permitted on the
 * user's files (target->noatime). */
int file_open_flags(const struct workload *work);

/* How the objects of a workload are opened. */
struct opener {
    int dir_fd;
    const char *const *name; /* of each object */
    struct os_how how;
};
struct opener file_opener(const struct workload *work);

/* Hot. Opens an object. Returns a descriptor, or -1 with errno. */
static inline int opener_open(const struct opener *opener, uint32_t object)
{
    return os_openat(opener->dir_fd, opener->name[object], &opener->how);
}

/* Whether to advise the kernel once a file is open. */
static inline bool file_advises(const struct workload *work)
{
    return work->readahead != READAHEAD_NORMAL;
}

/* Hot where files are opened in each cycle. */
static inline void file_give_advice(int fd, enum readahead_mode mode)
{
    if (mode == READAHEAD_NONE)
        os_expect_random(fd);
    else if (mode == READAHEAD_SEQUENTIAL)
        os_expect_sequence(fd);
    else if (mode == READAHEAD_WILLNEED)
        os_fetch(fd);
}

/* Opens an object for the target's own passes: read-only, non-blocking, without changing its access
 * time where permitted; `flags` are added. Returns a descriptor or -errno. */
int file_open_quietly(int dir_fd, const char *name, int flags);

/* The alignment that O_DIRECT needs on this open regular file or block device: what the system
 * reports (offset align > 0), else found by reading at 512, 1024 ... page size. An alignment counts
 * if the read succeeds and, where accounting works, moves exactly that many bytes (btrfs accepts
 * 512 and serves it from its cache); failing that, the smallest accepted. `path` is for messages;
 * dir_fd + name are reopened with O_DIRECT. Returns 0 or -1 (refused: STATUS_TARGET, with the
 * advice to use --cache uncached or cached). */
int file_probe_direct(int dir_fd, const char *name, const char *path, uint32_t *offset_align_bytes,
                      uint32_t *memory_align_bytes, struct error *err);

/* Reads sequentially from the file position in 1 MiB pieces, to the end or up to limit_bytes; stops
 * when *stop becomes non-zero. buffer: FILE_LOAD_BYTES. Returns bytes read or -errno. */
#define FILE_LOAD_BYTES ((size_t)1 << 20)
int64_t file_load(int fd, void *buffer, uint64_t limit_bytes, const volatile int *stop);

/* The hook `forget` of engines for files: reopens the file and drops the whole pages that hold the
 * range of the operation. Best effort. */
void file_forget(const struct workload *work, uint32_t object, uint64_t offset_bytes);

/* Adds advice for a failure of storage or of a file server, by errno, if there is any. Returns
 * -1. */
int file_advise(struct error *err, int errnum);

/* Length of a regular file or block device; -1 with err filled. */
int64_t file_length(int fd, const char *path, struct error *err);

#endif
