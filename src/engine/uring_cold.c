/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring_cold.c - see the header. */
#include "base/compat.h"

#include "engine/uring_cold.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <unistd.h>

#include "os/linux/kernel.h"

#define SQPOLL_IDLE_MS     50
#define REGISTER_BYTES_MAX (UINT64_C(1) << 30)

#ifdef HAVE_LIBAIO
#define OTHERS "use --engine posix or libaio"
#else
#define OTHERS "use --engine posix"
#endif

/* ---- options ---- */

static const char *const fixed_choices[] = {"auto", "on", "off", NULL};

#define FIELD(member) offsetof(struct uring_options, member)

/* clang-format off */
const struct option_row uring_options_table[] = {
    {.name = "io_uring.sqpoll", .type = OPTION_FLAG, .offset = FIELD(sqpoll),
     .help = "engine io_uring: a kernel thread submits (SQPOLL)", .group = "Engines"},
    {.name = "io_uring.iopoll", .type = OPTION_FLAG, .offset = FIELD(iopoll),
     .help = "engine io_uring: poll the device, no interrupts", .group = "Engines"},
    {.name = "io_uring.link", .type = OPTION_FLAG, .offset = FIELD(link),
     .help = "engine io_uring: each cycle as one chain", .group = "Engines"},
    {.name = "io_uring.fixed", .argument = "HOW", .type = OPTION_CHOICE, .offset = FIELD(fixed),
     .choices = fixed_choices, .fallback = "auto", .help = "register buffers: auto, on, off",
     .group = "Engines"},
    {.name = NULL},
};
/* clang-format on */

int uring_options_take(const struct workload *work, struct uring_options *options,
                       struct error *err)
{
    *options = (struct uring_options){.sqpoll = false};
    option_defaults(uring_options_table, options);
    if (work && work->options)
        *options = *(const struct uring_options *)work->options;
    if (options->link && (options->fixed == URING_FIXED_OFF || options->iopoll))
        return error_refuse(err, STATUS_USAGE, "chains of io_uring need files opened in the ring",
                            NULL, "leave out --io_uring.link or --io_uring.%s",
                            options->iopoll ? "iopoll" : "fixed=off");
    if (options->link && work && work->keep_open)
        return error_refuse(err, STATUS_USAGE, "files that stay open leave nothing to chain", NULL,
                            "leave out --io_uring.link, or --keep-open and test fill");
    if (options->iopoll && work && work->cache != CACHE_DIRECT)
        return error_refuse(err, STATUS_USAGE,
                            "only I/O that bypasses the page cache can be polled", NULL,
                            "add -b (--cache direct), or leave out --io_uring.iopoll");
    return 0;
}

/* ---- the ring ---- */

/* Uses the best set-up that this kernel supports. The completion queue is twice as long as the
 * submission queue, which holds all concurrent requests: it never overflows. 0 or -errno. */
static int create(struct io_uring *io, uint32_t entries, unsigned flags)
{
    static const unsigned extra[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
                                     IORING_SETUP_COOP_TASKRUN, 0};
    const unsigned last = sizeof(extra) / sizeof(extra[0]) - 1;
    int code = -EINVAL;

    for (unsigned i = flags & IORING_SETUP_SQPOLL ? last : 0; i <= last && code == -EINVAL; i++) {
        struct io_uring_params params = {.flags = flags | extra[i],
                                         .sq_thread_idle = SQPOLL_IDLE_MS};
        code = io_uring_queue_init_params(entries, io, &params);
    }
    if (code < 0)
        return code;
    (void)io_uring_register_ring_fd(io); /* saves a look-up; limited to 16 per task */
    return 0;
}

void uring_ring_drop_table(struct uring_ring *ring)
{
    if (ring->table_size)
        io_uring_unregister_files(&ring->io);
    ring->table_size = 0;
}

static void forget_buffers(struct uring_ring *ring)
{
    if (ring->registered_bytes)
        io_uring_unregister_buffers(&ring->io);
    ring->registered_bytes = 0;
}

