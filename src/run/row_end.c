/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_end.c - when a row has what was asked for, and what it is when it ends without. */
#include "base/compat.h"

#include "run/row.h"

#define TIME_SHARE 0.999 /* of --time makes the row complete: windows are rounded down */
#define IDLE_MOST  3     /* slices in a row in which no operation could be begun */

static bool precise(const struct settings *settings, const struct row *row)
{
    return row->result.rounds >= settings->rounds_min &&
           judge_precise(&row->result, settings->precision);
}

void row_cap(struct row *row, struct slice *what)
{
    const struct workload *work = &row->result.cell->work;
    const struct storage_driver *driver = work->target->driver;
    const uint64_t left =
        driver->left ? driver->left(work->target, work->test, work->size_bytes) : UINT64_MAX;

    row->dry = left == 0 && what->cycles > 0; /* else it is not asked for more */
    if (what->cycles > left)
        what->cycles = left;
}

/* Where operations do not run out, none was complete because no thread got to run, or because each
 * takes longer than the slices, which may be short. */
static bool is_idle(const struct row *row)
{
    return row->idle >= IDLE_MOST && (row_runs_out(row) || row->idle_ns >= ROW_WAIT_NS);
}

enum result_stop row_finished(const struct settings *settings, struct row *row, unsigned round)
{
    const struct cell *cell = row->result.cell;
    const uint64_t all_ns = cell->stop.time_ns;
    const unsigned rounds = row->provisional ? 0 : row->result.rounds;

    if (cell->stop.cycles && !row_missing(row))
        return cell->stop.cycles == cell->places ? (enum result_stop)cell->places_stop : STOP_COUNT;
    if (row->dry)
        return STOP_EXHAUSTED;
    if (row->out_of_time ||
        (all_ns && (double)row_time_left(row) <= (1 - TIME_SHARE) * (double)all_ns))
        return STOP_TIME;
    if (is_idle(row))
        return all_ns && !row_runs_out(row) ? STOP_TIME : STOP_EXHAUSTED;
    if (!cell_adaptive(cell) || row->provisional || row_sum(row)->cycles == 0)
        return STOP_UNKNOWN;
    if (rounds >= row->look_at) {
        row->look_at = rounds + ROW_CHECK_EVERY;
        if (precise(settings, row) && (!row->mate || precise(settings, row->mate)))
            return STOP_PRECISION;
    }
    return rounds >= settings->rounds_max || round >= settings->rounds_max ? STOP_ROUNDS
                                                                           : STOP_UNKNOWN;
}

/* Each rank of a team fills a file of its own: none makes up for what another lacks. */
static bool lacks_fill(const struct row *row)
{
    const struct cell *cell = row->result.cell;

    return cell->fills &&
           (row->team ? row_missing(row) > 0 : tally_done(&row->result.sum.tally) < cell->places);
}

bool row_lacks(const struct row *row)
{
    const struct cell_stop *stop = &row->result.cell->stop;

    return !row->result.rounds || lacks_fill(row) ||
           (!stop->cycles && (double)row_time_left(row) > (1 - TIME_SHARE) * (double)stop->time_ns);
}

enum result_state row_end_state(const struct row *row, enum result_stop stop)
{
    return is_idle(row) || (row->out_of_time && row_lacks(row)) ||
                   (stop == STOP_TIME && row_empty(&row->result.sum))
               ? RESULT_INCOMPLETE
               : RESULT_CLOSED;
}
