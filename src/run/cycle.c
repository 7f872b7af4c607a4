/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle.c - the hot loop, and nothing else.
 *
 * Rules: no allocation, lock, log, string, division by a variable or shared write per operation;
 * one relaxed look at the stop flag. A cycle of n timed phases takes n + 1 clock readings. If a
 * cycle never opens (kept-open files, engines without PHASE_OPEN), the end of one operation is the
 * start of the next: n readings, which include the loop's own ten nanoseconds.
 *
 * The loop is written once and compiled for each combination of features, so that no "if (mode)"
 * remains in it. With --mix (reads and writes in one slice, in random order) each kind has its own
 * engine context and its own counters, in memory instead of registers; the clock is read once more
 * before a write, whose data are generated between operations. With --access sequential and once
 * both kinds share the order: the next operation, of either kind, takes the next place. */
#include "base/compat.h"

#include "run/cycle_book.h"

#include <errno.h>

/* --call-size: an I/O moved by several calls, through a buffer of the size of the largest. Work
 * between two calls (generating the next data, checking the last) is timed separately, so that it
 * can be subtracted from the operation. */
struct pieces {
    uint64_t between_ns; /* out: spent between the calls, not part of the operation */
    bool right, go_on;   /* out, of verified reads: the data are correct; the slice continues */
};

static void end_between(const struct cycle *cycle, struct pieces *pieces, uint64_t before_ns)
{
    const uint64_t now_ns = clock_now(cycle->clock);

    if (cycle->live)
        series_turn(cycle->live, cycle->live->part, 1, now_ns);
    pieces->between_ns += now_ns - before_ns;
}

/* io->buffer contains the first piece of a write. Returns the bytes moved, up to the first short
 * piece, or -errno, like a transfer. */
static COLD int64_t move_pieces(struct cycle *cycle, uint32_t object, struct io *io,
                                struct pieces *pieces)
{
    const struct workload *const work = cycle->work;
    const bool writes = test_writes(work->test);
    int64_t (*const call)(void *, struct io *) = engine_transfer(cycle->engine, work);
    const uint64_t begin_bytes = io->offset_bytes;
    uint64_t done = 0;
    int64_t moved = 0;

    *pieces = (struct pieces){.right = true, .go_on = true};
    while (done < work->io_bytes) {
        const uint64_t left = work->io_bytes - done;
        uint64_t before_ns;

        io->offset_bytes = begin_bytes + done;
        io->more = left > work->call_bytes;
        io->bytes = (size_t)(io->more ? work->call_bytes : left);
        if (done && flag_read(cycle->stop)) {
            moved = -EINTR; /* not a failure: a long operation is abandoned */
            break;
        }
        if (done && writes) { /* the first was generated before */
            before_ns = clock_now(cycle->clock);
            if (cycle->live)
                series_turn(cycle->live, cycle->live->part, -1, before_ns);
            if (cycle->check)
                check_make(cycle, object, io->offset_bytes, io->bytes, io->buffer);
            else
                payload_make(cycle->payload, io->buffer, io->bytes);
            end_between(cycle, pieces, before_ns);
        }
        moved = call(cycle->ctx, io);
        if (moved != (int64_t)io->bytes)
            break;
        done += io->bytes;
        moved = 0;
        if (!writes && cycle->check && pieces->right) {
            before_ns = clock_now(cycle->clock);
            if (cycle->live)
                series_turn(cycle->live, cycle->live->part, -1, before_ns);
            pieces->right =
                check_read(cycle, object, io->offset_bytes, io->bytes, io->buffer, &pieces->go_on);
            end_between(cycle, pieces, before_ns);
        }
    }
    io->offset_bytes = begin_bytes;
    return moved < 0 ? moved : (int64_t)done + moved;
}

/* Operations of one kind: all of a cycle, or with --mix its writes or its reads. */
struct cycle_kind {
    struct cycle *cycle;
    void *ctx;
    struct tally *tally;
    struct series_live *live;
    struct place place;
    int64_t (*transfer)(void *, struct io *);
    uint64_t made_bytes; /* bytes generated before a write, for its first piece */
    bool in_pieces, checks, forgets;
    struct sums sums;
};

