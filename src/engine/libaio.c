/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* libaio.c - the engine `libaio`: the asynchronous I/O of Linux since 2.6. Only reads and writes
 * are queued, and only with O_DIRECT are they asynchronous at all; open, fsync and close are plain
 * system calls. The only file that includes <libaio.h>.
 *
 * The kernel may take fewer requests than submitted, may ask for a retry (EAGAIN: no room until
 * completions are reaped), and may refuse a request at submission that another file system refuses
 * at completion. The loop sees none of this: requests not taken stay queued, and refused ones
 * become events like any other. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <libaio.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "engine/file.h"
#include "os/linux/kernel.h"
#include "os/os.h"

#define AIO_DEPTH_MAX 4096u
#define AIO_TRIES     16u /* submissions without any completion that could make room */

/* A thread keeps its kernel queue between slices: creating one takes milliseconds. */
struct aio_home {
    io_context_t queue;
    uint32_t depth; /* of the queue; 0: no queue */
};

struct aio_ctx {
    io_context_t queue;
    struct iocb *request;     /* of each slot; constant fields are set by setup */
    struct iocb **queued;     /* not yet taken by the kernel, oldest first */
    struct io_event *done;    /* the kernel's events before conversion */
    struct async_event *made; /* refused requests, returned by the next reap */
    struct file_fds files;
    uint32_t depth;
    uint32_t queued_count, made_count;
    uint32_t in_flight; /* taken by the kernel, not reaped */
    uint32_t fruitless; /* consecutive waits interrupted by signals */
    bool keep_open;
    struct opener opener;
    size_t io_bytes;
    struct aio_home *home;
};

/* ---- the kernel queue ---- */

/* what: " for depth 4", or "". */
static int queue_refused(int code, const char *what, const char *advice, struct error *err)
{
    char action[80];

    if (code == -EAGAIN) {
        snprintf(action, sizeof(action), "not enough asynchronous I/O (aio) requests%s", what);
        return error_refuse(err, STATUS_TARGET, action, NULL,
                            "raise sysctl fs.aio-max-nr (fs.aio-nr counts those in use), or %s",
                            advice);
    }
    if (code == -ENOSYS)
        error_set(err, STATUS_TARGET, 0, "this kernel has no asynchronous I/O (aio)", NULL);
    else
        error_set(err, STATUS_TARGET, -code, "cannot set up asynchronous I/O (aio)", NULL);
    return error_advise(err, "use --engine posix");
}

static int aio_available(const struct workload *wish, struct error *err)
{
    io_context_t queue = NULL;
    const int code = io_setup(1, &queue);

    (void)wish;
    if (code < 0)
        return queue_refused(code, "", "use --engine posix", err);
    io_destroy(queue);
    return 0;
}

/* Waits for requests in flight. */
static void queue_destroy(struct aio_home *home)
{
    if (home->depth)
        io_destroy(home->queue);
    home->depth = 0;
    home->queue = NULL; /* required by io_setup */
}

static int queue_deepen(struct aio_home *home, uint32_t depth, struct error *err)
{
    char what[32];
    int code;

    if (home->depth >= depth)
        return 0;
    queue_destroy(home);
    code = io_setup((int)depth, &home->queue);
    if (code < 0) {
        home->queue = NULL;
        snprintf(what, sizeof(what), " for depth %u", depth);
        return queue_refused(code, what, "lower --depth or --threads", err);
    }
    home->depth = depth;
    return 0;
}

static void aio_retire(void *arg)
{
    struct aio_home *home = arg;

    if (!home)
        return;
    queue_destroy(home);
    free(home);
}

/* ---- before and after a slice ---- */

static void aio_teardown(void *arg)
{
    struct aio_ctx *ctx = arg;

    if (ctx->in_flight) /* the loop gave up: nothing may be written to its buffers later */
        queue_destroy(ctx->home);
    file_fds_close_all(&ctx->files);
    free(ctx->request);
    free(ctx->queued);
    free(ctx->done);
    free(ctx->made);
    free(ctx->files.fd);
    free(ctx);
}

