/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fake_async.h - a scripted ring: an asynchronous engine on the fake clock.  Each step takes the
 * time the script says and has the result the script gives; what a test wants to know is counted,
 * and what the loop must never do (queue a step for a slot that has one under way, read what is not
 * open, open what is open) is counted as `faults`. */
#ifndef TESTS_FAKE_ASYNC_H
#define TESTS_FAKE_ASYNC_H

#include "engine/engine.h"
#include "unit/fake.h"

#define FAKE_SLOTS 64

struct fake_ring {
    /* script */
    uint64_t step_ns[5]; /* by enum async_step */
    unsigned at_once;    /* bits 1 << step: done by a system call */
    bool chains;
    bool kept_open;
    uint64_t slowest_slot_ns; /* slot 0 takes so much longer in each transfer */
    /* NULL: all well.  Result of the step; `nth` counts the calls of this step, from 0. */
    int64_t (*result)(enum async_step step, uint64_t nth, int64_t good);
    int reap_error; /* not 0: what reap returns from its reap_error_at-th call on */
    uint64_t reap_error_at;
    uint64_t submit_ns; /* engine_fake_aio: what submitting takes */
    uint64_t io_bytes;

    /* what was seen */
    uint64_t calls[5], reaps, submits, events, chained, forgets, faults;
    uint32_t in_flight, in_flight_most, open_files;
    unsigned batch_most;  /* events given at once */
    unsigned asked_most;  /* events asked for at once */
    uint64_t waits_timed; /* reaps with a time limit */
};

extern struct fake_ring fake_ring;
extern const struct engine engine_fake_ring; /* reap submits */
extern const struct engine engine_fake_aio;  /* has submit */

/* Forgets everything; open, transfer and close take the given times. */
void fake_ring_reset(uint64_t open_ns, uint64_t transfer_ns, uint64_t close_ns);

#endif
