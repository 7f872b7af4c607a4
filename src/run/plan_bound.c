/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan_bound.c - how many operations of a cell there are, where they end by themselves: places that
 * are asked for once, objects that are there to be removed. */
#include "base/compat.h"

#include "run/order.h"
#include "run/plan.h"

static void bound(struct cell *cell, uint64_t places, enum result_stop stop)
{
    if (places == 0 || (cell->places && cell->places <= places))
        return;
    cell->places = places;
    cell->places_stop = stop;
}

void plan_limit(struct cell *cell, uint64_t places, enum result_stop stop)
{
    const bool counted = cell->stop.cycles && cell->stop.cycles != cell->places;

    bound(cell, places, stop);
    if (counted && cell->places == cell->stop.cycles)
        cell->places_stop = STOP_COUNT;
    if (!cell->stop.cycles || cell->places < cell->stop.cycles)
        cell->stop.cycles = cell->places;
}

void plan_bound(struct cell *cell)
{
    const struct workload *work = &cell->work;
    const struct target_driver *driver = work->target->driver;

    if (work->access == ACCESS_ONCE)
        bound(cell, order_places(cell), STOP_EXHAUSTED);
    if (driver->left && driver->left(work->target, work->test, work->size_bytes) != UINT64_MAX)
        bound(cell, driver->left(work->target, work->test, work->size_bytes), STOP_EXHAUSTED);
    if (cell->places && cell->places == cell->stop.cycles)
        cell->places_stop = STOP_COUNT; /* as many as were asked for: nothing was lacking */
    if (cell->places && (!cell->stop.cycles || cell->places < cell->stop.cycles))
        cell->stop.cycles = cell->places;
}
