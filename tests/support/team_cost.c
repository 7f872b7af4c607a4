/* SPDX-License-Identifier: GPL-2.0-or-later */
/* team_cost.c - see team_cost.h for the models and their sources. */
#include "base/compat.h"

#include "support/team_cost.h"

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
    uint64_t sleep_ns;

    if (!cost->sleep_least_ns)
        return wait_ns;
    sleep_ns = wait_ns / cost->sleep_share;
    if (sleep_ns > cost->sleep_most_ns)
        sleep_ns = cost->sleep_most_ns;
    return wait_ns + (sleep_ns > cost->sleep_least_ns ? sleep_ns : cost->sleep_least_ns);
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

/* One piece after the other; the first has to come all the way, the others are behind it. */
static uint64_t flat_ns(const struct team_cost *cost, uint64_t others, uint64_t rtt_ns,
                        uint64_t bytes)
{
    const uint64_t most = cost->piece_bytes ? cost->piece_bytes : bytes;
    uint64_t ns = 0, way_ns = rtt_ns / 2;

    for (uint64_t at = 0; at < bytes; at += most, way_ns = 0) {
        const uint64_t piece = bytes - at < most ? bytes - at : most;
        ns += noticed_ns(cost,
                         way_ns + others * (cost->overhead_ns + times_ns(piece, cost->byte_ns)));
    }
    return ns;
}

uint64_t team_cost_gather_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                             uint64_t bytes)
{
    const uint64_t others = size - 1;

    if (!others)
        return 0;
    switch (cost->gather) {
    case TEAM_GATHER_FLAT:
        return flat_ns(cost, others, rtt_ns, bytes);
    case TEAM_GATHER_TREE:
        return team_cost_depth(size) * noticed_ns(cost, rtt_ns / 2) +
               times_ns(others * bytes, cost->byte_ns);
    case TEAM_GATHER_MERGE:
    default:
        return team_cost_add_ns(cost, size, rtt_ns, bytes);
    }
}

uint64_t team_cost_clocks_ns(const struct team_cost *cost, uint32_t size, uint64_t rtt_ns,
                             uint64_t rtt_sum_ns)
{
    const uint64_t others = size - 1;

    if (!others)
        return 0;
    if (!cost->ping_all)
        return cost->pings * rtt_sum_ns;
    return cost->pings * (rtt_ns + others * 2 * cost->overhead_ns);
}
