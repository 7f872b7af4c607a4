/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_compare.c - the first run of a report compared with each other one, as the command compare
 * does it with one pair of files. */
#include "base/compat.h"

#include "analysis/report/report_parts.h"

#include <stdlib.h>

#include "base/mem.h"

static void compare_pair(struct report *report, struct report_comparison *comparison)
{
    struct error err = ERROR_INIT;
    char line[1024];

    if (match_files(comparison->files, 1, &comparison->match, &err) < 0) {
        comparison->refused = arena_keep(report->pool, error_format(&err, line, sizeof(line)));
        return;
    }
    comparison->overall = mem_calloc(comparison->match.test_count, sizeof(*comparison->overall));
    compare_judge(comparison->match.compared, comparison->match.count, 1, REPORT_TOLERANCE,
                  comparison->overall, comparison->match.test_count);
    comparison->comparison = (struct comparison){
        .files = comparison->files,
        .pairs = 1,
        .match = &comparison->match,
        .overall = comparison->overall,
        .tolerance = REPORT_TOLERANCE,
    };
}

void report_make_comparisons(struct report *report)
{
    const struct results *first = NULL;

    report->comparisons = mem_calloc(report->file_count, sizeof(*report->comparisons));
    for (size_t i = 0; i < report->file_count; i++) {
        const struct results *results = &report->files[i].results;
        struct report_comparison *comparison = &report->comparisons[report->comparison_count];
        if (report_is_series(results))
            continue;
        if (first) {
            comparison->files[0] = *first;
            comparison->files[1] = *results;
            compare_pair(report, comparison);
            report->comparison_count++;
        }
        first = first ? first : results;
    }
}

void report_free_comparisons(struct report *report)
{
    for (size_t i = 0; i < report->comparison_count; i++) {
        if (report->comparisons[i].refused)
            continue;
        free(report->comparisons[i].overall);
        match_free(&report->comparisons[i].match);
    }
    free(report->comparisons);
}
