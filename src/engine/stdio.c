/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stdio.c - unbuffered C library streams, called "libc with no buffering" by io_profile: open,
 * setvbuf(_IONBF), fseeko, fread or fwrite, fclose. The library's allocations are part of the
 * measurement. The stream is made by openat and fdopen, or by the system's call for writing,
 * because a path could be redirected while iosweep runs; fdopen costs one fcntl more than fopen. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/file.h"
#include "os/os.h"

static int stdio_open(void *arg, uint32_t object, struct handle *file)
{
    const struct file_ctx *ctx = arg;
    const int fd = opener_open(&ctx->opener, object);
    FILE *stream;

    if (fd < 0)
        return fd;
    stream = ctx->writes ? os_write_stream(fd) : fdopen(fd, "r");
    if (!stream) {
        const int code = errno;
        close(fd);
        return -code;
    }
    setvbuf(stream, NULL, _IONBF, 0);
    file->fd = fd;
    file->ptr = stream;
    return 0;
}

static int stdio_seek(void *ctx, struct handle *file, uint64_t offset_bytes)
{
    (void)ctx;
    return fseeko(file->ptr, (off_t)offset_bytes, SEEK_SET) < 0 ? -errno : 0;
}

static int64_t stdio_read(void *ctx, struct io *io)
{
    FILE *stream = io->file->ptr;
    size_t moved = fread(io->buffer, 1, io->bytes, stream);
    (void)ctx;
    if (moved < io->bytes && ferror(stream)) {
        int code = errno;
        clearerr(stream); /* a kept-open stream is used further */
        return -code;
    }
    return (int64_t)moved;
}

static int64_t stdio_write(void *arg, struct io *io)
{
    const struct file_ctx *ctx = arg;
    FILE *stream = io->file->ptr;
    size_t moved = fwrite(io->buffer, 1, io->bytes, stream);
    if (moved < io->bytes) {
        int code = errno;
        clearerr(stream);
        return code ? -code : (int64_t)moved;
    }
    if (ctx->sync_each && !io->more && os_sync(io->file->fd) < 0)
        return -errno;
    return (int64_t)moved;
}

static int stdio_close(void *arg, struct handle *file)
{
    const struct file_ctx *ctx = arg;
    FILE *stream = file->ptr;
    int result = 0;
    if (ctx->sync_end && os_sync(file->fd) < 0)
        result = -errno;
    if (fclose(stream) != 0 && !result)
        result = -errno;
    return result;
}

const struct engine engine_stdio = {
    .name = "stdio",
    .summary = "a stream without buffering: fseeko, fread or fwrite",
    .libc_words = "Using libc with no buffering",
    .capabilities = ENGINE_WRITES | ENGINE_UNCACHED | ENGINE_KEEP_OPEN | ENGINE_CLASSIC,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_SEEK | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .setup = file_setup,
    .teardown = free,
    .open = stdio_open,
    .seek = stdio_seek,
    .read = stdio_read,
    .write = stdio_write,
    .close = stdio_close,
    .forget = file_forget,
};
