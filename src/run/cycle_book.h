/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_book.h - what the two loops (cycle.c: one operation at a time, cycle_async.c: many) have in
 * common: where operations go, how they are booked, when they are due, how data are verified. */
#ifndef RUN_CYCLE_BOOK_H
#define RUN_CYCLE_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/flag.h"
#include "base/number.h"
#include "run/cycle.h"

struct failure {
    enum phase phase;
    int64_t code; /* -errno, or the bytes of a short transfer */
};

/* Cold: counts a failed or short operation.  Returns whether the slice goes on. */
COLD bool book_failure(struct cycle *cycle, const struct failure *failure, uint32_t object,
                       uint64_t offset_bytes);

/* A failed one: how long it took, whether a clock counts it or not. */
static inline void book_hung(struct tally *tally, uint64_t spent_ns)
{
    tally->hung_ns += spent_ns;
    if (spent_ns > tally->hung_max_ns)
        tally->hung_max_ns = spent_ns;
}

/* A complete operation. */
static ALWAYS_INLINE void book_latency(struct tally *tally, uint64_t spent_ns)
{
    hist_record(&tally->latency, spent_ns);
    if (__builtin_expect(spent_ns < tally->min_ns, 0))
        tally->min_ns = spent_ns;
    if (__builtin_expect(spent_ns > tally->max_ns, 0))
        tally->max_ns = spent_ns;
}

/* A phase of a complete operation. */
static ALWAYS_INLINE void book_phase(struct hist *hist, uint64_t *max_ns, uint64_t spent_ns)
{
    hist_record(hist, spent_ns);
    if (__builtin_expect(spent_ns > *max_ns, 0))
        *max_ns = spent_ns;
}

/* --interval: one more operation is complete, and this thread is in none. */
static ALWAYS_INLINE void publish_one(struct series_live *live, enum series_part part,
                                      uint64_t spent_ns, uint64_t end_ns, uint32_t in_flight)
{
    series_count_latency(live, spent_ns);
    series_publish(live, part,
                   &(struct series_batch){.operations = 1,
                                          .sum_ns = spent_ns,
                                          .min_ns = spent_ns,
                                          .max_ns = spent_ns,
                                          .last_ns = spent_ns,
                                          .end_ns = end_ns},
                   in_flight);
}

/* The time of this thread's slot goes on, or it does not count for a while. */
static ALWAYS_INLINE void publish_turn(struct series_live *live, bool *runs, bool run,
                                       uint64_t now_ns)
{
    if (live && *runs != run)
        series_turn(live, live->part, run ? 1 : -1, now_ns);
    *runs = run;
}

/* Where operations of a cell can go; const while it runs. */
struct place {
    const uint64_t *length_bytes;
    uint64_t io_bytes, align_mask, uniform_span;
    uint32_t object_count;
    bool large, uniform;
};

struct place place_of(const struct cycle *cycle);

/* Where an operation can start: whole steps that fit, plus the one at the start. */
static ALWAYS_INLINE uint64_t place_span(uint64_t length_bytes, uint64_t io_bytes,
                                         uint64_t align_mask)
{
    return ((length_bytes - io_bytes) & ~align_mask) + align_mask + 1;
}

/* Object and offset, uniform and independent; the operation ends inside the object.  One draw
 * serves both: the product r * count has the object in its high word and leaves a uniform fraction
 * in its low word, which is good for the offset as long as count * length is far below 2^64; beyond
 * 2^44 (`large`) a second draw is made. */
static ALWAYS_INLINE uint32_t place_draw(const struct place *place, struct rng *rng,
                                         uint64_t *offset_bytes)
{
    const uint64_t r = rng_next(rng);
    const uint32_t object = (uint32_t)rng_mulhi(r, place->object_count);
    uint64_t fraction = r * place->object_count, span = place->uniform_span;

    if (__builtin_expect(place->large || !place->uniform, 0)) {
        if (place->large)
            fraction = rng_next(rng);
        if (!place->uniform)
            span = place_span(place->length_bytes[object], place->io_bytes, place->align_mask);
    }
    *offset_bytes = rng_mulhi(fraction, span) & ~place->align_mask; /* a power of two divides */
    return object;
}

/* The clock of the machine is read without a call; a test's clock through its pointer. */
static ALWAYS_INLINE uint64_t read_clock(const struct clock *clock, const bool real)
{
    return real ? clock_monotonic_ns() : clock_now(clock);
}

/* --rate: the moment when the next operation is due; cycle_take_due goes on to the one after it. */
static inline uint64_t cycle_due_ns(const struct cycle *cycle)
{
    return cycle->pace_start_ns + (cycle->pace_next >> CYCLE_PACE_BITS);
}
uint64_t cycle_take_due(struct cycle *cycle);

/* --verify, outside the time of operations.  check_begin chooses the generation that the write is
 * of, check_make puts what the write is to write into
 * buffer; check_done looks at what a complete operation left in buffer (a read) or in the object (a
 * write: read back into cycle->check_buffer).  Returns whether the slice goes on. */
COLD void check_begin(struct cycle *cycle, uint32_t object, uint64_t offset_bytes);
COLD void check_make(struct cycle *cycle, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, void *buffer);
COLD bool check_done(struct cycle *cycle, uint32_t object, uint64_t offset_bytes,
                     const void *buffer);
/* A part of what a read is to read.  Returns whether it is right; *go_on as above. */
COLD bool check_read(struct cycle *cycle, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, const void *buffer, bool *go_on);

/* cycle_async.c: cycle_run for asynchronous engines. */
uint64_t cycle_run_async(struct cycle *cycle, uint64_t n);

/* cycle_clocks.c: cycle_run with clocks, for engines that do one operation at a time. */
uint64_t cycle_run_clocks(struct cycle *cycle);

#endif
