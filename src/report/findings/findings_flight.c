/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_flight.c - rows whose threads and depth were not there, or whose time went elsewhere. */
#include "base/compat.h"

#include "report/findings/findings.h"

#include <stdio.h>

#include "base/units.h"
#include "report/columns/columns.h"

#define SPEED_RATIO 1.1 /* of the slow to the fast tenth of the rounds */

static double slots(const struct seen *row)
{
    return (double)cell_slots(row->cell);
}

bool findings_drained(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct settings *settings = f->info->settings;
    char name[FINDINGS_ROW_TEXT];

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->notes & NOTE_DRAINED)
            findings_gather(f, &rows, row, 1 - row->in_flight / slots(row));
    if (rows.count == 0)
        return false;
    snprintf(
        text, FINDING_TEXT,
        "in %zu row%s fewer operations were in flight than threads x depth (%s: %.1f of %.0f), "
        "so %s a lower depth; %s",
        rows.count, findings_plural(rows.count), findings_row_text(rows.worst, name),
        rows.worst->in_flight, slots(rows.worst), rows.count > 1 ? "they describe" : "it describes",
        rows.worst->cell->stop.cycles ? "use --time instead of -n, or a larger -n"
        : settings->verify            ? "leave out --verify to measure concurrency"
                                      : "try a longer --time, or fewer --threads");
    return true;
}

bool findings_failed_time(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    char name[FINDINGS_ROW_TEXT];

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->notes & NOTE_FAILED_TIME)
            findings_gather(f, &rows, row, row->failed_share);
    if (rows.count == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "failed and short operations took %.0f %% of the time of %s; the rate includes that "
             "time (column errors_s)",
             100 * rows.worst->failed_share, findings_row_text(rows.worst, name));
    return true;
}

/* By the last row, which knows of the whole run. */
bool findings_speed(const struct findings *f, char *text)
{
    const struct seen *last = &f->rows[f->count - 1];
    char low[UNITS_TEXT], high[UNITS_TEXT];

    if (last->speed_low_ns <= 0 || last->speed_high_ns < SPEED_RATIO * last->speed_low_ns)
        return false;
    snprintf(text, FINDING_TEXT,
             "the speed of the machine changed: the same cycle on a file in memory took %s to %s "
             "between rounds; iosweep compare allows for it",
             units_format_time(last->speed_low_ns, low),
             units_format_time(last->speed_high_ns, high));
    return true;
}
