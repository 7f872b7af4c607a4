/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_files.c - rules for all targets: failures, the quality of the measurement, the effect of
 * memory on the figures, and the shape of curves. Pairs report the gain of depth. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"
#include "run/judge.h"

#define STALL_FACTOR     10  /* relative to the median latency: a longer operation stalled */
#define STALL_SHARE      0.1 /* of the time of a row */
#define STALL_OPERATIONS 100 /* fewer show nothing about rare events */
#define STALL_NS         1e6 /* shorter ones come from the scheduler, not the storage */

/* ---- what failed ---- */

WEIGH(wrong)
{
    return row->sum.tally.wrong > 0 ? (double)row->sum.tally.wrong : UNCONCERNED;
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
    return row->sum.tally.failed > 0 ? (double)row->sum.tally.failed : UNCONCERNED;
}

/* ---- unsteady rows ---- */

/* By the share of the time of all operations spent in those above 10 times the median latency. */
WEIGH(stalls)
{
    const struct tally *tally = &row->sum.tally;
    const uint64_t limit_ns = STALL_FACTOR * hist_quantile_ns(&tally->latency, 0.5);
    double stalled_ns = 0;

    if (tally->operations < STALL_OPERATIONS || tally->sum_ns == 0 || tally->max_ns <= limit_ns ||
        (double)tally->max_ns < STALL_NS)
        return UNCONCERNED;
    for (unsigned i = (unsigned)hist_index(limit_ns) + 1; i < HIST_BUCKETS; i++)
        stalled_ns += (double)tally->latency.count[i] * (double)hist_lower_ns(i);
    stalled_ns /= (double)tally->sum_ns;
    return stalled_ns >= STALL_SHARE ? stalled_ns : UNCONCERNED;
}

WEIGH(unsteady)
{
    return row->notes & (NOTE_WIDE | NOTE_DRIFT) ? columns_half_width(row) : UNCONCERNED;
}

/* {1}: the unsteady rows and the stalls; {2}: the cause, or how to find it. */
FILL(unsteady)
{
    const struct gathered unsteady = findings_gather(f, 0, weigh_unsteady);
    const struct gathered stalls = findings_gather(f, 0, weigh_stalls);
    const struct result *worst = stalls.count > 0 ? stalls.worst : unsteady.worst;
    findings_terms times;
    char limit[FINDINGS_LIMIT_TEXT];

    if (unsteady.count > 0)
        findings_expand("{share} {is|are} not steady ({|worst: }{worst})", &unsteady, terms,
                        terms[0]);
    if (stalls.count > 0) {
        units_format_time((double)stalls.worst->sum.tally.max_ns, times[0]);
        units_format_time(findings_p50(stalls.worst), times[1]);
        text_add(terms[0], TERM_TEXT, ", ", "stalls took ");
        findings_expand("{most} of the time of {worst} (longest {1}, median {2})", &stalls, times,
                        terms[0]);
    }
    if (worst && findings_limit(f, worst, limit))
        text_copy(terms[1], TERM_TEXT, limit);
    else if (stalls.count > 0 && !f->info->team)
        text_copy(terms[1], TERM_TEXT,
                  f->info->settings->interval_ns > 0 ? "the output of --interval shows when"
                                                     : "--interval 100ms shows when");
    else
        text_copy(terms[1], TERM_TEXT, "try a longer --time or more --rounds");
    return worst;
}

/* {3}: the processors. */
FILL(busy)
{
    busy_tell(f->info->use, terms[2]);
    return f->busy == BUSY_YES && fill_unsteady(f, rows, terms);
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

    for (size_t i = 0; i < COUNT_OF(asked) && !terms[0][0]; i++) {
        const size_t count = findings_gather(f, asked[i].note, NULL).count;

        if (count > 0)
            snprintf(terms[0], TERM_TEXT, "%zu row%s %s", count, findings_plural(count),
                     asked[i].words);
    }
    return terms[0][0] != '\0';
}

/* ---- the effect of memory ---- */

/* cached share above which reads of --cache asis hardly reach the device */
#define RESIDENT_SHARE 0.5

static bool has_direct(const struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->rows[i]->cell->work.cache == CACHE_DIRECT)
            return true;
    return false;
}

static const char *device_advice(const struct findings *f)
{
    return has_direct(f) ? "compare with the rows with cache=direct"
                         : "use -b (--cache direct) to bypass it";
}

/* Reads that need no access to storage. */
WEIGH(unwritten)
{
    const char *notes = findings_target(f, row)->notes;

    return findings_operations(row) > 0 && row->cell->work.test == TEST_READ &&
                   !findings_virtual(row) && (strstr(notes, "unwritten") || strstr(notes, "zeros"))
               ? 0
               : UNCONCERNED;
}

