/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix.c - the engines that use plain system calls: `posix`, the classic cycle of openat, lseek,
 * read or write, close; and `pread`, the same without lseek. Each call is a phase. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/posix.h"
#include "os/os.h"

/* The hooks below are optimised for success: handling of failures is in cold functions. Interrupted
 * calls are repeated. */

static COLD int reopen(const struct file_ctx *ctx, uint32_t object, struct handle *file)
{
    file->fd = opener_again(&ctx->opener, object);
    return file->fd < 0 ? file->fd : 0;
}

/* As opener_open, but with the failure last. */
static int posix_open(void *arg, uint32_t object, struct handle *file)
{
    const struct file_ctx *ctx = arg;
    const int fd = opener_call(&ctx->opener, object);

    file->fd = fd;
    if (__builtin_expect(fd < 0, 0))
        return reopen(ctx, object, file);
    if (__builtin_expect(ctx->opener.advice != READAHEAD_NORMAL, 0))
        file_give_advice(fd, ctx->opener.advice);
    return 0;
}

static COLD int failed(void)
{
    return -errno;
}

static int posix_seek(void *ctx, struct handle *file, uint64_t offset_bytes)
{
    (void)ctx;
    return __builtin_expect(lseek(file->fd, (off_t)offset_bytes, SEEK_SET) < 0, 0) ? failed() : 0;
}

/* How an I/O is moved: as a whole through the buffer at the file position, unless ... */
enum how { AT_OFFSET = 1, WRITES = 2, DROPS = 4, SCRATCH = 8 };

static ALWAYS_INLINE ssize_t call(const struct io *io, const unsigned how)
{
    const int fd = io->file->fd;
    void *const memory = how & SCRATCH ? io->scratch : io->buffer;
    const size_t bytes = io->bytes;
    const off_t at = how & AT_OFFSET ? (off_t)io->offset_bytes : -1;

    if (how & DROPS) /* -1 is the file position here */
        return how & WRITES ? os_write_dropping(fd, memory, bytes, at)
                            : os_read_dropping(fd, memory, bytes, at);
    if (how & AT_OFFSET)
        return how & WRITES ? pwrite(fd, memory, bytes, at) : pread(fd, memory, bytes, at);
    return how & WRITES ? write(fd, memory, bytes) : read(fd, memory, bytes);
}

/* Repeats a call that a signal interrupted before anything was moved. */
static COLD int64_t call_again(const struct io *io, unsigned how)
{
    for (unsigned n = 0; errno == EINTR && n < ENGINE_AGAIN_MOST; n++) {
        const ssize_t moved = call(io, how);
        if (moved >= 0)
            return moved;
    }
    return -errno;
}

/* --sync end on a kept-open file, after each write. */
static COLD int64_t sync_each(const struct io *io, int64_t moved)
{
    return moved < 0 ? moved : os_sync(io->file->fd) < 0 ? -errno : moved;
}

static ALWAYS_INLINE int64_t transfer(const struct file_ctx *ctx, const struct io *io,
                                      const unsigned how)
{
    int64_t moved = call(io, how);

    if (__builtin_expect(moved < 0, 0))
        moved = call_again(io, how);
    if (how & WRITES && __builtin_expect(ctx->sync_each, 0) && !io->more)
        return sync_each(io, moved);
    return moved;
}

#define TRANSFER(name, how)                       \
    static int64_t name(void *ctx, struct io *io) \
    {                                             \
        return transfer(ctx, io, how);            \
    }
TRANSFER(posix_read, 0)
TRANSFER(posix_write, WRITES)
TRANSFER(posix_read_dropping, DROPS)
TRANSFER(posix_write_dropping, WRITES | DROPS)
TRANSFER(pread_read, AT_OFFSET)
TRANSFER(pread_write, AT_OFFSET | WRITES)
TRANSFER(pread_read_dropping, AT_OFFSET | DROPS)
TRANSFER(pread_write_dropping, AT_OFFSET | WRITES | DROPS)

/* O_DIRECT moves whole blocks: reads them, modifies the requested part, writes them back. Does not
 * use the file position, so both engines share it. */
static int64_t posix_rmw(void *arg, struct io *io)
{
    const struct file_ctx *ctx = arg;
    const int64_t moved = transfer(ctx, io, AT_OFFSET | SCRATCH);

    if (moved != (int64_t)io->bytes)
        return moved;
    memcpy(io->scratch, io->buffer, ctx->size_bytes);
    return transfer(ctx, io, AT_OFFSET | SCRATCH | WRITES);
}

static COLD int close_failed(void)
{
    return errno == EINTR ? 0 : -errno; /* on Linux the descriptor is closed even after EINTR */
}

static COLD int sync_and_close(int fd)
{
    const int synced = os_sync(fd) < 0 ? -errno : 0;
    const int closed = close(fd) < 0 ? close_failed() : 0;
    return synced < 0 ? synced : closed;
}

/* Not posix_close, which is a function of musl. */
static int close_file(void *arg, struct handle *file)
{
    const struct file_ctx *ctx = arg;
    if (__builtin_expect(ctx->sync_end, 0))
        return sync_and_close(file->fd);
    return __builtin_expect(close(file->fd) < 0, 0) ? close_failed() : 0;
}

static const struct engine *const posix_others[] = {POSIX_OTHERS(engine_posix)};
static const struct engine *const pread_others[] = {POSIX_OTHERS(engine_pread)};

/* clang-format off */
#define SHARED                                                                                    \
    .capabilities =                                                                               \
        ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN,    \
    .setup = file_setup, .teardown = free, .open = posix_open, .rmw = posix_rmw,                  \
    .close = close_file, .forget = file_forget
/* clang-format on */

const struct engine engine_posix = {
    .name = "posix",
    .summary = "openat, lseek, read or write, close",
    .libc_words = "Using low-level I/O (open, lseek, read, write, close)",
    .phases = 1u << PHASE_OPEN | 1u << PHASE_SEEK | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .others = posix_others,
    .seek = posix_seek,
    .read = posix_read,
    .write = posix_write,
    .read_dropping = posix_read_dropping,
    .write_dropping = posix_write_dropping,
    SHARED,
};

const struct engine engine_pread = {
    .name = "pread",
    .summary = "openat, pread or pwrite, close",
    .libc_words = "Using low-level I/O (open, pread, pwrite, close)",
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .others = pread_others,
    .read = pread_read,
    .write = pread_write,
    .read_dropping = pread_read_dropping,
    .write_dropping = pread_write_dropping,
    SHARED,
};
