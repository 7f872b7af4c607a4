/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_team.c - what a team of ranks says about its hosts: one that does less, one that was
 * away from its work.
 *
 * Rates of ranks are compared row by row, as shares of the mean rank, and then their means over the
 * rows: else rows of small operations would weigh most.  A host is the mean of its ranks, so that
 * it does not matter how many it has. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"
#include "run/team.h"

#define SLOW_RATIO 1.2 /* of the fastest to the slowest */
#define RANK_OPERATIONS \
    100 /* in a row, of the mean rank; of fewer, chance is most of a difference */
#define NAME_BYTES (4 * TEAM_HOST_BYTES)

/* ---- what is kept of rows ---- */

static double mean_rate(const struct result *result)
{
    double sum = 0;

    for (uint32_t i = 0; i < result->rank_count; i++) {
        const double rate = columns_rank_rate(&result->ranks[i]);
        sum += rate > 0 ? rate : 0;
    }
    return sum / result->rank_count;
}

static uint32_t find_latest(const struct result *result)
{
    uint32_t latest = 0;

    for (uint32_t i = 1; i < result->rank_count; i++)
        if (result->ranks[i].late_ns_sum > result->ranks[latest].late_ns_sum)
            latest = i;
    return latest;
}

void findings_see_ranks(struct findings *f, const struct result *result, struct seen_team *team)
{
    const double mean = result->rank_count > 1 ? mean_rate(result) : 0;
    const bool enough =
        mean > 0 && result->sum.tally.operations >= (uint64_t)RANK_OPERATIONS * result->rank_count;

    if (result->rank_count < 2 || !f->info->team)
        return;
    if (!f->ranks)
        f->ranks = mem_calloc(result->rank_count, sizeof(*f->ranks));
    f->rank_count = result->rank_count;
    f->rank_rows += enough;
    for (uint32_t i = 0; i < result->rank_count; i++) {
        const double rate = columns_rank_rate(&result->ranks[i]);
        f->ranks[i].failed += result->ranks[i].failed;
        if (enough && rate > 0)
            f->ranks[i].share += rate / mean;
    }
    team->common_fraction = result->rank_common_fraction;
    team->latest = find_latest(result);
    team->late_ns = columns_rank_late_ns(result, &result->ranks[team->latest]);
}

/* ---- who is slow ---- */

static const struct team_member *member_of(const struct findings *f, uint32_t rank)
{
    return &f->info->team->member[rank];
}

static const char *host_name(const struct findings *f, uint32_t rank, char *text)
{
    return error_printable(member_of(f, rank)->host, text, NAME_BYTES);
}

struct rank_spread { /* of hosts by their first ranks, or of the ranks of one host */
    uint32_t slow, fast;
    double ratio; /* of the slow one to the fast one; 1: there are no two */
};

/* Adds one of those that are compared. */
struct extremes {
    uint32_t count, slow, fast;
    double least, most;
};

static void add_share(struct extremes *extremes, uint32_t rank, double share)
{
    if (extremes->count == 0 || share < extremes->least) {
        extremes->least = share;
        extremes->slow = rank;
    }
    if (extremes->count == 0 || share > extremes->most) {
        extremes->most = share;
        extremes->fast = rank;
    }
    extremes->count++;
}

static struct rank_spread spread_of(const struct extremes *extremes)
{
    return (struct rank_spread){
        extremes->slow, extremes->fast,
        extremes->count > 1 && extremes->most > 0 ? extremes->least / extremes->most : 1};
}

struct host_share {
    double sum;
    uint32_t ranks, first;
    struct extremes among; /* its ranks */
};

static struct host_share *sum_hosts(const struct findings *f)
{
    struct host_share *hosts = mem_calloc(f->info->team->host_count, sizeof(*hosts));

    for (uint32_t rank = 0; rank < f->rank_count; rank++) {
        struct host_share *host = &hosts[member_of(f, rank)->host_index];
        if (host->ranks++ == 0)
            host->first = rank;
        host->sum += f->ranks[rank].share;
        add_share(&host->among, rank, f->ranks[rank].share);
    }
    return hosts;
}

/* Between hosts; and between the ranks of that host where they are the furthest apart. */
static void find_spreads(const struct findings *f, struct rank_spread *hosts,
                         struct rank_spread *ranks)
{
    struct host_share *all = sum_hosts(f);
    struct extremes between = {.count = 0};

