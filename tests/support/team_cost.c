/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_cost.c - see team_cost.h for the models and their sources. */
#include "base/compat.h"

#include "support/team_cost.h"

#include "run/team.h"

unsigned team_cost_depth(uint32_t size)
{
    unsigned depth = 0;

    while (((uint64_t)1 << depth) < size)
        depth++;
    return depth;
}

/* A wait, and until it is noticed that it is over. */
static uint64_t noticed_ns(const struct team_cost *cost, uint64_t wait_ns)
{
    return wait_ns + (cost->sleeps ? team_pause_ns(wait_ns) : 0);
}

static uint64_t times_ns(uint64_t bytes, double byte_ns)
{
    return (uint64_t)((double)bytes * byte_ns);
}

uint64_t team_cost_broadcast_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                                uint64_t bytes)
{
    return team_cost_depth(size) * noticed_ns(cost, rtt_ns / 2 + times_ns(bytes, cost->byte_ns));
}

uint64_t team_cost_add_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                          uint64_t bytes)
{
    return team_cost_depth(size) *
           noticed_ns(cost, rtt_ns / 2 + times_ns(bytes, cost->byte_ns + cost->add_byte_ns));
}

uint64_t team_cost_gather_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                             uint64_t bytes)
{
    const uint64_t others = size - 1;

    if (!others)
        return 0;
    switch (cost->gather) {
    case TEAM_GATHER_FLAT:
        return noticed_ns(cost, rtt_ns / 2 +
                                    others * (cost->overhead_ns + times_ns(bytes, cost->byte_ns)));
    case TEAM_GATHER_TREE:
        return team_cost_depth(size) * noticed_ns(cost, rtt_ns / 2) +
               times_ns(others * bytes, cost->byte_ns);
    case TEAM_GATHER_MERGE:
    default:
        return team_cost_add_ns(cost, size, rtt_ns, bytes);
    }
}

uint64_t team_cost_clocks_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns)
{
    return (size - 1) * cost->exchanges * (rtt_ns + 2 * cost->overhead_ns);
}
