/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_cache.c - findings about memory and storage: whose speed a figure is.
 *
 * Each row is spoken of once: what lives in memory by one of these rules only, writes that stay in
 * the page cache not as cache hits.  What is advised is never what the run did already. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "report/facts/facts.h"
#include "report/findings/findings.h"

#define LABEL_MOST     128 /* longer names of targets would leave no room for the finding */
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

/* Writes "LABEL" or "LABEL and N other targets"; returns text. */
static char *name_targets(const struct target *first, size_t count, char *text, size_t size)
{
    char label[LABEL_MOST];
    size_t used;
    if (strlen(first->label) < sizeof(label) / 4)
        error_printable(first->label, label, sizeof(label));
    else
        snprintf(label, sizeof(label), "the target");
    used = (size_t)snprintf(text, size, "%s", label);
    if (count > 1)
        snprintf(text + used, size - used, " and %zu other target%s", count - 1,
                 findings_plural(count - 1));
    return text;
}

/* Counts the targets some row of which is `chosen`; *first is one of them. */
static size_t count_targets(const struct findings *f,
                            bool (*chosen)(const struct findings *, const struct seen *),
                            const struct target **first)
{
    size_t count = 0;
    for (unsigned t = 0; t < f->info->settings->target_count; t++) {
        size_t i = 0;
        while (i < f->count && (f->rows[i].cell->target != t || !chosen(f, &f->rows[i])))
            i++;
        if (i == f->count)
            continue;
        if (count++ == 0)
            *first = f->info->targets[t];
    }
    return count;
}

static bool reads_unwritten(const struct findings *f, const struct seen *row)
{
    return row->operations > 0 && row->cell->work.test == TEST_READ && !findings_virtual(row) &&
           strstr(findings_target(f, row)->notes, "unwritten");
}

bool findings_unwritten(const struct findings *f, char *text)
{
    char names[LABEL_MOST + 64], shares[128] = "", unread[96];
    const struct target *first = NULL;
    size_t n = count_targets(f, reads_unwritten, &first);
    if (n == 0)
        return false;
    if (n == 1 && facts_format_unread(&first->extents, unread, sizeof(unread)))
        snprintf(shares, sizeof(shares), " (%s)", unread);
    snprintf(
        text, FINDING_TEXT,
        "%s %s holes or unwritten extents%s: reads there never reach the storage; write all of "
        "it first, or name a directory without -r",
        name_targets(first, n, names, sizeof(names)), n == 1 ? "has" : "have", shares);
    return true;
}

static bool lives_in_memory(const struct findings *f, const struct seen *row)
{
    return row->operations > 0 && !findings_virtual(row) && findings_target(f, row)->in_memory;
}

static bool reads_zeros(const struct findings *f, const struct seen *row)
{
    return row->operations > 0 && row->cell->work.test == TEST_READ && !findings_virtual(row) &&
           strstr(findings_target(f, row)->notes, "zeros");
}

bool findings_zeros(const struct findings *f, char *text)
{
    char names[LABEL_MOST + 64], share[64] = "";
    const struct target *first = NULL;
    size_t n = count_targets(f, reads_zeros, &first);
    if (n == 0)
        return false;
    if (n == 1)
        snprintf(share, sizeof(share), " in %" PRIu32 " of %" PRIu32 " places", first->zeros.found,
                 first->zeros.looked);
    snprintf(text, FINDING_TEXT,
             "%s %s nothing but zeros%s: storage need not be asked for what was never written; "
             "write all of it first, or name a directory without -r",
             name_targets(first, n, names, sizeof(names)), n == 1 ? "holds" : "hold", share);
    return true;
}

static bool goes_below(const struct findings *f, const struct seen *row)
{
    (void)f;
    return row->notes & NOTE_CACHE_BELOW;
}

bool findings_below(const struct findings *f, char *text)
{
    char names[LABEL_MOST + 64];
    const struct target *first = NULL;
    size_t n = count_targets(f, goes_below, &first);
    if (n == 0)
        return false;
    snprintf(
        text, FINDING_TEXT,
        "%s (%s): O_DIRECT goes past the page cache of this machine, but its %s may answer from "
        "a cache of its own; use more data than that can hold, or measure there, too",
        name_targets(first, n, names, sizeof(names)), first->medium.name, first->medium.keeper);
    return true;
}

bool findings_in_memory(const struct findings *f, char *text)
{
    char names[LABEL_MOST + 64];
    const struct target *first = NULL;
    size_t n = count_targets(f, lives_in_memory, &first);
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%s live%s in memory, with no device below; name another TARGET to measure one",
             name_targets(first, n, names, sizeof(names)), n == 1 ? "s" : "");
    return true;
}

