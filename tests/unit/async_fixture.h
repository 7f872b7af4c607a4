/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* async_fixture.h - a cycle on the scripted ring, for the tests of the asynchronous loop. */
#ifndef TESTS_ASYNC_FIXTURE_H
#define TESTS_ASYNC_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "run/cycle.h"
#include "unit/fake_async.h"

#define IO_BYTES 512u

static uint64_t lengths[64];
static struct target target;
static struct workload work;
static struct tally tally;
static char buffer[FAKE_SLOTS * IO_BYTES], scratch[FAKE_SLOTS * IO_BYTES];
static char check_buffer[IO_BYTES];
static struct payload payload = {.kind = PAYLOAD_ZERO};
static struct async_event events[3 * FAKE_SLOTS];

static struct cycle make(const struct engine *engine, uint32_t depth)
{
    static const struct engine_thread thread;
    static struct cycle_slot *slots; /* of all cycles */
    struct error err = ERROR_INIT;
    struct cycle cycle = {.engine = engine,
                          .work = &work,
                          .align_bytes = IO_BYTES,
                          .clock = &fake_clock,
                          .deadline_ns = UINT64_MAX,
                          .stop = &fake_script.stop,
                          .buffer = buffer,
                          .payload = &payload,
                          .scratch = scratch,
                          .check_buffer = check_buffer,
                          .events = events,
                          .tally = &tally};

    if (!slots)
        slots = calloc(FAKE_SLOTS, cycle_slot_bytes());
    cycle.slots = slots;
    target = fake_target(lengths, 64, 65536);
    work = (struct workload){.target = &target,
                             .size_bytes = IO_BYTES,
                             .io_bytes = IO_BYTES,
                             .slot_bytes = IO_BYTES,
                             .object_count = 64,
                             .depth = depth,
                             .test = TEST_READ};
    fake_script.align_bytes = IO_BYTES;
    assert_int_equal(engine->setup(&work, &thread, &cycle.ctx, &err), 0);
    rng_seed(&cycle.rng, 42, 0);
    tally_reset(&tally);
    return cycle;
}

/* On a ring that opens, transfers and closes in 115 ns. */
static inline struct cycle usual(const struct engine *engine, uint32_t depth)
{
    fake_ring_reset(10, 100, 5);
    return make(engine, depth);
}

/* Invariants that hold after every run. */
static inline void check_clean(uint64_t n)
{
    assert_int_equal(fake_ring.faults, 0);
    assert_int_equal(fake_ring.open_files, 0);
    assert_int_equal(fake_ring.in_flight, 0);
    assert_int_equal(fake_script.misaligned, 0);
    assert_true(fake_script.highest_end <= 65536);
    assert_int_equal(tally.operations + tally.failed + tally.short_count, n);
    assert_int_equal(hist_total(&tally.latency), tally.operations);
}

/* All n operations are begun and ended. */
static inline void run_clean(struct cycle *cycle, uint64_t n)
{
    assert_int_equal(cycle_run(cycle, n), n);
    check_clean(n);
}

#endif
