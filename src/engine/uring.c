/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uring.c - the engine `io_uring`: open, read or write, and close of many cycles at once as
 * requests in one ring per thread.  Files are opened straight into the ring's own table (slot n of
 * the loop is entry n), so that no descriptor is shared with other threads; where that does not
 * work they are real descriptors.  The only file that knows liburing.
 *
 * The ring belongs to the thread, not to the slice: making one, and registering buffers with it,
 * takes longer than a slice may.  That memory must stay mapped where it is as long as the thread
 * lives: the kernel holds on to the pages it has been shown. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/file.h"
#include "engine/uring_cold.h"
#include "os/linux/kernel.h"
#include "os/memory.h"

#define DEPTH_MAX          4096
#define STEPS_MAX          4 /* requests of a chained cycle */
#define STEP_BITS          3 /* of the number a request carries: slot << STEP_BITS | step */
#define STEP_ADVISE        (ASYNC_CLOSE + 1) /* follows an open, of which it becomes a part */
#define SQPOLL_IDLE_MS     50
#define REGISTER_BYTES_MAX (UINT64_C(1) << 30)
#define FRUITLESS_MAX      1000

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- one thread's ring, and the slice that runs on it ---- */

struct uring {
    struct io_uring ring;
    uint32_t pending; /* requests queued or in flight */
    bool keep_open, chained, plain_buffers;
    bool advises; /* opened files are to be read at random places: no reading ahead */
    bool timed;   /* the kernel can wait for a given time */

    /* of the slice: */
    struct uring_options options;
    const int *fds; /* by slot or (kept open) by object; NULL: files are in the ring's table */
    struct opener opener;
    uint32_t io_bytes, object_count;
    int rw_flags;
    uint8_t read_opcode, write_opcode, file_flags;
    enum async_step chained_step;
    unsigned fruitless;

    /* of the thread: */
    bool broken;
    unsigned setup_flags; /* asked for */
    uint32_t entries;     /* 0: no ring */
    uint32_t table_size;  /* of the ring's file table */
    struct uring_fds slots, kept;
    const char *registered; /* buffers known to the ring */
    size_t registered_bytes;
    size_t refused_bytes;        /* this many bytes, or more, could not be registered */
    const struct target *polled; /* of which it is known that polling works */
};

/* ---- requests: hot ---- */

/* A place can be missing only when a kernel thread fetches the requests: it frees places later than
 * it completes requests. */
static COLD bool make_room(struct uring *u, unsigned places)
{
    while (io_uring_sq_space_left(&u->ring) < places)
        if (io_uring_submit(&u->ring) < 0 || io_uring_sqring_wait(&u->ring) < 0)
            return false;
    return true;
}

static inline struct io_uring_sqe *next_request(struct uring *u)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);

    if (UNLIKELY(!sqe) && make_room(u, 1))
        sqe = io_uring_get_sqe(&u->ring);
    return sqe;
}

static inline int64_t queued(struct uring *u, struct io_uring_sqe *sqe, const struct async_op *op,
                             enum async_step step, unsigned flags)
{
    sqe->flags = (uint8_t)flags;
    sqe->user_data = (uint64_t)op->slot << STEP_BITS | (unsigned)step;
    u->pending++;
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

/* Only the ring can advise on an entry of the table. */
static void queue_advice(struct uring *u, const struct async_op *op, unsigned flags)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);

    io_uring_prep_fadvise(sqe, (int)op->slot, 0, 0, POSIX_FADV_RANDOM);
    queued(u, sqe, op, (enum async_step)STEP_ADVISE, IOSQE_FIXED_FILE | flags);
}

static COLD int64_t open_advised(struct uring *u, const struct async_op *op)
{
    struct io_uring_sqe *sqe;

    if (io_uring_sq_space_left(&u->ring) < 2 && !make_room(u, 2))
        return -EAGAIN;
    sqe = io_uring_get_sqe(&u->ring);
    prepare_open(u, sqe, op);
    queued(u, sqe, op, ASYNC_OPEN, IOSQE_IO_LINK);
    queue_advice(u, op, 0);
    return ASYNC_PENDING;
}

