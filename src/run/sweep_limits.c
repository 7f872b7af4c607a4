/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sweep_limits.c - time limits of a run, shared by its parts: --max-time, or the time of rows
 * measured until they are precise. */
#include "base/compat.h"

#include "run/sweep_run.h"

#define SLICE_SCALE_LEAST 0.05 /* minimum length of slices shortened for lack of time */

/* With little time for many rows, slices are shortened so that each row gets its rounds. */
static double scale_slices(const struct run *run, const struct part *part)
{
    const struct settings *settings = run->sweep->settings;
    double wanted_ns = 0, scale;

    if (run->m.part_end_ns == UINT64_MAX)
        return 1;
    for (unsigned i = part->first; i < part->end; i++)
        if (row_is_open(&run->rows[i]) && cell_adaptive(run->rows[i].result.cell))
            wanted_ns += (double)slice_wanted_ns(run->rows[i].result.cell) *
                         (double)(settings->rounds_min + 2);
    scale = wanted_ns > 0 ? (double)(run->m.part_end_ns - run_now(run)) / wanted_ns : 1;
    return scale > 1 ? 1 : scale < SLICE_SCALE_LEAST ? SLICE_SCALE_LEAST : scale;
}

/* A limit of the whole run applies to all rows; the default time of a run only to those without a
 * stop. */
static unsigned rows_timed(const struct run *run, unsigned first, unsigned end)
{
    unsigned rows = 0;

    if (run->m.give_up_ns)
        return end - first;
    for (unsigned i = first; i < end; i++)
        rows += cell_adaptive(&run->sweep->plan->cells[i]);
    return rows;
}

/* The time is divided among the parts by their number of rows; parts that fill one file share
 * theirs, since none may leave a gap. A part with rows that end by themselves is limited by
 * --max-time only. */
void limits_share(struct run *run, const struct part *part)
{
    const struct plan *plan = run->sweep->plan;
    const uint64_t t = run_now(run);
    unsigned end = part->end, rows, left;

    while (end < plan->cell_count && plan->cells[end].goes_on)
        end++;
    rows = rows_timed(run, part->first, end);
    left = rows_timed(run, part->first, plan->cell_count);
    run->m.part_end_ns = UINT64_MAX;
    if (run->m.end_ns != UINT64_MAX && rows == end - part->first)
        run->m.part_end_ns =
            run->m.end_ns > t ? t + (uint64_t)((double)(run->m.end_ns - t) * rows / left) : t;
    run->m.slice_scale = scale_slices(run, part);
}

/* The time of rows without a stop excludes that of other rows. */
void limits_leave(struct run *run, const struct part *part)
{
    if (run->m.end_ns != UINT64_MAX && run->m.part_end_ns == UINT64_MAX)
        run->m.end_ns += run_now(run) - part->begin_ns;
}

void limits_extend(struct run *run, uint64_t spent_ns)
{
    const uint64_t last_ns = run->sweep->end_ns;

    if (run->m.end_ns != UINT64_MAX)
        run->m.end_ns += spent_ns;
    if (last_ns && run->m.end_ns > last_ns)
        run->m.end_ns = last_ns;
    if (last_ns)
        run->m.give_up_ns = run->m.end_ns;
}

void limits_begin(struct run *run)
{
    run->m.begin_ns = run_now(run);
    run->m.end_ns = UINT64_MAX;
    if (run->sweep->end_ns) {
        limits_extend(run, 0);
    } else if (rows_timed(run, 0, run->sweep->plan->cell_count) > 0) {
        run->m.may_grant = true;
        run->m.end_ns =
            run->m.begin_ns + SWEEP_ROW_TIME_NS * rows_timed(run, 0, run->sweep->plan->cell_count);
    }
}
