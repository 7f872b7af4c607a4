/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_book.h - shared by the two loops (cycle.c: one operation at a time, cycle_async.c: many):
 * the places of operations, their accounting and pacing, and the verification of data. */
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

/* Cold: counts a failed or short operation.  Returns whether the slice continues. */
COLD bool book_failure(struct cycle *cycle, const struct failure *failure, uint32_t object,
                       uint64_t offset_bytes);

/* Records the duration of a failed operation, also if no clock counts it. */
static inline void book_hung(struct tally *tally, uint64_t spent_ns)
{
    tally->hung_ns += spent_ns;
    if (spent_ns > tally->hung_max_ns)
        tally->hung_max_ns = spent_ns;
}

/* Records a complete operation. */
static ALWAYS_INLINE void book_latency(struct tally *tally, uint64_t spent_ns)
{
    hist_record(&tally->latency, spent_ns);
    if (__builtin_expect(spent_ns < tally->min_ns, 0))
        tally->min_ns = spent_ns;
    if (__builtin_expect(spent_ns > tally->max_ns, 0))
        tally->max_ns = spent_ns;
}

/* Records a phase of a complete operation. */
static ALWAYS_INLINE void book_phase(struct hist *hist, uint64_t *max_ns, uint64_t spent_ns)
{
    hist_record(hist, spent_ns);
    if (__builtin_expect(spent_ns > *max_ns, 0))
        *max_ns = spent_ns;
}

/* Sums of clock readings of complete operations, whose differences are the times of the phases. */
struct sums {
    uint64_t start, open, transfer, end, latency;
    uint64_t complete, bad, failed_ns, seek;
};

/* Adds them to a tally; without opening and seeking there are no readings of these phases. */
static ALWAYS_INLINE void book_sums(struct tally *tally, struct sums *sums, const bool opens,
                                    const bool seeks)
{
    if (!opens)
        sums->open = sums->start, sums->transfer = sums->end;
    if (!seeks)
        sums->seek = sums->open;
    tally->operations += sums->complete;
    tally->phase_ns[PHASE_OPEN] += sums->open - sums->start;
    tally->phase_ns[PHASE_SEEK] += sums->seek - sums->open;
    tally->phase_ns[PHASE_TRANSFER] += sums->transfer - sums->seek;
    tally->phase_ns[PHASE_CLOSE] += sums->end - sums->transfer;
}

/* --interval: publishes one complete operation of a thread that has no other in flight. */
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

/* --interval: starts or stops counting the time of this thread's slot. */
static ALWAYS_INLINE void publish_turn(struct series_live *live, bool *runs, bool run,
                                       uint64_t now_ns)
{
    if (live && *runs != run)
        series_turn(live, live->part, run ? 1 : -1, now_ns);
    *runs = run;
}

/* The places that operations of a cell can use; const while it runs. */
struct place {
    const uint64_t *length_bytes;
    uint64_t io_bytes, align_mask, uniform_span;
    uint32_t object_count;
    bool large, uniform;
};

struct place place_of(const struct cycle *cycle);

/* The range of offsets at which an operation can start: all steps that fit, plus the first. */
static ALWAYS_INLINE uint64_t place_span(uint64_t length_bytes, uint64_t io_bytes,
                                         uint64_t align_mask)
{
    return ((length_bytes - io_bytes) & ~align_mask) + align_mask + 1;
}

/* Draws object and offset, uniform and independent; the operation ends inside the object.  One draw
 * serves both: the high word of the product r * count is the object, the low word a uniform
 * fraction, which suffices for the offset while count * length is far below 2^64; beyond 2^44
 * (`large`) a second draw is made. */
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

/* Reads the clock of the machine without an indirect call; a test's clock through its pointer. */
static ALWAYS_INLINE uint64_t read_clock(const struct clock *clock, const bool real)
{
    return real ? clock_monotonic_ns() : clock_now(clock);
}

/* --rate: the time when the next operation is due; cycle_take_due also advances to the one after.
 */
static inline uint64_t cycle_due_ns(const struct cycle *cycle)
{
    return cycle->pace_start_ns + (cycle->pace_next >> CYCLE_PACE_BITS);
}
uint64_t cycle_take_due(struct cycle *cycle);

/* --verify, outside the time of operations.  check_begin chooses the generation of the write,
 * check_make stores its data in buffer; check_done checks the data that a complete operation left
 * in buffer (read) or in the object (write: read back into cycle->check_buffer), and returns
 * whether the slice continues. */
COLD void check_begin(struct cycle *cycle, uint32_t object, uint64_t offset_bytes);
COLD void check_make(struct cycle *cycle, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, void *buffer);
COLD bool check_done(struct cycle *cycle, uint32_t object, uint64_t offset_bytes,
                     const void *buffer);
/* Checks a part of a read.  Returns whether the data are correct; *go_on: the slice continues. */
COLD bool check_read(struct cycle *cycle, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, const void *buffer, bool *go_on);

/* cycle_async.c: cycle_run for asynchronous engines. */
uint64_t cycle_run_async(struct cycle *cycle, uint64_t n);

/* cycle_run with clocks, for engines that do one operation at a time. */
uint64_t cycle_run_clocks(struct cycle *cycle);

#endif