static int64_t uring_open(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    struct io_uring_sqe *sqe;

    if (UNLIKELY(u->options.iopoll))
        return uring_fds_open_one(&u->slots, op->slot, &u->opener, op->object);
    if (UNLIKELY(u->advises && !u->fds))
        return open_advised(u, op);
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

    if (UNLIKELY(u->options.iopoll)) /* such a ring takes nothing but transfers */
        return fsync(u->keep_open ? u->kept.fd[op->object] : u->slots.fd[op->slot]) < 0 ? -errno
                                                                                        : 0;
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
        return uring_fds_close_one(&u->slots, op->slot);
    sqe = next_request(u);
    if (UNLIKELY(!sqe))
        return -EAGAIN;
    if (UNLIKELY(u->fds)) {
        io_uring_prep_close(sqe, u->slots.fd[op->slot]);
        u->slots.fd[op->slot] = -1;
    } else {
        io_uring_prep_close_direct(sqe, op->slot);
    }
    return queued(u, sqe, op, ASYNC_CLOSE, 0);
}

/* The close is tied to the transfer by a hard link: a short or failed transfer must not cancel it,
 * or the file would stay in the table.  A failed open cancels both: there is nothing to close. */
static bool uring_chain(void *arg, const struct async_op *op)
{
    struct uring *u = arg;
    struct io_uring_sqe *sqe;

    if (!u->chained)
        return false;
    if (UNLIKELY(io_uring_sq_space_left(&u->ring) < STEPS_MAX) && !make_room(u, STEPS_MAX))
        return false;
    sqe = io_uring_get_sqe(&u->ring);
    prepare_open(u, sqe, op);
    queued(u, sqe, op, ASYNC_OPEN, IOSQE_IO_LINK);
    if (u->advises)
        queue_advice(u, op, IOSQE_IO_HARDLINK); /* refused or not */
    sqe = io_uring_get_sqe(&u->ring);
    io_uring_prep_rw(u->chained_step == ASYNC_READ ? u->read_opcode : u->write_opcode, sqe,
                     (int)op->slot, op->buffer, u->io_bytes, op->offset_bytes);
    sqe->rw_flags = u->rw_flags;
    queued(u, sqe, op, u->chained_step, IOSQE_FIXED_FILE | IOSQE_IO_HARDLINK);
    sqe = io_uring_get_sqe(&u->ring);
    io_uring_prep_close_direct(sqe, op->slot);
    queued(u, sqe, op, ASYNC_CLOSE, 0);
    return true;
}

/* ---- completions: hot ---- */

/* A file counts as open when the advice has been given; whether it was taken does not matter.
 * Returns whether there is an event. */
static COLD bool take_advised(struct uring *u, struct async_event *event)
{
    if ((unsigned)event->step == STEP_ADVISE) {
        if (event->result == -ECANCELED)
            return false; /* the open has failed, which was reported */
        event->step = ASYNC_OPEN;
        event->result = 0;
    } else if (event->step == ASYNC_OPEN && event->result >= 0) {
        if (!u->fds)
            return false; /* the advice follows */
        os_expect_random((int)event->result);
    }
    return true;
}

static inline unsigned take(struct uring *u, struct async_event *events, unsigned max)
{
    const struct io_uring_cq *cq = &u->ring.cq;
    const unsigned head = *cq->khead, mask = cq->ring_mask;
    const unsigned ready = io_uring_cq_ready(&u->ring), n = ready < max ? ready : max;
    unsigned made = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & mask];
        struct async_event *event = &events[made];
        event->slot = (uint32_t)(cqe->user_data >> STEP_BITS);
        event->step = (enum async_step)(cqe->user_data & ((1u << STEP_BITS) - 1));
        event->result = cqe->res;
        if (UNLIKELY(u->fds) && event->step == ASYNC_OPEN && cqe->res >= 0)
            u->slots.fd[event->slot] = cqe->res;
        made += !UNLIKELY(u->advises) || take_advised(u, event);
    }
    io_uring_cq_advance(&u->ring, n);
    u->pending -= n;
    return made;
}

/* Hands in what is queued and waits for a completion, by one system call.  Kernels that cannot wait
 * for a given time are asked again and again by the loop, as are devices that are polled. */
static inline int enter(struct uring *u, uint64_t wait_ns)
{
    struct __kernel_timespec wait;
    struct io_uring_cqe *ignored;

    if (wait_ns == ASYNC_FOREVER)
        return io_uring_submit_and_wait(&u->ring, 1);
    if (wait_ns == 0 || !u->timed)
        return io_uring_submit_and_get_events(&u->ring);
    wait.tv_sec = (long long)(wait_ns / 1000000000u);
    wait.tv_nsec = (long long)(wait_ns % 1000000000u);
    return io_uring_submit_and_wait_timeout(&u->ring, &ignored, 1, &wait, NULL);
}

