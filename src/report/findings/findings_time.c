/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_time.c - quality of the measurement: failures, effects of other load, distribution of
 * the time of operations. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"

#define STALL_FACTOR     10    /* relative to the median latency: a longer operation stalled */
#define STALL_SHARE      0.1   /* of the time of a row */
#define STALL_OPERATIONS 100   /* fewer show nothing about rare events */
#define STALL_NS         1e6   /* shorter ones come from the scheduler, not the storage */
#define OPENING_SHARE    0.333 /* of the time of an operation that bypasses the page cache */

double findings_stall_share(const struct tally *tally)
{
    const uint64_t median_ns = hist_quantile_ns(&tally->latency, 0.5);
    const uint64_t limit_ns = STALL_FACTOR * median_ns;
    double stalled_ns = 0;

    if (tally->operations < STALL_OPERATIONS || tally->sum_ns == 0 || tally->max_ns <= limit_ns)
        return 0;
    for (unsigned i = (unsigned)hist_index(limit_ns) + 1; i < HIST_BUCKETS; i++)
        stalled_ns += (double)tally->latency.count[i] * (double)hist_lower_ns(i);
    return stalled_ns / (double)tally->sum_ns;
}

/* ---- what failed ---- */

WEIGH(wrong)
{
    return row->wrong > 0 ? (double)row->wrong : UNCONCERNED;
}

FILL(wrong)
{
    if (!rows->own)
        snprintf(terms[0], TERM_TEXT, "--seed %" PRIu64 " repeats the same offsets",
                 f->info->settings->seed);
    else
        text_copy(terms[0], TERM_TEXT,
                  f->info->settings->keep ? "the files were kept for inspection"
                                          : "--keep keeps the files for inspection");
    return true;
}

WEIGH(failed)
{
    return row->failed > 0 ? (double)row->failed : UNCONCERNED;
}

FILL(failed)
{
    findings_failing_host(f, terms[0], TERM_TEXT);
    return true;
}

/* ---- unsteady rows ---- */

WEIGH(stalls)
{
    return row->stall_share >= STALL_SHARE && row->latency_ns_max >= STALL_NS ? row->stall_share
                                                                              : UNCONCERNED;
}

WEIGH(unsteady)
{
    return row->notes & (NOTE_WIDE | NOTE_DRIFT) ? findings_half_width(row) : UNCONCERNED;
}

/* "2 of 3 rows are not steady (worst: read of 4 KiB, 9.00 us..11.0 us)" */
static void add_unsteady(const struct findings *f, const struct gathered *rows, char *text)
{
    const struct seen *worst = rows->worst;
    char size[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];
    size_t measured = 0;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        measured += row->state != RESULT_SKIPPED;
    text_add(text, TERM_TEXT, "", "%zu of %zu row%s %s not steady (%s%s of %s", rows->count,
             measured, findings_plural(measured), rows->count == 1 ? "is" : "are",
             rows->count == 1 ? "" : "worst: ", test_names[cell_test(worst->cell)],
             units_format_size(findings_size(worst), size));
    units_format_time(worst->op_ns_high, high);
    if (rows->most > 0 && worst->op_ns_low > 0)
        text_add(text, TERM_TEXT, "", ", %s..%s", units_format_time(worst->op_ns_low, low), high);
    else if (rows->most > 0)
        text_add(text, TERM_TEXT, "", ", up to %s", high);
    text_add(text, TERM_TEXT, "", ")");
}

static bool has_cache_states(const struct findings *f)
{
    for (size_t i = 1; i < f->count; i++)
        if (f->rows[i].cell->work.cache != f->rows[0].cell->work.cache)
            return true;
    return false;
}

/* "stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 10 us)" */
static void add_stalls(const struct findings *f, const struct gathered *rows, char *text)
{
    const struct seen *worst = rows->worst;
    char size[UNITS_TEXT], longest[UNITS_TEXT], median[UNITS_TEXT];

    text_add(text, TERM_TEXT, ", ",
             "stalls took %.0f %% of the time of %s of %s%s%s (longest %s, median %s)",
             100 * rows->most, test_table[cell_test(worst->cell)].plural,
             units_format_size(findings_size(worst), size), has_cache_states(f) ? ", " : "",
             has_cache_states(f) ? cache_names[worst->cell->work.cache] : "",
             units_format_time(worst->latency_ns_max, longest),
             units_format_time(worst->latency_ns_p50, median));
}

