/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* windows.c - the engines of Windows. `windows`: NtCreateFile (which CreateFile calls, but here
 * below an open directory), ReadFile or WriteFile at an offset, CloseHandle; each call is a phase.
 * `iocp`: ReadFile and WriteFile on files opened for overlapped I/O, with completions from an I/O
 * completion port; open, flush and close are plain synchronous calls. Windows completes cached I/O
 * before ReadFile returns, so only I/O that bypasses the cache is certainly in flight. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/posix.h"
#include "os/windows/win.h"

#define IOCP_DEPTH_MAX 4096u

/* How the objects of a workload are opened. */
struct windows_opener {
    int dir_fd;
    const char *const *name; /* of each object */
    struct win_how how;
};

/* Read-ahead advice is part of opening here; READAHEAD_WILLNEED has no counterpart. */
static struct windows_opener make_opener(const struct workload *work, bool overlapped)
{
    const bool writes = work->test != TEST_READ;
    struct windows_opener opener = {.dir_fd = work->target->dir_fd, .name = work->target->name};
    /* deduplicated, compressed and cloud files are reparse points, too, and are read as files */
    ULONG options = FILE_NON_DIRECTORY_FILE | (writes ? FILE_OPEN_REPARSE_POINT : 0);

    opener.how.access = !writes                        ? FILE_GENERIC_READ
                        : work->rmw || work->reads_too ? FILE_GENERIC_READ | FILE_GENERIC_WRITE
                                                       : FILE_GENERIC_WRITE;
    opener.how.disposition = FILE_OPEN;
    if (!overlapped)
        options |= FILE_SYNCHRONOUS_IO_NONALERT;
    if (work->cache == CACHE_DIRECT)
        options |= FILE_NO_INTERMEDIATE_BUFFERING;
    if (work->sync == SYNC_DATA || work->sync == SYNC_FULL)
        options |= FILE_WRITE_THROUGH;
    if (work->readahead == READAHEAD_NONE)
        options |= FILE_RANDOM_ACCESS;
    else if (work->readahead == READAHEAD_SEQUENTIAL)
        options |= FILE_SEQUENTIAL_ONLY;
    opener.how.options = options;
    return opener;
}

/* Hot. Returns 0 or -errno. If a file to be written is a link, the link itself is opened, which
 * holds no data, so its target is not changed. */
static inline int windows_open(const struct windows_opener *opener, uint32_t object, HANDLE *handle)
{
    const NTSTATUS status = win_open(opener->dir_fd, opener->name[object], &opener->how, handle);

    return __builtin_expect(status < 0, 0) ? -win_status_errno(status) : 0;
}

/* ---- one operation at a time ---- */

struct windows_ctx {
    struct windows_opener opener;
    uint64_t size_bytes;
    bool sync_end, sync_each; /* flush before close or, for files kept open, after each write */
};