/* Nothing came, for a reason: is it worth another try? */
static COLD int trouble(struct uring *u, int code, uint64_t wait_ns)
{
    const struct timespec pause = {.tv_nsec = 100000};

    if (code == -ETIME || (code == -EINTR && ++u->fruitless < ENGINE_AGAIN_MOST))
        return 0;
    if ((code == -EAGAIN || code == -EBUSY) && ++u->fruitless < FRUITLESS_MAX) {
        if (wait_ns > 0) /* the kernel is short of memory: give it time */
            nanosleep(&pause, NULL);
        return 0;
    }
    u->broken = true;
    return code;
}

static int uring_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct uring *u = arg;
    unsigned n = 0;
    int code;

    if (UNLIKELY(u->options.sqpoll))
        (void)io_uring_submit(&u->ring); /* a system call only if the kernel thread sleeps */
    if (u->options.sqpoll || io_uring_sq_ready(&u->ring) == 0)
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

static void uring_forget(void *arg, uint32_t object, uint64_t offset_bytes)
{
    const struct uring *u = arg;
    file_forget(u->opener.dir_fd, u->opener.name[object], (int)u->opener.how.flags, offset_bytes,
                u->io_bytes);
}

/* ---- the ring ---- */

static unsigned flags_for(const struct uring_options *options)
{
    return (options->sqpoll ? IORING_SETUP_SQPOLL : 0) |
           (options->iopoll ? IORING_SETUP_IOPOLL : 0);
}

/* The best set-up that this kernel knows.  The completion queue is twice as long as the other one,
 * which holds all requests that can exist: it never overflows.  Returns 0 or -errno. */
static int create_ring(struct io_uring *ring, uint32_t entries, unsigned flags)
{
    static const unsigned extra[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
                                     IORING_SETUP_COOP_TASKRUN, 0};
    const unsigned last = sizeof(extra) / sizeof(extra[0]) - 1;
    int code = -EINVAL;

    for (unsigned i = flags & IORING_SETUP_SQPOLL ? last : 0; i <= last && code == -EINVAL; i++) {
        struct io_uring_params params = {.flags = flags | extra[i],
                                         .sq_thread_idle = SQPOLL_IDLE_MS};
        code = io_uring_queue_init_params(entries, ring, &params);
    }
    if (code < 0)
        return code;
    (void)io_uring_register_ring_fd(ring); /* saves a look-up; a task can have only 16 of them */
    return 0;
}

static void drop_table(struct uring *u)
{
    if (u->table_size)
        io_uring_unregister_files(&u->ring);
    u->table_size = 0;
}

/* What is registered is given back first: closing a ring frees locked memory only some time later,
 * and the next ring may need it. */
static void destroy_ring(struct uring *u)
{
    if (!u->entries)
        return;
    if (u->registered_bytes)
        io_uring_unregister_buffers(&u->ring);
    drop_table(u);
    io_uring_queue_exit(&u->ring);
    u->broken = false;
    u->registered_bytes = 0;
    u->entries = u->pending = 0;
}

static int ensure_ring(struct uring *u, uint32_t depth, struct error *err)
{
    const unsigned flags = flags_for(&u->options);
    uint32_t entries = 1;
    int code;

    while (entries < depth * (u->options.link ? STEPS_MAX : u->advises ? 2 : 1))
        entries *= 2;
    if (!u->broken && u->entries >= entries && u->setup_flags == flags)
        return 0;
    destroy_ring(u);
    code = create_ring(&u->ring, entries, flags);
    if (code < 0)
        return uring_refuse_ring(code, err);
    u->entries = entries;
    u->setup_flags = flags;
    return 0;
}

/* Makes the ring's file table at least that long.  Returns 0 or -errno. */
static int ensure_table(struct uring *u, uint32_t size)
{
    int code;

    if (u->table_size >= size)
        return 0;
    drop_table(u);
    code = io_uring_register_files_sparse(&u->ring, size);
    u->table_size = code < 0 ? 0 : size;
    return code;
}

