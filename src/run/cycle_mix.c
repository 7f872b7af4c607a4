/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_mix.c - the hot loop of --mix: reads and writes in one slice, in an order that chance
 * decides, each kind with its own context of the engine and its own books.  With --access
 * sequential and once both go one way: the next operation, of whichever kind, takes the next place.
 *
 * Rules as in cycle.c, which this loop follows line by line; it stands apart so that rows of one
 * kind do not pay for it.  The readings of the clock that a cycle takes are those of its kind: one
 * more before a write, whose data are made between operations.  Sums are kept in memory, by kind,
 * where cycle.c has registers. */
#include "base/compat.h"

#include "run/cycle_book.h"

struct mix_kind { /* writes, reads */
    struct cycle cycle;
    int64_t (*transfer)(void *, struct io *);
    struct place place;
    uint64_t made_bytes; /* before an operation: data of the first piece of a write */
    bool in_pieces, forgets;
    /* Of the readings of complete operations; their differences are the times of the phases. */
    uint64_t start_sum, open_sum, seek_sum, transfer_sum, end_sum;
    uint64_t complete;
};

static struct mix_kind kind_of(const struct cycle *cycle, const struct cycle_mate *reads)
{
    struct mix_kind kind = {.cycle = *cycle};
    struct cycle *const own = &kind.cycle;

    own->mate = NULL;
    own->checked = (struct usage){0};
    if (reads) {
        own->ctx = reads->ctx;
        own->work = reads->work;
        own->align_bytes = reads->align_bytes;
        own->kept = reads->kept;
        own->tally = reads->tally;
        own->check = reads->check;
        own->live = reads->live;
    }
    kind.transfer = engine_transfer(own->engine, own->work);
    kind.place = place_of(own);
    kind.in_pieces = workload_in_pieces(own->work);
    kind.made_bytes = reads ? 0 : workload_call_bytes(own->work);
    kind.forgets = engine_forgets(own->engine, own->work);
    return kind;
}

static void close_books(struct cycle *cycle, struct mix_kind *kind, const bool opens,
                        const bool seeks)
{
    struct tally *const tally = kind->cycle.tally;

    if (!opens)
        kind->open_sum = kind->start_sum, kind->transfer_sum = kind->end_sum;
    if (!seeks)
        kind->seek_sum = kind->open_sum;
    tally->operations += kind->complete;
    tally->sum_ns += kind->end_sum - kind->start_sum;
    tally->phase_ns[PHASE_OPEN] += kind->open_sum - kind->start_sum;
    tally->phase_ns[PHASE_SEEK] += kind->seek_sum - kind->open_sum;
    tally->phase_ns[PHASE_TRANSFER] += kind->transfer_sum - kind->seek_sum;
    tally->phase_ns[PHASE_CLOSE] += kind->end_sum - kind->transfer_sum;
    usage_add(&cycle->checked, &kind->cycle.checked);
}

/* What is done between operations and is no part of them.  Returns when it is over; *go_on is
 * whether the slice goes on. */
static uint64_t after(struct mix_kind *kind, uint32_t object, const struct io *io,
                      const struct pieces *pieces, bool *go_on)
{
    struct cycle *const own = &kind->cycle;

    if (kind->forgets)
        own->engine->forget(own->ctx, object, io->offset_bytes);
    if (own->check)
        *go_on = kind->in_pieces && !kind->made_bytes
                     ? pieces->go_on
                     : check_done(own, object, io->offset_bytes, io->buffer);
    return clock_now(own->clock);
}

