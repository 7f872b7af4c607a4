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
#include "run/team.h"

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

/* {1}: " (all on nas3)", if all failures occurred on one of several hosts. */
FILL(failed)
{
    const struct team *team = f->info->team;
    uint32_t found = UINT32_MAX;
    char name[4 * TEAM_HOST_BYTES];

    for (size_t i = 0; team && i < f->count; i++)
        for (uint32_t rank = 0; rank < f->rows[i]->rank_count; rank++) {
            if (f->rows[i]->ranks[rank].failed == 0)
                continue;
            if (found != UINT32_MAX &&
                team->member[rank].host_index != team->member[found].host_index)
                return true;
            found = rank;
        }
    if (found != UINT32_MAX && team->host_count > 1)
        snprintf(terms[0], TERM_TEXT, " (all on %.60s)",
                 error_printable(team->member[found].host, name, sizeof(name)));
    return true;
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

/* "2 of 3 rows are not steady (worst: read of 4 KiB, 9.00 us..11.0 us)" */
static void add_unsteady(const struct findings *f, const struct gathered *rows, char *text)
{
    const struct result *worst = rows->worst;
    char size[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];
    size_t measured = 0;

    for (size_t i = 0; i < f->count; i++)
        measured += f->rows[i]->state != RESULT_SKIPPED;
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
        if (f->rows[i]->cell->work.cache != f->rows[0]->cell->work.cache)
            return true;
    return false;
}

/* "stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 10 us)" */
static void add_stalls(const struct findings *f, const struct gathered *rows, char *text)
{
    const struct result *worst = rows->worst;
    char size[UNITS_TEXT], longest[UNITS_TEXT], median[UNITS_TEXT];

    text_add(text, TERM_TEXT, ", ",
             "stalls took %.0f %% of the time of %s of %s%s%s (longest %s, median %s)",
             100 * rows->most, test_table[cell_test(worst->cell)].plural,
             units_format_size(findings_size(worst), size), has_cache_states(f) ? ", " : "",
             has_cache_states(f) ? cache_names[worst->cell->work.cache] : "",
             units_format_time((double)worst->sum.tally.max_ns, longest),
             units_format_time(findings_p50(worst), median));
}

/* {1}: the unsteady rows; {2}: the cause, or how to find it. */
FILL(unsteady)
{
    const struct gathered unsteady = findings_gather(f, 0, weigh_unsteady);
    const struct gathered stalls = findings_gather(f, 0, weigh_stalls);
    const struct result *worst = stalls.count > 0 ? stalls.worst : unsteady.worst;
    char limit[FINDINGS_LIMIT_TEXT];

    if (unsteady.count > 0)
        add_unsteady(f, &unsteady, terms[0]);
    if (stalls.count > 0)
        add_stalls(f, &stalls, terms[0]);
    if (worst && findings_limit(f, worst, limit))
        text_copy(terms[1], TERM_TEXT, limit);
    else if (stalls.count > 0 && !f->info->team)
        text_copy(terms[1], TERM_TEXT,
                  f->info->settings->interval_ns > 0 ? "the output of --interval shows when"
                                                     : "--interval 100ms shows when");
    else
        text_copy(terms[1], TERM_TEXT, "try a longer --time or more --rounds");
    return terms[0][0] != '\0';
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
    const struct target *target = rows->target;
    const bool holes = strstr(target->notes, "unwritten") != NULL;
    char unread[96];

    text_copy(terms[0], TERM_TEXT, holes ? "holes or unwritten extents" : "only zeros");
    if (rows->targets > 1)
        return true;
    if (holes && facts_format_unread(&target->extents, unread, sizeof(unread)))
        text_add(terms[0], TERM_TEXT, " ", "(%s)", unread);
    else if (!holes)
        text_add(terms[0], TERM_TEXT, " ", "at %" PRIu32 " of %" PRIu32 " sampled places",
                 target->zeros.found, target->zeros.looked);
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
#define NEXT_FACTOR 16                  /* how far beyond the last size to look */
#define NEXT_MOST   (UINT64_C(1) << 30) /* maximum size of one operation */
#define FILE_FACTOR 4 /* file size relative to that size, so that offsets differ */

/* A size as an option value, exact: "1Mi", "64Ki", "1000". */
static char *format_option(uint64_t size_bytes, char *text)
{
    static const char *const suffixes[] = {"", "Ki", "Mi", "Gi"};
    size_t i = 0;

    for (; i + 1 < COUNT_OF(suffixes) && size_bytes % 1024 == 0; i++)
        size_bytes /= 1024;
    snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", size_bytes, suffixes[i]);
    return text;
}

/* Rows that move no data have no throughput. */
static bool belongs_to(const struct result *row, enum io_test test)
{
    return row->cell->work.test == test && !findings_virtual(row);
}

/* Whether all rows of a test differ in size only; rows of test fill differ in the fill level of the
 * file. */
static bool is_one_series(const struct findings *f, enum io_test test)
{
    const struct cell *first = NULL;

    for (size_t i = 0; i < f->count; i++) {
        const struct cell *cell = f->rows[i]->cell;
        if (!belongs_to(f->rows[i], test))
            continue;
        first = first ? first : cell;
        if (cell->fills || cell->step != first->step || cell->loop != first->loop ||
            cell->repeat != first->repeat || (cell_unlike(cell, first) & ~(unsigned)AXIS_SIZE))
            return false;
    }
    return true;
}

/* The smallest size of a test that reaches its best throughput; NULL: too few sizes. *growing: no
 * larger size was tried. */
static const struct result *find_knee(const struct findings *f, enum io_test test, double *best,
                                      bool *growing)
{
    const struct result *knee = NULL;
    uint64_t largest = 0; /* includes rows without figures */
    unsigned points = 0;

    *best = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct result *row = f->rows[i];
        if (!belongs_to(row, test))
            continue;
        largest = findings_size(row) > largest ? findings_size(row) : largest;
        points += row->state == RESULT_CLOSED && columns_throughput(row) > 0;
        if (row->state == RESULT_CLOSED)
            *best = fmax(*best, columns_throughput(row));
    }
    for (size_t i = 0; i < f->count && points >= SIZES_LEAST; i++)
        if (belongs_to(f->rows[i], test) && f->rows[i]->state == RESULT_CLOSED &&
            columns_throughput(f->rows[i]) >= KNEE_SHARE * *best &&
            (!knee || findings_size(f->rows[i]) < findings_size(knee)))
            knee = f->rows[i];
    *growing = knee && findings_size(knee) == largest;
    return knee;
}

/* Advice on the next size, to append to the sentence; empty if the target has no larger one. */
static void advise_larger(const struct findings *f, const struct result *last, char *text)
{
    const struct target *target = findings_target(f, last);
    const uint64_t next = findings_size(last) * NEXT_FACTOR;
    const bool listed = f->info->settings->sizes.count > 0;
    const bool shaped = target_can(target, TARGET_SHAPED), own = findings_own(f, last);
    char next_text[UNITS_TEXT], file_text[UNITS_TEXT];

    if (next > NEXT_MOST || !(own || (shaped && next <= target->length_bytes[0])))
        return;
    format_option(next, next_text);
    snprintf(text, TERM_TEXT, "; try %s %s", listed ? "--sizes with" : "--max-size", next_text);
    if (shaped && next > target->length_bytes[0])
        snprintf(text, TERM_TEXT, "; try %s %s -l %s", listed ? "--sizes with" : "-M", next_text,
                 format_option(next * FILE_FACTOR, file_text));
}

FILL(knees)
{
    const struct result *last = NULL; /* the largest size of a curve that still grows */

    for (enum io_test test = 0; test < TEST_COUNT; test++)
        if (!is_one_series(f, test))
            return false;
    for (enum io_test test = 0; test < TEST_COUNT && strlen(terms[0]) < TERM_TEXT / 2; test++) {
        char size[UNITS_TEXT], throughput[UNITS_TEXT];
        double best;
        bool growing;
        const struct result *knee = find_knee(f, test, &best, &growing);
        if (!knee)
            continue;
        text_add(terms[0], TERM_TEXT, ", ", "%s of %s (best %s%s)", test_table[test].plural,
                 units_format_size(findings_size(knee), size),
                 units_format_throughput(best, throughput), growing ? ", still growing" : "");
        if (growing && (!last || findings_size(knee) > findings_size(last)))
            last = knee;
    }
    if (last)
        advise_larger(f, last, terms[1]);
    else
        text_copy(terms[1], TERM_TEXT, "; add nearby --sizes for a closer value");
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
     .fill = fill_failed,
     .sentence = "{operations} failed in {rows}{1}; the rate includes the time of failed "
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
