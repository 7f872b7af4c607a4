/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
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

#include "run/cycle_book.h"

/* Long, because it is one loop: what is cut out of it would have to be inlined again, with a dozen
 * variables that are now in registers. */
static ALWAYS_INLINE uint64_t loop(struct cycle *cycle, uint64_t n, const bool real,
                                   const bool opens, const bool seeks, const bool writes,
                                   const bool forgets, const bool single, const bool walks)
{
    const struct engine *const engine = cycle->engine;
    const struct workload *const work = cycle->work;
    void *const ctx = cycle->ctx;
    const struct clock *const clock = cycle->clock;
    struct tally *const tally = cycle->tally;
    const volatile int *const stop = cycle->stop;
    const struct place place = place_of(cycle);
    const uint64_t io_bytes = work->io_bytes, deadline_ns = cycle->deadline_ns;
    /* What is rare runs in the variants that read any clock, where a test does not matter. */
    const bool paced = !real && cycle->pace_step, checks = !real && cycle->check;
    const bool ordered = real ? walks : cycle->course != NULL;
    /* Something is done between operations that is no part of them. */
    const bool between = writes || checks;
    const bool in_pieces = !real && workload_in_pieces(work);
    const uint64_t made_bytes = in_pieces ? work->call_bytes : io_bytes;
    struct series_live *const live = real ? NULL : cycle->live;
    int64_t (*const transfer)(void *, struct io *) = engine_transfer(engine, work);
    /* Sums of the readings themselves; their differences are the times of the phases. */
    uint64_t start_sum = 0, open_sum = 0, seek_sum = 0, transfer_sum = 0, end_sum = 0;
    uint64_t left = n, bad = 0, between_ns = 0, told_ns = tally->excluded_ns;
    struct rng rng = cycle->rng;
    struct course course;
    struct failure failure;
    struct pieces pieces = {.go_on = true};
    struct handle opened = {.fd = -1};
    struct io io = {.file = &opened, .buffer = cycle->buffer, .scratch = cycle->scratch};
    uint64_t end_ns = between || !opens ? read_clock(clock, real) : 0;

    if (ordered)
        course = *cycle->course;
    for (; left && !flag_read(stop); left--) {
        uint64_t start_ns, open_ns, seek_ns, transfer_ns, due_ns = 0;
        uint32_t object;
        int status = 0, closed = 0;
        int64_t result;

        if (paced)
            cycle->rng = rng;
        if (paced && ordered)
            *cycle->course = course;
        object = ordered ? course_next(&course, &io.offset_bytes)
                         : place_draw(&place, &rng, &io.offset_bytes);
        if (!opens && cycle->kept)
            io.file = &cycle->kept[object];
        if (writes && checks)
            check_make(cycle, object, io.offset_bytes, made_bytes, io.buffer);
        else if (writes)
            payload_make(cycle->payload, io.buffer, (size_t)made_bytes);
        if (paced) {
            due_ns = cycle_take_due(cycle);
            if (!cycle_wait(cycle, due_ns)) {
                rng = cycle->rng; /* what was not begun is drawn again */
                if (ordered)
                    course = *cycle->course;
                break;
            }
        }

        if (live)
            series_set_in_flight(live, 1);
        start_ns = open_ns = opens || paced || between ? read_clock(clock, real) : end_ns;
        if (between)
            between_ns += start_ns - end_ns;
        if (paced)
            cycle->behind_ns = start_ns > due_ns ? start_ns - due_ns : 0;
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
        result = single                                     ? engine->operate(ctx, object)
                 : seeks && __builtin_expect(status < 0, 0) ? status
                 : in_pieces ? move_pieces(cycle, object, &io, &pieces)
                             : transfer(ctx, &io);
        end_ns = transfer_ns = read_clock(clock, real);
        if (in_pieces) { /* as if it had begun so much later */
            start_ns += pieces.between_ns;
            open_ns += pieces.between_ns;
            seek_ns += pieces.between_ns;
            due_ns += pieces.between_ns;
            between_ns += pieces.between_ns;
            pieces.between_ns = 0;
        }
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
            if (live)
                series_set_in_flight(live, 0);
            tally->failed_ns += end_ns - start_ns;
            book_hung(tally, end_ns - start_ns);
            if (!book_failure(cycle, &failure, object, io.offset_bytes) || end_ns >= deadline_ns) {
                left--;
                break;
            }
            continue;
        }
        if (paced && due_ns < start_ns) {
            tally->sum_ns += start_ns - due_ns;
            book_latency(tally, end_ns - due_ns);
        } else {
            book_latency(tally, end_ns - start_ns);
        }
        if (live)
            publish_one(live, work, end_ns - (paced && due_ns < start_ns ? due_ns : start_ns),
                        end_ns, paced ? 0 : between_ns + tally->excluded_ns, &told_ns);
        start_sum += start_ns;
        if (opens) {
            book_phase(&tally->open, &tally->open_max_ns, open_ns - start_ns);
            book_phase(&tally->close, &tally->close_max_ns, end_ns - transfer_ns);
            open_sum += open_ns;
        }
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
        if (checks) {
            const bool go_on = in_pieces && !writes
                                   ? pieces.go_on
                                   : check_done(cycle, object, io.offset_bytes, io.buffer);
            transfer_ns = end_ns;
            end_ns = read_clock(clock, real);
            tally->excluded_ns += end_ns - transfer_ns;
            if (!go_on) {
                left--;
                break;
            }
        }
        if (__builtin_expect(end_ns >= deadline_ns, 0)) {
            left--;
            break;
        }
    }

    cycle->rng = rng;
    if (ordered)
        *cycle->course = course;
    tally->excluded_ns += between_ns;
    if (writes && !checks && !paced) /* making data takes processor time, and never waits */
        cycle->made_ns += between_ns;
    cycle->end_ns = end_ns;
    tally->operations += n - left - bad;
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
 * machine's clock, anywhere and in order, and for any other clock. */
