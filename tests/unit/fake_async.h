/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fake_async.h - a scripted ring: an asynchronous engine on the fake clock. Each step takes the
 * time, and returns the result, given by the script. Calls are counted; what the loop must never do
 * (queue a step for a busy slot, read a file that is not open, open one that is) is counted in
 * `faults`. */
#ifndef TESTS_FAKE_ASYNC_H
#define TESTS_FAKE_ASYNC_H

#include "engine/engine.h"
#include "unit/fake.h"

#define FAKE_SLOTS 64

struct fake_ring {
    /* script */
    uint64_t step_ns[5]; /* by enum async_step */
    unsigned at_once;    /* bits 1 << step: completed by a system call */
    bool chains;
    bool kept_open;
    uint64_t slowest_slot_ns; /* extra time of slot 0 in each transfer */
    /* NULL: success. Result of the step; `nth` counts the calls of this step, from 0. */
    int64_t (*result)(enum async_step step, uint64_t nth, int64_t good);
    int reap_error; /* if not 0: returned by reap from its reap_error_at-th call on */
    uint64_t reap_error_at;
    uint64_t submit_ns; /* engine_fake_aio: duration of submitting */
    uint64_t io_bytes;

    /* what was observed */
    uint64_t calls[5], reaps, submits, events, chained, forgets, faults;
    uint32_t in_flight, in_flight_most, open_files;
    unsigned batch_most;  /* returned at once */
    unsigned asked_most;  /* requested at once */
    uint64_t waits_timed; /* reaps with a time limit */
};

extern struct fake_ring fake_ring;
extern const struct engine engine_fake_ring; /* reap submits */
extern const struct engine engine_fake_aio;  /* has submit */

/* Resets everything; open, transfer and close take the given times. */
void fake_ring_reset(uint64_t open_ns, uint64_t transfer_ns, uint64_t close_ns);

#endif
