/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring.c - the engine `io_uring`: open, read or write, and close of many cycles as concurrent
 * requests in one ring per thread (uring_cold.h). Files are opened directly into the ring's file
 * table (slot n of the loop is entry n), so that no descriptor is shared with other threads; where
 * that is not possible, or files get read-ahead advice, real descriptors are used. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "engine/file.h"
#include "engine/uring_cold.h"
#include "os/beneath.h"
#include "os/linux/kernel.h"
#include "os/os.h"

#define DEPTH_MAX     4096
#define STEPS_MAX     3 /* requests of a chained cycle */
#define STEP_BITS     3 /* of a request's user_data: slot << STEP_BITS | step */
#define FRUITLESS_MAX 1000
#define STALL_NS      UINT64_C(1000000000) /* after this, check whether a FIFO blocks the ring */
#define LOOKS_MOST    4096u

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- one thread's ring, and the slice that runs on it ---- */

struct uring {
    struct uring_ring ring; /* of the thread */
    bool keep_open, chained, plain_buffers;
    bool timed;    /* the kernel supports waiting with a timeout */
    bool may_hang; /* files are opened without O_NONBLOCK, so a FIFO in their place could block */

    /* of the slice: */
    struct uring_options options;
    const int *fds; /* of `files`; NULL: files are in the ring's table */
    struct opener opener;
    uint32_t io_bytes, object_count;
    int rw_flags;
    uint8_t read_opcode, write_opcode, file_flags;
    enum async_step chained_step;
    unsigned fruitless, looked;

    /* of the thread: real descriptors, by slot or (kept open) by object */
    struct file_fds files;
};

/* ---- requests: hot ---- */

/* Room can be missing only if a kernel thread fetches the requests, since it frees entries later
 * than it completes requests. */
static COLD bool make_room(struct uring *u, unsigned places)
{
    while (io_uring_sq_space_left(&u->ring.io) < places)
        if (io_uring_submit(&u->ring.io) < 0 || io_uring_sqring_wait(&u->ring.io) < 0)
            return false;
    return true;
}

static inline struct io_uring_sqe *next_request(struct uring *u)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring.io);

    if (UNLIKELY(!sqe) && make_room(u, 1))
        sqe = io_uring_get_sqe(&u->ring.io);
    return sqe;
}

static inline int64_t queued(struct uring *u, struct io_uring_sqe *sqe, const struct async_op *op,
                             enum async_step step, unsigned flags)
{
    sqe->flags = (uint8_t)flags;
    sqe->user_data = (uint64_t)op->slot << STEP_BITS | (unsigned)step;
    u->ring.pending++;
    return ASYNC_PENDING;
}

static inline int file_of(const struct uring *u, const struct async_op *op)
{
    const uint32_t index = u->keep_open ? op->object : op->slot;

    return u->fds ? u->fds[index] : (int)index;
}

static inline void prepare_open(const struct uring *u, struct io_uring_sqe *sqe,
                                const struct async_op *op)
{
    const struct opener *opener = &u->opener;
    const char *name = opener->name[op->object];
    struct open_how *how = (struct open_how *)(uintptr_t)&opener->how;

    if (UNLIKELY(u->fds) && opener->how.resolve)
        io_uring_prep_openat2(sqe, opener->dir_fd, name, how);
    else if (UNLIKELY(u->fds))
        io_uring_prep_openat(sqe, opener->dir_fd, name, (int)how->flags, 0);
    else if (opener->how.resolve)
        io_uring_prep_openat2_direct(sqe, opener->dir_fd, name, how, op->slot);
    else
        io_uring_prep_openat_direct(sqe, opener->dir_fd, name, (int)how->flags, 0, op->slot);
}