static int uring_available(const struct workload *wish, struct error *err)
{
    const struct uring_options options = uring_options_of(wish ? wish->options : NULL);
    struct io_uring ring;
    int code;

    if (uring_options_check(&options, wish, err) < 0)
        return -1;
    code = create_ring(&ring, 2, flags_for(&options));
    if (code < 0)
        return uring_refuse_ring(code, err);
    code = options.link ? io_uring_register_files_sparse(&ring, 1) : 0;
    io_uring_queue_exit(&ring);
    return code < 0 ? uring_refuse_chains(code, err) : 0;
}

/* ---- setting a slice up ---- */

/* Reads once through the ring.  Returns bytes or -errno. */
static int read_once(struct uring *u, int fd, void *buffer, unsigned bytes)
{
    const struct async_op op = {.slot = 0};
    struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
    struct async_event event;
    int got;

    io_uring_prep_read(sqe, fd, buffer, bytes, 0);
    queued(u, sqe, &op, ASYNC_READ, 0);
    do
        got = uring_reap(u, ASYNC_FOREVER, &event, 1);
    while (got == 0);
    return got < 0 ? got : (int)event.result;
}

/* Only a read shows whether completions can be polled for: opening accepts the flags anyway.  Done
 * once per target, read-only, into memory of its own. */
static int probe_polling(struct uring *u, const struct target *target, struct error *err)
{
    const unsigned bytes = target->direct_align_bytes;
    void *buffer;
    int fd, code;

    if (u->polled == target)
        return 0;
    buffer = mem_buffer(bytes, target->memory_align_bytes, err);
    if (!buffer)
        return -1;
    fd = openat(u->opener.dir_fd, u->opener.name[0],
                ((int)u->opener.how.flags & ~O_ACCMODE) | O_RDONLY);
    code = fd < 0 ? -errno : read_once(u, fd, buffer, bytes);
    mem_buffer_free(buffer);
    if (fd >= 0)
        close(fd);
    if (code < 0)
        return uring_refuse_polling(code, target, err);
    u->polled = target;
    return 0;
}

/* Registers the memory of the thread unless the ring knows it already.  Returns 0 or -errno. */
static int try_to_register(struct uring *u, const struct engine_thread *thread)
{
    const struct iovec range = {.iov_base = thread->memory, .iov_len = thread->memory_bytes};
    int code;

    if (u->registered_bytes && thread->memory >= u->registered &&
        thread->memory + thread->memory_bytes <= u->registered + u->registered_bytes)
        return 0;
    if (range.iov_len > REGISTER_BYTES_MAX)
        return -EFBIG;
    /* The first threads must not take what the rings of the others need, nor be the only ones that
     * have registered buffers. */
    if (range.iov_len >
        uring_lockable_bytes() / (2 * (size_t)(thread->sharers ? thread->sharers : 1)))
        return -ENOMEM;
    if (u->refused_bytes && range.iov_len >= u->refused_bytes)
        return -ENOMEM;
    if (u->registered_bytes)
        io_uring_unregister_buffers(&u->ring);
    u->registered_bytes = 0;
    code = io_uring_register_buffers(&u->ring, &range, 1);
    if (code < 0) {
        u->refused_bytes = range.iov_len;
        return code;
    }
    u->registered = thread->memory;
    u->registered_bytes = range.iov_len;
    return 0;
}

static int prepare_buffers(struct uring *u, const struct engine_thread *thread, struct error *err)
{
    const unsigned fixed = u->options.fixed;
    const int code = fixed == URING_FIXED_OFF ? -EOPNOTSUPP : try_to_register(u, thread);

    u->read_opcode = code < 0 ? IORING_OP_READ : IORING_OP_READ_FIXED;
    u->write_opcode = code < 0 ? IORING_OP_WRITE : IORING_OP_WRITE_FIXED;
    u->plain_buffers = code < 0 && fixed == URING_FIXED_AUTO;
    return code < 0 && fixed == URING_FIXED_ON ? uring_refuse_buffers(code, err) : 0;
}

/* Files that stay open: real descriptors, and entries of the table if it takes them. */
static int prepare_kept(struct uring *u, const struct workload *work, struct error *err)
{
    const unsigned count = work->object_count;

    if (uring_fds_open(&u->kept, work, &u->opener, err) < 0)
        return -1;
    u->fds = u->kept.fd;
    if (u->options.fixed == URING_FIXED_OFF || ensure_table(u, count) < 0)
        return 0;
    if (io_uring_register_files_update(&u->ring, 0, u->kept.fd, count) == (int)count)
        u->fds = NULL;
    else
        drop_table(u);
    return 0;
}

