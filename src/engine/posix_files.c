/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix_files.c - the engines posix and pread in tests that make files: create, append and copy.
 * Opening creates the new file (and opens the source of a copy); closing flushes it as --sync end
 * requires, together with its directory: a durable file without a durable name is lost. */
#include "base/compat.h"

#include "engine/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "engine/file.h"
#include "engine/fresh.h"
#include "os/os.h"
#include "storage/pattern.h"

#define STREAM_LENGTHS UINT64_C(0x6672616700000000)

struct files_ctx {
    struct fresh fresh;   /* first */
    struct opener source; /* copy: of the objects */
    uint64_t number;      /* of the current or last file */
    size_t io_bytes;
    int flags; /* of open(2) */
    bool drops, sync_end;
    bool broken;             /* a transfer to it failed */
    uint64_t fragment_bytes; /* append: see struct workload */
    struct rng lengths;
    int source_fd; /* copy: the open source object */
    bool by_hand;  /* copy: the system cannot do it here */
};

static int files_setup(const struct workload *work, const struct engine_thread *thread,
                       void **ctx_out, struct error *err)
{
    struct files_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    if (fresh_open(&ctx->fresh, work, thread, err) != 0) {
        free(ctx);
        return -1;
    }
    ctx->io_bytes = (size_t)work->io_bytes;
    ctx->flags = file_open_flags(work) | O_CREAT | O_EXCL;
    ctx->drops = workload_drops(work);
    ctx->sync_end = work->sync == SYNC_END;
    *ctx_out = ctx;
    return 0;
}

static void files_teardown(void *arg)
{
    struct files_ctx *ctx = arg;

    fresh_close(&ctx->fresh);
    free(ctx);
}

static void files_report(void *arg, struct engine_report *report)
{
    const struct files_ctx *ctx = arg;

    report->first_failure = ctx->fresh.failure[0] != '\0' ? ctx->fresh.failure : NULL;
}

static int create_open(void *arg, uint32_t object, struct handle *file)
{
    struct files_ctx *ctx = arg;
    char name[FRESH_NAME_MAX];
    unsigned again = 0;

    (void)object;
    ctx->number = ctx->fresh.own->next;
    fresh_name(ctx->fresh.kind, ctx->number, name);
    do
        file->fd = os_open_at(ctx->fresh.dir_fd, name, ctx->flags, 0600);
    while (__builtin_expect(file->fd < 0, 0) && errno == EINTR && again++ < ENGINE_AGAIN_MOST);
    if (__builtin_expect(file->fd < 0, 0))
        return fresh_failed(&ctx->fresh, "cannot create", ctx->fresh.kind, ctx->number, errno);
    ctx->fresh.own->next++;
    return 0;
}

static COLD int64_t write_failed(struct files_ctx *ctx, int64_t moved)
{
    ctx->broken = true;
    if (moved < 0)
        return fresh_failed(&ctx->fresh, "cannot write", ctx->fresh.kind, ctx->number, (int)-moved);
    return moved;
}