static int64_t uring_open(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    struct io_uring_sqe *sqe;

    if (UNLIKELY(u->options.iopoll))
        return file_fds_open(&u->files, op->slot, &u->opener, op->object);
    sqe = next_request(u);
    if (UNLIKELY(!sqe))
        return -EAGAIN;
    prepare_open(u, sqe, op);
    return queued(u, sqe, op, ASYNC_OPEN, 0);
}

static inline int64_t transfer(struct uring *u, const struct async_op *op, uint8_t opcode,
                               enum async_step step)
{
    struct io_uring_sqe *sqe = next_request(u);

    if (UNLIKELY(!sqe))
        return -EAGAIN;
    io_uring_prep_rw(opcode, sqe, file_of(u, op), op->buffer, u->io_bytes, op->offset_bytes);
    sqe->rw_flags = u->rw_flags;
    return queued(u, sqe, op, step, u->file_flags);
}

static int64_t uring_read(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    return transfer(u, op, u->read_opcode, ASYNC_READ);
}

static int64_t uring_write(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    return transfer(u, op, u->write_opcode, ASYNC_WRITE);
}

static int64_t uring_sync(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    struct io_uring_sqe *sqe;

    if (UNLIKELY(u->options.iopoll)) /* such a ring accepts only transfers */
        return os_sync(u->files.fd[u->keep_open ? op->object : op->slot]) < 0 ? -errno : 0;
    sqe = next_request(u);
    if (UNLIKELY(!sqe))
        return -EAGAIN;
    io_uring_prep_fsync(sqe, file_of(u, op), 0);
    return queued(u, sqe, op, ASYNC_SYNC, u->file_flags);
}

static int64_t uring_close(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    struct io_uring_sqe *sqe;

    if (UNLIKELY(u->options.iopoll))
        return file_fds_close(&u->files, op->slot);
    sqe = next_request(u);
    if (UNLIKELY(!sqe))
        return -EAGAIN;
    if (UNLIKELY(u->fds)) {
        io_uring_prep_close(sqe, u->files.fd[op->slot]);
        u->files.fd[op->slot] = -1;
    } else {
        io_uring_prep_close_direct(sqe, op->slot);
    }
    return queued(u, sqe, op, ASYNC_CLOSE, 0);
}

/* A hard link ties the close to the transfer: a short or failed transfer must not cancel it, or the
 * file would stay in the table. A failed open cancels both: nothing is to be closed. */
static bool uring_chain(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    struct io_uring_sqe *sqe;

    if (!u->chained)
        return false;
    if (UNLIKELY(io_uring_sq_space_left(&u->ring.io) < STEPS_MAX) && !make_room(u, STEPS_MAX))
        return false;
    sqe = io_uring_get_sqe(&u->ring.io);
    prepare_open(u, sqe, op);
    queued(u, sqe, op, ASYNC_OPEN, IOSQE_IO_LINK);
    sqe = io_uring_get_sqe(&u->ring.io);
    io_uring_prep_rw(u->chained_step == ASYNC_READ ? u->read_opcode : u->write_opcode, sqe,
                     (int)op->slot, op->buffer, u->io_bytes, op->offset_bytes);
    sqe->rw_flags = u->rw_flags;
    queued(u, sqe, op, u->chained_step, IOSQE_FIXED_FILE | IOSQE_IO_HARDLINK);
    sqe = io_uring_get_sqe(&u->ring.io);
    io_uring_prep_close_direct(sqe, op->slot);
    queued(u, sqe, op, ASYNC_CLOSE, 0);
    return true;
}

/* ---- completions: hot ---- */