static int windows_setup(const struct workload *work, const struct engine_thread *thread,
                         void **ctx_out, struct error *err)
{
    struct windows_ctx *ctx = mem_calloc(1, sizeof(*ctx));
    const bool sync = work->test == TEST_WRITE && work->sync == SYNC_END;

    (void)thread;
    (void)err;
    ctx->opener = make_opener(work, false);
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

/* One call takes 32-bit lengths, more than the plan allows an operation. */
static inline int64_t call(HANDLE handle, char *buffer, uint64_t size_bytes, uint64_t offset_bytes,
                           bool writes)
{
    OVERLAPPED at = {.Offset = (DWORD)offset_bytes, .OffsetHigh = (DWORD)(offset_bytes >> 32)};
    DWORD moved;
    const BOOL done = writes ? WriteFile(handle, buffer, (DWORD)size_bytes, &moved, &at)
                             : ReadFile(handle, buffer, (DWORD)size_bytes, &moved, &at);

    return __builtin_expect(!done, 0) ? failed(writes) : (int64_t)moved;
}

static COLD int64_t flush_each(const struct io *io, int64_t moved)
{
    if (moved >= 0 && !FlushFileBuffers(io->file->ptr))
        return -win_errno(GetLastError());
    return moved;
}

/* How an I/O is moved: read as a whole into the buffer, unless ... */
enum windows_how { WRITES = 1, SCRATCH = 2 };

static ALWAYS_INLINE int64_t transfer(const struct windows_ctx *ctx, const struct io *io,
                                      const unsigned how)
{
    char *const memory = how & SCRATCH ? io->scratch : io->buffer;
    const bool writes = how & WRITES;
    const int64_t moved = call(io->file->ptr, memory, io->bytes, io->offset_bytes, writes);

    if (writes && __builtin_expect(ctx->sync_each, 0) && !io->more)
        return flush_each(io, moved);
    return moved;
}

#define TRANSFER(name, how)                       \
    static int64_t name(void *ctx, struct io *io) \
    {                                             \
        return transfer(ctx, io, how);            \
    }
TRANSFER(read_file, 0)
TRANSFER(write_file, WRITES)

/* Unbuffered I/O moves whole sectors: reads them, modifies the requested part, writes them back. */
static int64_t rmw_file(void *arg, struct io *io)
{
    const struct windows_ctx *ctx = arg;
    const int64_t moved = transfer(ctx, io, SCRATCH);

    if (moved != (int64_t)io->bytes)
        return moved;
    memcpy(io->scratch, io->buffer, (size_t)ctx->size_bytes);
    return transfer(ctx, io, SCRATCH | WRITES);
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
static const struct engine *const windows_others[] = {POSIX_OTHERS(engine_posix)};

const struct engine engine_windows = {
    .name = "windows",
    .summary = "CreateFile, ReadFile or WriteFile, CloseHandle",
    .libc_words = "Using Windows calls (CreateFile, ReadFile, WriteFile, CloseHandle)",
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .others = windows_others,
    .setup = windows_setup,
    .teardown = free,
    .open = open_file,
    .read = read_file,
    .write = write_file,
    .rmw = rmw_file,
    .close = close_file,
};

/* ---- overlapped ---- */

struct iocp_request {      /* of one slot */
    OVERLAPPED overlapped; /* first */
    enum async_step step;
};

struct iocp_ctx {
    HANDLE port;
    struct iocp_request *request;
    OVERLAPPED_ENTRY *done; /* entries of the port before conversion */
    HANDLE *file;           /* by slot or, if kept open, by object; NULL: not open */
    uint32_t depth, file_count, in_flight;
    bool keep_open;
    struct windows_opener opener;
    uint64_t io_bytes;
};

static int take_done(struct iocp_ctx *ctx, DWORD wait_ms, unsigned max)
{
    ULONG count = 0;

    if (!GetQueuedCompletionStatusEx(ctx->port, ctx->done, max < ctx->depth ? max : ctx->depth,
                                     &count, wait_ms, FALSE))
        return GetLastError() == WAIT_TIMEOUT ? 0 : -win_errno(GetLastError());
    ctx->in_flight -= count;
    return (int)count;
}

/* The loop gave up: nothing may be written to its buffers later. */
static void cancel_all(struct iocp_ctx *ctx)
{
    for (uint32_t i = 0; i < ctx->file_count; i++)
        if (ctx->file[i])
            CancelIoEx(ctx->file[i], NULL);
    while (ctx->in_flight > 0 && take_done(ctx, INFINITE, ctx->depth) >= 0)
        continue;
}

static void iocp_teardown(void *arg)
{
    struct iocp_ctx *ctx = arg;

    cancel_all(ctx);
    for (uint32_t i = 0; i < ctx->file_count; i++)
        if (ctx->file[i])
            CloseHandle(ctx->file[i]);
    if (ctx->port)
        CloseHandle(ctx->port);
    free(ctx->request);
    free(ctx->done);
    free(ctx->file);
    free(ctx);
}

static int open_object(const struct iocp_ctx *ctx, uint32_t object, HANDLE *file)
{
    const int code = windows_open(&ctx->opener, object, file);

    if (__builtin_expect(code < 0, 0)) {
        *file = NULL;
        return code;
    }
    if (__builtin_expect(!CreateIoCompletionPort(*file, ctx->port, 0, 0), 0)) {
        const int errnum = win_errno(GetLastError());

        CloseHandle(*file);
        *file = NULL;
        return -errnum;
    }
    return 0;
}

static int open_kept(struct iocp_ctx *ctx, struct error *err)
{
    for (uint32_t i = 0; i < ctx->file_count; i++) {
        const int code = open_object(ctx, i, &ctx->file[i]);

        if (code < 0)
            return error_set(err, STATUS_TARGET, -code, "cannot open", ctx->opener.name[i]);
    }
    return 0;
}

static int iocp_setup(const struct workload *work, const struct engine_thread *thread,
                      void **ctx_out, struct error *err)
{
    struct iocp_ctx *ctx;

    (void)thread;
    ctx = mem_calloc(1, sizeof(*ctx));
    ctx->depth = work->depth;
    ctx->keep_open = work->keep_open;
    ctx->opener = make_opener(work, true);
    ctx->io_bytes = work->io_bytes;
    ctx->request = mem_calloc(ctx->depth, sizeof(*ctx->request));
    ctx->done = mem_calloc(ctx->depth, sizeof(*ctx->done));
    ctx->file_count = ctx->keep_open ? work->object_count : ctx->depth;
    ctx->file = mem_calloc(ctx->file_count, sizeof(HANDLE));
    ctx->port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 1);
    if (!ctx->port)
        error_set(err, STATUS_TARGET, win_errno(GetLastError()),
                  "cannot create an I/O completion port", NULL);
    if (!ctx->port || (ctx->keep_open && open_kept(ctx, err) < 0)) {
        iocp_teardown(ctx);
        return -1;
    }
    *ctx_out = ctx;
    return 0;
}

static int64_t iocp_open(void *arg, const struct async_op *op)
{
    struct iocp_ctx *ctx = arg;

    return open_object(ctx, op->object, &ctx->file[op->slot]);
}

/* The file used by this step. */
static HANDLE *file_of(const struct iocp_ctx *ctx, const struct async_op *op)
{
    return &ctx->file[ctx->keep_open ? op->object : op->slot];
}

static int64_t iocp_sync(void *arg, const struct async_op *op)
{
    return FlushFileBuffers(*file_of(arg, op)) ? 0 : -win_errno(GetLastError());
}

static int64_t iocp_close(void *arg, const struct async_op *op)
{
    HANDLE *const file = file_of(arg, op);
    const BOOL closed = CloseHandle(*file);

    *file = NULL;
    return closed ? 0 : -win_errno(GetLastError());
}

/* Requests that complete immediately are also reported through the port. */
static inline int64_t begin(struct iocp_ctx *ctx, const struct async_op *op, enum async_step step)
{
    struct iocp_request *request = &ctx->request[op->slot];
    const HANDLE file = *file_of(ctx, op);
    DWORD code;

    request->overlapped = (OVERLAPPED){.Offset = (DWORD)op->offset_bytes,
                                       .OffsetHigh = (DWORD)(op->offset_bytes >> 32)};
    request->step = step;
    if (step == ASYNC_READ
            ? ReadFile(file, op->buffer, (DWORD)ctx->io_bytes, NULL, &request->overlapped)
            : WriteFile(file, op->buffer, (DWORD)ctx->io_bytes, NULL, &request->overlapped)) {
        ctx->in_flight++;
        return ASYNC_PENDING;
    }
    code = GetLastError();
    if (__builtin_expect(code == ERROR_IO_PENDING, 1)) {
        ctx->in_flight++;
        return ASYNC_PENDING;
    }
    return code == ERROR_HANDLE_EOF && step == ASYNC_READ ? 0 : -win_errno(code);
}

static int64_t iocp_read(void *arg, const struct async_op *op)
{
    return begin(arg, op, ASYNC_READ);
}

static int64_t iocp_write(void *arg, const struct async_op *op)
{
    return begin(arg, op, ASYNC_WRITE);
}

static int64_t result_of(const OVERLAPPED_ENTRY *done)
{
    const NTSTATUS status = (NTSTATUS)done->lpOverlapped->Internal;

    if (__builtin_expect(status >= 0, 1))
        return (int64_t)done->dwNumberOfBytesTransferred;
    return (ULONG)status == 0xC0000011u ? 0 : -win_status_errno(status); /* STATUS_END_OF_FILE */
}

static DWORD ms_of(uint64_t wait_ns)
{
    const uint64_t ms = wait_ns / 1000000 + (wait_ns % 1000000 > 0);

    return wait_ns == ASYNC_FOREVER ? INFINITE : ms < INFINITE ? (DWORD)ms : INFINITE - 1;
}

static int iocp_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct iocp_ctx *ctx = arg;
    const int count = ctx->in_flight == 0 ? 0 : take_done(ctx, ms_of(wait_ns), max);

    for (int i = 0; i < count; i++) {
        const struct iocp_request *request = (const struct iocp_request *)ctx->done[i].lpOverlapped;

        events[i] = (struct async_event){.slot = (uint32_t)(request - ctx->request),
                                         .step = request->step,
                                         .result = result_of(&ctx->done[i])};
    }
    return count;
}

static const struct engine_async iocp_async = {
    .depth_max = IOCP_DEPTH_MAX,
    .open = iocp_open,
    .read = iocp_read,
    .write = iocp_write,
    .sync = iocp_sync,
    .close = iocp_close,
    .reap = iocp_reap,
};

const struct engine engine_iocp = {
    .name = "iocp",
    .summary = "overlapped ReadFile and WriteFile with an I/O completion port",
    .libc_words = "Using Windows overlapped I/O (CreateFile, ReadFile, WriteFile, CloseHandle)",
    .capabilities =
        ENGINE_WRITES | ENGINE_DIRECT | ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN | ENGINE_MIXES,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .setup = iocp_setup,
    .teardown = iocp_teardown,
    .async = &iocp_async,
};