static struct aio_ctx *ctx_create(const struct workload *work)
{
    const uint32_t depth = work->depth;
    struct aio_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    ctx->depth = depth;
    ctx->keep_open = work->keep_open;
    ctx->opener = file_opener(work);
    ctx->io_bytes = (size_t)work->io_bytes;
    ctx->request = mem_calloc(depth, sizeof(*ctx->request));
    ctx->queued = mem_calloc(depth, sizeof(struct iocb *));
    ctx->done = mem_calloc(depth, sizeof(*ctx->done));
    ctx->made = mem_calloc(depth, sizeof(*ctx->made));
    for (uint32_t i = 0; i < depth; i++) {
        ctx->request[i].data = (void *)(uintptr_t)i;
        ctx->request[i].u.c.nbytes = ctx->io_bytes;
        ctx->request[i].aio_rw_flags = workload_drops(work) ? RWF_DONTCACHE : 0;
    }
    file_fds_grow(&ctx->files, depth);
    return ctx;
}

static int aio_setup(const struct workload *work, const struct engine_thread *thread,
                     void **ctx_out, struct error *err)
{
    struct aio_home *home = *thread->home;
    struct aio_ctx *ctx;

    if (!home)
        *thread->home = home = mem_calloc(1, sizeof(*home));
    if (queue_deepen(home, work->depth, err) < 0)
        return -1;
    ctx = ctx_create(work);
    ctx->home = home;
    ctx->queue = home->queue;
    if (ctx->keep_open && file_fds_open_all(&ctx->files, work, &ctx->opener, err) < 0) {
        aio_teardown(ctx);
        return -1;
    }
    *ctx_out = ctx;
    return 0;
}

/* ---- synchronous steps ---- */

static int64_t aio_open(void *arg, const struct async_op *op)
{
    struct aio_ctx *ctx = arg;

    return file_fds_open(&ctx->files, op->slot, &ctx->opener, op->object);
}

/* The descriptor used by this step. */
static int file_of(const struct aio_ctx *ctx, const struct async_op *op)
{
    return ctx->files.fd[ctx->keep_open ? op->object : op->slot];
}

static int64_t aio_sync(void *arg, const struct async_op *op)
{
    const int fd = file_of(arg, op);
    unsigned again = 0;
    int code;

    do
        code = os_sync(fd);
    while (code < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST);
    return code < 0 ? -errno : 0;
}

static int64_t aio_close(void *arg, const struct async_op *op)
{
    struct aio_ctx *ctx = arg;

    return file_fds_close(&ctx->files, op->slot);
}

/* ---- queued steps ---- */

static inline int64_t enqueue(struct aio_ctx *ctx, const struct async_op *op, short opcode)
{
    struct iocb *request = &ctx->request[op->slot];

    request->aio_lio_opcode = opcode;
    request->aio_fildes = file_of(ctx, op);
    request->u.c.buf = op->buffer;
    request->u.c.offset = (long long)op->offset_bytes;
    ctx->queued[ctx->queued_count++] = request;
    return ASYNC_PENDING;
}

static int64_t aio_read(void *arg, const struct async_op *op)
{
    return enqueue(arg, op, IO_CMD_PREAD);
}

static int64_t aio_write(void *arg, const struct async_op *op)
{
    return enqueue(arg, op, IO_CMD_PWRITE);
}

static inline struct async_event event_of(const struct iocb *request, int64_t result)
{
    return (struct async_event){
        .slot = (uint32_t)(uintptr_t)request->data,
        .step = request->aio_lio_opcode == IO_CMD_PREAD ? ASYNC_READ : ASYNC_WRITE,
        .result = result,
    };
}

/* Removes the first `count` requests from the queue. */
static void dequeue(struct aio_ctx *ctx, uint32_t count)
{
    ctx->queued_count -= count;
    memmove(ctx->queued, ctx->queued + count, ctx->queued_count * sizeof(struct iocb *));
}

/* Handles the result of an incomplete io_submit. Returns false if the rest has to wait until events
 * are reaped. An error always concerns the first request: those before it were taken by the
 * previous call. */
