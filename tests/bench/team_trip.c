/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_trip.c - what the steps of a slice take on real ranks, for the table of doc/teams.md:
 *     make bench-team-mpi RANKS='1 2 4 8'
 * Each slice is an order, a start and a gather of what iosweep has of each; in between the ranks
 * sleep for 20 ms.  Rank 0 prints a row of CSV: medians of SLICES slices, in us, and its memory. */
#include "base/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/stats.h"
#include "run/slice_sum.h"
#include "run/team.h"
#include "run/team_work.h"

#define SLICES   200u
#define SLICE_NS UINT64_C(20000000)
#define IN_NS    UINT64_C(1000000)
#define BYTES    (sizeof(struct team_report) + SLICE_SUM_HEAD_BYTES)

enum step { STEP_ORDER, STEP_START, STEP_GATHER, STEPS };

static double took_us[STEPS][SLICES];

static double us_since(uint64_t ns)
{
    return (double)(clock_monotonic_ns() - ns) / 1000;
}

/* Returns 0, or what a hook has returned. */
static int slice(struct team *team, unsigned number, const char *mine, char *all)
{
    struct team_order order = {.kind = ORDER_SLICE};
    uint64_t at_ns = 0, before_ns = clock_monotonic_ns();
    uint64_t end_ns;
    int code = team->broadcast(team, &order, sizeof(order));

    took_us[STEP_ORDER][number] = us_since(before_ns);
    before_ns = clock_monotonic_ns();
    if (code == 0)
        code = team->start(team, true, IN_NS, &at_ns);
    took_us[STEP_START][number] = us_since(before_ns);
    if (code)
        return code;
    end_ns = at_ns + SLICE_NS;
    while ((before_ns = clock_monotonic_ns()) < end_ns)
        clock_rest(end_ns - before_ns);
    before_ns = clock_monotonic_ns();
    code = team->gather(team, mine, BYTES, all);
    took_us[STEP_GATHER][number] = us_since(before_ns);
    return code;
}

static void print(const struct team *team, double clocks_us)
{
    struct rusage used;
    uint64_t rtt_ns = 0;

    for (uint32_t r = 1; r < team->size; r++)
        if (team->member[r].rtt_ns > rtt_ns)
            rtt_ns = team->member[r].rtt_ns;
    getrusage(RUSAGE_SELF, &used);
    printf("ranks,rtt_us,order_us,start_us,gather_us,clocks_us,memory_kib\n"
           "%u,%.1f,%.0f,%.0f,%.0f,%.0f,%ld\n",
           team->size, (double)rtt_ns / 1000, stats_median_of(took_us[STEP_ORDER], SLICES),
           stats_median_of(took_us[STEP_START], SLICES),
           stats_median_of(took_us[STEP_GATHER], SLICES), clocks_us, used.ru_maxrss);
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    struct team *team = team_join(&argc, &argv, &err);
    char *mine = mem_calloc(1, BYTES), *all;
    uint64_t before_ns;
    int code = 0;

    if (!team) {
        fprintf(stderr, "team_trip: %s\n", err.action);
        return 1;
    }
    all = mem_calloc(team->size, BYTES);
    for (unsigned i = 0; i < SLICES && code == 0; i++)
        code = slice(team, i, mine, all);
    before_ns = clock_monotonic_ns();
    if (code == 0)
        code = team->synchronise(team);
    if (code == 0 && team->rank == 0)
        print(team, us_since(before_ns));
    team->leave(team, code ? STATUS_PARTIAL : STATUS_OK);
    free(mine);
    free(all);
    return code ? 1 : 0;
}
