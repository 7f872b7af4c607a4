/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring_ring.h - one thread's ring of the engine io_uring, with its file table and registered
 * buffers. Only this and uring.c use liburing.
 *
 * The ring belongs to the thread, not to the slice: creating it and registering buffers takes
 * longer than a slice may. Used by one thread only. */
#ifndef ENGINE_URING_RING_H
#define ENGINE_URING_RING_H

#include <liburing.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

struct uring_ring { /* zeroed: no ring */
    struct io_uring io;
    uint32_t pending;       /* requests queued or in flight; counted by the owner */
    bool broken;            /* set by the owner: must be recreated */
    unsigned setup_flags;   /* requested */
    uint32_t entries;       /* 0: no ring */
    uint32_t table_size;    /* of the ring's file table */
    const char *registered; /* buffers registered with the ring */
    size_t registered_bytes;
    size_t refused_bytes; /* registering this many bytes, or more, was refused */
};

/* Makes sure that there is a ring for `requests` concurrent requests, with IORING_SETUP_SQPOLL and
 * _IOPOLL as in flags. Returns 0 or -1 with err filled. */
int uring_ring_ensure(struct uring_ring *ring, uint32_t requests, unsigned flags,
                      struct error *err);

/* Closes the ring and cancels pending requests; fine without a ring. */
void uring_ring_destroy(struct uring_ring *ring);

/* Grows the file table to at least `size`. Returns 0 or -errno. */
int uring_ring_table(struct uring_ring *ring, uint32_t size);
void uring_ring_drop_table(struct uring_ring *ring);

/* Registers the thread's memory unless the ring has it already. The memory must stay mapped at its
 * address as long as the thread lives: the kernel keeps using the pages registered. Returns 0 or
 * -errno. */
int uring_ring_buffers(struct uring_ring *ring, const struct engine_thread *thread);

#endif