static inline unsigned take(struct uring *u, struct async_event *events, unsigned max)
{
    const struct io_uring_cq *cq = &u->ring.io.cq;
    const unsigned head = *cq->khead, mask = cq->ring_mask;
    const unsigned ready = io_uring_cq_ready(&u->ring.io), n = ready < max ? ready : max;

    for (unsigned i = 0; i < n; i++) {
        const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & mask];
        struct async_event *event = &events[i];
        event->slot = (uint32_t)(cqe->user_data >> STEP_BITS);
        event->step = (enum async_step)(cqe->user_data & ((1u << STEP_BITS) - 1));
        event->result = cqe->res;
        if (UNLIKELY(u->fds) && event->step == ASYNC_OPEN && cqe->res >= 0) {
            u->files.fd[event->slot] = cqe->res;
            if (u->opener.advice != READAHEAD_NORMAL)
                file_give_advice(cqe->res, u->opener.advice);
        }
    }
    io_uring_cq_advance(&u->ring.io, n);
    u->ring.pending -= n;
    return n;
}

/* Submits queued requests and waits for a completion in one system call. On kernels without timed
 * waits, and with polling, the loop calls again and again. */
static inline int enter(struct uring *u, uint64_t wait_ns)
{
    struct __kernel_timespec wait;
    struct io_uring_cqe *ignored;

    if (wait_ns == ASYNC_FOREVER && !UNLIKELY(u->may_hang))
        return io_uring_submit_and_wait(&u->ring.io, 1);
    if (wait_ns == ASYNC_FOREVER)
        wait_ns = STALL_NS;
    if (wait_ns == 0 || !u->timed)
        return io_uring_submit_and_get_events(&u->ring.io);
    wait.tv_sec = (long long)(wait_ns / 1000000000u);
    wait.tv_nsec = (long long)(wait_ns % 1000000000u);
    return io_uring_submit_and_wait_timeout(&u->ring.io, &ignored, 1, &wait, NULL);
}

/* Whether a FIFO in place of a file blocks the ring. */
static COLD bool is_held(struct uring *u)
{
    const uint32_t count = u->object_count, looks = count < LOOKS_MOST ? count : LOOKS_MOST;

    for (uint32_t i = 0; i < looks; i++) {
        const char *name = u->opener.name[u->looked++ % count];
        struct beneath_id id;
        if (beneath_look(u->opener.dir_fd, name, &id) == 0 &&
            (S_ISFIFO(id.type) || S_ISCHR(id.type)))
            return true;
    }
    return false;
}

/* Handles a failed wait: returns 0 if a retry is worthwhile. */
static COLD int trouble(struct uring *u, int code, uint64_t wait_ns)
{
    if (code == -ETIME && u->may_hang && wait_ns == ASYNC_FOREVER && is_held(u)) {
        u->ring.broken = true;
        return -ENXIO;
    }
    if (code == -ETIME || (code == -EINTR && ++u->fruitless < ENGINE_AGAIN_MOST))
        return 0;
    if ((code == -EAGAIN || code == -EBUSY) && ++u->fruitless < FRUITLESS_MAX) {
        if (wait_ns > 0) /* the kernel is short of memory: give it time */
            clock_rest(100000);
        return 0;
    }
    u->ring.broken = true;
    return code;
}

static int uring_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct uring *u = arg;
    unsigned n = 0;
    int code;

    if (UNLIKELY(u->options.sqpoll))
        (void)io_uring_submit(&u->ring.io); /* no system call while the kernel thread runs */
    if (u->options.sqpoll || io_uring_sq_ready(&u->ring.io) == 0)
        n = take(u, events, max);
    if (n == 0) {
        code = enter(u, wait_ns);
        n = take(u, events, max);
        if (UNLIKELY(n == 0 && code < 0))
            return trouble(u, code, wait_ns);
    }
    if (n > 0)
        u->fruitless = 0;
    return (int)n;
}

/* ---- setup of a slice ---- */

static int uring_available(const struct workload *wish, struct error *err)
{
    struct uring_options options;
    struct uring_ring ring = {.entries = 0};
    int code;

    if (uring_options_take(wish, &options, err) < 0 ||
        uring_ring_ensure(&ring, 2, &options, err) < 0)
        return -1;
    code = options.link ? uring_ring_table(&ring, 1) : 0;
    uring_ring_destroy(&ring);
    return code < 0 ? uring_refuse_chains(code, err) : 0;
}