/* Without a flush their place is the page cache, whatever is evicted afterwards. */
static bool stays_in_cache(const struct findings *f, const struct seen *row)
{
    const struct workload *work = &row->cell->work;
    return has_cache(f, row) && work->cache == CACHE_UNCACHED && work->test == TEST_WRITE &&
           work->sync == SYNC_NONE && !findings_flushed(row);
}

/* Memory has answered O_DIRECT: only more data than it holds, or another file system, helps. */
static const char *hits_advice(const struct findings *f, bool direct, bool own)
{
    if (!direct && own && !findings_has_direct(f))
        return "try --cache direct, or a larger --file-size";
    if (!direct)
        return device_advice(f);
    return own ? "try a --file-size larger than memory, or a TARGET on another file system"
               : "name a TARGET on another file system, or one larger than memory";
}

bool findings_cache_hits(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    bool direct = false;
    char share[48] = "";
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if ((row->notes & NOTE_CACHE_HITS) && !lives_in_memory(f, row) && !stays_in_cache(f, row) &&
            !reads_unwritten(f, row)) { /* else another finding has the reason */
            findings_gather(f, &rows, row, row->hit_share);
            direct = direct || row->cell->work.cache == CACHE_DIRECT;
        }
    if (rows.count == 0)
        return false;
    if (rows.most >= 0)
        snprintf(share, sizeof(share), " (%s%.0f %% of the operations)",
                 rows.count == 1 ? "" : "up to ", 100 * rows.most);
    snprintf(
        text, FINDING_TEXT,
        "%zu row%s meant for the storage %s served from memory%s: the figures are not those of "
        "the storage; %s",
        rows.count, findings_plural(rows.count), rows.count == 1 ? "was" : "were", share,
        hits_advice(f, direct, rows.own));
    return true;
}

/* Rows of --cache cached on real files, whose figures are easily taken for those of a disk.  Writes
 * with a flush are a disk's. */
bool findings_page_cache(const struct findings *f, char *text)
{
    size_t cached = 0, flushed = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        const struct workload *work = &row->cell->work;
        bool counts =
            has_cache(f, row) && work->cache == CACHE_CACHED && !(row->notes & NOTE_NOT_CACHED);
        bool flush = work->test == TEST_WRITE && (work->sync != SYNC_NONE || findings_flushed(row));
        cached += counts && !flush;
        flushed += counts && flush;
    }
    if (cached == 0)
        return false;
    snprintf(text, FINDING_TEXT, "%s with cache=cached are page cache speeds; %s",
             flushed > 0 ? "reads" : "rows", device_advice(f));
    return true;
}

bool findings_uncached_writes(const struct findings *f, char *text)
{
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        n += stays_in_cache(f, &f->rows[i]);
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT, "uncached writes went to the page cache; use --sync end%s",
             findings_has_direct(f) ? "" : " or -b (--cache direct)");
    return true;
}

bool findings_asis(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (has_cache(f, row) && row->cell->work.cache == CACHE_ASIS &&
            row->cell->work.test == TEST_READ && row->resident_fraction >= RESIDENT_SHARE)
            findings_gather(f, &rows, row, row->resident_fraction);
    if (rows.count == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%zu row%s with cache=asis %s served from memory (the page cache holds %.0f %%); %s",
             rows.count, findings_plural(rows.count), rows.count == 1 ? "was" : "were",
             100 * rows.sum / (double)rows.count, device_advice(f));
    return true;
}

/* Why pages were not where they had been read to, and what to do. */
static void tell_misses(const struct findings *f, const struct gathered *rows, bool several,
                        char *text, size_t size)
{
    const struct target *target = findings_target(f, rows->worst);

    switch (target->misses) {
    case TARGET_DROPS_AT_OPEN:
        snprintf(text, size,
                 "the file system drops what it has of a file whenever that is opened; mount it so "
                 "that it does not (FUSE: kernel_cache, auto_cache)");
        break;
    case TARGET_KEEPS_NOTHING:
        snprintf(text, size, "the file system keeps nothing in the page cache; use -b");
        break;
    case TARGET_SHORT_OF_MEMORY:
        snprintf(text, size, "memory cannot hold the file%s; %s", several ? "s" : "",
                 rows->own ? "try a smaller --file-size" : device_advice(f));
        break;
    case TARGET_MISSES_UNKNOWN:
        snprintf(text, size,
                 "something dropped what had been read (another program, a limit of memory); "
                 "measure again");
    }
}

bool findings_not_cached(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    bool several = false;
    char why[FINDING_TEXT / 2];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if ((row->notes & NOTE_NOT_CACHED) && !reads_unwritten(f, row)) {
            findings_gather(f, &rows, row, 0);
            several = several || findings_target(f, row)->object_count != 1;
        }
    if (rows.count == 0)
        return false;
    tell_misses(f, &rows, several, why, sizeof(why));
    snprintf(text, FINDING_TEXT, "%zu cached row%s came partly from storage: %s", rows.count,
             findings_plural(rows.count), why);
    return true;
}
