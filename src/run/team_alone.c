/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_alone.c - a team of one rank: no rank to wait for, nothing to move. */
#include "base/compat.h"

#include "run/team.h"

#include <string.h>

#include "base/clock.h"

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

static void last_words(struct team *team, const char *why)
{
    (void)team;
    (void)why;
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
                                .last_words = last_words,
                                .leave = leave};

    return &alone;
}
