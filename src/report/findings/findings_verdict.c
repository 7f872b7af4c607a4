/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_verdict.c - --brief: what the rows of each target come to, as verdict.c puts it. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/mem.h"
#include "report/facts/facts.h"
#include "report/findings/findings.h"
#include "report/findings/verdict.h"

#define NAME_MOST 80

/* Where the data of a row went or came from. */
static enum verdict_path path_of(const struct seen *row, const struct target *target)
{
    const enum cache_mode cache = row->cell->work.cache;
    const bool flushed = row->cell->work.sync != SYNC_NONE || findings_flushed(row);

    if (target->in_memory)
        return VERDICT_MEMORY;
    /* reads ask no storage, or not always */
    if (strstr(target->notes, "unwritten") || strstr(target->notes, "zeros"))
        return VERDICT_OTHER;
    if (row->notes & (NOTE_CACHE_HITS | NOTE_NOT_CACHED | NOTE_NOCACHE | NOTE_COVERED | NOTE_RMW))
        return VERDICT_OTHER;
    if (!target_can(target, TARGET_CACHED) || cache == CACHE_DIRECT)
        return VERDICT_DEVICE;
    if (cache == CACHE_CACHED)
        return VERDICT_MEMORY;
    return cache == CACHE_UNCACHED && (row->cell->work.test == TEST_READ || flushed)
               ? VERDICT_DEVICE
               : VERDICT_OTHER;
}

/* Its time was over too early; it may have figures all the same. */
static bool is_cut(const struct seen *row)
{
    return row->state == RESULT_INCOMPLETE && row->stop == STOP_TIME;
}

static unsigned count_rows(const struct findings *f, unsigned target, bool cut)
{
    unsigned count = 0;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        count +=
            row->cell->target == target && row->state != RESULT_SKIPPED && (!cut || is_cut(row));
    return count;
}

/* Rows of plain reads and writes that have figures. */
static size_t take_rows(const struct findings *f, unsigned target, struct verdict_row *rows)
{
    size_t count = 0;

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++) {
        const enum io_test test = cell_test(row->cell);
        if (row->cell->target != target || (test != TEST_READ && test != TEST_WRITE) ||
            (row->state != RESULT_CLOSED &&
             !(is_cut(row) && row->operations >= VERDICT_JUDGED_LEAST)) ||
            row->operations == 0 || row->cell->mixed || findings_virtual(row))
            continue;
        rows[count++] = (struct verdict_row){
            .writes = test == TEST_WRITE,
            .path = path_of(row, f->info->targets[target]),
            .size_bytes = row->cell->work.size_bytes,
            .alone = cell_slots(row->cell) == 1,
            .latency_ns = row->latency_ns_p50 > 0 ? row->latency_ns_p50 : row->op_ns_mean,
            .p50_known = row->latency_ns_p50 > 0,
            .p99_ns = row->p99_known ? (double)row->latency_ns_p99 : 0,
            .rate_per_s = row->rate > 0 ? row->rate : 0,
            .throughput_bytes_per_s = row->throughput > 0 ? row->throughput : 0,
            .half_width = row->half_width > 0      ? row->half_width
                          : row->notes & NOTE_WIDE ? 1 /* too few rounds for an interval */
                                                   : 0,
        };
    }
    return count;
}

/* Reads of that target are not done, or of too few files to be judged. */
static bool was_cut(const struct findings *f, unsigned target)
{
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->cell->target == target && cell_test(row->cell) == TEST_READ &&
            (row->state == RESULT_INCOMPLETE ||
             (row->state == RESULT_CLOSED && verdict_reduced(f->info->targets[target]->notes))))
            return true;
    return false;
}

static enum verdict_kind kind_of(const struct target *target)
{
    if (!target_can(target, TARGET_FILES))
        return target_can(target, TARGET_REQUESTS) ? VERDICT_OBJECTS : VERDICT_TMPFS;
    if (target->in_memory)
        return VERDICT_TMPFS;
    if (target->medium.name[0] == '\0')
        return VERDICT_LOCAL;
    return strcmp(target->medium.keeper, "server") == 0 ? VERDICT_NETWORK : VERDICT_SERVED;
}

void findings_verdict(const struct findings *f)
{
    struct verdict_row *rows = mem_calloc(f->count + 1, sizeof(*rows));

    for (unsigned t = 0; t < f->info->settings->target_count; t++) {
        const struct target *target = f->info->targets[t];
        const struct targetinfo *info =
            f->facts && t < f->facts->count ? &f->facts->targets[t] : NULL;
        char name[4 * NAME_MOST + 1], text[2 * VERDICT_TEXT];
        struct verdict verdict;
        const struct verdict_input input = {
            .target = error_printable(target->label, name, sizeof(name)),
            .kind = kind_of(target),
            .medium = &target->medium,
            .rotational = info && info->rotational > 0,
            .guest = f->facts && machine_is_guest(f->facts->host.virtualization),
            .made = !f->info->settings->existing && target->ours,
            .reduced_bytes = verdict_reduced(target->notes),
            .cut = count_rows(f, t, true),
            .all = count_rows(f, t, false),
            .busy = f->busy,
            .rows = rows,
            .count = take_rows(f, t, rows),
        };
        verdict_make(&input, &verdict);
        if (!verdict.what[0] && was_cut(f, t)) {
            snprintf(text, sizeof(text), "there was too little time to judge %s; try %s", name,
                     f->info->settings->max_time_ns ? "--max-time 2min" : "--time 5s");
            findings_tell(f, "verdict", text);
        }
        if (!verdict.what[0])
            continue;
        snprintf(text, sizeof(text), "%s %s", verdict.what, verdict.trust);
        findings_tell(f, "verdict", text);
        log_named("next", "%s", verdict.next);
    }
    free(rows);
}
