/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* file.h - shared by file engines and the file target: open flags, O_DIRECT alignment, loading into
 * the page cache, size of files and devices. Cold unless stated otherwise. */
#ifndef ENGINE_FILE_H
#define ENGINE_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

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
    const char *const *name;    /* of each object */
    enum readahead_mode advice; /* for the kernel, once a file is open */
    struct os_how how;
};
struct opener file_opener(const struct workload *work);

/* Hot where files are opened in each cycle. Errors are ignored. */
static inline void file_give_advice(int fd, enum readahead_mode mode)
{
    if (mode == READAHEAD_NONE)
        os_expect_random(fd);
    else if (mode == READAHEAD_SEQUENTIAL)
        os_expect_sequence(fd);
    else if (mode == READAHEAD_WILLNEED)
        os_fetch(fd);
}

/* Cold: repeats an interrupted call. Returns a descriptor or -errno. */
COLD int opener_again(const struct opener *opener, uint32_t object);

/* Hot. Opens an object. Returns a descriptor, or -1 with errno. */
static inline int opener_call(const struct opener *opener, uint32_t object)
{
    return os_openat(opener->dir_fd, opener->name[object], &opener->how);
}

/* Hot. The same, repeated if interrupted, and with advice. Returns a descriptor or -errno. */
static inline int opener_open(const struct opener *opener, uint32_t object)
{
    const int fd = opener_call(opener, object);

    if (__builtin_expect(fd < 0, 0))
        return opener_again(opener, object);
    if (__builtin_expect(opener->advice != READAHEAD_NORMAL, 0))
        file_give_advice(fd, opener->advice);
    return fd;
}

/* The context of engines that do one operation at a time; made by the hook file_setup, and freed
 * with free. */
struct file_ctx {
    struct opener opener;
    size_t size_bytes;
    bool writes;              /* files are opened for writing */
    bool sync_end, sync_each; /* fsync before close or, for files kept open, after each write */
};
int file_setup(const struct workload *work, const struct engine_thread *thread, void **ctx,
               struct error *err);

/* The open files of an asynchronous engine: by slot or, if kept open, by object. */
struct file_fds {
    int *fd; /* -1: not open; owned */
    uint32_t count;
};

/* Grows the array to `count` places; open files stay open. */
void file_fds_grow(struct file_fds *fds, uint32_t count);

/* Hot. Opens an object into a place. Returns 0 or -errno. */
static inline int64_t file_fds_open(struct file_fds *fds, uint32_t place,
                                    const struct opener *opener, uint32_t object)
{
    const int fd = opener_open(opener, object);

    if (__builtin_expect(fd < 0, 0))
        return fd;
    fds->fd[place] = fd;
    return 0;
}

/* Hot. Closes the file in a place. Returns 0 or -errno. */
static inline int64_t file_fds_close(struct file_fds *fds, uint32_t place)
{
    const int fd = fds->fd[place];

    fds->fd[place] = -1; /* the descriptor is gone, whatever close returns */
    if (__builtin_expect(close(fd) < 0, 0))
        return errno == EINTR ? 0 : -errno;
    return 0;
}

/* Opens the objects of a workload, number i into place i. All or none; returns 0 or -1. */
int file_fds_open_all(struct file_fds *fds, const struct workload *work,
                      const struct opener *opener, struct error *err);

void file_fds_close_all(struct file_fds *fds);

/* Opens an object for the target's own passes: read-only, non-blocking, without changing its access
 * time where permitted; `flags` are added. Returns a descriptor or -errno. */
int file_open_quietly(int dir_fd, const char *name, int flags);

/* --verify: opens a file in the same way, reads a range of it and closes it.  unit_bytes: of reads,
 * with O_DIRECT; 0 or 1: any.  Returns the bytes read, fewer at the end of the file, or -errno. */
int64_t file_read_back(int dir_fd, const char *name, int flags, uint64_t offset_bytes,
                       uint64_t size_bytes, uint64_t unit_bytes, void *buffer);

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