/* Continues after a short write, to learn the reason from the next call. */
static COLD int64_t write_rest(struct files_ctx *ctx, const struct io *io, uint64_t done,
                               uint64_t end)
{
    unsigned again = 0;

    while (done < end) {
        const ssize_t moved =
            write(io->file->fd, (const char *)io->buffer + done, (size_t)(end - done));

        if (moved < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
            continue;
        if (moved <= 0)
            return write_failed(ctx, moved < 0 ? -errno : (int64_t)done);
        done += (uint64_t)moved;
    }
    return (int64_t)end;
}

static inline int64_t write_whole(struct files_ctx *ctx, const struct io *io, size_t bytes)
{
    const ssize_t moved = __builtin_expect(ctx->drops, 0)
                              ? os_write_dropping(io->file->fd, io->buffer, bytes, -1)
                              : write(io->file->fd, io->buffer, bytes);

    if (__builtin_expect(moved == (ssize_t)bytes, 1))
        return moved;
    if (moved < 0 && errno != EINTR)
        return write_failed(ctx, -errno);
    return write_rest(ctx, io, moved < 0 ? 0 : (uint64_t)moved, bytes);
}

static int64_t create_write(void *arg, struct io *io)
{
    struct files_ctx *ctx = arg;

    return write_whole(ctx, io, ctx->io_bytes);
}

/* A file abandoned between two pieces does not belong to the run. */
static int64_t create_write_piece(void *arg, struct io *io)
{
    struct files_ctx *ctx = arg;
    const int64_t moved = write_whole(ctx, io, io->piece_bytes);

    if (moved == (int64_t)io->piece_bytes)
        ctx->broken = io->more;
    return moved;
}

static int append_setup(const struct workload *work, const struct engine_thread *thread,
                        void **ctx_out, struct error *err)
{
    struct files_ctx *ctx;

    if (files_setup(work, thread, ctx_out, err) != 0)
        return -1;
    ctx = *ctx_out;
    ctx->flags |= O_APPEND;
    ctx->fragment_bytes = work->fragment_bytes;
    rng_seed(&ctx->lengths, work->target->request ? work->target->request->seed : 0,
             STREAM_LENGTHS + ((uint64_t)thread->index << 32) + ctx->fresh.own->next);
    return 0;
}

/* One call per fragment; the last one writes the remainder. */
static int64_t append_write(void *arg, struct io *io)
{
    struct files_ctx *ctx = arg;
    uint64_t done = 0;

    while (done < ctx->io_bytes) {
        const uint64_t left = ctx->io_bytes - done, fragment = ctx->fragment_bytes;
        const uint64_t piece = fragment == 0     ? 1 + rng_below(&ctx->lengths, left)
                               : fragment < left ? fragment
                                                 : left;
        const char *from = (const char *)io->buffer + done;
        const ssize_t moved = ctx->drops ? os_write_dropping(io->file->fd, from, (size_t)piece, -1)
                                         : write(io->file->fd, from, (size_t)piece);

        if (__builtin_expect(moved != (ssize_t)piece, 0)) {
            if (moved < 0 && errno != EINTR)
                return write_failed(ctx, -errno);
            const int64_t all =
                write_rest(ctx, io, done + (moved < 0 ? 0 : (uint64_t)moved), done + piece);

            if (all != (int64_t)(done + piece))
                return all;
        }
        done += piece;
    }
    return (int64_t)done;
}

/* Removes a file that could not be written completely. */
static COLD int give_up(struct files_ctx *ctx)
{
    char name[FRESH_NAME_MAX];

    ctx->broken = false;
    (void)unlinkat(ctx->fresh.dir_fd, fresh_name(ctx->fresh.kind, ctx->number, name), 0);
    return 0;
}

static int create_close(void *arg, struct handle *file)
{
    struct files_ctx *ctx = arg;
    int code = ctx->sync_end && os_sync(file->fd) < 0 ? -errno : 0;

    if (close(file->fd) < 0 && errno != EINTR && code == 0)
        code = -errno;
    if (ctx->sync_end && code == 0)
        code = fresh_sync_directory(&ctx->fresh);
    if (__builtin_expect(ctx->broken, 0))
        give_up(ctx);
    if (__builtin_expect(code < 0, 0))
        return fresh_failed(&ctx->fresh, "cannot sync or close", ctx->fresh.kind, ctx->number,
                            -code);
    return 0;
}

/* ---- copy ---- */

static int copy_setup(const struct workload *work, const struct engine_thread *thread,
                      void **ctx_out, struct error *err)
{
    struct files_ctx *ctx;

    if (files_setup(work, thread, ctx_out, err) != 0)
        return -1;
    ctx = *ctx_out;
    ctx->source = file_opener(work);
    ctx->source.how.flags &= ~(uint64_t)(O_ACCMODE | O_DSYNC | O_SYNC);
    ctx->source.how.flags |= O_RDONLY;
    ctx->source.name += work->object_first;
    return 0;
}

static int copy_open(void *arg, uint32_t object, struct handle *file)
{
    struct files_ctx *ctx = arg;
    unsigned again = 0;
    int code;

    do
        ctx->source_fd = opener_open(&ctx->source, object);
    while (__builtin_expect(ctx->source_fd < 0, 0) && errno == EINTR &&
           again++ < ENGINE_AGAIN_MOST);
    if (__builtin_expect(ctx->source_fd < 0, 0))
        return fresh_failed(&ctx->fresh, "cannot open", 0, object, errno);
    code = create_open(arg, object, file);
    if (__builtin_expect(code < 0, 0))
        close(ctx->source_fd);
    return code;
}

/* Copies through the buffer, like cp(1), where the system cannot copy between these files. */
static COLD int64_t copy_by_hand(struct files_ctx *ctx, struct io *io, uint64_t done)
{
    ssize_t moved = pread(ctx->source_fd, io->buffer, (size_t)(ctx->io_bytes - done),
                          (off_t)(io->offset_bytes + done));

    if (moved > 0)
        moved = write(io->file->fd, io->buffer, (size_t)moved);
    return moved < 0 ? -errno : moved;
}

static int64_t copy_transfer(void *arg, struct io *io)
{
    struct files_ctx *ctx = arg;
    unsigned again = 0;
    uint64_t done = 0;

    while (done < ctx->io_bytes) {
        int64_t moved = ctx->by_hand ? -ENOTSUP
                                     : os_copy_range(ctx->source_fd, io->offset_bytes + done,
                                                     io->file->fd, ctx->io_bytes - done);

        if (__builtin_expect(moved == -ENOTSUP, 0)) {
            ctx->by_hand = true;
            moved = copy_by_hand(ctx, io, done);
        }
        if (__builtin_expect(moved == -EINTR, 0) && again++ < ENGINE_AGAIN_MOST)
            continue;
        if (__builtin_expect(moved < 0, 0))
            return write_failed(ctx, moved);
        if (__builtin_expect(moved == 0, 0)) /* the file ends early */
            return write_failed(ctx, (int64_t)done);
        done += (uint64_t)moved;
    }
    return (int64_t)done;
}

static int copy_close(void *arg, struct handle *file)
{
    struct files_ctx *ctx = arg;

    close(ctx->source_fd);
    return create_close(arg, file);
}

/* ---- --verify ---- */

static int64_t files_read_back(void *arg, uint32_t slot, uint64_t offset_bytes, uint64_t size_bytes,
                               void *buffer)
{
    const struct files_ctx *ctx = arg;
    char name[FRESH_NAME_MAX];
    uint64_t done = 0;
    int fd = os_open_at(ctx->fresh.dir_fd, fresh_name(ctx->fresh.kind, ctx->number, name),
                        O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);

    (void)slot;
    if (fd < 0)
        return -errno;
    while (done < size_bytes) {
        const ssize_t got = pread(fd, (char *)buffer + done, (size_t)(size_bytes - done),
                                  (off_t)(offset_bytes + done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            const int code = got < 0 ? -errno : 0;
            close(fd);
            return code < 0 ? code : (int64_t)done;
        }
        done += (uint64_t)got;
    }
    close(fd);
    return (int64_t)done;
}

static uint64_t create_content(void *arg, uint32_t slot, uint64_t object, bool next)
{
    const struct files_ctx *ctx = arg;

    (void)slot;
    (void)object;
    return pattern_new_file(ctx->fresh.index, next ? ctx->fresh.own->next : ctx->number);
}

#define FILES_TABLE(table, word, test_, setup_, open_, read_, write_, piece_, close_, content_, \
                    capabilities_)                                                              \
    const struct engine table = {                                                               \
        .name = word,                                                                           \
        .summary = "openat, write, close of new files",                                         \
        .libc_words = "Using system calls",                                                     \
        .capabilities = capabilities_,                                                          \
        .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,                  \
        .tests = 1u << (test_),                                                                 \
        .setup = setup_,                                                                        \
        .teardown = files_teardown,                                                             \
        .report = files_report,                                                                 \
        .open = open_,                                                                          \
        .read = read_,                                                                          \
        .write = write_,                                                                        \
        .write_piece = piece_,                                                                  \
        .close = close_,                                                                        \
        .read_back = files_read_back,                                                           \
        .new_content = content_,                                                                \
    }
#define CREATES (ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN)
POSIX_TABLES(FILES_TABLE, create, TEST_CREATE, files_setup, create_open, NULL, create_write,
             create_write_piece, create_close, create_content, CREATES);
POSIX_TABLES(FILES_TABLE, copy, TEST_COPY, copy_setup, copy_open, copy_transfer, NULL, NULL,
             copy_close, NULL, ENGINE_WRITES | ENGINE_SYNC_OPEN);
POSIX_TABLES(FILES_TABLE, append, TEST_APPEND, append_setup, create_open, NULL, append_write, NULL,
             create_close, create_content, CREATES);
