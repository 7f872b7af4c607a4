/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cycle.c - the hot loop, and nothing else.
 *
 * Rules: no allocation, lock, log, string, division by a variable or shared write per operation;
 * one relaxed look at the stop flag.  A cycle of n timed phases takes n + 1 clock readings.  Where
 * a cycle never opens (kept-open files, engines without PHASE_OPEN), the end of one operation is
 * the start of the next: n readings, and the loop's own ten nanoseconds are inside.
 *
 * The loop is written once and compiled for each combination of what a cycle does, so that no
 * "if (mode)" is left in it. */
#include "base/compat.h"

#include "run/cycle.h"

#include <errno.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

struct failure {
    enum phase phase;
    int64_t code; /* -errno, or the bytes of a short transfer */
};

/* Cold: books a failed or short operation.  Returns whether the slice goes on. */
static __attribute__((noinline, cold)) bool book_failure(struct cycle *cycle,
                                                         const struct failure *failure,
                                                         uint32_t object, uint64_t offset_bytes,
                                                         uint64_t spent_ns)
{
    struct tally *tally = cycle->tally;

    tally->excluded_ns += spent_ns;
    if (failure->code >= 0) {
        tally->short_count++;
        return true;
    }
    tally->failed++;
    if (!tally->first_errno) {
        tally->first_errno = (int)-failure->code;
        tally->first_phase = failure->phase;
        tally->first_object = object;
        tally->first_offset_bytes = offset_bytes;
    }
    return !cycle->on_failure || cycle->on_failure(cycle->on_failure_arg);
}

/* Where an operation goes: object and offset, uniform and independent, the operation ends inside
 * the object.  One draw serves both: the product r * count has the object in its high word and
 * leaves a uniform fraction in its low word, which is good for the offset as long as count * length
 * is far below 2^64; beyond 2^44 (`large`) a second draw is made. */
static ALWAYS_INLINE uint32_t draw_object(struct rng *rng, uint32_t count, bool large,
                                          uint64_t *fraction)
{
    const uint64_t r = rng_next(rng);

    *fraction = __builtin_expect(large, 0) ? rng_next(rng) : r * count;
    return (uint32_t)rng_mulhi(r, count);
}

/* Where an operation can start: whole steps that fit, plus the one at the start. */
static ALWAYS_INLINE uint64_t span_of(uint64_t length_bytes, uint64_t io_bytes, uint64_t align_mask)
{
    return ((length_bytes - io_bytes) & ~align_mask) + align_mask + 1;
}

/* Objects are sorted by length: the first and the last tell whether all are alike. */
static bool is_uniform(const struct workload *work)
{
    return work->store->length_bytes[0] == work->store->length_bytes[work->object_count - 1];
}

static bool is_large(const struct workload *work)
{
    return work->object_count > (UINT64_C(1) << 44) / (work->store->length_bytes[0] + 1);
}

/* The clock of the machine is read without a call; a test's clock through its pointer. */
static ALWAYS_INLINE uint64_t read_clock(const struct clock *clock, const bool real)
{
    return real ? clock_monotonic_ns() : clock_now(clock);
}

