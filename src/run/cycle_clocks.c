/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_clocks.c - clocks (see cycle.h) for engines that do one operation at a time: each thread is
 * a slot. The hot loop is unchanged: it runs three times, each with its tallies. */
#include "base/compat.h"

#include "run/cycle_book.h"

static void set_tallies(struct cycle *cycle, struct tally *const tally[2], enum series_part part)
{
    cycle->tally = tally[0];
    if (cycle->mate)
        cycle->mate->tally = tally[1];
    if (cycle->live)
        cycle->live->part = part;
    if (cycle->live && cycle->mate)
        cycle->mate->live->part = part;
}

/* Runs until a moment, or until `stop`; *slot_ns: the time taken, without that between
 * operations. */
static uint64_t run_until(struct cycle *cycle, struct tally *const tally[2], enum series_part part,
                          uint64_t n, uint64_t deadline_ns, const volatile int *stop,
                          uint64_t *slot_ns)
{
    const uint64_t begin_ns = cycle->end_ns, excluded_ns = tally[0]->excluded_ns;
    struct cycle_clocks *const clocks = cycle->clocks;
    const volatile int *const stop_before = cycle->stop;
    uint64_t done;

    set_tallies(cycle, tally, part);
    cycle->deadline_ns = deadline_ns;
    cycle->stop = stop;
    cycle->clocks = NULL;
    done = cycle_run(cycle, n);
    cycle->clocks = clocks;
    cycle->stop = stop_before;
    if (done)
        *slot_ns += cycle->end_ns - begin_ns - (tally[0]->excluded_ns - excluded_ns);
    else
        cycle->end_ns = begin_ns;
    return done;
}

uint64_t cycle_run_clocks(struct cycle *cycle)
{
    struct cycle_clocks *const clocks = cycle->clocks;
    struct tally *const counted[2] = {cycle->tally, cycle->mate ? cycle->mate->tally : NULL};
    uint64_t done, all;

    cycle->end_ns = clocks->begin_ns;
    all = run_until(cycle, clocks->aside[ASIDE_WARM], SERIES_WARM, 1, UINT64_MAX, cycle->stop,
                    &clocks->aside_ns[ASIDE_WARM]);
    done = run_until(cycle, counted, SERIES_COUNTED, UINT64_MAX, clocks->end_ns, cycle->stop,
                     &cycle->slot_ns);
    cycle->slots_used = done > 0;
    all += done;
    clocks->ended(clocks->ended_arg, cycle->end_ns);
    if (flag_read(cycle->stop) || (cycle->ended && cycle->ended(cycle->ended_arg)))
        goto over;
    if (cycle->end_ns < clocks->load_ns)
        all += run_until(cycle, clocks->aside[ASIDE_LOAD], SERIES_LOAD, UINT64_MAX, clocks->load_ns,
                         cycle->stop, &clocks->aside_ns[ASIDE_LOAD]);
    all += run_until(cycle, clocks->aside[ASIDE_LOAD], SERIES_LOAD, UINT64_MAX, UINT64_MAX,
                     clocks->over, &clocks->aside_ns[ASIDE_LOAD]);
over:
    set_tallies(cycle, counted, SERIES_COUNTED);
    return all;
}