FILL(unwritten)
{
    text_copy(terms[0], TERM_TEXT,
              strstr(rows->target->notes, "unwritten") ? "holes or unwritten extents"
                                                       : "mostly zeros");
    return true;
}

/* Rows that measure the page cache because of the settings; the reason is the largest weight. */
enum { FOUND_THERE, NEVER_EVICTED, ASKED_FOR, NO_DEVICE };

WEIGH(page_cache)
{
    const struct workload *work = &row->cell->work;
    const struct target *target = findings_target(f, row);
    const bool writes = work->test == TEST_WRITE;

    if (findings_operations(row) == 0 || findings_virtual(row))
        return UNCONCERNED;
    if (target->in_memory)
        return NO_DEVICE;
    if (!target->name || (writes && (work->sync != SYNC_NONE || findings_flushed(row))))
        return UNCONCERNED; /* there is no page cache, or the figures are those of a disk */
    if (work->cache == CACHE_CACHED && !(row->notes & NOTE_NOT_CACHED))
        return ASKED_FOR;
    if (work->cache == CACHE_UNCACHED && writes)
        return NEVER_EVICTED; /* unless flushed */
    return work->cache == CACHE_ASIS && work->test == TEST_READ &&
                   row->resident_fraction >= RESIDENT_SHARE
               ? (double)FOUND_THERE
               : UNCONCERNED;
}

FILL(page_cache)
{
    char label[TERM_TEXT / 2];

    text_copy(terms[1], TERM_TEXT, device_advice(f));
    switch ((int)rows->most) {
    case NO_DEVICE:
        snprintf(terms[0], TERM_TEXT, "%s is in memory",
                 error_printable(findings_target(f, rows->worst)->label, label, sizeof(label)));
        text_copy(terms[1], TERM_TEXT, "name a TARGET on a device");
        break;
    case ASKED_FOR:
        text_copy(terms[0], TERM_TEXT, "cache=cached");
        return !has_direct(f); /* direct rows are printed too, and headings distinguish them */
    case NEVER_EVICTED:
        text_copy(terms[0], TERM_TEXT, "unflushed writes");
        snprintf(terms[1], TERM_TEXT, "use --sync end%s",
                 has_direct(f) ? "" : " or -b (--cache direct)");
        break;
    default:
        snprintf(terms[0], TERM_TEXT, "cache=asis, %.0f %% was cached",
                 100 * rows->worst->resident_fraction);
    }
    return true;
}

WEIGH(hits)
{
    return weigh_page_cache(f, row) == UNCONCERNED && weigh_unwritten(f, row) == UNCONCERNED
               ? judge_hit_share(row)
               : UNCONCERNED; /* another finding reports the reason */
}

/* If memory served O_DIRECT, only more data than fits in it, or another file system, helps. */
FILL(hits)
{
    if (rows->most >= 0)
        snprintf(terms[0], TERM_TEXT, " (%s%.0f %% of the operations)",
                 rows->count == 1 ? "" : "up to ", 100 * rows->most);
    text_copy(terms[1], TERM_TEXT,
              rows->worst->cell->work.cache == CACHE_DIRECT
                  ? "measure more data than memory holds, or a TARGET on another file system"
                  : device_advice(f));
    return true;
}

WEIGH(misses)
{
    return weigh_unwritten(f, row) == UNCONCERNED ? 0 : UNCONCERNED;
}

/* Why cached pages were evicted, and what to do. */
FILL(misses)
{
    static const char *const reasons[] = {
        [TARGET_DROPS_AT_OPEN] =
            "the file system drops the cached data of a file when it is opened; mount it with "
            "caching across opens (FUSE: kernel_cache, auto_cache)",
        [TARGET_KEEPS_NOTHING] = "the file system does not use the page cache; use -b",
        [TARGET_MISSES_UNKNOWN] =
            "another program or a memory limit evicted the data; measure again",
    };
    const struct target *target = findings_target(f, rows->worst);

    if (target->misses == TARGET_SHORT_OF_MEMORY)
        snprintf(terms[0], TERM_TEXT, "memory cannot hold the file%s; %s",
                 findings_plural(target->object_count),
                 rows->own ? "try a smaller --file-size" : device_advice(f));
    else
        text_copy(terms[0], TERM_TEXT, reasons[target->misses]);
    return true;
}

/* ---- the shape of curves: which size is large enough ---- */

#define KNEE_SHARE  0.9 /* of the best throughput */
#define SIZES_LEAST 3

/* Rows that move no data have no throughput. */
static bool belongs_to(const struct result *row, enum io_test test)
{
    return row->cell->work.test == test && !findings_virtual(row);
}

