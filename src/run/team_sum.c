/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_sum.c - see team_sum.h. */
#include "base/compat.h"

#include "base/number.h"
#include "run/team_sum.h"

static struct team_overlap overlap_of(const struct team_told *told, uint32_t count)
{
    uint64_t first_ns = UINT64_MAX, last_ns = 0, early_ns = UINT64_MAX, end_ns = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct team_report *report = told[i].report;
        if (report->flags & REPORT_IDLE)
            continue;
        first_ns = report->began_ns < first_ns ? report->began_ns : first_ns;
        last_ns = report->began_ns > last_ns ? report->began_ns : last_ns;
        early_ns = report->ended_ns < early_ns ? report->ended_ns : early_ns;
        end_ns = report->ended_ns > end_ns ? report->ended_ns : end_ns;
    }
    return (struct team_overlap){.whole_ns = number_minus(end_ns, first_ns),
                                 .common_ns = number_minus(early_ns, last_ns),
                                 .skew_ns = number_minus(last_ns, first_ns)};
}

struct team_overlap team_sum_join(const struct team_told *told, uint32_t count,
                                  struct slice_sum *joint)
{
    slice_sum_reset(joint);
    for (uint32_t i = 0; i < count; i++)
        if (!(told[i].report->flags & REPORT_IDLE))
            slice_sum_merge_head(joint, told[i].sum, SLICE_BESIDE);
    return overlap_of(told, count);
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
