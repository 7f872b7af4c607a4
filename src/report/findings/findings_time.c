/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_time.c - how well the rows were measured: what failed, what other load did, where the
 * time of operations went. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "report/findings/findings.h"

#define STALL_FACTOR     10    /* times the median latency: such an operation stalled */
#define STALL_SHARE      0.1   /* of the time of a row */
#define STALL_OPERATIONS 100   /* fewer tell nothing about what is rare */
#define STALL_NS         1e6   /* shorter ones are the scheduler's, not the storage's */
#define ALONE_RATIO      2     /* of the longest operation of one thread to those of all others */
#define OPENING_SHARE    0.333 /* of an operation past the page cache */
#define SPEED_RATIO      1.1   /* of the slow to the fast tenth of the rounds */

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

WEIGH(stalls)
{
    return row->stall_share >= STALL_SHARE && row->latency_ns_max >= STALL_NS ? row->stall_share
                                                                              : UNCONCERNED;
}

/* Fewer than 1 % of the operations take most of the time. */
static bool is_p99_below(const struct seen *row)
{
    return row->p99_known && cell_slots(row->cell) == 1 &&
           (double)row->latency_ns_p99 < row->op_ns_mean;
}

FILL(stalls)
{
    const struct seen *worst = rows->worst;
    const bool team = f->info->team != NULL;
    char longest[UNITS_TEXT], median[UNITS_TEXT], who[64] = "", limit[FINDINGS_LIMIT_TEXT];

    if (worst->stalled) /* ranks are counted from 0 on */
        snprintf(who, sizeof(who), ", of %s %" PRIu32, team ? "rank" : "thread",
                 worst->stalled - team);
    snprintf(terms[0], TERM_TEXT, "longest %s%s, median %s",
             units_format_time(worst->latency_ns_max, longest), who,
             units_format_time(worst->latency_ns_p50, median));
    snprintf(terms[1], TERM_TEXT, "%s",
             is_p99_below(worst) ? ": time/op includes them, p99 does not" : "");
    if (findings_limit(f, worst, limit))
        snprintf(terms[2], TERM_TEXT, "; %s", limit);
    else if (!team)
        snprintf(terms[2], TERM_TEXT, "; %s--interval%s shows when",
                 f->info->settings->interval_ns > 0 ? "the output of " : "",
                 f->info->settings->interval_ns > 0 ? "" : " 100ms");
    return true;
}

WEIGH(unsteady)
{
    return row->notes & (NOTE_WIDE | NOTE_DRIFT) ? row->half_width : UNCONCERNED;
}

WEIGH(drift)
{
    return row->notes & NOTE_DRIFT ? 0 : UNCONCERNED;
}

/* {1}: of how many rows; {2}: how wide the worst one is; {3}: whether they drift. */
FILL(unsteady)
{
    size_t measured = 0;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        measured += row->state != RESULT_SKIPPED;
    snprintf(terms[0], TERM_TEXT, "%zu of %zu row%s", rows->count, measured,
             findings_plural(measured));
    if (rows->most > 0)
        snprintf(terms[1], TERM_TEXT, " %s%.1f %%", utf8_wanted() ? "\302\261" : "+-",
                 rows->most * 100);
    if (findings_gather(f, 0, weigh_drift).count > 0)
        snprintf(terms[2], TERM_TEXT, "; %s", rows->count == 1 ? "it drifts" : "some drift");
    return true;
}
#define UNSTEADY "{1} {is|are} not steady ({|worst: }{one}{2}{3})"

FILL(busy)
{
    const struct gathered unsteady = findings_gather(f, 0, weigh_unsteady);
    const struct gathered stalls = findings_gather(f, 0, weigh_stalls);
    char text[FINDING_TEXT] = "";

    if (!busy_is(&f->busy) || (unsteady.count == 0 && stalls.count == 0))
        return false;
    if (unsteady.count > 0) {
        fill_unsteady(f, &unsteady, terms);
        findings_expand(UNSTEADY, &unsteady, terms, text);
    }
    busy_tell(&f->busy, terms[0]);
    text_copy(terms[1], TERM_TEXT, text);
    terms[2][0] = '\0';
    if (stalls.count > 0)
        snprintf(terms[2], TERM_TEXT, "%sstalls took up to %.0f %% of the operations' time",
                 unsteady.count > 0 ? ", " : "", 100 * stalls.most);
    return true;
}