static COLD bool submit_again(struct aio_ctx *ctx, int answer, uint32_t *tries)
{
    if (answer > 0) {
        ctx->in_flight += (uint32_t)answer;
        dequeue(ctx, (uint32_t)answer);
        return true;
    }
    if (answer == -EINTR && ++*tries < AIO_TRIES)
        return true;
    if (answer == -EAGAIN || answer == 0) {
        if (ctx->in_flight || ctx->made_count)
            return false;
        if (++*tries < AIO_TRIES) {
            sched_yield();
            return true;
        }
        answer = -EAGAIN;
    }
    ctx->made[ctx->made_count++] = event_of(ctx->queued[0], answer);
    dequeue(ctx, 1);
    return true;
}

static void aio_submit(void *arg)
{
    struct aio_ctx *ctx = arg;
    uint32_t tries = 0;

    while (ctx->queued_count) {
        const int answer = io_submit(ctx->queue, (long)ctx->queued_count, ctx->queued);

        if (__builtin_expect(answer == (int)ctx->queued_count, 1)) {
            ctx->in_flight += ctx->queued_count;
            ctx->queued_count = 0;
        } else if (!submit_again(ctx, answer, &tries)) {
            return;
        }
    }
}

/* ---- completions ---- */

static COLD int reap_made(struct aio_ctx *ctx, struct async_event *events, unsigned max)
{
    const uint32_t count = ctx->made_count < max ? ctx->made_count : max;

    memcpy(events, ctx->made, count * sizeof(*events));
    ctx->made_count -= count;
    memmove(ctx->made, ctx->made + count, ctx->made_count * sizeof(*events));
    return (int)count;
}

static int wait_done(struct aio_ctx *ctx, uint64_t wait_ns, unsigned max)
{
    const long at_most = (long)(max < ctx->depth ? max : ctx->depth);
    struct timespec time, *until = NULL;

    if (wait_ns != ASYNC_FOREVER) {
        const uint64_t seconds = wait_ns / NS_PER_S;

        time.tv_sec = seconds < INT32_MAX ? (time_t)seconds : INT32_MAX;
        time.tv_nsec = (long)(wait_ns % NS_PER_S);
        until = &time;
    }
    return io_getevents(ctx->queue, wait_ns ? 1 : 0, at_most, ctx->done, until);
}

static int aio_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct aio_ctx *ctx = arg;
    int count;

    if (__builtin_expect(!ctx->in_flight && !ctx->made_count, 0)) {
        aio_submit(ctx); /* otherwise there is nothing to wait for */
        if (!ctx->in_flight && !ctx->made_count)
            return 0;
    }
    if (__builtin_expect(ctx->made_count, 0))
        return reap_made(ctx, events, max);
    count = wait_done(ctx, wait_ns, max);
    if (__builtin_expect(count < 0, 0))
        return count == -EINTR && ++ctx->fruitless < ENGINE_AGAIN_MOST ? 0 : count;
    ctx->fruitless = 0;
    for (int i = 0; i < count; i++) /* a negative result is stored in an unsigned field */
        events[i] = event_of(ctx->done[i].obj, (long)ctx->done[i].res);
    ctx->in_flight -= (uint32_t)count;
    return count;
}

/* The version of the headers, since the library does not report its own. */
static const char *aio_library(void)
{
    return "libaio" BUILT_LIBAIO;
}

static const struct engine_async libaio_async = {
    .depth_max = AIO_DEPTH_MAX,
    .open = aio_open,
    .read = aio_read,
    .write = aio_write,
    .sync = aio_sync,
    .close = aio_close,
    .submit = aio_submit,
    .reap = aio_reap,
};

const struct engine engine_libaio = {
    .name = "libaio",
    .summary = "io_submit for read and write; asynchronous only with --cache direct",
    .library = aio_library,
    .libc_words = "Using Linux asynchronous I/O (open, io_submit, io_getevents, close)",
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN |
                    ENGINE_KEEP_OPEN | ENGINE_MIXES,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .available = aio_available,
    .setup = aio_setup,
    .teardown = aio_teardown,
    .retire = aio_retire,
    .async = &libaio_async,
    .forget = file_forget,
};
