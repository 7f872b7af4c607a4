/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_team.c - what a team of ranks says about its hosts: one that does less, one that was
 * away from its work, hosts that are not alike, clocks that are not known well enough.
 *
 * Rates of ranks are compared row by row, as shares of the mean rank, and then their means over the
 * rows: else rows of small operations would weigh most.  A host is the mean of its ranks, so that
 * it does not matter how many it has. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "report/facts/cards.h"
#include "report/findings/findings.h"

#define SLOW_RATIO 1.2 /* of the fastest to the slowest */
#define RANK_OPERATIONS \
    100                  /* in a row, of the mean rank; of fewer, chance is most of a difference */
#define CLOCK_SHARE 0.02 /* of a slice, by which the clock of a host may be unknown */
#define NAME_BYTES  (4 * TEAM_HOST_BYTES)

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
    if (result->sum.slices > 0)
        team->slice_ns = (double)result->sum.elapsed_ns / (double)result->sum.slices;
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

static void tell_rows(const struct findings *f, char *text, size_t size)
{
    if (f->rank_rows == 1)
        snprintf(text, size, "in one row");
    else
        snprintf(text, size, "in the mean of %zu rows", f->rank_rows);
}

bool findings_slow_rank(const struct findings *f, char *text)
{
    struct rank_spread hosts, ranks;
    char slow[NAME_BYTES], fast[NAME_BYTES], rows[48];

    if (f->rank_rows == 0)
        return false;
    find_spreads(f, &hosts, &ranks);
    tell_rows(f, rows, sizeof(rows));
    if (hosts.ratio * SLOW_RATIO < 1)
        snprintf(text, FINDING_TEXT,
                 "%.60s does %.0f %% of what %.60s does (a rank of each, %s), so the joint rate "
                 "depends on which hosts take part; run iosweep on %.60s alone and look for the "
                 "cause there",
                 host_name(f, hosts.slow, slow), 100 * hosts.ratio, host_name(f, hosts.fast, fast),
                 rows, slow);
    else if (ranks.ratio * SLOW_RATIO < 1)
        snprintf(text, FINDING_TEXT,
                 "on %.60s rank %" PRIu32 " does %.0f %% of what rank %" PRIu32
                 " does (%s); try fewer ranks on a host, or bind each to processors of its own",
                 host_name(f, ranks.slow, slow), ranks.slow, 100 * ranks.ratio, ranks.fast, rows);
    else
        return false;
    return true;
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

/* ---- who was away ---- */

bool findings_ranks_apart(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct seen *worst;
    char name[FINDINGS_ROW_TEXT], late[UNITS_TEXT], host[NAME_BYTES];

    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if ((row->notes & NOTE_RANKS_APART) && f->rank_count > 0)
            findings_gather(f, &rows, row, 1 - row->team.common_fraction);
    if (rows.count == 0)
        return false;
    worst = rows.worst;
    snprintf(text, FINDING_TEXT,
             "in %zu row%s the ranks did not work side by side (%s: all of them in %.0f %% of the "
             "time; rank %" PRIu32 " on %.60s began %s late), so %s not of the whole team; try a "
             "longer --time, or fewer ranks on a host",
             rows.count, findings_plural(rows.count), findings_row_text(worst, name),
             100 * worst->team.common_fraction, worst->team.latest,
             host_name(f, worst->team.latest, host), units_format_time(worst->team.late_ns, late),
             rows.count == 1 ? "its rate is" : "their rates are");
    return true;
}

/* ---- what hosts are ---- */

bool findings_hosts_differ(const struct findings *f, char *text)
{
    struct facts_difference *list;
    unsigned count;
    char more[40] = "", one[NAME_BYTES], other[NAME_BYTES];

    if (!f->facts || f->facts->host_count < 2 || !f->info->team)
        return false;
    list = mem_calloc(FACTS_DIFFERENCES, sizeof(*list));
    count = facts_compare_hosts(f->facts, list);
    if (count > 1)
        snprintf(more, sizeof(more), "; %u more difference%s above", count - 1,
                 count == 2 ? "" : "s");
    if (count > 0)
        snprintf(
            text, FINDING_TEXT,
            "the hosts are not alike (%.60s: %.60s on %.40s, %.60s on %.40s%s); compare runs on "
            "each of them before you trust a joint rate",
            list[0].what, list[0].value,
            error_printable(f->facts->hosts[list[0].host].name, one, sizeof(one)),
            list[0].unlike_to,
            error_printable(f->facts->hosts[list[0].other].name, other, sizeof(other)), more);
    free(list);
    return count > 0;
}

bool findings_clocks(const struct findings *f, char *text)
{
    const struct team *team = f->info->team;
    const struct seen *shortest = NULL;
    uint32_t worst = 0;
    double error_ns;
    char error[UNITS_TEXT], slice[UNITS_TEXT], host[NAME_BYTES], name[FINDINGS_ROW_TEXT];

    if (!team)
        return false;
    for (uint32_t rank = 1; rank < team->size; rank++)
        if (member_of(f, rank)->offset_error_ns > member_of(f, worst)->offset_error_ns)
            worst = rank;
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->team.slice_ns > 0 && (!shortest || row->team.slice_ns < shortest->team.slice_ns))
            shortest = row;
    error_ns = (double)member_of(f, worst)->offset_error_ns;
    if (!shortest || error_ns <= CLOCK_SHARE * shortest->team.slice_ns)
        return false;
    snprintf(text, FINDING_TEXT,
             "the clock of %.60s is known to %s only, %.0f %% of a slice of %s (%s): its ranks may "
             "begin and end that far from the others; try a longer --time, or a faster network "
             "between the hosts",
             host_name(f, worst, host), units_format_time(error_ns, error),
             100 * error_ns / shortest->team.slice_ns,
             units_format_time(shortest->team.slice_ns, slice), findings_row_text(shortest, name));
    return true;
}
