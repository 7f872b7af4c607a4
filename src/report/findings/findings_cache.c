/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_cache.c - the effect of memory on the figures. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/facts/facts.h"
#include "report/findings/findings.h"

/* cached share above which reads of --cache asis hardly reach the device */
#define RESIDENT_SHARE 0.5

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
                                  : "use -b (--cache direct) to bypass it";
}

/* Reads that need no access to storage. */
WEIGH(unwritten)
{
    const char *notes = findings_target(f, row)->notes;

    return row->operations > 0 && row->cell->work.test == TEST_READ && !findings_virtual(row) &&
                   (strstr(notes, "unwritten") || strstr(notes, "zeros"))
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

    if (row->operations == 0 || findings_virtual(row))
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
        if (findings_has_direct(f)) /* direct rows are printed too, and headings distinguish them */
            return false;
        text_copy(terms[0], TERM_TEXT, "cache=cached");
        break;
    case NEVER_EVICTED:
        text_copy(terms[0], TERM_TEXT, "unflushed writes");
        snprintf(terms[1], TERM_TEXT, "use --sync end%s",
                 findings_has_direct(f) ? "" : " or -b (--cache direct)");
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
               ? row->hit_share
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

const struct rule findings_of_cache[] = {
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
    {.weight = 760,
     .notes = NOTE_NOT_CACHED,
     .weigh = weigh_misses,
     .fill = fill_misses,
     .sentence = "{rows} with cache=cached {was|were} partly served from storage: {1}"},
    {.sentence = NULL}};
