/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* summaries.c - groups rows by their position in the plan: parts of one cache mode and step have
 * the same cells in the same order in every loop and repeat. */
#include "base/compat.h"

#include "report/summaries/summaries.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"
#include "report/columns/columns.h"

const char *const summary_names[SUMMARY_WHATS] = {
    [SUMMARY_TIME] = "time_s",
    [SUMMARY_RATE] = "rate_per_s",
    [SUMMARY_THROUGHPUT] = "throughput_bytes_per_s",
};

struct summary_figure summary_figure_of(const double *values, size_t n)
{
    struct summary_figure figure = {.count = n, .stddev = -1, .cv = -1};
    double *sorted;

    if (n == 0)
        return figure;
    sorted = mem_calloc(n, sizeof(*sorted));
    memcpy(sorted, values, n * sizeof(*sorted));
    stats_sort(sorted, n);
    figure.mean = stats_mean(values, n);
    figure.median = stats_median(sorted, n);
    figure.min = sorted[0];
    figure.max = sorted[n - 1];
    free(sorted);
    if (n > 1)
        figure.stddev = stats_stddev(values, n);
    if (n > 1 && figure.mean > 0)
        figure.cv = figure.stddev / figure.mean;
    return figure;
}

struct summary_figure summary_figure(const struct summary *summary, enum summary_what what)
{
    return summary_figure_of(summary->values[what], summary->counts[what]);
}

static double per_second(uint64_t amount, uint64_t time_ns)
{
    return time_ns ? (double)((long double)amount * 1e9L / (long double)time_ns) : -1;
}

double summary_overall_rate(const struct summary *summary)
{
    return per_second(summary->operations, summary->time_ns);
}

double summary_overall_throughput(const struct summary *summary)
{
    return test_moves_data(summary->cell->work.test) ? per_second(summary->bytes, summary->time_ns)
                                                     : -1;
}

/* --- groups --- */

bool summaries_wanted(const struct settings *settings)
{
    return settings->loops > 1 || settings->repeats > 1;
}

static bool same_group(const struct cell *a, const struct cell *b)
{
    return a->work.cache == b->work.cache && a->step == b->step && cell_test(a) == cell_test(b) &&
           (!a->fills || /* each row of test fill is a part */
            !(cell_unlike(a, b) &
              (AXIS_PLACE | AXIS_TARGET | AXIS_ENGINE | AXIS_THREADS | AXIS_DEPTH | AXIS_SIZE)));
}

/* The first cell of the earliest part of the same group. */
static unsigned first_like(const struct run_info *info, unsigned first)
{
    unsigned part = info->cells[0].part;

    for (unsigned i = 0; i < first; i++) {
        if (i > 0 && info->cells[i].part == part)
            continue;
        part = info->cells[i].part;
        if (same_group(&info->cells[i], &info->cells[first]))
            return i;
    }
    return first;
}

void summaries_begin(struct summaries *summaries, const struct run_info *info)
{
    unsigned first = 0, like = 0;

    summaries->info = info;
    if (!summaries_wanted(info->settings))
        return;
    summaries->group = mem_calloc(info->cell_count, sizeof(*summaries->group));
    summaries->all = mem_calloc(info->cell_count, sizeof(*summaries->all));
    for (unsigned i = 0; i < info->cell_count; i++) {
        if (i == 0 || info->cells[i].part != info->cells[i - 1].part) {
            first = i;
            like = first_like(info, first);
        }
        if (like < first) {
            summaries->group[i] = summaries->group[like + (i - first)];
            continue;
        }
        summaries->group[i] = (unsigned)summaries->count;
        summaries->all[summaries->count++].cell = &info->cells[i];
    }
}

static void add_value(struct summary *summary, enum summary_what what, double value)
{
    const size_t n = summary->counts[what];

    if (value < 0)
        return;
    if ((n & (n - 1)) == 0) /* 0 or a power of two: double the room */
        summary->values[what] =
            mem_realloc_array(summary->values[what], n ? 2 * n : 1, sizeof(double));
    summary->values[what][summary->counts[what]++] = value;
}

void summaries_add(struct summaries *summaries, const struct result *result)
{
    const struct slice_sum *sum = &result->sum;
    struct summary *summary;
    double throughput;

    if (!summaries->count)
        return;
    summary = &summaries->all[summaries->group[result->cell->index]];
    if (result->state != RESULT_CLOSED || !sum->tally.operations) {
        summary->left_out++;
        return;
    }
    throughput = columns_throughput(result);
    summary->rows++;
    summary->cold += (result->notes & NOTE_COLD) != 0;
    summary->operations += sum->tally.operations;
    summary->time_ns += sum->time_ns;
    if (throughput >= 0)
        summary->bytes += sum->tally.operations * result->cell->work.size_bytes;
    add_value(summary, SUMMARY_TIME, (double)sum->time_ns / 1e9);
    add_value(summary, SUMMARY_RATE, columns_rate(result));
    add_value(summary, SUMMARY_THROUGHPUT, throughput);
}

void summaries_free(struct summaries *summaries)
{
    for (size_t i = 0; i < summaries->count; i++)
        for (unsigned what = 0; what < SUMMARY_WHATS; what++)
            free(summaries->all[i].values[what]);
    free(summaries->all);
    free(summaries->group);
    *summaries = (struct summaries){.count = 0};
}