/* The maximum number of concurrent requests. */
static uint32_t requests_most(const struct uring *u, const struct workload *work,
                              const struct engine_thread *thread)
{
    const uint32_t depth = work->depth > thread->depth_most ? work->depth : thread->depth_most;

    return depth * (u->options.link ? STEPS_MAX : 1);
}

static int prepare_buffers(struct uring *u, const struct engine_thread *thread, struct error *err)
{
    const unsigned fixed = u->options.fixed;
    const int code = fixed == URING_FIXED_OFF ? -EOPNOTSUPP : uring_ring_buffers(&u->ring, thread);

    u->read_opcode = code < 0 ? IORING_OP_READ : IORING_OP_READ_FIXED;
    u->write_opcode = code < 0 ? IORING_OP_WRITE : IORING_OP_WRITE_FIXED;
    u->plain_buffers = code < 0 && fixed == URING_FIXED_AUTO;
    if (code >= 0 || fixed != URING_FIXED_ON)
        return 0;
    error_set(err, STATUS_TARGET, -code, "cannot register the buffers with io_uring", NULL);
    return error_advise(err, code == -EFBIG
                                 ? "the limit is 1 GiB: use a smaller --depth or --max-size, or "
                                   "leave out --io_uring.fixed=on"
                                 : "raise the limit of locked memory (ulimit -l), or leave out "
                                   "--io_uring.fixed=on");
}

/* Files kept open: real descriptors, registered in the table if possible. */
static int prepare_kept(struct uring *u, const struct workload *work, struct error *err)
{
    const unsigned count = work->object_count;

    if (file_fds_open_all(&u->files, work, &u->opener, err) < 0)
        return -1;
    u->fds = u->files.fd;
    if (u->options.fixed == URING_FIXED_OFF || uring_ring_table(&u->ring, count) < 0)
        return 0;
    if (io_uring_register_files_update(&u->ring.io, 0, u->files.fd, count) == (int)count)
        u->fds = NULL;
    else
        uring_ring_drop_table(&u->ring);
    return 0;
}

/* Files opened in each cycle: entries of the table, or real descriptors. */
static int prepare_slots(struct uring *u, const struct workload *work, struct error *err)
{
    const uint32_t depth = work->depth;
    /* Closing an entry does not flush, as close(2) does on network file systems, and entries cannot
     * be advised on; chains always use entries. */
    const bool flushes = work->test == TEST_WRITE && work->target->close_flushes && !u->chained;
    const bool wanted = u->options.fixed != URING_FIXED_OFF && !u->options.iopoll && !flushes &&
                        work->readahead == READAHEAD_NORMAL;
    const int code = wanted ? uring_ring_table(&u->ring, depth) : -EOPNOTSUPP;

    if (code == -EMFILE) {
        error_set(err, STATUS_TARGET, EMFILE,
                  "cannot keep a file open for each operation in flight", NULL);
        return error_advise(err, "use a smaller --depth, or raise the limit of open files "
                                 "(ulimit -n)");
    }
    if (code < 0 && u->chained)
        return uring_refuse_chains(code, err);
    if (code < 0) {
        file_fds_grow(&u->files, depth);
        u->fds = u->files.fd;
    } else {
        /* table entries do not have this flag; EINVAL if set */
        u->opener.how.flags &= ~(uint64_t)O_CLOEXEC;
    }
    return 0;
}