/* Files that come and go: entries of the table, or real descriptors. */
static int prepare_slots(struct uring *u, const struct workload *work, struct error *err)
{
    const uint32_t depth = work->depth;
    /* Closing an entry does not flush, as close(2) does on a network; chains can have nothing else.
     */
    const bool flushes =
        work->test == TEST_WRITE && work->target->close_flushes && !u->options.link;
    const bool wanted = u->options.fixed != URING_FIXED_OFF && !u->options.iopoll && !flushes;
    const int code = wanted ? ensure_table(u, depth) : -EOPNOTSUPP;

    if (code == -EMFILE)
        return uring_refuse_depth(err);
    if (code < 0 && u->options.link)
        return uring_refuse_chains(code, err);
    if (code < 0) {
        uring_fds_grow(&u->slots, depth);
        u->fds = u->slots.fd;
    } else {
        /* an entry of the table has no such flag; EINVAL if asked */
        u->opener.how.flags &= ~(uint64_t)O_CLOEXEC;
    }
    return 0;
}

static void begin_slice(struct uring *u, const struct workload *work)
{
    const bool sync_end = work->sync == SYNC_END && work->test == TEST_WRITE;

    u->keep_open = work->keep_open;
    u->chained = u->options.link && !work->rmw && !sync_end;
    u->chained_step = work->test == TEST_WRITE ? ASYNC_WRITE : ASYNC_READ;
    u->timed = (u->ring.features & IORING_FEAT_EXT_ARG) && !u->options.iopoll;
    u->opener = file_opener(work);
    /* Where reads without waiting are not known, O_NONBLOCK would have the ring wait in line for
     * what its helpers do else; before Linux 5.17, not wait at all. */
    if (!work->target->nowait || !(u->ring.features & IORING_FEAT_CQE_SKIP))
        u->opener.how.flags &= ~(uint64_t)O_NONBLOCK;
    u->opener.how.flags |= O_LARGEFILE;     /* libc adds it to open(2) only */
    u->io_bytes = (uint32_t)work->io_bytes; /* below 2 GiB: the plan sees to it */
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
    u->options = uring_options_of(work->options);
    u->advises = file_wants_random(work) && !work->keep_open;
    if (uring_options_check(&u->options, work, err) < 0 ||
        ensure_ring(u, work->depth > thread->depth_most ? work->depth : thread->depth_most, err) <
            0)
        return -1;
    begin_slice(u, work);
    if ((u->options.iopoll && probe_polling(u, work->target, err) < 0) ||
        prepare_buffers(u, thread, err) < 0)
        return -1;
    code = u->keep_open ? prepare_kept(u, work, err) : prepare_slots(u, work, err);
    if (code < 0)
        return -1;
    u->file_flags = u->fds ? 0 : (uint8_t)IOSQE_FIXED_FILE;
    *ctx_out = u;
    return 0;
}

/* A ring that failed, or on which requests of the slice are left, is closed: the kernel cancels
 * them, and nothing of them can turn up in a later slice. */
static void uring_teardown(void *ctx)
{
    struct uring *u = ctx;
    const unsigned count = u->object_count;

    if (u->broken || u->pending)
        destroy_ring(u);
    uring_fds_close(&u->slots);
    uring_fds_close(&u->kept); /* makes them -1, which frees an entry of the table */
    if (u->entries && u->keep_open && !u->fds &&
        io_uring_register_files_update(&u->ring, 0, u->kept.fd, count) != (int)count)
        drop_table(u);
}

static void uring_report(void *ctx, struct engine_report *report)
{
    const struct uring *u = ctx;

    usage_read_helpers(&report->helpers);
    report->helpers_asked = u->options.sqpoll;
    report->plain_buffers = u->plain_buffers;
}

static void uring_retire(void *home)
{
    struct uring *u = home;

    destroy_ring(u);
    free(u->slots.fd);
    free(u->kept.fd);
    free(u);
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
    .capabilities =
        ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN,
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .options = uring_options_table,
    .options_bytes = sizeof(struct uring_options),
    .available = uring_available,
    .setup = uring_setup,
    .teardown = uring_teardown,
    .report = uring_report,
    .retire = uring_retire,
    .async = &uring_async,
    .forget = uring_forget,
};
