/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fake_async.c - the scripted ring; see fake_async.h. */
#include "base/compat.h"

#include "unit/fake_async.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of hooks */

struct fake_ring fake_ring;

struct pending { /* steps of one slot: one, or three of a chain */
    struct async_event event[3];
    uint64_t ready_ns[3];
    unsigned count;
};
static struct pending pending[FAKE_SLOTS];
static bool is_open[FAKE_SLOTS];

void fake_ring_reset(uint64_t open_ns, uint64_t transfer_ns, uint64_t close_ns)
{
    fake_reset(NULL, 0);
    memset(&fake_ring, 0, sizeof(fake_ring));
    memset(pending, 0, sizeof(pending));
    memset(is_open, 0, sizeof(is_open));
    fake_ring.step_ns[ASYNC_OPEN] = open_ns;
    fake_ring.step_ns[ASYNC_READ] = fake_ring.step_ns[ASYNC_WRITE] = transfer_ns;
    fake_ring.step_ns[ASYNC_CLOSE] = close_ns;
}

static int ring_setup(const struct workload *work, const struct engine_thread *thread, void **ctx,
                      struct error *err)
{
    fake_ring.kept_open = work->keep_open;
    fake_ring.io_bytes = work->io_bytes;
    *ctx = &fake_ring;
    return 0;
}

static void ring_teardown(void *ctx)
{
    fake_ring.faults += fake_ring.in_flight > 0;
}

/* Applies the step to the slot's file and returns its result. */
static int64_t do_step(enum async_step step, uint32_t slot)
{
    const bool moves = step == ASYNC_READ || step == ASYNC_WRITE;
    const int64_t good = moves ? (int64_t)fake_ring.io_bytes : 0;
    const uint64_t nth = fake_ring.calls[step]++;
    const int64_t result = fake_ring.result ? fake_ring.result(step, nth, good) : good;

    if (step == ASYNC_OPEN) {
        fake_ring.faults += is_open[slot];
        is_open[slot] = result >= 0;
        fake_ring.open_files += result >= 0;
    } else if (!fake_ring.kept_open) {
        fake_ring.faults += !is_open[slot];
    }
    if (step == ASYNC_CLOSE && is_open[slot]) { /* a failed close closes, too */
        is_open[slot] = false;
        fake_ring.open_files--;
    }
    return result;
}

static void add(uint32_t slot, enum async_step step, int64_t result, uint64_t after_ns)
{
    struct pending *p = &pending[slot];

    p->event[p->count] = (struct async_event){slot, step, result};
    p->ready_ns[p->count++] = after_ns;
    fake_ring.in_flight++;
}

static uint64_t time_of(enum async_step step, uint32_t slot)
{
    const bool moves = step == ASYNC_READ || step == ASYNC_WRITE;
    return fake_ring.step_ns[step] + (moves && slot == 0 ? fake_ring.slowest_slot_ns : 0);
}

static int64_t queue(enum async_step step, const struct async_op *op)
{
    int64_t result;

    if (op->slot >= FAKE_SLOTS || pending[op->slot].count) {
        fake_ring.faults++;
        return -1;
    }
    result = do_step(step, op->slot);
    if (fake_ring.at_once & (1u << step)) {
        fake_now_ns += time_of(step, op->slot);
        return result;
    }
    add(op->slot, step, result, fake_now_ns + time_of(step, op->slot));
    if (fake_ring.in_flight > fake_ring.in_flight_most)
        fake_ring.in_flight_most = fake_ring.in_flight;
    return ASYNC_PENDING;
}

static void see_place(const struct async_op *op)
{
    const uint64_t end = op->offset_bytes + fake_ring.io_bytes;

    fake_script.object_hits[op->object % 64]++;
    if (end > fake_script.highest_end)
        fake_script.highest_end = end;
    fake_script.misaligned += op->offset_bytes % fake_script.align_bytes != 0;
}

static int64_t ring_open(void *ctx, const struct async_op *op)
{
    return queue(ASYNC_OPEN, op);
}

static int64_t ring_read(void *ctx, const struct async_op *op)
{
    see_place(op);
    return queue(ASYNC_READ, op);
}

static int64_t ring_write(void *ctx, const struct async_op *op)
{
    see_place(op);
    return queue(ASYNC_WRITE, op);
}

static int64_t ring_sync(void *ctx, const struct async_op *op)
{
    return queue(ASYNC_SYNC, op);
}