struct knee {
    const struct result *row; /* of the smallest size that reaches the best throughput; or NULL */
    double best;
    bool growing; /* no larger size was tried */
};

/* Finds the knee of a test. False: its rows differ in more than the size; those of test fill do in
 * the fill level of the file. */
static bool find_knee(const struct findings *f, enum io_test test, struct knee *knee)
{
    const struct cell *first = NULL;
    uint64_t largest = 0; /* includes rows without figures */
    unsigned points = 0;

    *knee = (struct knee){.row = NULL};
    for (size_t i = 0; i < f->count; i++) {
        const struct cell *cell = f->rows[i]->cell;
        const bool closed = f->rows[i]->state == RESULT_CLOSED;

        if (!belongs_to(f->rows[i], test))
            continue;
        first = first ? first : cell;
        if (cell->fills || cell->loop != first->loop || cell->repeat != first->repeat ||
            !cell_alike(cell, first, AXIS_SIZE))
            return false;
        largest = cell->work.size_bytes > largest ? cell->work.size_bytes : largest;
        points += closed && columns_throughput(f->rows[i]) > 0;
        knee->best = fmax(knee->best, closed ? columns_throughput(f->rows[i]) : 0);
    }
    for (size_t i = 0; i < f->count && points >= SIZES_LEAST; i++)
        if (belongs_to(f->rows[i], test) && f->rows[i]->state == RESULT_CLOSED &&
            columns_throughput(f->rows[i]) >= KNEE_SHARE * knee->best &&
            (!knee->row || findings_size(f->rows[i]) < findings_size(knee->row)))
            knee->row = f->rows[i];
    knee->growing = knee->row && findings_size(knee->row) == largest;
    return true;
}

/* How to measure larger operations on the target of a row, if it has room for them. */
static const char *larger_advice(const struct findings *f, const struct result *row)
{
    const struct target *target = findings_target(f, row);
    const bool shaped = target_can(target, TARGET_SHAPED), own = findings_own(f, row);

    if (shaped && own && target->length_bytes && findings_size(row) * 2 > target->length_bytes[0])
        return "; try larger --sizes with a larger --file-size";
    return own || (shaped && findings_size(row) < target->length_bytes[0]) ? "; try larger --sizes"
                                                                           : "";
}

FILL(knees)
{
    const char *advice = "; add nearby --sizes for a closer value";
    struct knee knee;

    for (enum io_test test = 0; test < TEST_COUNT; test++) {
        char size[UNITS_TEXT], throughput[UNITS_TEXT];

        if (!find_knee(f, test, &knee))
            return false;
        if (!knee.row)
            continue;
        text_add(terms[0], TERM_TEXT, ", ", "%s of %s (best %s%s)", test_table[test].plural,
                 units_format_size(findings_size(knee.row), size),
                 units_format_throughput(knee.best, throughput),
                 knee.growing ? ", still growing" : "");
        if (knee.growing)
            advice = larger_advice(f, knee.row);
    }
    text_copy(terms[1], TERM_TEXT, advice);
    return terms[0][0] != '\0';
}

const struct rule findings_of_files[] = {
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
     .sentence = "{operations} failed in {rows}; the rate includes the time of failed "
                 "operations, but not the operations; use --max-errors 1 to stop at the first"},
    {.weight = 840,
     .warning = true,
     .serious = true,
     .weigh = weigh_unwritten,
     .fill = fill_unwritten,
     .sentence = "{targets} {contains/contain} {1}: reads of them may not reach the storage; write "
                 "all of the data first, or name a directory without -r"},
    {.weight = 810,
     .warning = true,
     .notes = NOTE_CACHE_HITS,
     .weigh = weigh_hits,
     .fill = fill_hits,
     .sentence =
         "{rows} meant to measure the storage {was|were} served from memory{1}: the figures "
         "do not describe the storage; {2}"},
    {.weight = 790,
     .weigh = weigh_page_cache,
     .fill = fill_page_cache,
     .sentence = "{rows} {measures|measure} the page cache ({1}); {2}"},
    {.weight = 780, .fill = fill_not_done, .sentence = "{1}"},
    {.weight = 760,
     .notes = NOTE_NOT_CACHED,
     .weigh = weigh_misses,
     .fill = fill_misses,
     .sentence = "{rows} with cache=cached {was|were} partly served from storage: {1}"},
    {.weight = 610,
     .warning = true,
     .of_load = true,
     .fill = fill_unsteady,
     .sentence = "{1}; {2}"},
    {.weight = 510,
     .fill = fill_knees,
     .sentence = "90 % of the best throughput is reached by {1}{2}"},
    {.sentence = NULL}};
