/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bare_async.c - bare loops through io_uring and libaio, tuned as far as these interfaces go: a
 * ring of one thread with deferred task work, files and buffers registered with it, one system call
 * that hands in all there is and waits for one completion.  They know nothing of iosweep but its
 * random numbers: what the cycle loop and the engines add is what the comparison shows. */
#include "base/compat.h"

#include "bare_async.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_LIBAIO
#include <libaio.h>
#endif
#ifdef HAVE_LIBURING
#include <liburing.h>
#endif

#include "base/mem.h"
#include "base/rng.h"

#define DIRECT_SHARE 8 /* O_DIRECT: the device idles while a whole batch is being collected */

struct bare_async {
    struct bare_target target;
    void (*run)(struct bare_async *, uint64_t);
    struct rng rng;
    uint64_t mask;  /* of the offset bits below one read */
    uint32_t batch; /* so many completions are taken before the next system call */
    int fd;         /* kept open; else -1 */
    int open_flags;
#ifdef HAVE_LIBURING
    struct io_uring ring;
    bool has_ring;
#endif
#ifdef HAVE_LIBAIO
    io_context_t queue;
    struct iocb *request, **queued;
    struct io_event *event;
#endif
};

#if defined(HAVE_LIBURING) || defined(HAVE_LIBAIO)

static __attribute__((noinline, cold, noreturn)) void fail(const char *what, int64_t result)
{
    if (result < 0)
        fprintf(stderr, "bench: %s: %s\n", what, strerror((int)-result));
    else
        fprintf(stderr, "bench: %s: %lld bytes\n", what, (long long)result);
    exit(1);
}

static inline uint64_t draw(struct bare_async *b)
{
    return rng_below(&b->rng, b->target.length_bytes - b->mask) & ~b->mask;
}

static inline char *buffer_of(const struct bare_async *b, uint32_t slot)
{
    return b->target.buffer + slot * b->target.size_bytes;
}

#endif

#ifdef HAVE_LIBURING

/* ---- io_uring ---- */

enum stage { STAGE_OPEN, STAGE_READ, STAGE_CLOSE, STAGE_BITS = 2 };

static inline struct io_uring_sqe *request(struct bare_async *b)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&b->ring);

    if (__builtin_expect(!sqe, 0)) /* cannot be: one request per slot, and a place for each */
        fail("io_uring_get_sqe", -EAGAIN);
    return sqe;
}

static inline void queue_open(struct bare_async *b, uint32_t slot)
{
    struct io_uring_sqe *sqe = request(b);

    io_uring_prep_openat_direct(sqe, b->target.dir_fd, b->target.name, b->open_flags, 0, slot);
    sqe->user_data = (uint64_t)slot << STAGE_BITS | STAGE_OPEN;
}

static inline void queue_read(struct bare_async *b, uint32_t slot, uint32_t file)
{
    struct io_uring_sqe *sqe = request(b);

    io_uring_prep_read_fixed(sqe, (int)file, buffer_of(b, slot), (unsigned)b->target.size_bytes,
                             draw(b), 0);
    sqe->flags = IOSQE_FIXED_FILE;
    sqe->user_data = (uint64_t)slot << STAGE_BITS | STAGE_READ;
}

static inline void queue_close(struct bare_async *b, uint32_t slot)
{
    struct io_uring_sqe *sqe = request(b);

    io_uring_prep_close_direct(sqe, slot);
    sqe->user_data = (uint64_t)slot << STAGE_BITS | STAGE_CLOSE;
}

static inline void enter(struct bare_async *b)
{
    const int code = io_uring_submit_and_wait(&b->ring, 1);

    if (__builtin_expect(code < 0, 0) && code != -EINTR)
        fail("io_uring_submit_and_wait", code);
}

static void uring_kept(struct bare_async *b, uint64_t n)
{
    const int size = (int)b->target.size_bytes;
    uint64_t begun = 0, done = 0;

    for (; begun < b->target.depth && begun < n; begun++)
        queue_read(b, (uint32_t)begun, 0);
    while (done < n) {
        struct io_uring_cqe *cqe;
        unsigned head, taken = 0;
        enter(b);
        io_uring_for_each_cqe(&b->ring, head, cqe)
        {
            if (__builtin_expect(cqe->res != size, 0))
                fail("read", cqe->res);
            if (begun < n) {
                queue_read(b, (uint32_t)(cqe->user_data >> STAGE_BITS), 0);
                begun++;
            }
            if (++taken == b->batch)
                break;
        }
        io_uring_cq_advance(&b->ring, taken);
        done += taken;
    }
}