static ALWAYS_INLINE uint64_t loop(struct cycle *cycle, uint64_t n, const bool real,
                                   const bool opens, const bool seeks, const bool writes,
                                   const bool forgets)
{
    const struct engine *const engine = cycle->engine;
    const struct workload *const work = cycle->work;
    void *const ctx = cycle->ctx;
    const struct clock *const clock = cycle->clock;
    struct tally *const tally = cycle->tally;
    const volatile int *const stop = cycle->stop;
    const uint64_t *const length_bytes = work->store->length_bytes;
    const uint64_t io_bytes = work->io_bytes, align_mask = cycle->align_bytes - 1;
    const uint64_t deadline_ns = cycle->deadline_ns;
    const uint32_t object_count = work->object_count;
    const bool large = is_large(work), uniform = is_uniform(work);
    const uint64_t uniform_span = span_of(length_bytes[0], io_bytes, align_mask);
    int64_t (*const transfer)(void *, struct io *) = !writes     ? engine->read
                                                     : work->rmw ? engine->rmw
                                                                 : engine->write;
    /* Sums of the readings themselves; their differences are the times of the phases. */
    uint64_t start_sum = 0, open_sum = 0, seek_sum = 0, transfer_sum = 0, end_sum = 0;
    uint64_t left = n, bad = 0;
    struct rng rng = cycle->rng;
    struct failure failure;
    struct handle opened = {.fd = -1};
    struct io io = {.file = &opened, .buffer = cycle->buffer, .scratch = cycle->scratch};
    uint64_t end_ns = opens ? 0 : read_clock(clock, real);

    for (; left && !*stop; left--) {
        uint64_t start_ns, open_ns, seek_ns, transfer_ns, spent_ns, fraction, span = uniform_span;
        const uint32_t object = draw_object(&rng, object_count, large, &fraction);
        int status = 0, closed = 0;
        int64_t result;

        if (__builtin_expect(!uniform, 0))
            span = span_of(length_bytes[object], io_bytes, align_mask);
        io.offset_bytes = rng_mulhi(fraction, span) & ~align_mask; /* divides by a power of two */
        if (writes) /* the cast drops a const that engines promise to keep */
            io.buffer = (char *)(uintptr_t)cycle->pool +
                        (rng_next(&rng) & (CYCLE_POOL_BYTES - 1) & ~UINT64_C(4095));
        if (!opens && cycle->kept)
            io.file = &cycle->kept[object];

        start_ns = open_ns = opens ? read_clock(clock, real) : end_ns;
        if (opens) {
            status = engine->open(ctx, object, &opened);
            open_ns = read_clock(clock, real);
            if (__builtin_expect(status < 0, 0)) {
                end_ns = open_ns;
                failure = (struct failure){PHASE_OPEN, status};
                goto failed;
            }
        }
        seek_ns = open_ns;
        if (seeks) {
            status = engine->seek(ctx, io.file, io.offset_bytes);
            seek_ns = read_clock(clock, real);
        }
        /* A failed seek leaves result below 0: nothing is transferred, but the file is closed. */
        result = seeks && __builtin_expect(status < 0, 0) ? status : transfer(ctx, &io);
        end_ns = transfer_ns = read_clock(clock, real);
        if (opens) {
            closed = engine->close(ctx, &opened);
            end_ns = read_clock(clock, real);
        }
        if (__builtin_expect(result != (int64_t)io_bytes, 0) ||
            (opens && __builtin_expect(closed < 0, 0))) {
            failure = seeks && status < 0         ? (struct failure){PHASE_SEEK, status}
                      : closed < 0 && result >= 0 ? (struct failure){PHASE_CLOSE, closed}
                                                  : (struct failure){PHASE_TRANSFER, result};
        failed:
            bad++;
            if (!book_failure(cycle, &failure, object, io.offset_bytes, end_ns - start_ns) ||
                end_ns >= deadline_ns) {
                left--;
                break;
            }
            continue;
        }
        spent_ns = end_ns - start_ns;
        hist_record(&tally->latency, spent_ns);
        if (__builtin_expect(spent_ns < tally->min_ns, 0))
            tally->min_ns = spent_ns;
        if (__builtin_expect(spent_ns > tally->max_ns, 0))
            tally->max_ns = spent_ns;
        start_sum += start_ns;
        if (opens)
            open_sum += open_ns;
        if (seeks)
            seek_sum += seek_ns;
        if (opens)
            transfer_sum += transfer_ns;
        end_sum += end_ns;
        if (forgets) {
            engine->forget(ctx, object, io.offset_bytes);
            transfer_ns = end_ns;
            end_ns = read_clock(clock, real);
            tally->excluded_ns += end_ns - transfer_ns;
        }
        if (__builtin_expect(end_ns >= deadline_ns, 0)) {
            left--;
            break;
        }
    }

    cycle->rng = rng;
    tally->operations += n - left - bad;
    tally->moved_bytes += (n - left - bad) * io_bytes;
    tally->sum_ns += end_sum - start_sum;
    if (!opens)
        open_sum = start_sum, transfer_sum = end_sum;
    if (!seeks)
        seek_sum = open_sum;
    tally->phase_ns[PHASE_OPEN] += open_sum - start_sum;
    tally->phase_ns[PHASE_SEEK] += seek_sum - open_sum;
    tally->phase_ns[PHASE_TRANSFER] += transfer_sum - seek_sum;
    tally->phase_ns[PHASE_CLOSE] += end_sum - transfer_sum;
    return n - left;
}

/* One function per combination that occurs: what is constant here is folded away in it.  For the
 * machine's clock and for any other. */
#define LOOP(name, opens, seeks, writes, forgets)                                           \
    static __attribute__((noinline)) uint64_t name(struct cycle *cycle, uint64_t n)         \
    {                                                                                       \
        return loop(cycle, n, true, opens, seeks, writes, forgets);                         \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_clock(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return loop(cycle, n, false, opens, seeks, writes, forgets);                        \
    }
LOOP(read_kept, false, false, false, false)
LOOP(read_kept_seek, false, true, false, false)
LOOP(read_cycle, true, false, false, false)
LOOP(read_cycle_seek, true, true, false, false)
LOOP(write_kept, false, false, true, false)
LOOP(write_kept_seek, false, true, true, false)
LOOP(write_cycle, true, false, true, false)
LOOP(write_cycle_seek, true, true, true, false)
LOOP(forget_kept, false, false, false, true)
LOOP(forget_kept_seek, false, true, false, true)
LOOP(forget_cycle, true, false, false, true)
LOOP(forget_cycle_seek, true, true, false, true)
#undef LOOP

uint64_t cycle_run(struct cycle *cycle, uint64_t n)
{
#define PAIR(name)         \
    {                      \
        name##_clock, name \
    }
    static uint64_t (*const loops[3][2][2][2])(struct cycle *, uint64_t) = {
        {{PAIR(read_kept), PAIR(read_kept_seek)}, {PAIR(read_cycle), PAIR(read_cycle_seek)}},
        {{PAIR(write_kept), PAIR(write_kept_seek)}, {PAIR(write_cycle), PAIR(write_cycle_seek)}},
        {{PAIR(forget_kept), PAIR(forget_kept_seek)},
         {PAIR(forget_cycle), PAIR(forget_cycle_seek)}},
    };
#undef PAIR
    const bool real = cycle->clock->now_ns == clock_monotonic.now_ns;
    const bool opens = (cycle->engine->phases & (1u << PHASE_OPEN)) && !cycle->kept;
    const bool seeks = cycle->engine->phases & (1u << PHASE_SEEK);
    const struct workload *work = cycle->work;
    const unsigned kind = work->test == TEST_WRITE ? 1 : work->cache == CACHE_UNCACHED ? 2 : 0;

    return loops[kind][opens][seeks][real](cycle, n);
}
