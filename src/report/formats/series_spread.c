/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series_spread.c - how steady the rates of intervals were. */
#include "base/compat.h"

#include "report/formats/series_spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/cell.h"

double series_per_second(uint64_t amount, uint64_t busy_ns)
{
    return busy_ns ? (double)((long double)amount * 1e9L / (long double)busy_ns) : 0;
}

bool series_was_preparing(const struct series_record *record)
{
    return record->preparing_ns > record->length_ns / 100;
}

/* Slices of rows run in any order, so a row may appear before earlier ones. */
static struct series_spread *spread_of(struct series_spreads *spreads, const struct cell *cell)
{
    unsigned at = 0;

    while (at < spreads->count && spreads->spread[at].cell->index < cell->index)
        at++;
    if (at < spreads->count && spreads->spread[at].cell == cell)
        return &spreads->spread[at];
    spreads->spread =
        mem_realloc_array(spreads->spread, spreads->count + 1, sizeof(*spreads->spread));
    memmove(&spreads->spread[at + 1], &spreads->spread[at],
            (spreads->count - at) * sizeof(*spreads->spread));
    spreads->count++;
    spreads->spread[at] = (struct series_spread){.cell = cell};
    return &spreads->spread[at];
}

void series_spreads_add(struct series_spreads *spreads, const struct series_record *record)
{
    struct series_spread *spread;
    double rate, from_old, share;

    if (!record->cell)
        return;
    spread = spread_of(spreads, record->cell);
    spread->count++;
    spread->idle += record->operations == 0;
    if (record->partial || series_was_preparing(record) ||
        record->busy_ns < spread->longest_ns / 4 || !record->busy_ns)
        return;
    if (record->busy_ns > spread->longest_ns)
        spread->longest_ns = record->busy_ns;
    rate = series_per_second(record->operations, record->busy_ns);
    if (!spread->whole || rate < spread->lowest)
        spread->lowest = rate;
    if (!spread->whole || rate > spread->highest)
        spread->highest = rate;
    spread->whole++;
    spread->operations += record->operations;
    spread->bytes += record->bytes;
    spread->time_ns += record->busy_ns;
    from_old = rate - spread->mean;
    share = (double)record->busy_ns / (double)spread->time_ns;
    spread->mean += from_old * share;
    spread->squares += from_old * (rate - spread->mean) * (double)record->busy_ns;
}

void series_spreads_free(struct series_spreads *spreads)
{
    free(spreads->spread);
    *spreads = (struct series_spreads){.count = 0};
}

double series_spread_mean(const struct series_spread *spread)
{
    return series_per_second(spread->operations, spread->time_ns);
}

double series_spread_deviation(const struct series_spread *spread)
{
    if (spread->whole < 2)
        return 0;
    return sqrt(spread->squares / (double)spread->time_ns * (double)spread->whole /
                (double)(spread->whole - 1));
}

double series_spread_unevenness(const struct series_spread *spread)
{
    return spread->mean > 0 ? series_spread_deviation(spread) / spread->mean : 0;
}
