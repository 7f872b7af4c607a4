/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_book.c - the cold half of the code shared by the loops: failures, pacing, verification,
 * and clocks where a thread has one operation at a time. */
#include "base/compat.h"

#include "run/cycle_book.h"

#include <errno.h>

#include "os/os.h"

#define SPIN_NS UINT64_C(150000)   /* a thread may wake up later than requested by this time */
#define LOOK_NS UINT64_C(50000000) /* maximum of a sleep */

static bool book_wrong(struct cycle *cycle, uint32_t object, const struct target_mismatch *mismatch)
{
    struct tally *tally = cycle->tally;

    if (tally->wrong++ == 0) {
        tally->wrong_object = cycle->work->object_first + object;
        tally->wrong_first = *mismatch;
    }
    return !cycle->on_failure || cycle->on_failure(cycle->on_failure_arg);
}

/* If the content of an object is known, so is its length: missing data are wrong data. */
static bool book_short(struct cycle *cycle, uint32_t object, uint64_t end_bytes)
{
    const struct target_mismatch mismatch = {.offset_bytes = end_bytes, .ended = true};

    return book_wrong(cycle, object, &mismatch);
}

/* Whether the operation creates an object, which only the engine can identify. */
static bool leaves_new(const struct cycle *cycle)
{
    return cycle->engine->read_back && test_makes_names(cycle->work->test);
}

/* The number that determines the content of the object of an operation, which may be a new one. */
static uint64_t content_of(const struct cycle *cycle, uint32_t object, bool next)
{
    const uint64_t number = (uint64_t)cycle->work->object_first + object;

    if (!leaves_new(cycle) || !cycle->engine->new_content)
        return number;
    return cycle->engine->new_content(cycle->ctx, cycle->check_slot, number, next);
}

bool book_failure(struct cycle *cycle, const struct failure *failure, uint32_t object,
                  uint64_t offset_bytes)
{
    struct tally *tally = cycle->tally;

    if (cycle->check && test_writes(cycle->work->test))
        trace_note(cycle->work->target->trace, TRACE_FAILS, content_of(cycle, object, false),
                   offset_bytes, cycle->work->io_bytes, cycle->generation);
    if (failure->code >= 0) {
        if (tally->short_count++ == 0) {
            tally->short_object = cycle->work->object_first + object;
            tally->short_offset_bytes = offset_bytes;
            tally->short_bytes = (uint64_t)failure->code;
        }
        if (cycle->check) /* --max-errors counts one failure per operation */
            return book_short(cycle, object, offset_bytes + (uint64_t)failure->code);
        return cycle->allow_short || !cycle->on_failure || cycle->on_failure(cycle->on_failure_arg);
    }
    /* not a failure of the target: the run ends, and the engine cancelled operations in flight */
    if (failure->code == -ECANCELED && target_exhausted(cycle->work->target, NULL, 0))
        return false;
    if ((failure->code == -ECANCELED || failure->code == -EINTR) && flag_read(cycle->stop))
        return false;
    tally->failed++;
    if (cycle->live)
        series_count_error(cycle->live);
    if (!tally->first_errno) {
        tally->first_errno = (int)-failure->code;
        tally->first_phase = failure->phase;
        tally->first_object = cycle->work->object_first + object;
        tally->first_offset_bytes = offset_bytes;
    }
    return !cycle->on_failure || cycle->on_failure(cycle->on_failure_arg);
}

/* Objects are sorted by length: if the first and the last are equal, all are. */
struct place place_of(const struct cycle *cycle)
{
    const struct workload *work = cycle->work;
    const uint64_t *length_bytes = work->target->length_bytes + work->object_first;
    const uint64_t align_mask = cycle->align_bytes - 1;
    /* Offsets are meaningless if no data are moved or a new object is created; if all objects are
     * shorter (--allow-short), each is read from its start. */
    const bool from_start = !test_moves_data(work->test) || length_bytes[0] < work->io_bytes ||
                            (test_makes_names(work->test) && test_writes(work->test));

    return (struct place){
        .length_bytes = length_bytes,
        .io_bytes = work->io_bytes,
        .align_mask = align_mask,
        .uniform_span = from_start ? 1 : place_span(length_bytes[0], work->io_bytes, align_mask),
        .object_count = work->object_count,
        .large = work->object_count > (UINT64_C(1) << 44) / (length_bytes[0] + 1),
        .uniform = from_start || length_bytes[0] == length_bytes[work->object_count - 1],
    };
}

uint64_t cycle_take_due(struct cycle *cycle)
{
    const uint64_t due_ns = cycle_due_ns(cycle);

    cycle->pace_next += cycle->pace_step;
    return due_ns;
}

