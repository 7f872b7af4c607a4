/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring_cold.h - what the engine io_uring does between slices: options and their conflicts, and one
 * thread's ring with its file table and registered buffers. Only this and uring.c use liburing.
 *
 * The ring belongs to the thread, not to the slice: creating it and registering buffers takes
 * longer than a slice may. Used by one thread only. */
#ifndef ENGINE_URING_COLD_H
#define ENGINE_URING_COLD_H

#include <liburing.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

enum uring_fixed { URING_FIXED_AUTO, URING_FIXED_ON, URING_FIXED_OFF };

struct uring_options {
    bool sqpoll, iopoll, link;
    unsigned fixed; /* enum uring_fixed */
};

extern const struct option_row uring_options_table[];

/* Sets the options of a workload, or the defaults if it has none or is NULL. Refuses those that
 * exclude each other or the workload. Returns 0 or -1. */
int uring_options_take(const struct workload *work, struct uring_options *options,
                       struct error *err);

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

/* Makes sure that there is a ring for `requests` concurrent requests, with the polling of the
 * options. Returns 0 or -1 with err filled. */
int uring_ring_ensure(struct uring_ring *ring, uint32_t requests,
                      const struct uring_options *options, struct error *err);

/* Closes the ring and cancels pending requests; fine without a ring. */
void uring_ring_destroy(struct uring_ring *ring);

/* Grows the file table to at least `size`. Returns 0 or -errno. */
int uring_ring_table(struct uring_ring *ring, uint32_t size);
void uring_ring_drop_table(struct uring_ring *ring);

/* Registers the thread's memory unless the ring has it already. The memory must stay mapped at its
 * address as long as the thread lives: the kernel keeps using the pages registered. Returns 0 or
 * -errno. */
int uring_ring_buffers(struct uring_ring *ring, const struct engine_thread *thread);

/* Fills err for chains without files opened in the ring. Returns -1. */
int uring_refuse_chains(int code, struct error *err);

#endif
