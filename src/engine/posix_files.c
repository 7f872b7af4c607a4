/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix_files.c - the engines posix and pread in tests that make files: create, append and copy,
 * and the names of each thread's own directory. Opening creates the new file (and opens the source
 * of a copy); closing flushes it as --sync end requires, together with its directory: a durable
 * file without a durable name is lost. */
#include "base/compat.h"

#include "engine/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/rng.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/memory.h"
#include "os/os.h"
#include "storage/pattern.h"

#define STREAM_LENGTHS UINT64_C(0x6672616700000000)
#define PIECE_BYTES    ((size_t)1 << 20) /* unit of filling files */

/* ---- names of a thread ---- */

int fresh_open(struct fresh *fresh, const struct workload *work, const struct engine_thread *thread,
               struct error *err)
{
    const struct target *target = work->target;
    char name[48], *path;

    *fresh = (struct fresh){.work = work,
                            .dir_fd = -1,
                            .index = thread->index,
                            .kind = work->test == TEST_COPY ? FRESH_COPY : FRESH_NAME};
    if (thread->index >= target->fresh_count)
        return error_set(err, STATUS_INTERNAL, 0, "cannot create a directory for a thread in",
                         target->place);
    snprintf(name, sizeof(name), FRESH_DIRECTORY "/t%u", (unsigned)thread->index);
    fresh->dir_fd = beneath_open(target->dir_fd, name, O_RDONLY | O_DIRECTORY, 0);
    if (fresh->dir_fd < 0) {
        path = mem_printf("%s/%s", target->dir_path, name);
        error_set(err, STATUS_TARGET, -fresh->dir_fd, "cannot open", path);
        free(path);
        return file_advise(err, -fresh->dir_fd);
    }
    fresh->own = &target->fresh[thread->index];
    fresh->own->dir_fd = fresh->dir_fd;
    fresh->first = fresh->own->next;
    return 0;
}

void fresh_remove(const struct fresh *fresh, uint64_t first, uint64_t end)
{
    char name[FRESH_NAME_MAX];

    for (uint64_t i = first; i < end; i++)
        (void)unlinkat(fresh->dir_fd, fresh_name(fresh->kind, i, name), 0);
}

void fresh_close(struct fresh *fresh)
{
    const struct target_request *request = fresh->work->target->request;

    if (fresh->dir_fd < 0)
        return;
    /* what test create made is kept for later steps */
    if (!fresh->stay &&
        !(request && (request->keep || (request->created && fresh->work->test == TEST_CREATE))))
        fresh_remove(fresh, fresh->first, fresh->own->next);
    fresh->own->dir_fd = -1;
    close(fresh->dir_fd);
}

/* ---- files to be used up ---- */