static int64_t ring_close(void *ctx, const struct async_op *op)
{
    return queue(ASYNC_CLOSE, op);
}

/* Like the kernel: a failed open cancels the rest, a transfer does not cancel the close. */
static bool ring_chain(void *ctx, const struct async_op *op)
{
    uint64_t at_ns = fake_now_ns;
    int64_t opened;

    if (!fake_ring.chains)
        return false;
    fake_ring.faults += pending[op->slot].count > 0;
    fake_ring.chained++;
    opened = do_step(ASYNC_OPEN, op->slot);
    add(op->slot, ASYNC_OPEN, opened, at_ns += fake_ring.step_ns[ASYNC_OPEN]);
    if (opened < 0) {
        add(op->slot, ASYNC_READ, -125, at_ns);
        add(op->slot, ASYNC_CLOSE, -125, at_ns);
        return true;
    }
    see_place(op);
    add(op->slot, ASYNC_READ, do_step(ASYNC_READ, op->slot),
        at_ns += time_of(ASYNC_READ, op->slot));
    add(op->slot, ASYNC_CLOSE, do_step(ASYNC_CLOSE, op->slot),
        at_ns + fake_ring.step_ns[ASYNC_CLOSE]);
    return true;
}

/* The slot whose first step is ready soonest; the lowest of equals. */
static struct pending *soonest(void)
{
    struct pending *best = NULL;

    for (unsigned i = 0; i < FAKE_SLOTS; i++)
        if (pending[i].count && (!best || pending[i].ready_ns[0] < best->ready_ns[0]))
            best = &pending[i];
    return best;
}

static void shift(struct pending *p)
{
    p->count--;
    memmove(&p->event[0], &p->event[1], p->count * sizeof(p->event[0]));
    memmove(&p->ready_ns[0], &p->ready_ns[1], p->count * sizeof(p->ready_ns[0]));
}

static int ring_reap(void *ctx, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct pending *p = soonest();
    unsigned given = 0;

    if (max > fake_ring.asked_most)
        fake_ring.asked_most = max;
    fake_ring.reaps++;
    fake_ring.waits_timed += wait_ns != ASYNC_FOREVER;
    if (fake_ring.reap_error && fake_ring.reaps >= fake_ring.reap_error_at)
        return fake_ring.reap_error;
    fake_ring.faults += !p && wait_ns == ASYNC_FOREVER; /* would block for ever */
    if (p && p->ready_ns[0] > fake_now_ns) {
        const uint64_t left = p->ready_ns[0] - fake_now_ns;
        fake_now_ns += left < wait_ns ? left : wait_ns;
    } else if (!p && wait_ns != ASYNC_FOREVER) {
        fake_now_ns += wait_ns;
    }
    while (given < max && (p = soonest()) && p->ready_ns[0] <= fake_now_ns) {
        events[given++] = p->event[0];
        shift(p);
        fake_ring.in_flight--;
    }
    fake_ring.events += given;
    if (given > fake_ring.batch_most)
        fake_ring.batch_most = given;
    return (int)given;
}

static void ring_submit(void *ctx)
{
    fake_ring.submits++;
    fake_now_ns += fake_ring.submit_ns;
}

static void ring_forget(const struct workload *work, uint32_t object, uint64_t offset_bytes)
{
    fake_ring.forgets++;
    fake_now_ns += 7;
}

#define RING_HOOKS                                                                      \
    .depth_max = FAKE_SLOTS, .open = ring_open, .read = ring_read, .write = ring_write, \
    .sync = ring_sync, .close = ring_close, .reap = ring_reap
#define ENGINE_HOOKS                                                                            \
    .summary = "plays a script", .libc_words = "Using a script",                                \
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN |        \
                    ENGINE_KEEP_OPEN | ENGINE_VIRTUAL,                                          \
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE, .setup = ring_setup, \
    .teardown = ring_teardown, .forget = ring_forget

static const struct engine_async ring_hooks = {RING_HOOKS, .chain = ring_chain};
static const struct engine_async aio_hooks = {RING_HOOKS, .submit = ring_submit};

const struct engine engine_fake_ring = {.name = "fake_ring", ENGINE_HOOKS, .async = &ring_hooks};
const struct engine engine_fake_aio = {.name = "fake_aio", ENGINE_HOOKS, .async = &aio_hooks};
