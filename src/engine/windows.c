/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* windows.c - the engine `windows`: NtCreateFile (which CreateFile calls, but here below an open
 * directory), ReadFile or WriteFile at an offset, CloseHandle. Each call is a phase. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/posix.h"
#include "engine/windows_file.h"

#define CALL_BYTES ((uint64_t)1 << 30) /* a call takes 32-bit lengths */

struct windows_ctx {
    struct windows_opener opener;
    uint64_t io_bytes, size_bytes;
    bool sync_end, sync_each; /* flush before close or, for files kept open, after each write */
};

static int windows_setup(const struct workload *work, const struct engine_thread *thread,
                         void **ctx_out, struct error *err)
{
    struct windows_ctx *ctx = mem_calloc(1, sizeof(*ctx));
    const bool sync = work->test == TEST_WRITE && work->sync == SYNC_END;

    (void)thread;
    (void)err;
    ctx->opener = windows_opener(work, false);
    ctx->io_bytes = work->io_bytes;
    ctx->size_bytes = work->size_bytes;
    ctx->sync_end = sync && !work->keep_open;
    ctx->sync_each = sync && work->keep_open;
    *ctx_out = ctx;
    return 0;
}

static int open_file(void *arg, uint32_t object, struct handle *file)
{
    const struct windows_ctx *ctx = arg;

    return windows_open(&ctx->opener, object, &file->ptr);
}

static COLD int64_t failed(bool writes)
{
    const DWORD code = GetLastError();

    return !writes && code == ERROR_HANDLE_EOF ? 0 : -win_errno(code);
}

static inline int64_t call(HANDLE handle, char *buffer, uint64_t size_bytes, uint64_t offset_bytes,
                           bool writes)
{
    OVERLAPPED at = {.Offset = (DWORD)offset_bytes, .OffsetHigh = (DWORD)(offset_bytes >> 32)};
    DWORD moved;
    const BOOL done = writes ? WriteFile(handle, buffer, (DWORD)size_bytes, &moved, &at)
                             : ReadFile(handle, buffer, (DWORD)size_bytes, &moved, &at);

    return __builtin_expect(!done, 0) ? failed(writes) : (int64_t)moved;
}

/* For more than one call can move. */
static COLD int64_t calls(HANDLE handle, char *buffer, uint64_t size_bytes, uint64_t offset_bytes,
                          bool writes)
{
    uint64_t done = 0;

    while (done < size_bytes) {
        const uint64_t left = size_bytes - done, piece = left < CALL_BYTES ? left : CALL_BYTES;
        const int64_t moved = call(handle, buffer + done, piece, offset_bytes + done, writes);

        if (moved < 0)
            return moved;
        done += (uint64_t)moved;
        if ((uint64_t)moved < piece)
            break;
    }
    return (int64_t)done;
}

static inline int64_t transfer(const struct io *io, void *buffer, uint64_t size_bytes, bool writes)
{
    return __builtin_expect(size_bytes > CALL_BYTES, 0)
               ? calls(io->file->ptr, buffer, size_bytes, io->offset_bytes, writes)
               : call(io->file->ptr, buffer, size_bytes, io->offset_bytes, writes);
}

static int64_t read_file(void *arg, struct io *io)
{
    const struct windows_ctx *ctx = arg;

    return transfer(io, io->buffer, ctx->io_bytes, false);
}

static COLD int64_t flush_each(const struct io *io, int64_t moved)
{
    if (moved >= 0 && !FlushFileBuffers(io->file->ptr))
        return -win_errno(GetLastError());
    return moved;
}

static int64_t write_file(void *arg, struct io *io)
{
    const struct windows_ctx *ctx = arg;
    const int64_t moved = transfer(io, io->buffer, ctx->io_bytes, true);

    return __builtin_expect(ctx->sync_each, 0) ? flush_each(io, moved) : moved;
}

static int64_t read_piece(void *arg, struct io *io)
{
    (void)arg;
    return transfer(io, io->buffer, io->piece_bytes, false);
}

static int64_t write_piece(void *arg, struct io *io)
{
    const struct windows_ctx *ctx = arg;
    const int64_t moved = transfer(io, io->buffer, io->piece_bytes, true);

    return ctx->sync_each && !io->more ? flush_each(io, moved) : moved;
}

/* Unbuffered I/O moves whole sectors: reads them, modifies the requested part, writes them back. */
static int64_t rmw_file(void *arg, struct io *io)
{
    const struct windows_ctx *ctx = arg;
    int64_t moved = transfer(io, io->scratch, ctx->io_bytes, false);

    if (moved != (int64_t)ctx->io_bytes)
        return moved;
    memcpy(io->scratch, io->buffer, (size_t)ctx->size_bytes);
    moved = transfer(io, io->scratch, ctx->io_bytes, true);
    return ctx->sync_each ? flush_each(io, moved) : moved;
}

static int close_file(void *arg, struct handle *file)
{
    const struct windows_ctx *ctx = arg;
    int code = 0;

    if (__builtin_expect(ctx->sync_end, 0) && !FlushFileBuffers(file->ptr))
        code = -win_errno(GetLastError());
    if (__builtin_expect(!CloseHandle(file->ptr), 0) && code == 0)
        code = -win_errno(GetLastError());
    return code;
}

/* Implemented with calls that os/windows provides. */
static const struct engine *const others[] = {POSIX_OTHERS(engine_posix)};

const struct engine engine_windows = {
    .name = "windows",
    .summary = "CreateFile, ReadFile or WriteFile, CloseHandle",
    .libc_words = "Using Windows calls (CreateFile, ReadFile, WriteFile, CloseHandle)",
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .others = others,
    .setup = windows_setup,
    .teardown = free,
    .open = open_file,
    .read = read_file,
    .write = write_file,
    .rmw = rmw_file,
    .read_piece = read_piece,
    .write_piece = write_piece,
    .close = close_file,
};