/* A state machine per slot; slot n has the file in entry n of the ring's table. */
static void uring_cycle(struct bare_async *b, uint64_t n)
{
    const int size = (int)b->target.size_bytes;
    uint64_t begun = 0, done = 0;

    for (; begun < b->target.depth && begun < n; begun++)
        queue_open(b, (uint32_t)begun);
    while (done < n) {
        struct io_uring_cqe *cqe;
        unsigned head, taken = 0;
        enter(b);
        io_uring_for_each_cqe(&b->ring, head, cqe)
        {
            const uint32_t slot = (uint32_t)(cqe->user_data >> STAGE_BITS);
            switch (cqe->user_data & ((1u << STAGE_BITS) - 1)) {
            case STAGE_OPEN:
                if (__builtin_expect(cqe->res < 0, 0))
                    fail("openat", cqe->res);
                queue_read(b, slot, slot);
                break;
            case STAGE_READ:
                if (__builtin_expect(cqe->res != size, 0))
                    fail("read", cqe->res);
                queue_close(b, slot);
                break;
            default:
                if (__builtin_expect(cqe->res < 0, 0))
                    fail("close", cqe->res);
                done++;
                if (begun < n) {
                    queue_open(b, slot);
                    begun++;
                }
            }
            if (++taken == b->batch)
                break;
        }
        io_uring_cq_advance(&b->ring, taken);
    }
}

