/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stdio.c - the C library's streams without buffering: fopen, setvbuf(_IONBF), fseeko, fread or
 * fwrite, fclose: what io_profile called "libc with no buffering".  What fopen allocates is part of
 * what is measured. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/file.h"

struct stdio_ctx {
    const struct store *store;
    int flags; /* for forget */
    const char *mode;
    size_t io_bytes;
    bool sync_end, sync_each;
    size_t prefix_bytes;
    char path[PATH_MAX]; /* directory with a slash; open puts the name behind it */
};

static int stdio_setup(const struct workload *work, void **ctx_out, struct error *err)
{
    const struct store *store = work->store;
    const size_t prefix_bytes = store->dir_path ? strlen(store->dir_path) : 0;
    struct stdio_ctx *ctx;

    for (uint32_t i = 0; i < work->object_count; i++)
        if (prefix_bytes + 1 + strlen(store->name[i]) >= sizeof ctx->path)
            return error_set(err, STATUS_TARGET, ENAMETOOLONG, "cannot open", store->name[i]);
    ctx = mem_calloc(1, sizeof *ctx);
    ctx->store = store;
    ctx->flags = file_open_flags(work);
    ctx->mode = work->test == TEST_WRITE ? "r+e" : "re";
    ctx->io_bytes = (size_t)work->io_bytes;
    ctx->sync_end = work->test == TEST_WRITE && work->sync == SYNC_END && !work->keep_open;
    ctx->sync_each = work->test == TEST_WRITE && work->sync == SYNC_END && work->keep_open;
    if (prefix_bytes) {
        memcpy(ctx->path, store->dir_path, prefix_bytes);
        ctx->path[prefix_bytes] = '/';
        ctx->prefix_bytes = prefix_bytes + 1;
    }
    *ctx_out = ctx;
    return 0;
}

static void stdio_teardown(void *ctx) { free(ctx); }

static int stdio_open(void *arg, uint32_t object, struct handle *file)
{
    struct stdio_ctx *ctx = arg;
    const char *name = ctx->store->name[object];
    FILE *stream;

    if (name[0] == '/') {
        stream = fopen(name, ctx->mode);
    } else {
        strcpy(ctx->path + ctx->prefix_bytes, name); /* length checked in setup */
        stream = fopen(ctx->path, ctx->mode);
    }
    if (!stream)
        return -errno;
    setvbuf(stream, NULL, _IONBF, 0);
    file->ptr = stream;
    return 0;
}

static int stdio_seek(void *ctx, struct handle *file, uint64_t offset_bytes)
{
    (void)ctx;
    return fseeko(file->ptr, (off_t)offset_bytes, SEEK_SET) < 0 ? -errno : 0;
}

static int64_t stdio_read(void *arg, struct io *io)
{
    const struct stdio_ctx *ctx = arg;
    FILE *stream = io->file->ptr;
    size_t moved = fread(io->buffer, 1, ctx->io_bytes, stream);
    if (moved < ctx->io_bytes && ferror(stream)) {
        int code = errno;
        clearerr(stream); /* a kept-open stream goes on */
        return -code;
    }
    return (int64_t)moved;
}

static int64_t stdio_write(void *arg, struct io *io)
{
    const struct stdio_ctx *ctx = arg;
    FILE *stream = io->file->ptr;
    size_t moved = fwrite(io->buffer, 1, ctx->io_bytes, stream);
    if (moved < ctx->io_bytes) {
        int code = errno;
        clearerr(stream);
        return -code;
    }
    if (ctx->sync_each && fsync(fileno(stream)) < 0)
        return -errno;
    return (int64_t)moved;
}

static int stdio_close(void *arg, struct handle *file)
{
    const struct stdio_ctx *ctx = arg;
    FILE *stream = file->ptr;
    int result = 0;
    if (ctx->sync_end && fsync(fileno(stream)) < 0)
        result = -errno;
    if (fclose(stream) != 0 && !result)
        result = -errno;
    return result;
}

static void stdio_forget(void *arg, uint32_t object, uint64_t offset_bytes)
{
    const struct stdio_ctx *ctx = arg;
    file_forget(ctx->store->dir_fd, ctx->store->name[object], ctx->flags, offset_bytes,
                ctx->io_bytes);
}

const struct engine engine_stdio = {
    .name = "stdio",
    .summary = "fopen, fseeko, fread or fwrite, fclose, without buffering",
    .libc_words = "Using libc with no buffering",
    .capabilities = ENGINE_WRITES | ENGINE_UNCACHED | ENGINE_KEEP_OPEN | ENGINE_CLASSIC,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_SEEK | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .setup = stdio_setup,
    .teardown = stdio_teardown,
    .open = stdio_open,
    .seek = stdio_seek,
    .read = stdio_read,
    .write = stdio_write,
    .close = stdio_close,
    .forget = stdio_forget,
};