/* Unregisters buffers first: closing a ring frees locked memory only some time later, and the next
 * ring may need it. */
void uring_ring_destroy(struct uring_ring *ring)
{
    if (!ring->entries)
        return;
    forget_buffers(ring);
    uring_ring_drop_table(ring);
    io_uring_queue_exit(&ring->io);
    ring->broken = false;
    ring->entries = ring->pending = 0;
}

static int refuse_ring(int code, struct error *err)
{
    if (code == -ENOMEM)
        return error_refuse(err, STATUS_TARGET, "io_uring needs more locked memory than is allowed",
                            NULL, "raise the limit of locked memory (ulimit -l), or " OTHERS);
    if (code == -ENOSYS)
        error_set(err, STATUS_TARGET, 0, "this kernel has no io_uring", NULL);
    else if (code == -EPERM)
        error_set(err, STATUS_TARGET, 0,
                  "io_uring is not permitted here (kernel.io_uring_disabled, container or seccomp)",
                  NULL);
    else
        error_set(err, STATUS_TARGET, -code, "cannot set up io_uring", NULL);
    return error_advise(err, OTHERS);
}

int uring_ring_ensure(struct uring_ring *ring, uint32_t requests,
                      const struct uring_options *options, struct error *err)
{
    const unsigned flags =
        (options->sqpoll ? IORING_SETUP_SQPOLL : 0) | (options->iopoll ? IORING_SETUP_IOPOLL : 0);
    uint32_t entries = 1;
    int code;

    while (entries < requests)
        entries *= 2;
    if (!ring->broken && ring->entries >= entries && ring->setup_flags == flags)
        return 0;
    uring_ring_destroy(ring);
    code = create(&ring->io, entries, flags);
    if (code < 0)
        return refuse_ring(code, err);
    ring->entries = entries;
    ring->setup_flags = flags;
    return 0;
}

int uring_ring_table(struct uring_ring *ring, uint32_t size)
{
    int code;

    if (ring->table_size >= size)
        return 0;
    uring_ring_drop_table(ring);
    code = io_uring_register_files_sparse(&ring->io, size);
    ring->table_size = code < 0 ? 0 : size;
    return code;
}

/* How much memory this process may lock, ignoring other users of the limit; SIZE_MAX: no limit. */
static size_t lockable_bytes(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    struct rlimit limit;

    if (syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1u << CAP_IPC_LOCK)))
        return SIZE_MAX;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > SIZE_MAX)
        return SIZE_MAX;
    return (size_t)limit.rlim_cur;
}

int uring_ring_buffers(struct uring_ring *ring, const struct engine_thread *thread)
{
    const struct iovec range = {.iov_base = thread->memory, .iov_len = thread->memory_bytes};
    const size_t sharers = thread->sharers ? thread->sharers : 1;
    int code;

    if (ring->registered_bytes && thread->memory >= ring->registered &&
        thread->memory + thread->memory_bytes <= ring->registered + ring->registered_bytes)
        return 0;
    if (range.iov_len > REGISTER_BYTES_MAX)
        return -EFBIG;
    /* The first threads must leave enough for the rings of the others, and should not be the only
     * ones with registered buffers. */
    if (range.iov_len > lockable_bytes() / (2 * sharers) ||
        (ring->refused_bytes && range.iov_len >= ring->refused_bytes))
        return -ENOMEM;
    forget_buffers(ring);
    code = io_uring_register_buffers(&ring->io, &range, 1);
    if (code < 0) {
        ring->refused_bytes = range.iov_len;
        return code;
    }
    ring->registered = thread->memory;
    ring->registered_bytes = range.iov_len;
    return 0;
}

int uring_refuse_chains(int code, struct error *err)
{
    error_set(err, STATUS_TARGET, -code, "cannot open files in the ring, which chains need", NULL);
    return error_advise(err, "leave out --io_uring.link");
}