/* A signal wakes one thread only, so all check the flag periodically. */
bool cycle_wait(const struct cycle *cycle, uint64_t due_ns)
{
    const bool real = cycle->clock->now_ns == clock_monotonic.now_ns;

    for (;;) {
        const uint64_t now_ns = clock_now(cycle->clock);
        if (flag_read(cycle->stop) || now_ns >= cycle->deadline_ns)
            return false;
        if (now_ns >= due_ns)
            return true;
        if (real && due_ns - now_ns > SPIN_NS) {
            uint64_t wake_ns = due_ns - SPIN_NS;
            if (cycle->ended && cycle->ended(cycle->ended_arg))
                return false;
            if (wake_ns > now_ns + LOOK_NS)
                wake_ns = now_ns + LOOK_NS;
            if (wake_ns > cycle->deadline_ns)
                wake_ns = cycle->deadline_ns;
            (void)clock_rest_once(wake_ns);
        }
    }
}

/* Books checking separately: it uses CPU time and reads from storage on the measured thread. */
static void book_checking(struct cycle *cycle, const struct usage *before)
{
    struct usage after, spent;

    usage_read(&after);
    after.cpu_ns = usage_cpu_ns(); /* reading took time, too */
    spent = usage_since(before, &after);
    spent.queued_ns = 0;
    usage_add(&cycle->checked, &spent);
}

/* The order in which several writers of a place end is unknown, so all of a slice write the same
 * data: a single writer can detect a lost write. */
void check_begin(struct cycle *cycle, uint32_t object, uint64_t offset_bytes)
{
    const struct workload *work = cycle->work;

    if (!cycle->shared)
        cycle->generation =
            trace_other(work->target->trace, content_of(cycle, object, false), offset_bytes,
                        work->rmw ? work->size_bytes : work->io_bytes, cycle->generation);
}

/* The first piece of a new object begins it. */
void check_make(struct cycle *cycle, uint32_t object, uint64_t offset_bytes, uint64_t size_bytes,
                void *buffer)
{
    const struct target *target = cycle->work->target;
    const uint64_t content = content_of(cycle, object, offset_bytes == 0);
    struct usage before;

    usage_read(&before);
    trace_note(target->trace, TRACE_BEGINS, content, offset_bytes, size_bytes, cycle->generation);
    target->driver->make_content(target, content, offset_bytes, size_bytes, cycle->generation,
                                 buffer);
    book_checking(cycle, &before);
}

/* may: the correct generations; 0: those recorded by the run. */
static bool look(struct cycle *cycle, uint32_t object, uint64_t content, uint64_t offset_bytes,
                 uint64_t size_bytes, unsigned may, const char *buffer, bool *go_on)
{
    const struct target *target = cycle->work->target;

    *go_on = true;
    for (uint64_t done = 0, bytes; done < size_bytes; done += bytes) {
        struct target_mismatch mismatch = {0};
        unsigned right = may;

        bytes = size_bytes - done;
        if (!may)
            right = trace_may(target->trace, content, offset_bytes + done, &bytes);
        /* perhaps being written concurrently */
        if (!may && cycle->races && right >> cycle->generation & 1)
            right = TARGET_ANY_GENERATION | TARGET_CUT_ANYWHERE;
        if (!target->driver->check_content(target, content, offset_bytes + done, bytes, right,
                                           buffer + done, &mismatch)) {
            *go_on = book_wrong(cycle, object, &mismatch);
            return false;
        }
        cycle->tally->mixed += mismatch.mixed;
    }
    return true;
}

/* Reads back the data of an operation from a byte on: from the object, or the new one that it
 * created. */
static int64_t read_back(const struct cycle *cycle, uint32_t number, uint64_t offset_bytes,
                         uint64_t done_bytes, uint64_t io_bytes)
{
    const struct workload *work = cycle->work;

    if (leaves_new(cycle))
        return cycle->engine->read_back(cycle->ctx, cycle->check_slot, done_bytes, io_bytes,
                                        cycle->check_buffer);
    return work->target->driver->read_back(work->target, number, offset_bytes + done_bytes,
                                           io_bytes, work->cache == CACHE_DIRECT,
                                           cycle->check_buffer);
}

