/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_cache.c - what memory had to do with the figures, and whether engines were as
 * asynchronous as they seem, which depends on it. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/facts/facts.h"
#include "report/findings/findings.h"

#define RESIDENT_SHARE 0.5 /* in the page cache: reads of --cache asis are hardly the device's */

/* Operations on files or devices, which have a page cache above them. */
static bool has_cache(const struct findings *f, const struct seen *row)
{
    return row->operations > 0 && !findings_virtual(row) && findings_target(f, row)->name &&
           !findings_target(f, row)->in_memory;
}

bool findings_has_direct(const struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->rows[i].cell->work.cache == CACHE_DIRECT)
            return true;
    return false;
}

static const char *device_advice(const struct findings *f)
{
    return findings_has_direct(f) ? "compare with the rows with cache=direct"
                                  : "use -b (--cache direct) to go past it";
}

static double weigh_reads_with(const struct findings *f, const struct seen *row, const char *note)
{
    return row->operations > 0 && row->cell->work.test == TEST_READ && !findings_virtual(row) &&
                   strstr(findings_target(f, row)->notes, note)
               ? 0
               : UNCONCERNED;
}

WEIGH(unwritten)
{
    return weigh_reads_with(f, row, "unwritten");
}

FILL(unwritten)
{
    char unread[96];

    if (rows->targets == 1 && facts_format_unread(&rows->target->extents, unread, sizeof(unread)))
        snprintf(terms[0], TERM_TEXT, " (%s)", unread);
    return true;
}

WEIGH(zeros)
{
    return weigh_reads_with(f, row, "zeros");
}

FILL(zeros)
{
    if (rows->targets == 1)
        snprintf(terms[0], TERM_TEXT, " in %" PRIu32 " of %" PRIu32 " places",
                 rows->target->zeros.found, rows->target->zeros.looked);
    return true;
}

WEIGH(in_memory)
{
    return row->operations > 0 && !findings_virtual(row) && findings_target(f, row)->in_memory
               ? 0
               : UNCONCERNED;
}

FILL(below)
{
    text_copy(terms[0], TERM_TEXT, rows->target->medium.name);
    text_copy(terms[1], TERM_TEXT, rows->target->medium.keeper);
    return true;
}

/* Without a flush their place is the page cache, whatever is evicted afterwards. */
WEIGH(uncached_writes)
{
    const struct workload *work = &row->cell->work;

    return has_cache(f, row) && work->cache == CACHE_UNCACHED && work->test == TEST_WRITE &&
                   work->sync == SYNC_NONE && !findings_flushed(row)
               ? 0
               : UNCONCERNED;
}

FILL(uncached_writes)
{
    text_copy(terms[0], TERM_TEXT, findings_has_direct(f) ? "" : " or -b (--cache direct)");
    return true;
}

WEIGH(hits)
{
    return weigh_in_memory(f, row) == UNCONCERNED && weigh_uncached_writes(f, row) == UNCONCERNED &&
                   weigh_unwritten(f, row) == UNCONCERNED
               ? row->hit_share
               : UNCONCERNED; /* another finding has the reason */
}

WEIGH(direct_hits)
{
    return row->cell->work.cache == CACHE_DIRECT ? weigh_hits(f, row) : UNCONCERNED;
}

/* Where memory has answered O_DIRECT, only more data than it holds, or another file system,
 * helps. */
FILL(hits)
{
    const bool direct = findings_gather(f, NOTE_CACHE_HITS, weigh_direct_hits).count > 0;

    if (rows->most >= 0)
        snprintf(terms[0], TERM_TEXT, " (%s%.0f %% of the operations)",
                 rows->count == 1 ? "" : "up to ", 100 * rows->most);
    text_copy(terms[1], TERM_TEXT,
              !direct && rows->own && !findings_has_direct(f)
                  ? "try --cache direct, or a larger --file-size"
              : !direct ? device_advice(f)
              : rows->own
                  ? "try a --file-size larger than memory, or a TARGET on another file system"
                  : "name a TARGET on another file system, or one larger than memory");
    return true;
}

static bool is_flushed(const struct seen *row)
{
    return row->cell->work.test == TEST_WRITE &&
           (row->cell->work.sync != SYNC_NONE || findings_flushed(row));
}

/* Rows of --cache cached on real files, whose figures are easily taken for those of a disk. */
WEIGH(cached)
{
    return has_cache(f, row) && row->cell->work.cache == CACHE_CACHED &&
                   !(row->notes & NOTE_NOT_CACHED)
               ? is_flushed(row)
               : UNCONCERNED;
}

/* Writes with a flush are a disk's. */
FILL(page_cache)
{
    text_copy(terms[0], TERM_TEXT, rows->sum > 0 ? "reads" : "rows");
    text_copy(terms[1], TERM_TEXT, device_advice(f));
    return rows->sum < (double)rows->count;
}