static ALWAYS_INLINE struct cycle_kind kind_of(struct cycle *cycle, const bool real,
                                               const bool forgets)
{
    const struct workload *const work = cycle->work;
    const bool in_pieces = !real && workload_in_pieces(work);

    return (struct cycle_kind){
        .cycle = cycle,
        .ctx = cycle->ctx,
        .tally = cycle->tally,
        .live = real ? NULL : cycle->live,
        .place = place_of(cycle),
        .transfer = engine_transfer(cycle->engine, work),
        .made_bytes = in_pieces ? work->call_bytes : work->io_bytes,
        .in_pieces = in_pieces,
        .checks = !real && cycle->check,
        .forgets = forgets,
    };
}

static ALWAYS_INLINE void close_books(struct cycle_kind *kind, const bool opens, const bool seeks)
{
    kind->tally->sum_ns += kind->sums.end - kind->sums.start;
    book_sums(kind->tally, &kind->sums, opens, seeks);
}

/* Long, because it is one loop: parts moved to functions would have to be inlined again, with a
 * dozen variables that are now in registers. */
static ALWAYS_INLINE uint64_t loop(struct cycle *cycle, uint64_t n, const bool real,
                                   const bool opens, const bool seeks, const bool all_write,
                                   const bool forgets, const bool single, const bool mixed,
                                   const bool walks)
{
    const struct engine *const engine = cycle->engine;
    const struct clock *const clock = cycle->clock;
    const volatile int *const stop = cycle->stop;
    const uint64_t deadline_ns = cycle->deadline_ns, mark = mixed ? cycle->mark : 0;
    /* Rare features run in the variants for any clock, where a test does not matter. */
    const bool paced = !real && cycle->pace_step;
    const bool ordered = real ? walks : cycle->cursor != NULL;
    struct cycle_kind kinds[2] = {kind_of(cycle, real, forgets)};
    /* Whether there is work between operations that is not part of them. */
    const bool between = mixed || all_write || kinds[0].checks;
    uint64_t left = n, bad = 0, between_ns = 0, excluded_ns = 0;
    bool runs = false; /* --interval: the time of the slot */
    struct rng rng = cycle->rng;
    struct cursor cursor;
    struct failure failure;
    struct pieces pieces = {.go_on = true};
    struct handle opened = {.fd = -1};
    struct io io = {.file = &opened,
                    .buffer = cycle->buffer,
                    .scratch = cycle->scratch,
                    .bytes = (size_t)cycle->work->io_bytes};
    uint64_t end_ns = between || !opens ? read_clock(clock, real) : 0;

    if (mixed)
        kinds[1] = kind_of(cycle->reads, real, !real && engine_forgets(engine, cycle->reads->work));
    if (ordered)
        cursor = *cycle->cursor;
    if (paced)
        publish_turn(cycle->live, &runs, true, cycle->pace_start_ns);
    for (; left && !flag_read(stop); left--) {
        uint64_t start_ns, open_ns, seek_ns, transfer_ns, due_ns = 0;
        const struct rng before = rng;
        struct cycle_kind *const kind = &kinds[mixed && rng_next(&rng) < mark];
        struct series_live *const live = real ? NULL : kind->live;
        const bool writes = mixed ? kind == kinds : all_write;
        const bool in_pieces = !real && kind->in_pieces, checks = !real && kind->checks;
        const bool drops = mixed ? !real && kind->forgets : forgets;
        uint32_t object;
        int status = 0, closed = 0;
        int64_t result;

        if (paced && ordered)
            *cycle->cursor = cursor;
        object = ordered ? cursor_next(&cursor, &io.offset_bytes)
                         : place_draw(&kind->place, &rng, &io.offset_bytes);
        if (mixed)
            io.bytes = (size_t)kind->place.io_bytes;
        if (!opens && kind->cycle->kept)
            io.file = &kind->cycle->kept[object];
        if (writes && checks) {
            check_begin(kind->cycle, object, io.offset_bytes);
            check_make(kind->cycle, object, io.offset_bytes, kind->made_bytes, io.buffer);
        } else if (writes)
            payload_make(cycle->payload, io.buffer, (size_t)kind->made_bytes);
        if (paced) {
            due_ns = cycle_take_due(cycle);
            if (!cycle_wait(cycle, due_ns)) {
                rng = before; /* draws the operation again that did not begin */
                cycle->behind_ns =
                    number_most(cycle->behind_ns, number_minus(read_clock(clock, real), due_ns));
                if (ordered)
                    cursor = *cycle->cursor;
                break;
            }
        }

        if (live)
            series_set_in_flight(live, 1);
        start_ns = open_ns = opens || paced || writes || checks ? read_clock(clock, real) : end_ns;
        if (between)
            between_ns += start_ns - end_ns;
        if (!real)
            publish_turn(cycle->live, &runs, true, start_ns);
        if (paced)
            cycle->behind_ns = start_ns > due_ns ? start_ns - due_ns : 0;
        if (opens) {
            status = engine->open(kind->ctx, object, &opened);
            open_ns = read_clock(clock, real);
            if (__builtin_expect(status < 0, 0)) {
                end_ns = open_ns;
                failure = (struct failure){PHASE_OPEN, status};
                goto failed;
            }
        }
        seek_ns = open_ns;
        if (seeks) {
            status = engine->seek(kind->ctx, io.file, io.offset_bytes);
            seek_ns = read_clock(clock, real);
        }
        /* A failed seek leaves result below 0: nothing is transferred, but the file is closed. */
        result = single                                     ? engine->operate(kind->ctx, object)
                 : seeks && __builtin_expect(status < 0, 0) ? status
                 : in_pieces ? move_pieces(kind->cycle, object, &io, &pieces)
                             : kind->transfer(kind->ctx, &io);
        end_ns = transfer_ns = read_clock(clock, real);
        if (in_pieces) { /* as if it had begun later by that time */
            start_ns += pieces.between_ns;
            open_ns += pieces.between_ns;
            seek_ns += pieces.between_ns;
            due_ns += pieces.between_ns;
            between_ns += pieces.between_ns;
            pieces.between_ns = 0;
        }
        if (opens) {
            closed = engine->close(kind->ctx, &opened);
            end_ns = read_clock(clock, real);
        }
        if (__builtin_expect(result != (int64_t)kind->place.io_bytes, 0) ||
            (opens && __builtin_expect(closed < 0, 0))) {
            failure = seeks && status < 0         ? (struct failure){PHASE_SEEK, status}
                      : closed < 0 && result >= 0 ? (struct failure){PHASE_CLOSE, closed}
                                                  : (struct failure){PHASE_TRANSFER, result};
        failed:
            bad++;
            if (live)
                series_set_in_flight(live, 0);
            kind->tally->failed_ns += end_ns - start_ns;
            book_hung(kind->tally, end_ns - start_ns);
            if (!real && between && !paced)
                publish_turn(cycle->live, &runs, false, end_ns);
            if (!book_failure(kind->cycle, &failure, object, io.offset_bytes) ||
                end_ns >= deadline_ns) {
                left--;
                break;
            }
            continue;
        }
        if (paced && due_ns < start_ns) {
            kind->tally->sum_ns += start_ns - due_ns;
            book_latency(kind->tally, end_ns - due_ns);
        } else {
            book_latency(kind->tally, end_ns - start_ns);
        }
        if (live)
            publish_one(live, live->part, end_ns - (paced && due_ns < start_ns ? due_ns : start_ns),
                        end_ns, 0);
        if (!real && (between || drops || checks) && !paced)
            publish_turn(cycle->live, &runs, false, end_ns);
        if (mixed)
            kind->sums.complete++;
        kind->sums.start += start_ns;
        if (opens) {
            book_phase(&kind->tally->open, &kind->tally->open_max_ns, open_ns - start_ns);
            book_phase(&kind->tally->close, &kind->tally->close_max_ns, end_ns - transfer_ns);
            kind->sums.open += open_ns;
            kind->sums.transfer += transfer_ns;
        }
        if (seeks)
            kind->sums.seek += seek_ns;
        kind->sums.end += end_ns;
        if (drops || checks) {
            bool go_on = true;
            if (drops)
                engine->forget(kind->cycle->work, object, io.offset_bytes);
            if (checks)
                go_on = in_pieces && !writes
                            ? pieces.go_on
                            : check_done(kind->cycle, object, io.offset_bytes, io.buffer);
            transfer_ns = end_ns;
            end_ns = read_clock(clock, real);
            excluded_ns += end_ns - transfer_ns;
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
    if (!real)
        publish_turn(cycle->live, &runs, false, end_ns);
    if (ordered)
        *cycle->cursor = cursor;
    cycle->tally->excluded_ns += between_ns + excluded_ns;
    /* Generating data takes processor time, but never waits. */
    if ((mixed || all_write) && !cycle->check && !paced)
        cycle->made_ns += between_ns;
    cycle->end_ns = end_ns;
    if (!mixed)
        kinds[0].sums.complete = n - left - bad;
    close_books(&kinds[0], opens, seeks);
    if (mixed)
        close_books(&kinds[1], opens, seeks);
    return n - left;
}

/* One function per combination that occurs, in which the constants are folded: for the machine's
 * clock with random and with consecutive places, and for any other clock. */
#define LOOP(name, opens, ...)                                                              \
    static __attribute__((noinline)) uint64_t name(struct cycle *cycle, uint64_t n)         \
    {                                                                                       \
        return loop(cycle, n, true, opens, __VA_ARGS__, false);                             \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_order(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return loop(cycle, n, true, opens, __VA_ARGS__, true);                              \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_clock(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return loop(cycle, n, false, opens, __VA_ARGS__, false);                            \
    }
/* Each with and without opening and seeking; arguments: writes, forgets, single, mixed. */
#define LOOPS(name, ...)                             \
    LOOP(name##_kept, false, false, __VA_ARGS__)     \
    LOOP(name##_kept_seek, false, true, __VA_ARGS__) \
    LOOP(name##_cycle, true, false, __VA_ARGS__)     \
    LOOP(name##_cycle_seek, true, true, __VA_ARGS__)
LOOPS(read, false, false, false, false)
LOOPS(write, true, false, false, false)
LOOPS(forget, false, true, false, false)
LOOPS(mix, false, false, false, true)
LOOP(operate, false, false, false, false, true, false)
#undef LOOPS
#undef LOOP

uint64_t cycle_run(struct cycle *cycle, uint64_t n)
{
#define ALL(name)                        \
    {                                    \
        name##_clock, name, name##_order \
    }
#define EACH(name)                                    \
    {                                                 \
        {ALL(name##_kept), ALL(name##_kept_seek)},    \
        {                                             \
            ALL(name##_cycle), ALL(name##_cycle_seek) \
        }                                             \
    }
    static uint64_t (*const loops[4][2][2][3])(struct cycle *, uint64_t) = {
        EACH(read), EACH(write), EACH(forget), EACH(mix)};
#undef EACH
#undef ALL
    const struct workload *const work = cycle->work;
    const struct engine *const engine = cycle->engine;
    const struct cycle *const reads = cycle->reads;
    const bool real = cycle->clock->now_ns == clock_monotonic.now_ns && !cycle->pace_step &&
                      !cycle->check && !cycle->live && !workload_in_pieces(work) &&
                      !(reads && (reads->check || workload_in_pieces(reads->work) ||
                                  engine_forgets(engine, reads->work)));
    const bool opens = (engine->phases & (1u << PHASE_OPEN)) && !cycle->kept;
    const bool seeks = engine->phases & (1u << PHASE_SEEK);
    const unsigned kind = reads                          ? 3
                          : test_writes(work->test)      ? 1
                          : engine_forgets(engine, work) ? 2
                                                         : 0;

    if (engine_in_flight(engine, work->depth))
        return cycle_run_async(cycle, n);
    if (cycle->clocks)
        return cycle_run_clocks(cycle);
    if (!test_moves_data(work->test))
        return (!real ? operate_clock : cycle->cursor ? operate_order : operate)(cycle, n);
    return loops[kind][opens][seeks][!real ? 0 : cycle->cursor ? 2 : 1](cycle, n);
}