    *ranks = (struct rank_spread){.ratio = 1};
    for (uint32_t h = 0; h < f->info->team->host_count; h++) {
        const struct rank_spread among = spread_of(&all[h].among);
        if (all[h].ranks == 0)
            continue;
        add_share(&between, all[h].first, all[h].sum / all[h].ranks);
        if (among.ratio < ranks->ratio)
            *ranks = among;
    }
    *hosts = spread_of(&between);
    free(all);
}

/* {1} does {2} of what {3} does ({4}). */
static bool fill_spread(const struct findings *f, bool of_hosts, findings_terms terms)
{
    struct rank_spread hosts, ranks;
    char name[NAME_BYTES];

    if (f->rank_rows == 0)
        return false;
    find_spreads(f, &hosts, &ranks);
    snprintf(terms[1], TERM_TEXT, "%.0f %%", 100 * (of_hosts ? hosts.ratio : ranks.ratio));
    text_copy(terms[3], TERM_TEXT, "in one row");
    if (f->rank_rows > 1)
        snprintf(terms[3], TERM_TEXT, "in the mean of %zu rows", f->rank_rows);
    if (of_hosts) {
        snprintf(terms[0], TERM_TEXT, "%.60s", host_name(f, hosts.slow, name));
        snprintf(terms[2], TERM_TEXT, "%.60s", host_name(f, hosts.fast, name));
        return hosts.ratio * SLOW_RATIO < 1;
    }
    snprintf(terms[0], TERM_TEXT, "on %.60s rank %" PRIu32, host_name(f, ranks.slow, name),
             ranks.slow);
    snprintf(terms[2], TERM_TEXT, "rank %" PRIu32, ranks.fast);
    return ranks.ratio * SLOW_RATIO < 1 && hosts.ratio * SLOW_RATIO >= 1;
}

FILL(slow_host)
{
    return fill_spread(f, true, terms);
}

/* Where the hosts are alike. */
FILL(slow_rank)
{
    return fill_spread(f, false, terms);
}

/* All that failed did so on one of several hosts: " (all on nas3)"; "" otherwise. */
char *findings_failing_host(const struct findings *f, char *text, size_t size)
{
    const struct team *team = f->info->team;
    uint32_t found = UINT32_MAX;
    char name[NAME_BYTES];

    text[0] = '\0';
    for (uint32_t rank = 0; rank < f->rank_count; rank++) {
        if (f->ranks[rank].failed == 0)
            continue;
        if (found != UINT32_MAX &&
            member_of(f, rank)->host_index != member_of(f, found)->host_index)
            return text;
        found = rank;
    }
    if (found != UINT32_MAX && team->host_count > 1)
        snprintf(text, size, " (all on %.60s)", host_name(f, found, name));
    return text;
}

WEIGH(apart)
{
    return f->rank_count > 0 ? 1 - row->team.common_fraction : UNCONCERNED;
}

FILL(apart)
{
    const struct seen_team *team = &rows->worst->team;
    char host[NAME_BYTES], late[UNITS_TEXT];

    snprintf(terms[0], TERM_TEXT,
             "all of them in %.0f %% of the time; rank %" PRIu32 " on %.60s began %s late",
             100 * team->common_fraction, team->latest, host_name(f, team->latest, host),
             units_format_time(team->late_ns, late));
    return true;
}

const struct rule findings_of_team[] = {
    {.weight = 950,
     .serious = true,
     .fill = fill_slow_host,
     .sentence =
         "{1} does {2} of what {3} does (a rank of each, {4}), so the joint rate depends on "
         "which hosts take part; run iosweep on {1} alone and look for the cause there"},
    {.weight = 945,
     .serious = true,
     .fill = fill_slow_rank,
     .sentence = "{1} does {2} of what {3} does ({4}); try fewer ranks on a host, or bind each to "
                 "processors of its own"},
    {.weight = 940,
     .serious = true,
     .notes = NOTE_RANKS_APART,
     .weigh = weigh_apart,
     .fill = fill_apart,
     .sentence =
         "in {rows} the ranks did not work side by side ({worst}: {1}), so {its rate "
         "is|their rates are} not of the whole team; try a longer --time, or fewer ranks on "
         "a host"},
    {.sentence = NULL}};
