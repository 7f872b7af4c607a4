/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.h - what file engines and the file target share: open flags, O_DIRECT alignment, loading
 * into the page cache, size of files and devices.  Cold unless said otherwise. */
#ifndef ENGINE_FILE_H
#define ENGINE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "os/os.h"

/* Flags for os_open_at that a workload asks for: access mode, O_DIRECT, O_DSYNC/O_SYNC, O_CLOEXEC,
 * O_NOFOLLOW, O_NONBLOCK for all but devices (a FIFO in the place of a file must not hold the run;
 * of files it changes nothing), OS_O_NOATIME where the target found that it is permitted on the
 * user's files (target->noatime). */
int file_open_flags(const struct workload *work);

/* How the objects of a workload are opened, with these flags. */
struct opener {
    int dir_fd;
    const char *const *name; /* of each object */
    struct os_how how;
};
struct opener file_opener(const struct workload *work);

/* Opens an object.  As os_open_at does: -1 with errno.  Hot. */
static inline int opener_open(const struct opener *opener, uint32_t object)
{
    return os_openat(opener->dir_fd, opener->name[object], &opener->how);
}

/* Advice to be given once a file is open. */
static inline bool file_advises(const struct workload *work)
{
    return work->readahead != READAHEAD_NORMAL;
}

/* Gives it.  Hot where files are opened in each cycle. */
static inline void file_give_advice(int fd, enum readahead_mode mode)
{
    if (mode == READAHEAD_NONE)
        os_expect_random(fd);
    else if (mode == READAHEAD_SEQUENTIAL)
        os_expect_sequence(fd);
    else if (mode == READAHEAD_WILLNEED)
        os_fetch(fd);
}

/* Opens an object for the target's own passes: read-only, never blocking, without touching its
 * access time where that is permitted; `flags` are added.  Returns a descriptor or -errno. */
int file_open_quietly(int dir_fd, const char *name, int flags);

/* Alignment that O_DIRECT needs on this open regular file or block device.  What the
 * system reports (offset align > 0), else found by reading at 512, 1024 ... page size:
 * an alignment counts when the read is accepted and, where accounting works, moved exactly that
 * many bytes (btrfs accepts 512 and serves it from its cache); else the least accepted.  `path` is
 * for messages; dir_fd + name are reopened with O_DIRECT.  Returns 0 or -1 (refused: STATUS_TARGET,
 * with the advice to use --cache uncached or cached). */
int file_probe_direct(int dir_fd, const char *name, const char *path, uint32_t *offset_align_bytes,
                      uint32_t *memory_align_bytes, struct error *err);

/* Reads on from the file position, in order, in 1 MiB pieces, to the end or up to limit_bytes;
 * stops when *stop is not 0.  buffer: FILE_LOAD_BYTES.  Returns bytes read or -errno. */
#define FILE_LOAD_BYTES ((size_t)1 << 20)
int64_t file_load(int fd, void *buffer, uint64_t limit_bytes, const volatile int *stop);

/* Drops the pages that hold a range of the named file from the page cache: opened anew with flags
 * (access mode and O_DIRECT are left out), range widened to whole pages.  Best effort.  Called
 * between operations, outside the timed window. */
void file_forget(int dir_fd, const char *name, int flags, uint64_t offset_bytes,
                 uint64_t size_bytes);

/* Adds what can be done when storage or a file server fails, by the number of the error, if there
 * is something.  Returns -1. */
int file_advise(struct error *err, int errnum);

/* Length of a regular file or block device; -1 with err filled. */
int64_t file_length(int fd, const char *path, struct error *err);

#endif
