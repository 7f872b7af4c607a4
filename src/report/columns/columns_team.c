/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_team.c - what columns show of the ranks of a team. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "report/columns/columns_figures.h"

double columns_rank_rate(const struct result_rank *rank)
{
    return rank->time_ns
               ? (double)((long double)rank->operations * 1e9L / (long double)rank->time_ns)
               : -1;
}

double columns_rank_latency_ns(const struct result_rank *rank)
{
    return rank->operations ? (double)rank->latency_ns_sum / (double)rank->operations : NAN;
}

double columns_rank_late_ns(const struct result *result, const struct result_rank *rank)
{
    return result->sum.slices ? (double)rank->late_ns_sum / (double)result->sum.slices : NAN;
}

/* Of the slowest rank, or of the fastest.  Who is alone is both. */
static double rank_rate(const struct result *result, bool fastest)
{
    double found = -1;

    if (result->rank_count == 0)
        return columns_rate(result);
    for (uint32_t i = 0; i < result->rank_count; i++) {
        const double rate = columns_rank_rate(&result->ranks[i]);
        if (rate >= 0 && (found < 0 || (fastest ? rate > found : rate < found)))
            found = rate;
    }
    return found;
}

double columns_rank_rate_min(const struct result *result)
{
    return rank_rate(result, false);
}

double columns_rank_rate_max(const struct result *result)
{
    return rank_rate(result, true);
}

uint32_t columns_ranks(const struct settings *settings)
{
    return settings->ranks ? settings->ranks : 1;
}

uint32_t columns_hosts(const struct settings *settings)
{
    return columns_ranks(settings) > 1 ? settings->hosts : 1;
}

char *columns_team_words(const struct settings *settings, char *text)
{
    const uint32_t ranks = columns_ranks(settings), hosts = columns_hosts(settings);

    snprintf(text, COLUMNS_TEAM_TEXT, "%" PRIu32 " rank%s", ranks, ranks == 1 ? "" : "s");
    if (hosts)
        text_add(text, COLUMNS_TEAM_TEXT, " ", "on %" PRIu32 " host%s", hosts,
                 hosts == 1 ? "" : "s");
    return text;
}

COLUMNS_GETTER(ranks)
{
    columns_put_count(value, columns_ranks(context->info->settings));
}

/* One rank alone has none. */
COLUMNS_GETTER(rank_skew)
{
    if (result->rank_count > 1)
        columns_put_count(value, result->rank_skew_ns_p99);
}