/* By the last row, which knows of the whole run. */
FILL(speed)
{
    const struct seen *last = &f->rows[f->count - 1];

    units_format_time(last->speed_low_ns, terms[0]);
    units_format_time(last->speed_high_ns, terms[1]);
    return last->speed_low_ns > 0 && last->speed_high_ns >= SPEED_RATIO * last->speed_low_ns;
}

/* ---- what failed ---- */

WEIGH(wrong)
{
    return row->wrong > 0 ? (double)row->wrong : UNCONCERNED;
}

FILL(wrong)
{
    if (!rows->own)
        snprintf(terms[0], TERM_TEXT, "--seed %" PRIu64 " reads the same offsets again",
                 f->info->settings->seed);
    else
        snprintf(terms[0], TERM_TEXT, "%s",
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

WEIGH(failed_time)
{
    return row->failed_share;
}

static bool is_beyond_file(const struct seen *row)
{
    return row->state == RESULT_SKIPPED && row->cell->skip &&
           (strcmp(row->cell->skip, "beyond_file") == 0 ||
            strcmp(row->cell->skip, "partial_block") == 0);
}

/* The largest size that all targets with such rows can do; O_DIRECT moves whole blocks. */
static uint64_t size_within_files(const struct findings *f)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        const struct target *target = findings_target(f, row);
        uint64_t most = target->length_bytes[0];
        if (!is_beyond_file(row))
            continue;
        if (row->cell->work.cache == CACHE_DIRECT && target->direct_align_bytes > 1)
            most -= most % target->direct_align_bytes;
        least = most < least ? most : least;
    }
    return least;
}

/* Files that are there are as long as they are. */
static void advise_beyond_file(const struct findings *f, char *text)
{
    char most[UNITS_TEXT];
    uint64_t within = size_within_files(f);
    /* the option that sets the length of objects, where --file-size does not */
    const char *other = NULL;
    bool own = true, files = false;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!is_beyond_file(row))
            continue;
        own = own && findings_own(f, row);
        if (target_can(findings_target(f, row), TARGET_SHAPED))
            files = true;
        else
            other = target_length_option(findings_target(f, row)->driver);
    }
    if (own)
        snprintf(text, TERM_TEXT, "raise %s%s%s or lower --max-size", files ? "--file-size" : "",
                 files && other ? " and " : "", other ? other : "");
    else if (within > 0)
        snprintf(text, TERM_TEXT, "use --max-size %s or less",
                 findings_format_option(within, most));
    else
        snprintf(text, TERM_TEXT, "choose a larger TARGET");
}

WEIGH(skipped)
{
    return row->state == RESULT_SKIPPED ? 0 : UNCONCERNED;
}

/* The reason is the one of the first skipped row; the rows themselves name all. */
FILL(skipped)
{
    const char *reason = rows->worst->cell->skip ? rows->worst->cell->skip : "unknown";

    text_copy(terms[0], TERM_TEXT, reason);
    if (is_beyond_file(rows->worst))
        advise_beyond_file(f, terms[1]);
    else
        text_copy(terms[1], TERM_TEXT,
                  strcmp(reason, "below_alignment") == 0
                      ? "--small cover measures them with whole blocks"
                      : "--dry-run shows the plan");
    return true;
}

/* ---- what was asked for and not done ---- */

WEIGH(drained)
{
    return 1 - row->in_flight / (double)cell_slots(row->cell);
}

FILL(drained)
{
    const struct seen *worst = rows->worst;

    snprintf(terms[0], TERM_TEXT, "%.1f of %.0f", worst->in_flight,
             (double)cell_slots(worst->cell));
    text_copy(terms[1], TERM_TEXT,
              worst->cell->stop.cycles    ? "use --time instead of -n, or a larger -n"
              : f->info->settings->verify ? "leave out --verify to measure concurrency"
                                          : "try a longer --time, or fewer --threads");
    return true;
}

