/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_time.c - where the time of operations goes: into few that stall, into a machine that
 * does other things, or into opening and closing. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/findings/findings.h"

#define STALL_FACTOR     10    /* times the median latency: such an operation stalled */
#define STALL_SHARE      0.1   /* of the time of a row */
#define STALL_OPERATIONS 100   /* fewer tell nothing about what is rare */
#define STALL_NS         1e6   /* shorter ones are the scheduler's, not the storage's */
#define ALONE_RATIO      2     /* of the longest operation of one thread to those of all others */
#define OPENING_SHARE    0.333 /* of an operation past the page cache */

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

uint32_t findings_stalled(const struct result *result)
{
    const uint32_t threads = result->threads ? result->cell->threads : 0;
    const uint32_t count = result->rank_count ? result->rank_count : threads;
    uint64_t longest_ns = 0, next_ns = 0;
    uint32_t stalled = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t ns =
            result->rank_count ? result->ranks[i].latency_ns_max : result->threads[i].longest_ns;
        if (ns > longest_ns) {
            next_ns = longest_ns;
            longest_ns = ns;
            stalled = i + 1;
        } else if (ns > next_ns) {
            next_ns = ns;
        }
    }
    return count > 1 && longest_ns > ALONE_RATIO * next_ns ? stalled : 0;
}

static bool has_stalls(const struct seen *row)
{
    return row->stall_share >= STALL_SHARE && row->latency_ns_max >= STALL_NS;
}

/* Fewer than 1 % of the operations take most of the time. */
static bool p99_is_below(const struct seen *row)
{
    return row->p99_known && cell_slots(row->cell) == 1 &&
           (double)row->latency_ns_p99 < row->op_ns_mean;
}

struct tails {
    struct gathered stalls; /* by stall_share */
    size_t below;           /* rows */
};

static struct tails find_tails(const struct findings *f)
{
    struct tails tails = {.stalls.own = true};
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++) {
        if (has_stalls(row))
            findings_gather(f, &tails.stalls, row, row->stall_share);
        tails.below += p99_is_below(row);
    }
    return tails;
}

bool findings_busy(const struct findings *f, char *text)
{
    const struct tails tails = find_tails(f);
    char unsteady[FINDING_TEXT], why[BUSY_TEXT];
    const bool steady = !findings_unsteady(f, unsteady);
    size_t used;
    if (!findings_is_busy(f) || (steady && tails.stalls.count == 0))
        return false;
    used = (size_t)snprintf(
        text, FINDING_TEXT,
        "the machine was busy (%s during this run), so do not trust the figures: %s",
        busy_tell(&f->busy, why), steady ? "" : unsteady);
    if (tails.stalls.count > 0)
        used += (size_t)snprintf(text + used, FINDING_TEXT - used,
                                 "%sstalls took up to %.0f %% of the operations' time",
                                 steady ? "" : ", ", 100 * tails.stalls.most);
    snprintf(text + used, FINDING_TEXT - used, "; repeat on an idle machine");
    return true;
}

bool findings_stalls(const struct findings *f, char *text)
{
    const struct tails tails = find_tails(f);
    const struct seen *worst = tails.stalls.worst;
    char size[UNITS_TEXT], longest[UNITS_TEXT], median[UNITS_TEXT], who[64] = "";
    if (tails.stalls.count == 0 || findings_is_busy(f)) /* said with its cause */
        return false;
    if (worst->stalled && f->info->team) /* they are counted from 0 on */
        snprintf(who, sizeof(who), ", of rank %" PRIu32, worst->stalled - 1);
    else if (worst->stalled)
        snprintf(who, sizeof(who), ", of thread %" PRIu32, worst->stalled);
    snprintf(text, FINDING_TEXT,
             "stalls took %.0f %% of the time of %s of %s (longest %s%s, median %s)%s%s%s%s",
             100 * tails.stalls.most, test_table[cell_test(worst->cell)].plural,
             units_format_size(worst->cell->work.size_bytes, size),
             units_format_time(worst->latency_ns_max, longest), who,
             units_format_time(worst->latency_ns_p50, median),
             tails.stalls.count == 1 ? "" : ", and more than a tenth in other rows",
             tails.below > 0 ? ": time/op includes them, p99 does not" : "",
             f->info->team                        ? ""
             : f->info->settings->interval_ns > 0 ? "; the output of --interval"
                                                  : "; --interval 100ms",
             f->info->team ? "" : " shows when");
    return true;
}

/* Where there were no stalls of that size, but the figures of a row do not agree all the same. */
bool findings_apart(const struct findings *f, char *text)
{
    const struct tails tails = find_tails(f);
    if (tails.below == 0 || tails.stalls.count > 0 || findings_is_busy(f))
        return false;
    snprintf(text, FINDING_TEXT,
             "p99 is below time/op in %zu row%s: at most 1 %% of the operations are so slow that "
             "they raise time/op, which includes them, above p99, which does not",
             tails.below, findings_plural(tails.below));
    return true;
}

/* Past the page cache, where an operation costs an access to the device, opening a file is expected
 * to cost little; over a network it is a conversation. */
static bool is_opening(const struct findings *f, const struct seen *row)
{
    const enum cache_mode cache = row->cell->work.cache;
    return row->operations > 0 && !findings_virtual(row) && !findings_target(f, row)->in_memory &&
           (cache == CACHE_DIRECT || cache == CACHE_UNCACHED) &&
           row->cell->work.sync != SYNC_END && /* its flush is part of closing */
           !(row->notes & NOTE_CACHE_HITS) &&  /* then nothing went past the cache */
           /* of closing on NFS too; findings_opens knows more there */
           row->rpc.all.count == 0 && row->opening_share >= OPENING_SHARE;
}

bool findings_opening(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct seen *worst;
    char size[UNITS_TEXT];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (is_opening(f, row))
            findings_gather(f, &rows, row, row->opening_share);
    worst = rows.worst;
    if (!worst)
        return false;
    snprintf(text, FINDING_TEXT,
             "opening and closing the file takes %.0f %% of %s of %s with cache=%s; compare with "
             "--keep-open",
             100 * rows.most, test_table[cell_test(worst->cell)].plural,
             units_format_size(worst->cell->work.size_bytes, size),
             cache_names[worst->cell->work.cache]);
    return true;
}
