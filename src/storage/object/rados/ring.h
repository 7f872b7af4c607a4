/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ring.h - how slots whose calls are done come from the threads of librados to the one that waits
 * for them: a number is put into a ring, and the waiting thread is woken by an eventfd, but only if
 * it sleeps.  Any threads push, one takes.  No locks; a slot is in the ring once at most. */
#ifndef STORAGE_OBJECT_RADOS_RING_H
#define STORAGE_OBJECT_RADOS_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pool_ring {
    atomic_uint_least32_t *cell; /* slot + 1; 0: nothing there */
    uint32_t mask, head;         /* head: of the one that takes */
    int wake;                    /* eventfd */
    _Alignas(64) atomic_uint_least32_t tail;
    _Alignas(64) atomic_bool sleeps;
};

/* For slot numbers below `slots`.  Returns 0 or -errno. */
int pool_ring_open(struct pool_ring *ring, uint32_t slots);
/* No one pushes any more. */
void pool_ring_close(struct pool_ring *ring);

/* Hot.  Any thread. */
void pool_ring_push(struct pool_ring *ring, uint32_t slot);

/* Hot.  What is there: up to `max` slots, without waiting. */
unsigned pool_ring_take(struct pool_ring *ring, uint32_t *slot, unsigned max);

/* Hot.  The same; waits until there is something, at most wait_ns.  0: nothing came in that time,
 * or a signal did. */
unsigned pool_ring_wait(struct pool_ring *ring, uint64_t wait_ns, uint32_t *slot, unsigned max);

#endif
