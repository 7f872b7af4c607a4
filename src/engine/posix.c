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

#include "base/mem.h"
#include "engine/file.h"
#include "engine/posix.h"
#include "os/os.h"

struct posix_ctx {
    struct opener opener;
    size_t io_bytes, size_bytes;
    enum readahead_mode readahead;
    bool drops;               /* pieces bypass or drop the page cache */
    bool sync_end, sync_each; /* fsync before close or, for files kept open, after each write */
};

static int posix_setup(const struct workload *work, const struct engine_thread *thread,
                       void **ctx_out, struct error *err)
{
    struct posix_ctx *ctx = mem_calloc(1, sizeof(*ctx));
    (void)thread;
    (void)err;
    ctx->opener = file_opener(work);
    ctx->readahead = work->readahead;
    ctx->drops = workload_drops(work);
    ctx->io_bytes = (size_t)work->io_bytes;
    ctx->size_bytes = (size_t)work->size_bytes;
    ctx->sync_end = work->test == TEST_WRITE && work->sync == SYNC_END && !work->keep_open;
    ctx->sync_each = work->test == TEST_WRITE && work->sync == SYNC_END && work->keep_open;
    *ctx_out = ctx;
    return 0;
}

/* The hooks below are optimised for success: handling of failures is in cold functions. Interrupted
 * calls are repeated. */

static COLD int reopen(const struct posix_ctx *ctx, uint32_t object, struct handle *file)
{
    for (unsigned again = 0; errno == EINTR && again < ENGINE_AGAIN_MOST; again++) {
        file->fd = opener_open(&ctx->opener, object);
        if (file->fd < 0)
            continue;
        if (ctx->readahead)
            file_give_advice(file->fd, ctx->readahead);
        return 0;
    }
    return -errno;
}