/* Checks the data of a write, in the same pieces as it was written. */
static bool look_back(struct cycle *cycle, uint32_t object, uint64_t offset_bytes)
{
    const struct workload *work = cycle->work;
    const uint64_t most_bytes = workload_call_bytes(work),
                   content = content_of(cycle, object, false);
    /* Concurrent changes of covering blocks can undo each other; a copy has the earlier content. */
    const bool exact = test_writes(work->test) && !(work->rmw && cycle->shared);
    bool right = true, go_on = true;

    for (uint64_t done = 0; done < work->io_bytes && right; done += most_bytes) {
        const uint64_t left = work->io_bytes - done;
        const uint64_t io_bytes = left < most_bytes ? left : most_bytes;
        const uint64_t size_bytes = work->rmw ? work->size_bytes : io_bytes;
        const struct failure failure = {
            PHASE_TRANSFER,
            read_back(cycle, work->object_first + object, offset_bytes, done, io_bytes)};
        if (failure.code == -ENOENT) /* acknowledged, but lost */
            return book_short(cycle, object, offset_bytes + done);
        if (failure.code != (int64_t)io_bytes)
            return book_failure(cycle, &failure, object, offset_bytes);
        right = look(cycle, object, content, offset_bytes + done, size_bytes,
                     exact ? 1u << cycle->generation : 0, cycle->check_buffer, &go_on);
    }
    if (exact && right)
        trace_note(work->target->trace, TRACE_ENDS, content, offset_bytes,
                   work->rmw ? work->size_bytes : work->io_bytes, cycle->generation);
    return go_on;
}

bool check_read(struct cycle *cycle, uint32_t object, uint64_t offset_bytes, uint64_t size_bytes,
                const void *buffer, bool *go_on)
{
    struct usage before;
    bool right;

    usage_read(&before);
    right = look(cycle, object, (uint64_t)cycle->work->object_first + object, offset_bytes,
                 size_bytes, 0, buffer, go_on);
    book_checking(cycle, &before);
    return right;
}

bool check_done(struct cycle *cycle, uint32_t object, uint64_t offset_bytes, const void *buffer)
{
    struct usage before;
    bool go_on;

    if (!test_writes(cycle->work->test) && !leaves_new(cycle)) {
        (void)check_read(cycle, object, offset_bytes, cycle->work->io_bytes, buffer, &go_on);
        return go_on;
    }
    usage_read(&before);
    go_on = look_back(cycle, object, offset_bytes);
    book_checking(cycle, &before);
    return go_on;
}

/* ---- clocks (see cycle.h) for engines that do one operation at a time: each thread is a slot. The
 * hot loop is unchanged: it runs three times, each with its tallies. ---- */

static void set_part(struct cycle *cycle, struct tally *const tally[2], enum series_part part,
                     const volatile int *stop)
{
    struct cycle *const kinds[2] = {cycle, cycle->reads};

    for (int i = 0; i < 2 && kinds[i]; i++) {
        kinds[i]->tally = tally[i];
        kinds[i]->stop = stop;
        if (kinds[i]->live)
            kinds[i]->live->part = part;
    }
}

/* Runs until a moment, or until `stop`; *slot_ns: the time taken, without that between
 * operations. */
static uint64_t run_until(struct cycle *cycle, struct tally *const tally[2], enum series_part part,
                          uint64_t n, uint64_t deadline_ns, const volatile int *stop,
                          uint64_t *slot_ns)
{
    const uint64_t begin_ns = cycle->end_ns, excluded_ns = tally[0]->excluded_ns;
    struct cycle_clocks *const clocks = cycle->clocks;
    uint64_t done;

    set_part(cycle, tally, part, stop);
    cycle->deadline_ns = deadline_ns;
    cycle->clocks = NULL;
    done = cycle_run(cycle, n);
    cycle->clocks = clocks;
    if (done)
        *slot_ns += cycle->end_ns - begin_ns - (tally[0]->excluded_ns - excluded_ns);
    else
        cycle->end_ns = begin_ns;
    return done;
}

uint64_t cycle_run_clocks(struct cycle *cycle)
{
    struct cycle_clocks *const clocks = cycle->clocks;
    struct tally *const counted[2] = {cycle->tally, cycle->reads ? cycle->reads->tally : NULL};
    const volatile int *const stop = cycle->stop;
    uint64_t done, all;

    cycle->end_ns = clocks->begin_ns;
    all = run_until(cycle, clocks->aside[ASIDE_WARM], SERIES_WARM, 1, UINT64_MAX, stop,
                    &clocks->aside_ns[ASIDE_WARM]);
    done = run_until(cycle, counted, SERIES_COUNTED, UINT64_MAX, clocks->end_ns, stop,
                     &cycle->slot_ns);
    cycle->slots_used = done > 0;
    all += done;
    clocks->ended(clocks->ended_arg, cycle->end_ns);
    if (flag_read(stop) || (cycle->ended && cycle->ended(cycle->ended_arg)))
        goto over;
    if (cycle->end_ns < clocks->load_ns)
        all += run_until(cycle, clocks->aside[ASIDE_LOAD], SERIES_LOAD, UINT64_MAX, clocks->load_ns,
                         stop, &clocks->aside_ns[ASIDE_LOAD]);
    all += run_until(cycle, clocks->aside[ASIDE_LOAD], SERIES_LOAD, UINT64_MAX, UINT64_MAX,
                     clocks->over, &clocks->aside_ns[ASIDE_LOAD]);
over:
    set_part(cycle, counted, SERIES_COUNTED, stop);
    return all;
}
