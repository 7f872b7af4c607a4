/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team.c - a team of one rank, with nothing to wait for or to move; and computations of teams about
 * hosts, clocks and waits. */
#include "base/compat.h"

#include "run/team.h"

#include <string.h>

#include "base/clock.h"

#define PAUSE_SHARE    8u
#define PAUSE_LEAST_NS UINT64_C(20000)
#define PAUSE_MOST_NS  UINT64_C(4000000)

static int start(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns)
{
    (void)team;
    *at_ns = ready ? clock_now(&clock_monotonic) + in_ns : 0;
    return 0;
}

static int broadcast(struct team *team, void *data, size_t bytes)
{
    (void)team;
    (void)data;
    (void)bytes;
    return 0;
}

static int gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    (void)team;
    memcpy(all, mine, bytes);
    return 0;
}

static int add(struct team *team, uint64_t *values, size_t count)
{
    (void)team;
    (void)values;
    (void)count;
    return 0;
}

static int synchronise(struct team *team)
{
    (void)team;
    return 0;
}

static void beat(struct team *team)
{
    (void)team;
}

static bool lost(const struct team *team, struct team_loss *loss)
{
    (void)team;
    (void)loss;
    return false;
}

static void leave(struct team *team, enum status status)
{
    (void)team;
    (void)status;
}

struct team *team_alone(void)
{
    static const struct team_member self = {.host = ""};
    static struct team alone = {.name = "alone",
                                .size = 1,
                                .host_count = 1,
                                .member = &self,
                                .start = start,
                                .broadcast = broadcast,
                                .gather = gather,
                                .add = add,
                                .synchronise = synchronise,
                                .beat = beat,
                                .lost = lost,
                                .leave = leave};

    return &alone;
}

uint32_t team_number_hosts(struct team_member *member, uint32_t size)
{
    uint32_t hosts = 0;

    for (uint32_t rank = 0; rank < size; rank++) {
        uint32_t first = 0;

        while (strcmp(member[first].host, member[rank].host) != 0)
            first++;
        member[rank].host_index = first == rank ? hosts++ : member[first].host_index;
    }
    return hosts;
}

uint64_t team_pause_ns(uint64_t waited_ns)
{
    const uint64_t share = waited_ns / PAUSE_SHARE;

    if (share < PAUSE_LEAST_NS)
        return PAUSE_LEAST_NS;
    return share < PAUSE_MOST_NS ? share : PAUSE_MOST_NS;
}

uint64_t team_pauses_ns(uint64_t waited_ns, uint32_t size)
{
    uint64_t ns = 0;

    for (uint64_t reached = 1; reached < size; reached *= 2)
        ns += team_pause_ns(waited_ns);
    return ns;
}

void team_clock_asked(struct team_member *member, uint64_t before_ns, uint64_t stamp_ns,
                      uint64_t after_ns)
{
    const uint64_t rtt_ns = after_ns > before_ns ? after_ns - before_ns : 1;

    if (member->rtt_ns && member->rtt_ns <= rtt_ns)
        return;
    member->rtt_ns = rtt_ns;
    member->offset_ns = (int64_t)(stamp_ns - (before_ns + rtt_ns / 2));
    member->offset_error_ns = rtt_ns - rtt_ns / 2;
}
