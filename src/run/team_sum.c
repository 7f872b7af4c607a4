/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_sum.c - see team_sum.h. */
#include "base/compat.h"

#include "base/number.h"
#include "run/team_sum.h"

static struct team_overlap overlap_of(const struct slice *what, uint64_t window_ns,
                                      const struct team_told *told, uint32_t count)
{
    uint64_t first_ns = UINT64_MAX, last_ns = 0, early_ns = UINT64_MAX, end_ns = 0;
    uint64_t begin_ns, common_ns;

    for (uint32_t i = 0; i < count; i++) {
        const struct team_report *report = told[i].report;
        if (report->flags & REPORT_IDLE)
            continue;
        first_ns = report->began_ns < first_ns ? report->began_ns : first_ns;
        last_ns = report->began_ns > last_ns ? report->began_ns : last_ns;
        early_ns = report->ended_ns < early_ns ? report->ended_ns : early_ns;
        end_ns = report->ended_ns > end_ns ? report->ended_ns : end_ns;
    }
    begin_ns = what->batches ? window_ns : first_ns;
    common_ns = number_minus(early_ns, last_ns > begin_ns ? last_ns : begin_ns);
    return (struct team_overlap){.whole_ns = number_minus(end_ns, begin_ns),
                                 .common_ns = common_ns,
                                 .skew_ns = number_minus(last_ns, first_ns)};
}

/* The ranks had the same window, but for the time that each spent between operations. */
static void time_window(const struct slice *what, const struct team_told *told, uint32_t count,
                        struct slice_sum *joint)
{
    uint64_t elapsed_ns = 0, time_ns = 0;
    bool whole = true;

    for (uint32_t i = 0; i < count; i++) {
        elapsed_ns += told[i].sum->elapsed_ns;
        time_ns += told[i].sum->time_ns;
        whole = whole && told[i].sum->batches == what->batches;
    }
    joint->elapsed_ns = elapsed_ns / count;
    joint->time_ns = time_ns / count;
    if (!whole || what->batches == 1) { /* one was cut short: only the whole can be told */
        joint->batches = 1;
        joint->batch[0] = (struct slice_batch){.operations = joint->tally.operations,
                                               .time_ns = joint->time_ns,
                                               .shifted = whole ? joint->batch[0].shifted : 0};
        return;
    }
    for (uint32_t b = 0; b < what->batches; b++) {
        uint64_t batch_ns = 0;
        for (uint32_t i = 0; i < count; i++)
            batch_ns += told[i].sum->batch[b].time_ns;
        joint->batch[b].time_ns = batch_ns / count;
    }
}

static void time_all(const struct team_told *told, uint32_t count, struct slice_sum *joint)
{
    uint64_t began_ns = UINT64_MAX, ended_ns = 0, busy_ns = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct team_report *report = told[i].report;
        if (report->flags & REPORT_IDLE)
            continue;
        began_ns = report->began_ns < began_ns ? report->began_ns : began_ns;
        ended_ns = report->ended_ns > ended_ns ? report->ended_ns : ended_ns;
        busy_ns = report->busy_ns > busy_ns ? report->busy_ns : busy_ns;
    }
    joint->elapsed_ns = number_minus(ended_ns, began_ns);
    joint->time_ns = number_minus(busy_ns, began_ns);
}

struct team_overlap team_sum_join(const struct slice *what, bool paced, uint64_t window_ns,
                                  const struct team_told *told, uint32_t count,
                                  struct slice_sum *joint)
{
    slice_sum_reset(joint);
    for (uint32_t i = 0; i < count; i++)
        if (!(told[i].report->flags & REPORT_IDLE))
            slice_sum_merge_head(joint, told[i].sum, SLICE_BESIDE);
    if (what->batches) {
        time_window(what, told, count, joint);
    } else {
        if (!paced)
            time_all(told, count, joint);
        joint->batches = 1;
        joint->batch[0] =
            (struct slice_batch){.operations = joint->tally.operations, .time_ns = joint->time_ns};
    }
    return overlap_of(what, window_ns, told, count);
}

struct team_first team_sum_first(const struct team_told *told, uint32_t count)
{
    struct team_first first = {0};

    for (uint32_t rank = count; rank-- > 0;) {
        const struct tally *tally = &told[rank].sum->tally;
        if (tally->failed)
            first.failed = rank;
        if (tally->short_count)
            first.cut_short = rank;
        if (tally->wrong)
            first.wrong = rank;
    }
    return first;
}
