/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring_ring.c - see the header. */
#include "base/compat.h"

#include "engine/uring_ring.h"

#include <errno.h>

#include "engine/uring_cold.h"

#define SQPOLL_IDLE_MS     50
#define REGISTER_BYTES_MAX (UINT64_C(1) << 30)

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

int uring_ring_ensure(struct uring_ring *ring, uint32_t requests, unsigned flags, struct error *err)
{
    uint32_t entries = 1;
    int code;

    while (entries < requests)
        entries *= 2;
    if (!ring->broken && ring->entries >= entries && ring->setup_flags == flags)
        return 0;
    uring_ring_destroy(ring);
    code = create(&ring->io, entries, flags);
    if (code < 0)
        return uring_refuse_ring(code, err);
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
    if (range.iov_len > uring_lockable_bytes() / (2 * sharers) ||
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