#define LOOP(name, opens, seeks, writes, forgets, single)                                   \
    static __attribute__((noinline)) uint64_t name(struct cycle *cycle, uint64_t n)         \
    {                                                                                       \
        return loop(cycle, n, true, opens, seeks, writes, forgets, single, false);          \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_order(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return loop(cycle, n, true, opens, seeks, writes, forgets, single, true);           \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_clock(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return loop(cycle, n, false, opens, seeks, writes, forgets, single, false);         \
    }
LOOP(read_kept, false, false, false, false, false)
LOOP(read_kept_seek, false, true, false, false, false)
LOOP(read_cycle, true, false, false, false, false)
LOOP(read_cycle_seek, true, true, false, false, false)
LOOP(write_kept, false, false, true, false, false)
LOOP(write_kept_seek, false, true, true, false, false)
LOOP(write_cycle, true, false, true, false, false)
LOOP(write_cycle_seek, true, true, true, false, false)
LOOP(forget_kept, false, false, false, true, false)
LOOP(forget_kept_seek, false, true, false, true, false)
LOOP(forget_cycle, true, false, false, true, false)
LOOP(forget_cycle_seek, true, true, false, true, false)
LOOP(operate, false, false, false, false, true)
#undef LOOP

uint64_t cycle_run(struct cycle *cycle, uint64_t n)
{
#define ALL(name)                        \
    {                                    \
        name##_clock, name, name##_order \
    }
    static uint64_t (*const loops[3][2][2][3])(struct cycle *, uint64_t) = {
        {{ALL(read_kept), ALL(read_kept_seek)}, {ALL(read_cycle), ALL(read_cycle_seek)}},
        {{ALL(write_kept), ALL(write_kept_seek)}, {ALL(write_cycle), ALL(write_cycle_seek)}},
        {{ALL(forget_kept), ALL(forget_kept_seek)}, {ALL(forget_cycle), ALL(forget_cycle_seek)}},
    };
#undef ALL
    const bool real = cycle->clock->now_ns == clock_monotonic.now_ns && !cycle->pace_step &&
                      !cycle->check && !cycle->live && !workload_in_pieces(cycle->work);
    const bool opens = (cycle->engine->phases & (1u << PHASE_OPEN)) && !cycle->kept;
    const bool seeks = cycle->engine->phases & (1u << PHASE_SEEK);
    const struct workload *work = cycle->work;
    const unsigned kind = test_writes(work->test) ? 1 : engine_forgets(cycle->engine, work) ? 2 : 0;

    if (engine_in_flight(cycle->engine, work->depth))
        return cycle_run_async(cycle, n);
    if (cycle->clocks)
        return cycle_run_clocks(cycle);
    if (!test_moves_data(work->test))
        return (!real ? operate_clock : cycle->course ? operate_order : operate)(cycle, n);
    if (cycle->mate)
        return cycle_run_mixed(cycle, n, opens, seeks);
    return loops[kind][opens][seeks][!real ? 0 : cycle->course ? 2 : 1](cycle, n);
}
