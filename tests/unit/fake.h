/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fake.h - a clock advanced by tests, and an engine that follows a script ("open takes 40 ns, the
 * read fails with EIO after 15 ns") and advances that clock, so that loops, statistics and rows can
 * be compared with exact integers. One script per process: single-threaded tests only, unless the
 * script is empty. */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include <stdint.h>

#include "base/clock.h"
#include "engine/engine.h"

extern struct clock fake_clock;
extern uint64_t fake_now_ns;     /* advanced by the engine */
extern uint64_t fake_reading_ns; /* added by each reading of the clock */
extern uint64_t fake_readings;   /* number of readings */

struct fake_step { /* what one operation does */
    uint64_t open_ns, seek_ns, transfer_ns, close_ns;
    int64_t open_result, seek_result, transfer_result, close_result; /* transfer: 0 = all bytes */
};

struct fake_script {
    const struct fake_step *steps; /* followed in order, repeated from the start */
    unsigned count;
    unsigned next;
    uint64_t opens, seeks, transfers, closes, forgets; /* calls seen */
    uint64_t setups, teardowns;
    uint64_t lowest_offset, highest_end; /* of transfers */
    uint64_t last_bytes;                 /* of the last transfer */
    uint64_t last_pieces;                /* transfers that ended an operation */
    uint64_t misaligned;                 /* offsets that are not a multiple of align_bytes */
    uint64_t align_bytes;
    uint64_t object_hits[64];
    int stop_after; /* operations after which *stop is set; 0: never */
    volatile int stop;
};

extern struct fake_script fake_script;
extern const struct engine engine_fake;       /* open, seek, transfer, close */
extern const struct engine engine_fake_pread; /* open, transfer, close */

/* Resets everything; the script starts from its beginning. */
void fake_reset(const struct fake_step *steps, unsigned count);

/* A target of `objects` equal objects without files. */
struct target fake_target(uint64_t *length_bytes, uint32_t objects, uint64_t each_bytes);
extern const struct storage_driver target_fake;
extern unsigned fake_prepares, fake_rounds;

#endif
