/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring_ring.h - one thread's ring of the engine io_uring, with its file table and the buffers
 * that it knows.  It and uring.c are all that knows liburing.
 *
 * The ring belongs to the thread, not to the slice: making one, and registering buffers with it,
 * takes longer than a slice may.  Used by one thread only. */
#ifndef ENGINE_URING_RING_H
#define ENGINE_URING_RING_H

#include <liburing.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

struct uring_ring { /* zeroed: there is none */
    struct io_uring io;
    uint32_t pending;       /* requests queued or in flight; counted by the owner */
    bool broken;            /* set by the owner: to be made anew */
    unsigned setup_flags;   /* asked for */
    uint32_t entries;       /* 0: no ring */
    uint32_t table_size;    /* of the ring's file table */
    const char *registered; /* buffers known to the ring */
    size_t registered_bytes;
    size_t refused_bytes; /* this many bytes, or more, could not be registered */
};

/* Makes sure of a ring in which `requests` can exist at a time, with IORING_SETUP_SQPOLL and
 * _IOPOLL as in flags.  Returns 0 or -1 with err filled. */
int uring_ring_ensure(struct uring_ring *ring, uint32_t requests, unsigned flags,
                      struct error *err);

/* Closes it, and cancels what is pending; fine without a ring. */
void uring_ring_destroy(struct uring_ring *ring);

/* Makes the file table at least that long.  Returns 0 or -errno. */
int uring_ring_table(struct uring_ring *ring, uint32_t size);
void uring_ring_drop_table(struct uring_ring *ring);

/* Registers the memory of the thread unless the ring knows it already.  That memory must stay
 * mapped where it is as long as the thread lives: the kernel holds on to the pages it has been
 * shown.  Returns 0 or -errno. */
int uring_ring_buffers(struct uring_ring *ring, const struct engine_thread *thread);

#endif
