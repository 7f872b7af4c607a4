/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ring.h - passes slots with completed calls from the threads of librados to the thread that waits
 * for them: the producer puts the slot number into a ring and wakes the consumer by an eventfd, but
 * only if it sleeps. Many producers, one consumer. Lock-free; a slot is in the ring at most
 * once. */
#ifndef STORAGE_OBJECT_RADOS_RING_H
#define STORAGE_OBJECT_RADOS_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pool_ring {
    atomic_uint_least32_t *cell; /* slot + 1; 0: empty */
    uint32_t mask, head;         /* head: used by the consumer only */
    int wake;                    /* eventfd */
    _Alignas(64) atomic_uint_least32_t tail;
    _Alignas(64) atomic_bool sleeps;
};

/* For slot numbers below `slots`. Returns 0 or -errno. */
int pool_ring_open(struct pool_ring *ring, uint32_t slots);
/* To be called after the last push. */
void pool_ring_close(struct pool_ring *ring);

/* Hot.  Any thread. */
void pool_ring_push(struct pool_ring *ring, uint32_t slot);

/* Hot. Takes up to `max` completed slots without waiting. */
unsigned pool_ring_take(struct pool_ring *ring, uint32_t *slot, unsigned max);

/* Hot. The same, but waits for the first one, at most wait_ns. 0: timeout or a signal. */
unsigned pool_ring_wait(struct pool_ring *ring, uint64_t wait_ns, uint32_t *slot, unsigned max);

#endif