static void begin_slice(struct uring *u, const struct workload *work)
{
    const bool sync_end = work->sync == SYNC_END && work->test == TEST_WRITE;

    u->keep_open = work->keep_open;
    u->chained = u->options.link && !work->rmw && !sync_end && work->readahead == READAHEAD_NORMAL;
    u->chained_step = work->test == TEST_WRITE ? ASYNC_WRITE : ASYNC_READ;
    u->timed = (u->ring.io.features & IORING_FEAT_EXT_ARG) && !u->options.iopoll;
    u->opener = file_opener(work);
    /* Without support for non-waiting reads, O_NONBLOCK would make the ring wait inline instead of
     * using its helpers; before Linux 5.17, not wait at all. */
    u->may_hang = false;
    if ((u->opener.how.flags & O_NONBLOCK) &&
        (!work->target->nowait || !(u->ring.io.features & IORING_FEAT_CQE_SKIP))) {
        u->opener.how.flags &= ~(uint64_t)O_NONBLOCK;
        u->may_hang = u->timed; /* otherwise a FIFO cannot be told from a slow device */
    }
    u->opener.how.flags |= O_LARGEFILE;     /* libc adds it to open(2) only */
    u->io_bytes = (uint32_t)work->io_bytes; /* below 2 GiB, as ensured by the plan */
    u->object_count = work->object_count;
    u->rw_flags = workload_drops(work) ? RWF_DONTCACHE : 0;
    u->fds = NULL;
    u->fruitless = 0;
}

static int uring_setup(const struct workload *work, const struct engine_thread *thread,
                       void **ctx_out, struct error *err)
{
    struct uring *u = *thread->home;
    int code;

    if (!u)
        u = *thread->home = mem_calloc(1, sizeof(*u));
    if (uring_options_take(work, &u->options, err) < 0 ||
        uring_ring_ensure(&u->ring, requests_most(u, work, thread), &u->options, err) < 0)
        return -1;
    begin_slice(u, work);
    if (prepare_buffers(u, thread, err) < 0)
        return -1;
    code = u->keep_open ? prepare_kept(u, work, err) : prepare_slots(u, work, err);
    if (code < 0)
        return -1;
    u->file_flags = u->fds ? 0 : (uint8_t)IOSQE_FIXED_FILE;
    *ctx_out = u;
    return 0;
}

/* Closes a ring that failed or has requests of the slice left: the kernel cancels them, so that no
 * completion appears in a later slice. */
static void uring_teardown(void *ctx)
{
    struct uring *u = ctx;
    const unsigned count = u->object_count;

    if (u->ring.broken || u->ring.pending)
        uring_ring_destroy(&u->ring);
    file_fds_close_all(&u->files); /* sets them to -1, which frees entries of the table */
    if (u->ring.entries && u->keep_open && !u->fds &&
        io_uring_register_files_update(&u->ring.io, 0, u->files.fd, count) != (int)count)
        uring_ring_drop_table(&u->ring);
}

static void uring_report(void *ctx, struct engine_report *report)
{
    const struct uring *u = ctx;

    report->helpers_asked = u->options.sqpoll;
    report->plain_buffers = u->plain_buffers;
}

static void uring_retire(void *home)
{
    struct uring *u = home;

    uring_ring_destroy(&u->ring);
    free(u->files.fd);
    free(u);
}

/* The version at build time; a shared library loaded instead must be compatible with it. */
static const char *uring_library(void)
{
    return "liburing" BUILT_LIBURING;
}

static const struct engine_async uring_async = {
    .depth_max = DEPTH_MAX,
    .open = uring_open,
    .read = uring_read,
    .write = uring_write,
    .sync = uring_sync,
    .close = uring_close,
    .chain = uring_chain,
    .reap = uring_reap,
};

const struct engine engine_uring = {
    .name = "io_uring",
    .summary = "openat, read or write, close, many at once through a ring",
    .library = uring_library,
    .libc_words = "Using io_uring (openat, read, write, close)",
    .capabilities = ENGINE_HELPERS | ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED |
                    ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN | ENGINE_MIXES,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .options = uring_options_table,
    .options_bytes = sizeof(struct uring_options),
    .available = uring_available,
    .setup = uring_setup,
    .teardown = uring_teardown,
    .report = uring_report,
    .retire = uring_retire,
    .async = &uring_async,
    .forget = file_forget,
};