/* Long, because it is one loop. */
static ALWAYS_INLINE uint64_t loop(struct cycle *cycle, uint64_t n, const bool real,
                                   const bool opens, const bool seeks, const bool walks)
{
    const struct engine *const engine = cycle->engine;
    const struct clock *const clock = cycle->clock;
    const volatile int *const stop = cycle->stop;
    const uint64_t deadline_ns = cycle->deadline_ns, mark = cycle->mate->mark;
    const bool paced = !real && cycle->pace_step, live = !real && cycle->live;
    const bool ordered = real ? walks : cycle->course != NULL;
    struct mix_kind kinds[2] = {kind_of(cycle, NULL), kind_of(cycle, cycle->mate)};
    const bool lingers = kinds[1].forgets || kinds[0].cycle.check || kinds[1].cycle.check;
    uint64_t left = n, between_ns = 0, excluded_ns = 0, told_ns = 0;
    struct rng rng = cycle->rng;
    struct course course;
    struct failure failure;
    struct pieces pieces = {.go_on = true};
    struct handle opened = {.fd = -1};
    struct io io = {.file = &opened, .buffer = cycle->buffer, .scratch = cycle->scratch};
    uint64_t end_ns = read_clock(clock, real);
    bool reads = false;

    if (ordered)
        course = *cycle->course;
    for (; left && !flag_read(stop); left--) {
        uint64_t start_ns, open_ns, seek_ns, transfer_ns, due_ns = 0;
        const struct rng before = rng;
        struct mix_kind *kind;
        struct tally *tally;
        uint32_t object;
        int status = 0, closed = 0;
        int64_t result;

        if (paced && ordered)
            *cycle->course = course;
        reads = rng_next(&rng) < mark;
        kind = &kinds[reads];
        tally = kind->cycle.tally;
        object = ordered ? course_next(&course, &io.offset_bytes)
                         : place_draw(&kind->place, &rng, &io.offset_bytes);
        if (!opens && kind->cycle.kept)
            io.file = &kind->cycle.kept[object];
        if (!reads) {
            if (!real && kind->cycle.check)
                check_make(&kind->cycle, object, io.offset_bytes, kind->made_bytes, io.buffer);
            else
                payload_make(cycle->payload, io.buffer, (size_t)kind->made_bytes);
        }
        if (paced) {
            due_ns = cycle_take_due(cycle);
            if (!cycle_wait(cycle, due_ns)) {
                rng = before; /* what was not begun is drawn again */
                if (ordered)
                    course = *cycle->course;
                break;
            }
        }

        if (live)
            series_set_in_flight(kind->cycle.live, 1);
        start_ns = open_ns = opens || paced || !reads ? read_clock(clock, real) : end_ns;
        between_ns += start_ns - end_ns;
        if (paced)
            cycle->behind_ns = start_ns > due_ns ? start_ns - due_ns : 0;
        if (opens) {
            status = engine->open(kind->cycle.ctx, object, &opened);
            open_ns = read_clock(clock, real);
            if (__builtin_expect(status < 0, 0)) {
                end_ns = open_ns;
                failure = (struct failure){PHASE_OPEN, status};
                goto failed;
            }
        }
        seek_ns = open_ns;
        if (seeks) {
            status = engine->seek(kind->cycle.ctx, io.file, io.offset_bytes);
            seek_ns = read_clock(clock, real);
        }
        result = seeks && __builtin_expect(status < 0, 0) ? status
                 : !real && kind->in_pieces ? move_pieces(&kind->cycle, object, &io, &pieces)
                                            : kind->transfer(kind->cycle.ctx, &io);
        end_ns = transfer_ns = read_clock(clock, real);
        if (!real && kind->in_pieces) { /* as if it had begun so much later */
            start_ns += pieces.between_ns;
            open_ns += pieces.between_ns;
            seek_ns += pieces.between_ns;
            due_ns += pieces.between_ns;
            between_ns += pieces.between_ns;
            pieces.between_ns = 0;
        }
        if (opens) {
            closed = engine->close(kind->cycle.ctx, &opened);
            end_ns = read_clock(clock, real);
        }
        if (__builtin_expect(result != (int64_t)kind->place.io_bytes, 0) ||
            (opens && __builtin_expect(closed < 0, 0))) {
            failure = seeks && status < 0         ? (struct failure){PHASE_SEEK, status}
                      : closed < 0 && result >= 0 ? (struct failure){PHASE_CLOSE, closed}
                                                  : (struct failure){PHASE_TRANSFER, result};
        failed:
            if (live)
                series_set_in_flight(kind->cycle.live, 0);
            tally->failed_ns += end_ns - start_ns;
            book_hung(tally, end_ns - start_ns);
            if (!book_failure(&kind->cycle, &failure, object, io.offset_bytes) ||
                end_ns >= deadline_ns) {
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
            publish_one(kind->cycle.live, kind->cycle.work,
                        end_ns - (paced && due_ns < start_ns ? due_ns : start_ns), end_ns,
                        paced ? 0 : between_ns + excluded_ns, &told_ns);
        kind->complete++;
        kind->start_sum += start_ns;
        kind->end_sum += end_ns;
        if (opens) {
            book_phase(&tally->open, &tally->open_max_ns, open_ns - start_ns);
            book_phase(&tally->close, &tally->close_max_ns, end_ns - transfer_ns);
            kind->open_sum += open_ns;
            kind->transfer_sum += transfer_ns;
        }
        if (seeks)
            kind->seek_sum += seek_ns;
        if (!real && lingers) {
            bool go_on = true;
            transfer_ns = end_ns;
            end_ns = after(kind, object, &io, &pieces, &go_on);
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
    if (ordered)
        *cycle->course = course;
    cycle->end_ns = end_ns;
    cycle->tally->excluded_ns += between_ns + excluded_ns;
    if (!cycle->check && !paced)
        cycle->made_ns += between_ns;
    for (int i = 0; i < 2; i++)
        close_books(cycle, &kinds[i], opens, seeks);
    return n - left;
}

#define LOOP(name, opens, seeks)                                                            \
    static __attribute__((noinline)) uint64_t name(struct cycle *cycle, uint64_t n)         \
    {                                                                                       \
        return loop(cycle, n, true, opens, seeks, false);                                   \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_order(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return loop(cycle, n, true, opens, seeks, true);                                    \
    }                                                                                       \
    static __attribute__((noinline)) uint64_t name##_clock(struct cycle *cycle, uint64_t n) \
    {                                                                                       \
        return loop(cycle, n, false, opens, seeks, false);                                  \
    }
LOOP(kept, false, false)
LOOP(kept_seek, false, true)
LOOP(whole, true, false)
LOOP(whole_seek, true, true)
#undef LOOP

uint64_t cycle_run_mixed(struct cycle *cycle, uint64_t n, bool opens, bool seeks)
{
#define ALL(name)                        \
    {                                    \
        name##_clock, name, name##_order \
    }
    static uint64_t (*const loops[2][2][3])(struct cycle *, uint64_t) = {
        {ALL(kept), ALL(kept_seek)},
        {ALL(whole), ALL(whole_seek)},
    };
#undef ALL
    const struct cycle_mate *const reads = cycle->mate;
    const bool real = cycle->clock->now_ns == clock_monotonic.now_ns && !cycle->pace_step &&
                      !cycle->check && !reads->check && !cycle->live &&
                      !workload_in_pieces(cycle->work) && !workload_in_pieces(reads->work) &&
                      !engine_forgets(cycle->engine, reads->work);

    return loops[opens][seeks][!real ? 0 : cycle->course ? 2 : 1](cycle, n);
}