/* Fills a file with the content that --verify will expect, or with that of `data`. */
static int fill(const struct fresh *fresh, int fd, char *data, uint64_t file)
{
    const struct target *target = fresh->work->target;
    const uint64_t size_bytes = fresh->work->size_bytes;
    unsigned again = 0;

    for (uint64_t at = 0; at < size_bytes;) {
        const uint64_t left = size_bytes - at;
        const size_t piece = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
        ssize_t done;

        if (target->content_known)
            target->driver->make_content(target, file, at, piece, 0, data);
        done = write(fd, data, piece);
        if (done < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
            continue;
        if (done <= 0)
            return done < 0 ? -errno : -EIO;
        at += (uint64_t)done;
    }
    return 0;
}

static int make_one(struct fresh *fresh, char *data)
{
    const uint64_t file = pattern_new_file(fresh->index, fresh->own->next);
    char name[FRESH_NAME_MAX];
    int fd, code;

    fd = os_open_at(fresh->dir_fd, fresh_name(FRESH_NAME, fresh->own->next, name),
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    fresh->own->next++;
    code = fill(fresh, fd, data, file);
    if (close(fd) < 0 && errno != EINTR && code == 0)
        code = -errno;
    return code;
}

int fresh_make(struct fresh *fresh, uint64_t count, struct error *err)
{
    const struct target *target = fresh->work->target;
    const uint64_t bytes = fresh->work->size_bytes, first = fresh->own->next;
    const volatile int *stop = target->request ? target->request->stop : NULL;
    char *data = mem_buffer(bytes < PIECE_BYTES ? (size_t)bytes : PIECE_BYTES, 1, err);
    int code = data ? 0 : -1;

    if (!data)
        return -1;
    mem_fill_random(data, bytes < PIECE_BYTES ? (size_t)bytes : PIECE_BYTES, fresh->own->next);
    for (uint64_t i = 0; i < count && code == 0 && !(stop && flag_read(stop)); i++)
        code = make_one(fresh, data);
    mem_buffer_free(data);
    if (code == 0)
        return 0;
    fresh_remove(fresh, first, fresh->own->next);
    error_set(err, STATUS_TARGET, -code, "cannot create the files of a test in", target->place);
    return file_advise(err, -code);
}

/* ---- failures ---- */

int failure_note(char *text, const char *action, const char *dir_path, const char *name, int errnum)
{
    struct error error = ERROR_INIT;
    char *path;

    if (text[0] != '\0')
        return -errnum;
    path = mem_printf("%s%s%s", dir_path ? dir_path : "", dir_path && name[0] != '\0' ? "/" : "",
                      name);
    error_set(&error, STATUS_PARTIAL, errnum, action, path);
    (void)file_advise(&error, errnum);
    error_format(&error, text, FAILURE_BYTES);
    free(path);
    return -errnum;
}

int fresh_failed(struct fresh *fresh, const char *action, enum fresh_kind kind, uint64_t number,
                 int errnum)
{
    const struct target *target = fresh->work->target;
    char name[FRESH_NAME_MAX], path[64];

    if (!kind)
        return failure_note(fresh->failure, action, target->dir_path,
                            target->name[fresh->work->object_first + number], errnum);
    snprintf(path, sizeof(path), FRESH_DIRECTORY "/t%u/%s", (unsigned)fresh->index,
             fresh_name(kind, number, name));
    return failure_note(fresh->failure, action, target->dir_path, path, errnum);
}

void fresh_report(void *arg, struct engine_report *report)
{
    const struct fresh *fresh = arg;

    report->first_failure = fresh->failure[0] != '\0' ? fresh->failure : NULL;
}

int fresh_sync_directory(struct fresh *fresh)
{
    if (os_sync(fresh->dir_fd) == 0 || errno == EINVAL) /* not supported by this file system */
        return 0;
    return -errno;
}

/* ---- create and append ---- */

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
    if (work->test == TEST_APPEND) {
        ctx->flags |= O_APPEND;
        ctx->fragment_bytes = work->fragment_bytes;
        rng_seed(&ctx->lengths, work->target->request ? work->target->request->seed : 0,
                 STREAM_LENGTHS + ((uint64_t)thread->index << 32) + ctx->fresh.own->next);
    } else if (work->test == TEST_COPY) {
        ctx->source = file_opener(work);
        ctx->source.advice = READAHEAD_NORMAL;
        ctx->source.how.flags &= ~(uint64_t)(O_ACCMODE | O_DSYNC | O_SYNC);
        ctx->source.how.flags |= O_RDONLY;
        ctx->source.name += work->object_first;
    }
    *ctx_out = ctx;
    return 0;
}

static void files_teardown(void *arg)
{
    struct files_ctx *ctx = arg;

    fresh_close(&ctx->fresh);
    free(ctx);
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

/* Writes the bytes from `done` to `end` of an I/O; returns `end` if all are written. */
static inline int64_t write_range(struct files_ctx *ctx, const struct io *io, uint64_t done,
                                  uint64_t end)
{
    const char *from = (const char *)io->buffer + done;
    const size_t bytes = (size_t)(end - done);
    const ssize_t moved = __builtin_expect(ctx->drops, 0)
                              ? os_write_dropping(io->file->fd, from, bytes, -1)
                              : write(io->file->fd, from, bytes);

    if (__builtin_expect(moved == (ssize_t)bytes, 1))
        return (int64_t)end;
    if (moved < 0 && errno != EINTR)
        return write_failed(ctx, -errno);
    return write_rest(ctx, io, done + (moved < 0 ? 0 : (uint64_t)moved), end);
}

/* A file abandoned between two pieces does not belong to the run. */
static int64_t create_write(void *arg, struct io *io)
{
    struct files_ctx *ctx = arg;
    const int64_t moved = write_range(ctx, io, 0, io->bytes);

    if (moved == (int64_t)io->bytes)
        ctx->broken = io->more;
    return moved;
}

/* One call per fragment; the last one writes the remainder. */
static int64_t append_write(void *arg, struct io *io)
{
    struct files_ctx *ctx = arg;
    uint64_t done = 0;

    while (done < ctx->io_bytes) {
        const uint64_t left = ctx->io_bytes - done, fragment = ctx->fragment_bytes;
        const uint64_t end = done + (fragment == 0     ? 1 + rng_below(&ctx->lengths, left)
                                     : fragment < left ? fragment
                                                       : left);
        const int64_t moved = write_range(ctx, io, done, end);

        if (__builtin_expect(moved != (int64_t)end, 0))
            return moved;
        done = end;
    }
    return (int64_t)done;
}

/* Removes a file that could not be written completely. */
static COLD void remove_broken(struct files_ctx *ctx)
{
    char name[FRESH_NAME_MAX];

    ctx->broken = false;
    (void)unlinkat(ctx->fresh.dir_fd, fresh_name(ctx->fresh.kind, ctx->number, name), 0);
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
        remove_broken(ctx);
    if (__builtin_expect(code < 0, 0))
        return fresh_failed(&ctx->fresh, "cannot sync or close", ctx->fresh.kind, ctx->number,
                            -code);
    return 0;
}

/* ---- copy ---- */

static int copy_open(void *arg, uint32_t object, struct handle *file)
{
    struct files_ctx *ctx = arg;
    int code;

    ctx->source_fd = opener_open(&ctx->source, object);
    if (__builtin_expect(ctx->source_fd < 0, 0))
        return fresh_failed(&ctx->fresh, "cannot open", 0, object, -ctx->source_fd);
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

    (void)slot;
    return file_read_back(ctx->fresh.dir_fd, fresh_name(ctx->fresh.kind, ctx->number, name),
                          O_NOFOLLOW, offset_bytes, size_bytes, 1, buffer);
}

static uint64_t create_content(void *arg, uint32_t slot, uint64_t object, bool next)
{
    const struct files_ctx *ctx = arg;

    (void)slot;
    (void)object;
    return pattern_new_file(ctx->fresh.index, next ? ctx->fresh.own->next : ctx->number);
}

/* clang-format off */
#define FILES_TABLES(test, which, ...)                                                         \
    POSIX_TABLES(test, .summary = "openat, write, close of new files", .tests = 1u << (which), \
                 .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,        \
                 .setup = files_setup, .teardown = files_teardown, .report = fresh_report,     \
                 .read_back = files_read_back, __VA_ARGS__)
#define CREATES                                                                      \
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN, \
    .open = create_open, .close = create_close, .new_content = create_content
FILES_TABLES(create, TEST_CREATE, CREATES, .write = create_write);
FILES_TABLES(append, TEST_APPEND, CREATES, .write = append_write);
FILES_TABLES(copy, TEST_COPY, .capabilities = ENGINE_WRITES | ENGINE_SYNC_OPEN,
             .open = copy_open, .read = copy_transfer, .close = copy_close);
/* clang-format on */
