/* SPDX-License-Identifier: GPL-2.0-or-later */
/* findings_time.c - where the time of operations goes: into few that stall, or into opening and
 * closing. */
#include "base/compat.h"

#include <string.h>

#include "base/units.h"
#include "out/findings.h"

#define STALL_FACTOR     10    /* times the median latency: such an operation stalled */
#define STALL_SHARE      0.1   /* of the time of a row */
#define STALL_OPERATIONS 100   /* fewer tell nothing about what is rare */
#define STALL_NS         1e6   /* shorter ones are the scheduler's, not the storage's */
#define OPENING_SHARE    0.333 /* of an operation past the page cache */

double findings_stall_share(const struct tally *tally)
{
    const uint64_t median_ns = hist_quantile_ns(&tally->latency, 0.5);
    const uint64_t limit_ns = STALL_FACTOR * median_ns;
    double stalled_ns = 0;

    if (tally->operations < STALL_OPERATIONS || tally->sum_ns == 0 || tally->max_ns <= limit_ns)
        return 0;
    for (unsigned i = hist_index(limit_ns) + 1; i < HIST_BUCKETS; i++)
        stalled_ns += (double)tally->latency.count[i] * (double)hist_lower_ns(i);
    return stalled_ns / (double)tally->sum_ns;
}

bool findings_stalls(const struct findings *f, char *text)
{
    const struct seen *worst = NULL;
    char size[UNITS_TEXT], longest[UNITS_TEXT], median[UNITS_TEXT];
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (row->stall_share < STALL_SHARE || row->latency_ns_max < STALL_NS)
            continue;
        n++;
        if (worst == NULL || row->stall_share > worst->stall_share)
            worst = row;
    }
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "stalls took %.0f %% of the time of %s of %s (longest %s, median %s)%s; --interval "
             "100ms shows when",
             100 * worst->stall_share, columns_test_plural(worst->cell->work.test),
             units_format_size(worst->cell->work.size_bytes, size),
             units_format_time(worst->latency_ns_max, longest),
             units_format_time(worst->latency_ns_p50, median),
             n == 1 ? "" : ", and more than a tenth in other rows");
    return true;
}

/* Past the page cache, where an operation costs an access to the device, opening a file is expected
 * to cost little; over a network it is a conversation. */
bool findings_opening(const struct findings *f, char *text)
{
    const struct seen *worst = NULL;
    char size[UNITS_TEXT];
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        const enum cache_mode cache = row->cell->work.cache;
        if (row->operations == 0 || findings_virtual(row) || findings_store(f, row)->in_memory ||
            (cache != CACHE_DIRECT && cache != CACHE_UNCACHED) ||
            row->cell->work.sync == SYNC_END || /* its flush is part of closing */
            (row->notes & NOTE_CACHE_HITS) ||   /* then nothing went past the cache */
            row->rpc.all.count > 0) /* of closing on NFS too; findings_opens knows more there */
            continue;
        if (row->opening_share >= OPENING_SHARE &&
            (worst == NULL || row->opening_share > worst->opening_share))
            worst = row;
    }
    if (worst == NULL)
        return false;
    snprintf(text, FINDING_TEXT,
             "opening and closing the file takes %.0f %% of %s of %s with cache=%s; compare with "
             "--keep-open",
             100 * worst->opening_share, columns_test_plural(worst->cell->work.test),
             units_format_size(worst->cell->work.size_bytes, size),
             columns_cache_name(worst->cell->work.cache));
    return true;
}
