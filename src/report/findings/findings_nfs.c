/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_nfs.c - findings about rows on NFS, from the calls that the client of the kernel
 * counted: calls that had to be sent again, calls that only open and close, calls that wait for
 * their turn.
 *
 * Only rows are judged in which the calls are those of the operations: not with --cache uncached,
 * where files are opened between operations to drop what was read. */
#include "base/compat.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/findings/findings.h"

#define OPENS_SHARE 0.3 /* of the waiting for the server, for calls that move no data */
#define QUEUE_SHARE 1.0 /* of a round trip, spent before sending */
#define QUEUE_MS    50  /* the counters are sums of whole milliseconds */

void findings_see_rpc(const struct result *result, struct seen_rpc *rpc)
{
    size_t used = 0;
    if (!result->rpc)
        return;
    rpc->all = target_traffic_total(result->rpc, false);
    rpc->data = target_traffic_total(result->rpc, true);
    for (uint32_t i = 0; i < result->rpc->rpc_count; i++) {
        const struct target_rpc *one = &result->rpc->rpc[i];
        const size_t length = strlen(one->name);
        if (one->count * 2 < tally_done(&result->sum.tally) ||
            used + length + 3 > sizeof(rpc->names))
            continue;
        used += (size_t)snprintf(rpc->names + used, sizeof(rpc->names) - used, "%s%s",
                                 used > 0 ? ", " : "", one->name);
    }
}

bool findings_flushed(const struct seen *row)
{
    return row->cell->work.test == TEST_WRITE && row->rpc.data.count * 2 >= row->done &&
           row->done > 0;
}

bool findings_resent(const struct findings *f, char *text)
{
    uint64_t resent = 0, timeouts = 0, calls = 0;
    size_t n = 0;
    char late[64] = "";
    for (size_t i = 0; i < f->count; i++) {
        const struct target_rpc *all = &f->rows[i].rpc.all;
        resent += all->retransmissions;
        timeouts += all->timeouts;
        calls += all->count;
        n += all->retransmissions + all->timeouts > 0;
    }
    if (n == 0)
        return false;
    if (timeouts > 0)
        snprintf(late, sizeof(late), ", %" PRIu64 " timed out", timeouts);
    snprintf(text, FINDING_TEXT,
             "of %" PRIu64 " calls to the NFS server %" PRIu64 " %s retransmitted%s, in %zu row%s: "
             "the network or the server drops them; check both, then repeat the rows with --sizes",
             calls, resent, resent == 1 ? "was" : "were", late, n, findings_plural(n));
    return true;
}

static bool counts_operations(const struct seen *row)
{
    return row->done > 0 && row->rpc.all.count > 0 && row->rpc.all.round_trip_ms > 0 &&
           row->cell->work.cache != CACHE_UNCACHED;
}

/* Share of the time between sending and answer that brought no data. */
static double idle_share(const struct seen *row)
{
    return 1 - (double)row->rpc.data.round_trip_ms / (double)row->rpc.all.round_trip_ms;
}

/* Opening and closing asks the server each time, unless it lent the file out. */
bool findings_opens(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct seen *worst;
    char size[UNITS_TEXT], wait[UNITS_TEXT];
    const struct target_rpc *all;
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (counts_operations(row) && !row->cell->work.keep_open &&
            row->rpc.all.count - row->rpc.data.count >= row->done && idle_share(row) >= OPENS_SHARE)
            findings_gather(f, &rows, row, idle_share(row));
    if (rows.count == 0)
        return false;
    worst = rows.worst;
    all = &worst->rpc.all;
    snprintf(
        text, FINDING_TEXT,
        "each %s of %s made %.1f calls of %s to the NFS server (%s); %.0f %% of that time moved "
        "no data; try --keep-open",
        test_names[cell_test(worst->cell)], units_format_size(worst->cell->work.size_bytes, size),
        (double)all->count / (double)worst->done,
        units_format_time((double)all->round_trip_ms * 1e6 / (double)all->count, wait),
        worst->rpc.names, rows.most * 100);
    return true;
}

/* A connection takes a limited number of calls at a time. */
static double queue_share(const struct seen *row)
{
    return (double)row->rpc.all.queue_ms / (double)row->rpc.all.round_trip_ms;
}

bool findings_queue(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct seen *worst;
    char wait[UNITS_TEXT], trip[UNITS_TEXT];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (counts_operations(row) && row->rpc.all.queue_ms >= QUEUE_MS &&
            queue_share(row) > QUEUE_SHARE)
            findings_gather(f, &rows, row, queue_share(row));
    if (rows.count == 0)
        return false;
    worst = rows.worst;
    snprintf(
        text, FINDING_TEXT,
        "in %zu row%s calls to the NFS server queued before they were sent (%s, then %s for the "
        "reply); mount with nconnect=4, or try lower --threads and --depth",
        rows.count, findings_plural(rows.count),
        units_format_time((double)worst->rpc.all.queue_ms * 1e6 / (double)worst->rpc.all.count,
                          wait),
        units_format_time((double)worst->rpc.all.round_trip_ms * 1e6 / (double)worst->rpc.all.count,
                          trip));
    return true;
}