WEIGH(rate)
{
    return row->rate >= 0 ? -row->rate : UNCONCERNED;
}

FILL(rate)
{
    snprintf(terms[0], TERM_TEXT, "%" PRIu64, f->info->settings->rate);
    units_format_rate(rows->worst->rate, terms[1]);
    text_copy(terms[2], TERM_TEXT, rows->worst->cell->engine->async ? ", more --depth" : "");
    return true;
}

/* Past the page cache, where an operation costs an access to the device, opening a file is expected
 * to cost little; over a network it is a conversation. */
WEIGH(opening)
{
    const enum cache_mode cache = row->cell->work.cache;
    const bool counts = row->operations > 0 && !findings_virtual(row) &&
                        !findings_target(f, row)->in_memory &&
                        (cache == CACHE_DIRECT || cache == CACHE_UNCACHED) &&
                        row->cell->work.sync != SYNC_END && /* its flush is part of closing */
                        !(row->notes & NOTE_CACHE_HITS) &&  /* then nothing went past the cache */
                        /* of closing on NFS too; the rule about its calls knows more there */
                        row->rpc.all.count == 0 && row->opening_share >= OPENING_SHARE;

    return counts ? row->opening_share : UNCONCERNED;
}

FILL(opening)
{
    text_copy(terms[0], TERM_TEXT, cache_names[rows->worst->cell->work.cache]);
    return true;
}

const struct rule findings_of_time[] = {
    {.weight = 990,
     .fill = fill_busy,
     .sentence = "the machine was busy ({1} during this run), so do not trust the figures: {2}{3}; "
                 "repeat on an idle machine"},
    {.weight = 980,
     .serious = true,
     .weigh = weigh_wrong,
     .fill = fill_wrong,
     .sentence = "{operations} in {rows} read back wrong data: not what was written; do not trust "
                 "this storage; {1}"},
    {.weight = 970,
     .serious = true,
     .weigh = weigh_failed,
     .fill = fill_failed,
     .sentence = "{operations} failed in {rows}{1}; only their time is counted; --max-errors 1 "
                 "stops at the first"},
    {.weight = 960,
     .serious = true,
     .notes = NOTE_FAILED_TIME,
     .weigh = weigh_failed_time,
     .sentence = "failed and short operations took {most} of the time of {worst}; the rate "
                 "includes that time (column errors_s)"},
    {.weight = 920,
     .notes = NOTE_DRAINED,
     .weigh = weigh_drained,
     .fill = fill_drained,
     .sentence = "in {rows} fewer operations were in flight than threads x depth ({worst}: {1}), "
                 "so {it describes|they describe} a lower depth; {2}"},
    {.weight = 910,
     .of_load = true,
     .fill = fill_speed,
     .sentence = "the speed of the machine changed: the same cycle on a file in memory took {1} to "
                 "{2} between rounds; iosweep compare allows for it"},
    {.weight = 900,
     .notes = NOTE_RATE_MISSED,
     .weigh = weigh_rate,
     .fill = fill_rate,
     .sentence = "{rows} could not keep up with --rate {1} ({|worst: }{one}: {2}); their latencies "
                 "include queueing; try a lower --rate{3} or more --threads"},
    {.weight = 620,
     .of_load = true,
     .weigh = weigh_stalls,
     .fill = fill_stalls,
     .sentence =
         "stalls took {most} of the time of {worst} ({1}){|, and more than a tenth in other "
         "rows}{2}{3}"},
    {.weight = 610,
     .of_load = true,
     .weigh = weigh_unsteady,
     .fill = fill_unsteady,
     .sentence = UNSTEADY "; try a longer --time or more --rounds"},
    {.weight = 600,
     .weigh = weigh_skipped,
     .fill = fill_skipped,
     .sentence = "{rows} {was|were} skipped ({1}); {2}"},
    {.weight = 590,
     .weigh = weigh_opening,
     .fill = fill_opening,
     .sentence =
         "opening and closing the file takes {most} of {worst} with cache={1}; compare with "
         "--keep-open"},
    {.sentence = NULL}};