WEIGH(asis)
{
    return has_cache(f, row) && row->cell->work.cache == CACHE_ASIS &&
                   row->cell->work.test == TEST_READ && row->resident_fraction >= RESIDENT_SHARE
               ? row->resident_fraction
               : UNCONCERNED;
}

FILL(asis)
{
    text_copy(terms[0], TERM_TEXT, device_advice(f));
    return true;
}

WEIGH(misses)
{
    return weigh_unwritten(f, row) == UNCONCERNED ? 0 : UNCONCERNED;
}

/* Why pages were not where they had been read to, and what to do. */
FILL(misses)
{
    static const char *const reasons[] = {
        [TARGET_DROPS_AT_OPEN] =
            "the file system drops what it has of a file whenever that is opened; mount it so that "
            "it does not (FUSE: kernel_cache, auto_cache)",
        [TARGET_KEEPS_NOTHING] = "the file system keeps nothing in the page cache; use -b",
        [TARGET_MISSES_UNKNOWN] =
            "something dropped what had been read (another program, a limit of memory); measure "
            "again",
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

WEIGH(submit)
{
    return row->submit_fraction;
}

WEIGH(buffered)
{
    return row->cell->work.cache == CACHE_DIRECT ? UNCONCERNED : 0;
}

FILL(submit)
{
    text_copy(terms[0], TERM_TEXT, rows->worst->cell->engine->name);
    text_copy(terms[1], TERM_TEXT,
              findings_gather(f, NOTE_SUBMIT_BLOCKS, weigh_buffered).count == 0
                  ? "even O_DIRECT is not asynchronous here; compare with another --engine"
              : findings_has_direct(f)
                  ? "only O_DIRECT is asynchronous; compare with the rows with cache=direct"
                  : "only O_DIRECT is asynchronous; use -b (--cache direct)");
    return true;
}

WEIGH(punted)
{
    return row->helper_fraction;
}

const struct rule findings_of_cache[] = {
    {.weight = 840,
     .serious = true,
     .weigh = weigh_unwritten,
     .fill = fill_unwritten,
     .sentence = "{targets} {has/have} holes or unwritten extents{1}: reads there never reach the "
                 "storage; write all of it first, or name a directory without -r"},
    {.weight = 830,
     .serious = true,
     .weigh = weigh_zeros,
     .fill = fill_zeros,
     .sentence = "{targets} {holds/hold} nothing but zeros{1}: storage need not be asked for what "
                 "was never written; write all of it first, or name a directory without -r"},
    {.weight = 820,
     .weigh = weigh_in_memory,
     .sentence = "{targets} {lives/live} in memory, with no device below; name another TARGET to "
                 "measure one"},
    {.weight = 810,
     .notes = NOTE_CACHE_HITS,
     .weigh = weigh_hits,
     .fill = fill_hits,
     .sentence = "{rows} meant for the storage {was|were} served from memory{1}: the figures are "
                 "not those of the storage; {2}"},
    {.weight = 800,
     .notes = NOTE_CACHE_BELOW,
     .fill = fill_below,
     .sentence = "{targets} ({1}): O_DIRECT goes past the page cache of this machine, but its {2} "
                 "may answer from a cache of its own; use more data than that can hold, or measure "
                 "there, too"},
    {.weight = 790,
     .weigh = weigh_cached,
     .fill = fill_page_cache,
     .sentence = "{1} with cache=cached are page cache speeds; {2}"},
    {.weight = 780,
     .weigh = weigh_uncached_writes,
     .fill = fill_uncached_writes,
     .sentence = "uncached writes went to the page cache; use --sync end{1}"},
    {.weight = 770,
     .weigh = weigh_asis,
     .fill = fill_asis,
     .sentence = "{rows} with cache=asis {was|were} served from memory (the page cache holds "
                 "{mean}); {1}"},
    {.weight = 760,
     .notes = NOTE_NOT_CACHED,
     .weigh = weigh_misses,
     .fill = fill_misses,
     .sentence = "{rows} with cache=cached came partly from storage: {1}"},
    {.weight = 750,
     .notes = NOTE_SUBMIT_BLOCKS,
     .weigh = weigh_submit,
     .fill = fill_submit,
     .sentence = "engine {1} blocks in submission ({|up to }{most} of the time in {rows}): {2}"},
    {.weight = 740,
     .notes = NOTE_PUNTED,
     .weigh = weigh_punted,
     .sentence =
         "the kernel handed operations of {rows} to worker threads ({|up to }{most} of the "
         "CPU time): this file system cannot do them without blocking; --engine posix shows "
         "the cost without them"},
    {.sentence = NULL}};