/* {1}: the unsteady rows; {2}: the cause, or how to find it. */
FILL(unsteady)
{
    const struct gathered unsteady = findings_gather(f, 0, weigh_unsteady);
    const struct gathered stalls = findings_gather(f, 0, weigh_stalls);
    const struct seen *worst = stalls.count > 0 ? stalls.worst : unsteady.worst;
    char limit[FINDINGS_LIMIT_TEXT];

    if (unsteady.count > 0)
        add_unsteady(f, &unsteady, terms[0]);
    if (stalls.count > 0)
        add_stalls(f, &stalls, terms[0]);
    if (worst && findings_limit(f, worst, limit))
        text_copy(terms[1], TERM_TEXT, limit);
    else if (stalls.count > 0 && !f->info->team)
        snprintf(terms[1], TERM_TEXT, "%s--interval%s shows when",
                 f->info->settings->interval_ns > 0 ? "the output of " : "",
                 f->info->settings->interval_ns > 0 ? "" : " 100ms");
    else
        text_copy(terms[1], TERM_TEXT, "try a longer --time or more --rounds");
    return terms[0][0] != '\0';
}

/* {3}: the processors. */
FILL(busy)
{
    busy_tell(&f->busy, terms[2]);
    return busy_is(&f->busy) && fill_unsteady(f, rows, terms);
}

/* ---- requests not fulfilled ---- */

/* The first of these notes that any row has. */
FILL(not_done)
{
    const struct {
        unsigned note;
        const char *words;
    } asked[] = {
        {NOTE_RATE_MISSED, "fell behind --rate, so latencies include a growing queue; use a lower "
                           "--rate, or a higher --depth or more --threads"},
        {NOTE_SUBMIT_BLOCKS, "spent most of the time submitting operations, so --depth had little "
                             "effect; use --cache direct"},
        {NOTE_DRAINED, f->info->settings->repetitions
                           ? "had fewer operations in flight than --threads and --depth ask for; "
                             "use --time instead of --repetitions"
                           : "had fewer operations in flight than --threads and --depth ask for; "
                             "allow more time (--time, --max-time)"},
    };

    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]) && !terms[0][0]; i++) {
        const size_t count = findings_gather(f, asked[i].note, NULL).count;

        if (count > 0)
            snprintf(terms[0], TERM_TEXT, "%zu row%s %s", count, findings_plural(count),
                     asked[i].words);
    }
    return terms[0][0] != '\0';
}

/* ---- opening and closing ---- */

/* If the page cache is bypassed, an operation costs a device access, and opening a file should cost
 * little in comparison; over a network, opening takes several calls, which other findings judge. */
WEIGH(opening)
{
    const enum cache_mode cache = row->cell->work.cache;
    const bool counts = row->operations > 0 && !findings_virtual(row) &&
                        !findings_target(f, row)->in_memory &&
                        (cache == CACHE_DIRECT || cache == CACHE_UNCACHED) &&
                        row->cell->work.sync != SYNC_END && /* its flush is part of closing */
                        /* otherwise the cache was not bypassed */
                        !(row->notes & NOTE_CACHE_HITS) && row->opening_share >= OPENING_SHARE;

    if (row->rpc.all.count > 0)
        return findings_opening_calls(row);
    return counts ? row->opening_share : UNCONCERNED;
}

FILL(opening)
{
    const struct target_rpc *all = &rows->worst->rpc.all;
    char time[UNITS_TEXT];

    if (all->count > 0)
        snprintf(terms[0], TERM_TEXT, ": each makes %.1f calls of %s to the NFS server (%s)",
                 (double)all->count / (double)rows->worst->done,
                 units_format_time((double)all->round_trip_ms * 1e6 / (double)all->count, time),
                 rows->worst->rpc.names);
    return true;
}

const struct rule findings_of_time[] = {
    {.weight = 990,
     .warning = true,
     .fill = fill_busy,
     .sentence = "the machine was busy ({3} during this run), so do not trust the figures: {1}; "
                 "repeat on an idle machine"},
    {.weight = 980,
     .warning = true,
     .serious = true,
     .weigh = weigh_wrong,
     .fill = fill_wrong,
     .sentence = "{operations} in {rows} returned data other than what was written; do not trust "
                 "this storage; {1}"},
    {.weight = 970,
     .warning = true,
     .serious = true,
     .weigh = weigh_failed,
     .fill = fill_failed,
     .sentence = "{operations} failed in {rows}{1}; the rate includes the time of failed "
                 "operations, but not the operations; use --max-errors 1 to stop at the first"},
    {.weight = 780, .fill = fill_not_done, .sentence = "{1}"},
    {.weight = 720,
     .weigh = weigh_opening,
     .fill = fill_opening,
     .sentence = "opening and closing take {most} of the time of {worst}{1}; compare with "
                 "--keep-open"},
    {.weight = 610,
     .warning = true,
     .of_load = true,
     .fill = fill_unsteady,
     .sentence = "{1}; {2}"},
    {.sentence = NULL}};
