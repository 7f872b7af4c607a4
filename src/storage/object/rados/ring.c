/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ring.c - slots of completed calls on their way to the thread that waits.
 *
 * The consumer sets `sleeps` and then checks the ring once more; a producer checks `sleeps` after
 * its push. Both are sequentially consistent, so at least one of them sees the other's write. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

#define WAIT_MOST_NS (UINT64_C(3600) * NS_PER_S)

int pool_ring_open(struct pool_ring *ring, uint32_t slots)
{
    uint32_t cells = 2;

    while (cells < slots)
        cells *= 2;
    ring->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (ring->wake < 0)
        return -errno;
    ring->cell = mem_calloc(cells, sizeof(*ring->cell));
    ring->mask = cells - 1;
    ring->head = 0;
    atomic_init(&ring->tail, 0);
    atomic_init(&ring->sleeps, false);
    return 0;
}

void pool_ring_close(struct pool_ring *ring)
{
    if (!ring->cell)
        return;
    (void)close(ring->wake);
    free(ring->cell);
    ring->cell = NULL;
}

static void wake(struct pool_ring *ring)
{
    const uint64_t one = 1;

    while (write(ring->wake, &one, sizeof(one)) < 0 && errno == EINTR)
        continue;
}

void pool_ring_push(struct pool_ring *ring, uint32_t slot)
{
    const uint32_t place = atomic_fetch_add_explicit(&ring->tail, 1, memory_order_relaxed);

    atomic_store(&ring->cell[place & ring->mask], slot + 1);
    if (atomic_load(&ring->sleeps) && atomic_exchange(&ring->sleeps, false))
        wake(ring);
}

unsigned pool_ring_take(struct pool_ring *ring, uint32_t *slot, unsigned max)
{
    unsigned count = 0;

    while (count < max) {
        atomic_uint_least32_t *const cell = &ring->cell[ring->head & ring->mask];
        const uint32_t number = atomic_load(cell);

        if (number == 0)
            break;
        atomic_store_explicit(cell, 0, memory_order_relaxed);
        slot[count++] = number - 1;
        ring->head++;
    }
    return count;
}

/* The eventfd may be set from an earlier push whose slot was already taken: it is drained then. */
static void sleep_on(struct pool_ring *ring, uint64_t wait_ns)
{
    struct pollfd wanted = {.fd = ring->wake, .events = POLLIN};
    const uint64_t ns = wait_ns < WAIT_MOST_NS ? wait_ns : WAIT_MOST_NS;
    const struct timespec most = {.tv_sec = (time_t)(ns / NS_PER_S),
                                  .tv_nsec = (long)(ns % NS_PER_S)};
    uint64_t count;

    if (ppoll(&wanted, 1, &most, NULL) > 0)
        (void)!read(ring->wake, &count, sizeof(count));
}

unsigned pool_ring_wait(struct pool_ring *ring, uint64_t wait_ns, uint32_t *slot, unsigned max)
{
    unsigned count = pool_ring_take(ring, slot, max);

    if (count > 0 || wait_ns == 0)
        return count;
    atomic_store(&ring->sleeps, true);
    count = pool_ring_take(ring, slot, max);
    if (count == 0) {
        sleep_on(ring, wait_ns);
        count = pool_ring_take(ring, slot, max);
    }
    atomic_store(&ring->sleeps, false);
    return count;
}
