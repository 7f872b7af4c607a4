/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_team.c - finds slow hosts of a team of ranks.
 *
 * Compares rates of ranks row by row, relative to the mean rank, and then their means over the
 * rows: otherwise rows of small operations would dominate. A host is the mean of its ranks,
 * regardless of their number. */
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
    100 /* of the mean rank in a row; with fewer, chance dominates a difference */
#define NAME_BYTES (4 * TEAM_HOST_BYTES)

/* ---- data of rows ---- */

static double mean_rate(const struct result *result)
{
    double sum = 0;

    for (uint32_t i = 0; i < result->rank_count; i++) {
        const double rate = columns_rank_rate(&result->ranks[i]);
        sum += rate > 0 ? rate : 0;
    }
    return sum / result->rank_count;
}

void findings_see_ranks(struct findings *f, const struct result *result)
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
}

/* ---- slow hosts and ranks ---- */

static const struct team_member *member_of(const struct findings *f, uint32_t rank)
{
    return &f->info->team->member[rank];
}

static const char *host_name(const struct findings *f, uint32_t rank, char *text)
{
    return error_printable(member_of(f, rank)->host, text, NAME_BYTES);
}

struct extremes { /* slowest and fastest host, by their first ranks, or rank of one host */
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

/* Fastest to slowest; 1: fewer than two. */
static double ratio_of(const struct extremes *extremes)
{
    return extremes->count > 1 && extremes->most > 0 ? extremes->least / extremes->most : 1;
}

struct host_share {
    double sum;
    uint32_t ranks, first;
    struct extremes among; /* its ranks */
};

/* Returns those of hosts; *ranks: those within the host whose ranks differ most. */
static struct extremes find_extremes(const struct findings *f, struct extremes *ranks)
{
    struct host_share *hosts = mem_calloc(f->info->team->host_count, sizeof(*hosts));
    struct extremes between = {.count = 0};

    *ranks = (struct extremes){.count = 0};
    for (uint32_t rank = 0; rank < f->rank_count; rank++) {
        struct host_share *host = &hosts[member_of(f, rank)->host_index];
        if (host->ranks++ == 0)
            host->first = rank;
        host->sum += f->ranks[rank].share;
        add_share(&host->among, rank, f->ranks[rank].share);
    }
    for (uint32_t h = 0; h < f->info->team->host_count; h++) {
        if (hosts[h].ranks == 0)
            continue;
        add_share(&between, hosts[h].first, hosts[h].sum / hosts[h].ranks);
        if (ratio_of(&hosts[h].among) < ratio_of(ranks))
            *ranks = hosts[h].among;
    }
    free(hosts);
    return between;
}

/* Reports a slow host or, if hosts are alike, a slow rank within its host. */
FILL(slow)
{
    struct extremes hosts, ranks;
    char name[NAME_BYTES], other[NAME_BYTES];
    bool by_host;

    if (f->rank_rows == 0)
        return false;
    hosts = find_extremes(f, &ranks);
    by_host = ratio_of(&hosts) * SLOW_RATIO < 1;
    text_copy(terms[2], TERM_TEXT, by_host ? "per rank, in one row" : "in one row");
    if (f->rank_rows > 1)
        snprintf(terms[2], TERM_TEXT, "%smean of %zu rows", by_host ? "per rank, " : "",
                 f->rank_rows);
    host_name(f, by_host ? hosts.slow : ranks.slow, name);
    if (by_host) {
        snprintf(terms[0], TERM_TEXT, "%.60s", name);
        snprintf(terms[1], TERM_TEXT, "%.0f %% of the rate of %.60s", 100 * ratio_of(&hosts),
                 host_name(f, hosts.fast, other));
        snprintf(terms[3], TERM_TEXT, "run iosweep on %.60s alone to find the cause", name);
        return true;
    }
    snprintf(terms[0], TERM_TEXT, "on %.60s, rank %" PRIu32, name, ranks.slow);
    snprintf(terms[1], TERM_TEXT, "%.0f %% of the rate of rank %" PRIu32, 100 * ratio_of(&ranks),
             ranks.fast);
    text_copy(terms[3], TERM_TEXT,
              "use fewer ranks per host, or bind each rank to its own processors");
    return ratio_of(&ranks) * SLOW_RATIO < 1;
}

/* If all failures occurred on one of several hosts: " (all on nas3)"; otherwise "". */
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

const struct rule findings_of_team[] = {{.weight = 950,
                                         .serious = true,
                                         .warning = true,
                                         .fill = fill_slow,
                                         .sentence = "{1} reaches {2} ({3}); {4}"},
                                        {.sentence = NULL}};
