/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_fixture.h - a team of 4 ranks on 2 hosts, and their results in a row: nas2 achieves half as
 * much as nas1. Rows: 6000 operations in 1 s, 2000 + 2000 + 1000 + 1000, in 50 slices. */
#ifndef TESTS_TEAM_FIXTURE_H
#define TESTS_TEAM_FIXTURE_H

#include "run/cell.h"
#include "run/team.h"

#define TEAM_FIXTURE_RANKS 4u
#define TEAM_FIXTURE_HOSTS 2u

static const struct team_member team_fixture_members[TEAM_FIXTURE_RANKS] = {
    {.host = "nas1", .host_index = 0},
    {.host = "nas1", .host_index = 0, .rtt_ns = 2000, .offset_ns = -3, .offset_error_ns = 1000},
    {.host = "nas2",
     .host_index = 1,
     .rtt_ns = 60000,
     .offset_ns = -7000000,
     .offset_error_ns = 30000},
    {.host = "nas2",
     .host_index = 1,
     .rtt_ns = 80000,
     .offset_ns = -7000100,
     .offset_error_ns = 40000},
};

static const struct team team_fixture = {
    .name = "fixture",
    .size = TEAM_FIXTURE_RANKS,
    .host_count = TEAM_FIXTURE_HOSTS,
    .member = team_fixture_members,
};

static const struct result_rank team_fixture_ranks[TEAM_FIXTURE_RANKS] = {
    {.operations = 2000,
     .time_ns = 1000000000,
     .latency_ns_sum = 1000000000,
     .latency_ns_max = 900000,
     .late_ns_sum = 50000},
    {.operations = 2000,
     .time_ns = 800000000,
     .latency_ns_sum = 800000000,
     .latency_ns_max = 700000,
     .late_ns_sum = 100000},
    {.operations = 1000,
     .failed = 3,
     .time_ns = 1000000000,
     .latency_ns_sum = 1000000000,
     .latency_ns_max = 2500000,
     .late_ns_sum = 1000000},
    {.operations = 1000,
     .time_ns = 1000000000,
     .latency_ns_sum = 999999000,
     .latency_ns_max = 1800000,
     .late_ns_sum = 1500000},
};

/* Fills in the sum over ranks and what belongs to it. ranks: room for all. The rows' cells must
 * have TEAM_FIXTURE_RANKS - 1 peers. */
static inline void team_fixture_fill(struct result *result, struct result_rank *ranks)
{
    for (uint32_t i = 0; i < TEAM_FIXTURE_RANKS; i++)
        ranks[i] = team_fixture_ranks[i];
    result->ranks = ranks;
    result->rank_count = TEAM_FIXTURE_RANKS;
    result->rank_skew_ns_p99 = 41000;
    result->rank_common_fraction = 0.99;
    result->sum.tally.operations = 6000;
    result->sum.tally.failed = 3;
    result->sum.time_ns = 1000000000;
    result->sum.slices = 50;
}

#endif