static int uring_create(struct bare_async *b, struct error *err)
{
    const struct bare_target *target = &b->target;
    const struct iovec memory = {target->buffer, target->depth * target->size_bytes};
    struct io_uring_params params = {.flags =
                                         IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
    int code = io_uring_queue_init_params(target->depth, &b->ring, &params);

    if (code < 0)
        return error_set(err, STATUS_TARGET, -code, "bare ring", NULL);
    b->has_ring = true;
    code = io_uring_register_buffers(&b->ring, &memory, 1);
    if (code < 0)
        return error_set(err, STATUS_TARGET, -code, "registered buffers", NULL);
    code = target->keep_open ? io_uring_register_files(&b->ring, &b->fd, 1)
                             : io_uring_register_files_sparse(&b->ring, target->depth);
    if (code < 0)
        return error_set(err, STATUS_TARGET, -code, "registered files", NULL);
    b->run = target->keep_open ? uring_kept : uring_cycle;
    return 0;
}

#endif
#ifdef HAVE_LIBAIO

/* ---- libaio ---- */

static inline void aio_queue(struct bare_async *b, uint32_t place, struct iocb *request)
{
    request->u.c.offset = (long long)draw(b);
    b->queued[place] = request;
}

static inline void aio_submit(struct bare_async *b, uint32_t count)
{
    for (uint32_t sent = 0; sent < count;) {
        const int code = io_submit(b->queue, (long)(count - sent), b->queued + sent);
        if (__builtin_expect(code < 0, 0) && code != -EINTR && code != -EAGAIN)
            fail("io_submit", code);
        if (code > 0)
            sent += (uint32_t)code;
    }
}

static inline uint32_t aio_wait(struct bare_async *b)
{
    const int code = io_getevents(b->queue, 1, (long)b->batch, b->event, NULL);

    if (__builtin_expect(code < 0, 0) && code != -EINTR)
        fail("io_getevents", code);
    return code < 0 ? 0 : (uint32_t)code;
}

static inline void aio_open(struct bare_async *b, struct iocb *request)
{
    request->aio_fildes = openat(b->target.dir_fd, b->target.name, b->open_flags);
    if (__builtin_expect(request->aio_fildes < 0, 0))
        fail("openat", -errno);
}

static inline __attribute__((always_inline)) void aio_loop(struct bare_async *b, uint64_t n,
                                                           const bool opens)
{
    const long size = (long)b->target.size_bytes;
    uint64_t begun = 0, done = 0;
    uint32_t count = 0;

    for (; begun < b->target.depth && begun < n; begun++) {
        if (opens)
            aio_open(b, &b->request[begun]);
        aio_queue(b, count++, &b->request[begun]);
    }
    while (done < n) {
        uint32_t taken;
        aio_submit(b, count);
        taken = aio_wait(b);
        count = 0;
        for (uint32_t i = 0; i < taken; i++) {
            struct iocb *request = b->event[i].obj;
            if (__builtin_expect((long)b->event[i].res != size, 0))
                fail("read", (long)b->event[i].res);
            if (opens)
                close(request->aio_fildes);
            if (begun < n) {
                if (opens)
                    aio_open(b, request);
                aio_queue(b, count++, request);
                begun++;
            }
        }
        done += taken;
    }
}

static void aio_kept(struct bare_async *b, uint64_t n)
{
    aio_loop(b, n, false);
}

static void aio_cycle(struct bare_async *b, uint64_t n)
{
    aio_loop(b, n, true);
}

static int aio_create(struct bare_async *b, struct error *err)
{
    const struct bare_target *target = &b->target;
    const int code = io_setup((int)target->depth, &b->queue);

    if (code < 0) {
        b->queue = NULL;
        return error_set(err, STATUS_TARGET, -code, "bare queue", NULL);
    }
    b->request = mem_calloc(target->depth, sizeof(*b->request));
    b->queued = mem_calloc(target->depth, sizeof(struct iocb *));
    b->event = mem_calloc(target->depth, sizeof(*b->event));
    for (uint32_t i = 0; i < target->depth; i++)
        io_prep_pread(&b->request[i], b->fd, buffer_of(b, i), target->size_bytes, 0);
    b->run = target->keep_open ? aio_kept : aio_cycle;
    return 0;
}

#endif

/* ---- either ---- */

static int create(struct bare_async *b, const char *engine, struct error *err)
{
#ifdef HAVE_LIBURING
    if (strcmp(engine, "io_uring") == 0)
        return uring_create(b, err);
#endif
#ifdef HAVE_LIBAIO
    if (strcmp(engine, "libaio") == 0)
        return aio_create(b, err);
#endif
    (void)b;
    return error_set(err, STATUS_TARGET, 0, "there is no bare loop for engine", engine);
}

struct bare_async *bare_async_create(const char *engine, const struct bare_target *target,
                                     struct error *err)
{
    struct bare_async *b = mem_calloc(1, sizeof(*b));
    const uint32_t share = target->depth / DIRECT_SHARE;

    b->target = *target;
    b->mask = target->size_bytes - 1;
    b->batch = !target->direct ? target->depth : share ? share : 1;
    b->open_flags = O_RDONLY | (target->direct ? O_DIRECT : 0);
    b->fd =
        target->keep_open ? openat(target->dir_fd, target->name, b->open_flags | O_CLOEXEC) : -1;
    rng_seed(&b->rng, 7, 0);
    if (target->keep_open && b->fd < 0)
        error_set(err, STATUS_TARGET, errno, "cannot open", target->name);
    else if (create(b, engine, err) == 0)
        return b;
    bare_async_destroy(b);
    return NULL;
}

void bare_async_begin(struct bare_async *b)
{
#ifdef HAVE_LIBURING
    if (b->has_ring)
        (void)io_uring_register_ring_fd(&b->ring);
#endif
    (void)b;
}

void bare_async_end(struct bare_async *b)
{
#ifdef HAVE_LIBURING
    if (b->has_ring)
        (void)io_uring_unregister_ring_fd(&b->ring);
#endif
    (void)b;
}

void bare_async_run(struct bare_async *b, uint64_t n)
{
    b->run(b, n);
}

void bare_async_destroy(struct bare_async *b)
{
    if (!b)
        return;
#ifdef HAVE_LIBURING
    if (b->has_ring)
        io_uring_queue_exit(&b->ring);
#endif
#ifdef HAVE_LIBAIO
    if (b->queue)
        io_destroy(b->queue);
    free(b->request);
    free(b->queued);
    free(b->event);
#endif
    if (b->fd >= 0)
        close(b->fd);
    free(b);
}
