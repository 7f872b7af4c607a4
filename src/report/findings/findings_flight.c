/* SPDX-License-Identifier: GPL-2.0-or-later */
/* findings_flight.c - rows whose threads and depth were not there, or whose time went elsewhere. */
#include "base/compat.h"

#include "report/findings/findings.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "report/columns/columns.h"

#define SPEED_RATIO 1.1 /* of the slow to the fast tenth of the rounds */

struct worst { /* of the rows with a note */
    const struct seen *row;
    size_t count;
};

/* `badness`: the row with the largest is named. */
static struct worst find_worst(const struct findings *f, unsigned note,
                               double (*badness)(const struct seen *row))
{
    struct worst worst = {.row = NULL};

    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!(row->notes & note))
            continue;
        worst.count++;
        if (!worst.row || badness(row) > badness(worst.row))
            worst.row = row;
    }
    return worst;
}

static double slots(const struct seen *row)
{
    return (double)row->cell->threads * row->cell->work.depth;
}

static double missing(const struct seen *row)
{
    return 1 - row->in_flight / slots(row);
}

static double failed(const struct seen *row)
{
    return row->failed_share;
}

static double unsteadiness(const struct seen *row)
{
    return row->half_width;
}

bool findings_drained(const struct findings *f, char *text)
{
    const struct worst worst = find_worst(f, NOTE_DRAINED, missing);
    const struct settings *settings = f->info->settings;
    char size[UNITS_TEXT];

    if (!worst.row)
        return false;
    snprintf(text, FINDING_TEXT,
             "in %zu row%s fewer operations were in flight than threads x depth (%s of %s: %.1f of "
             "%.0f), so %s about a lower depth; %s",
             worst.count, findings_plural(worst.count),
             test_table[worst.row->cell->work.test].plural,
             units_format_size(worst.row->cell->work.size_bytes, size), worst.row->in_flight,
             slots(worst.row), worst.count > 1 ? "they are" : "it is",
             settings->repetitions ? "use --time instead of -n, or a larger -n"
             : settings->verify    ? "leave --verify out to measure concurrency"
                                   : "try a longer --time, or fewer --threads");
    return true;
}

bool findings_two_rates(const struct findings *f, char *text)
{
    const struct worst worst = find_worst(f, NOTE_UNSTEADY, unsteadiness);
    char size[UNITS_TEXT];

    if (!worst.row)
        return false;
    snprintf(text, FINDING_TEXT,
             "in %zu row%s (%s of %s) the rate by counting and the rate by latency differ: "
             "latencies changed while %s measured; try --time 10s",
             worst.count, findings_plural(worst.count),
             test_table[worst.row->cell->work.test].plural,
             units_format_size(worst.row->cell->work.size_bytes, size),
             worst.count > 1 ? "they were" : "it was");
    return true;
}

bool findings_failed_time(const struct findings *f, char *text)
{
    const struct worst worst = find_worst(f, NOTE_FAILED_TIME, failed);
    char size[UNITS_TEXT];

    if (!worst.row)
        return false;
    snprintf(text, FINDING_TEXT,
             "failed and short operations took %.0f %% of the time of %s of %s; that time is in the rate "
             "(column failed_s)",
             100 * worst.row->failed_share, test_table[worst.row->cell->work.test].plural,
             units_format_size(worst.row->cell->work.size_bytes, size));
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
             "the machine changed its speed: the same cycle on a file in memory took %s to %s beside "
             "the rounds (--reference); iosweep compare allows for it",
             units_format_time(last->speed_low_ns, low), units_format_time(last->speed_high_ns, high));
    return true;
}