static int posix_open(void *arg, uint32_t object, struct handle *file)
{
    const struct posix_ctx *ctx = arg;
    const int fd = opener_open(&ctx->opener, object);

    file->fd = fd;
    if (__builtin_expect(fd < 0, 0))
        return reopen(ctx, object, file);
    if (__builtin_expect(ctx->readahead, 0)) /* advisory: errors are ignored */
        file_give_advice(fd, ctx->readahead);
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

/* A transfer by `call`, repeated if a signal interrupts it before anything was moved. */
#define AGAIN(name, call)                                                    \
    static COLD int64_t name(const struct posix_ctx *ctx, struct io *io)     \
    {                                                                        \
        for (unsigned n = 0; errno == EINTR && n < ENGINE_AGAIN_MOST; n++) { \
            const ssize_t moved = call;                                      \
            if (moved >= 0)                                                  \
                return moved;                                                \
        }                                                                    \
        return -errno;                                                       \
    }
#define READ          read(io->file->fd, io->buffer, ctx->io_bytes)
#define WRITE         write(io->file->fd, io->buffer, ctx->io_bytes)
#define PREAD         pread(io->file->fd, io->buffer, ctx->io_bytes, (off_t)io->offset_bytes)
#define PWRITE        pwrite(io->file->fd, io->buffer, ctx->io_bytes, (off_t)io->offset_bytes)
#define PREAD_SCRATCH pread(io->file->fd, io->scratch, ctx->io_bytes, (off_t)io->offset_bytes)
/* Those that drop take no offset; -1 is the file position. */
#define DROP(call, at) call(io->file->fd, io->buffer, ctx->io_bytes, at)
#define READ_DROP      DROP(os_read_dropping, -1)
#define WRITE_DROP     DROP(os_write_dropping, -1)
#define PREAD_DROP     DROP(os_read_dropping, (off_t)io->offset_bytes)
#define PWRITE_DROP    DROP(os_write_dropping, (off_t)io->offset_bytes)
#define PWRITE_SCRATCH pwrite(io->file->fd, io->scratch, ctx->io_bytes, (off_t)io->offset_bytes)
AGAIN(read_again, READ)
AGAIN(write_again, WRITE)
AGAIN(pread_again, PREAD)
AGAIN(pwrite_again, PWRITE)
AGAIN(read_drop_again, READ_DROP)
AGAIN(write_drop_again, WRITE_DROP)
AGAIN(pread_drop_again, PREAD_DROP)
AGAIN(pwrite_drop_again, PWRITE_DROP)
AGAIN(pread_scratch_again, PREAD_SCRATCH)
AGAIN(pwrite_scratch_again, PWRITE_SCRATCH)

#define READER(name, call, again)                                       \
    static int64_t name(void *arg, struct io *io)                       \
    {                                                                   \
        const struct posix_ctx *ctx = arg;                              \
        const ssize_t moved = call;                                     \
        return __builtin_expect(moved < 0, 0) ? again(ctx, io) : moved; \
    }
READER(posix_read, READ, read_again)
READER(pread_read, PREAD, pread_again)
READER(posix_read_dropping, READ_DROP, read_drop_again)
READER(pread_read_dropping, PREAD_DROP, pread_drop_again)

/* --sync end on a kept-open file, after each write. */
static COLD int64_t sync_each(const struct io *io, int64_t moved)
{
    return moved < 0 ? moved : os_sync(io->file->fd) < 0 ? -errno : moved;
}

#define WRITER(name, call, again)                                                  \
    static int64_t name(void *arg, struct io *io)                                  \
    {                                                                              \
        const struct posix_ctx *ctx = arg;                                         \
        int64_t moved = call;                                                      \
        if (__builtin_expect(moved < 0, 0))                                        \
            moved = again(ctx, io);                                                \
        return __builtin_expect(ctx->sync_each, 0) ? sync_each(io, moved) : moved; \
    }
WRITER(posix_write, WRITE, write_again)
WRITER(pread_write, PWRITE, pwrite_again)
WRITER(posix_write_dropping, WRITE_DROP, write_drop_again)
WRITER(pread_write_dropping, PWRITE_DROP, pwrite_drop_again)

/* A piece of an I/O: the two system calls cost far more than the branches here. */
static inline int64_t piece(const struct posix_ctx *ctx, const struct io *io, bool writes, off_t at)
{
    const int fd = io->file->fd;
    unsigned again = 0;
    ssize_t moved;

    do
        if (ctx->drops)
            moved = writes ? os_write_dropping(fd, io->buffer, io->piece_bytes, at)
                           : os_read_dropping(fd, io->buffer, io->piece_bytes, at);
        else if (at < 0)
            moved = writes ? write(fd, io->buffer, io->piece_bytes)
                           : read(fd, io->buffer, io->piece_bytes);
        else
            moved = writes ? pwrite(fd, io->buffer, io->piece_bytes, at)
                           : pread(fd, io->buffer, io->piece_bytes, at);
    while (moved < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST);
    if (moved < 0)
        return -errno;
    return writes && ctx->sync_each && !io->more ? sync_each(io, moved) : moved;
}

static int64_t posix_read_piece(void *ctx, struct io *io)
{
    return piece(ctx, io, false, -1);
}

static int64_t posix_write_piece(void *ctx, struct io *io)
{
    return piece(ctx, io, true, -1);
}

static int64_t pread_read_piece(void *ctx, struct io *io)
{
    return piece(ctx, io, false, (off_t)io->offset_bytes);
}

static int64_t pread_write_piece(void *ctx, struct io *io)
{
    return piece(ctx, io, true, (off_t)io->offset_bytes);
}

/* O_DIRECT moves whole blocks: reads them, modifies the requested part, writes them back. Does not
 * use the file position, so both engines share it. */
static int64_t posix_rmw(void *arg, struct io *io)
{
    const struct posix_ctx *ctx = arg;
    int64_t moved = PREAD_SCRATCH;
    if (moved < 0)
        moved = pread_scratch_again(ctx, io);
    if (moved != (int64_t)ctx->io_bytes)
        return moved;
    memcpy(io->scratch, io->buffer, ctx->size_bytes);
    moved = PWRITE_SCRATCH;
    if (moved < 0)
        moved = pwrite_scratch_again(ctx, io);
    return ctx->sync_each ? sync_each(io, moved) : moved;
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
    const struct posix_ctx *ctx = arg;
    if (__builtin_expect(ctx->sync_end, 0))
        return sync_and_close(file->fd);
    return __builtin_expect(close(file->fd) < 0, 0) ? close_failed() : 0;
}

#define POSIX_CAPABILITIES \
    (ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN)

static const struct engine *const posix_others[] = {POSIX_OTHERS(engine_posix)};
static const struct engine *const pread_others[] = {POSIX_OTHERS(engine_pread)};

const struct engine engine_posix = {
    .name = "posix",
    .summary = "openat, lseek, read or write, close",
    .libc_words = "Using low-level I/O (open, lseek, read, write, close)",
    .capabilities = POSIX_CAPABILITIES,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_SEEK | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .others = posix_others,
    .setup = posix_setup,
    .teardown = free,
    .open = posix_open,
    .seek = posix_seek,
    .read = posix_read,
    .write = posix_write,
    .rmw = posix_rmw,
    .read_dropping = posix_read_dropping,
    .write_dropping = posix_write_dropping,
    .read_piece = posix_read_piece,
    .write_piece = posix_write_piece,
    .close = close_file,
    .forget = file_forget,
};

const struct engine engine_pread = {
    .name = "pread",
    .summary = "openat, pread or pwrite, close",
    .libc_words = "Using low-level I/O (open, pread, pwrite, close)",
    .capabilities = POSIX_CAPABILITIES,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .others = pread_others,
    .setup = posix_setup,
    .teardown = free,
    .open = posix_open,
    .read = pread_read,
    .write = pread_write,
    .rmw = posix_rmw,
    .read_dropping = pread_read_dropping,
    .write_dropping = pread_write_dropping,
    .read_piece = pread_read_piece,
    .write_piece = pread_write_piece,
    .close = close_file,
    .forget = file_forget,
};
