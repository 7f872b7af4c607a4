/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_scripted.c - see team_scripted.h. */
#include "base/compat.h"

#include "support/team_scripted.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/mem.h"
#include "base/text.h"
#include "run/team.h"

#define STOP_WAIT_NS NS_PER_S /* see team.h: so long the others have, once rank 0 is to stop */
#define READY_BYTES  1u       /* what `start` gathers of each */
#define ASK_TRIPS    17u      /* with each rank, one after the other, when clocks are asked for */

struct scripted {
    struct team team; /* first: the hooks get a pointer to it */
    const struct team_script *script;
    struct team_member *member;
    uint64_t made_ns;         /* when the offsets of the script held */
    uint64_t rtt_ns;          /* the longest */
    uint64_t at_ns, heard_ns; /* of the last start, by the clock of rank 0 */
    void *order;
    size_t order_bytes, order_room;
};

static const struct team_scripted_rank *rank_of(const struct scripted *own, uint32_t rank)
{
    return own->script->ranks ? &own->script->ranks[rank] : &own->script->usual;
}

static uint64_t now(const struct scripted *own)
{
    return *own->script->now_ns;
}

/* Its clock less that of rank 0. */
static int64_t true_offset_ns(const struct scripted *own, uint32_t rank, uint64_t at_ns)
{
    const struct team_scripted_rank *of = rank_of(own, rank);

    return of->offset_ns + of->drift_ppb * (int64_t)((at_ns - own->made_ns) / 1000) / 1000000;
}

static void exchange_clocks(struct scripted *own)
{
    for (uint32_t r = 1; r < own->team.size; r++) {
        const struct team_scripted_rank *of = rank_of(own, r);

        own->member[r].rtt_ns = of->rtt_ns;
        own->member[r].offset_ns = true_offset_ns(own, r, now(own)) + of->offset_wrong_ns;
        own->member[r].offset_error_ns = of->rtt_ns / 2;
    }
}

/* --- what goes wrong ------------------------------------------------------------------------ */

static int lose(struct scripted *own, uint32_t rank, const char *why)
{
    if (!own->team.lost) {
        own->team.lost = true;
        own->team.loss.rank = rank;
        text_copy(own->team.loss.host, sizeof(own->team.loss.host), own->member[rank].host);
        text_copy(own->team.loss.why, sizeof(own->team.loss.why), why);
    }
    return -EPIPE;
}

/* A rank comes that much later, or not at all. */
static int wait_for(struct scripted *own, uint32_t rank, uint64_t hangs_ns)
{
    const bool stopped = own->team.stop && flag_read(own->team.stop);
    const uint64_t most_ns = stopped ? STOP_WAIT_NS : own->team.patience_ns;
    char why[64];

    if (hangs_ns <= most_ns) {
        *own->script->now_ns += hangs_ns;
        return 0;
    }
    *own->script->now_ns += most_ns;
    if (stopped)
        return -EINTR;
    snprintf(why, sizeof(why), "has not answered for %g s", (double)most_ns / 1e9);
    return lose(own, rank, why);
}

static int play(struct scripted *own, const struct team_scripted_event *event, bool *ready)
{
    switch (event->what) {
    case TEAM_DIES:
        return lose(own, event->rank, event->words ? event->words : "has ended");
    case TEAM_HANGS:
        return wait_for(own, event->rank, event->hangs_ns);
    case TEAM_NOT_READY:
        if (ready)
            *ready = false;
        return 0;
    case TEAM_STOPS:
    default:
        flag_set(own->script->stop, 2);
        return 0;
    }
}

/* Every collective begins here.  *ready becomes false where a rank is not. */
static int enter(struct scripted *own, enum team_call call, size_t bytes, bool *ready)
{
    struct team_scripted_seen *seen = own->script->seen;
    int code = 0;

    if (own->team.lost)
        return -EPIPE;
    seen->calls[call]++;
    seen->calls[TEAM_CALL_ANY]++;
    seen->bytes[call] += bytes;
    seen->bytes[TEAM_CALL_ANY] += bytes;
    for (unsigned i = 0; i < own->script->event_count && !code; i++) {
        const struct team_scripted_event *event = &own->script->events[i];
        if ((event->call == TEAM_CALL_ANY || event->call == call) &&
            event->nth == seen->calls[event->call])
            code = play(own, event, ready);
    }
    return code;
}

static void spend(struct scripted *own, uint64_t trips)
{
    *own->script->now_ns += trips * own->rtt_ns;
}

/* --- what simulated ranks know -------------------------------------------------------------- */

static struct team_scripted_heard heard_by(const struct scripted *own, uint32_t rank)
{
    struct team_scripted_heard heard = {.rank = rank,
                                        .order = own->order_bytes ? own->order : NULL,
                                        .order_bytes = own->order_bytes,
                                        .offset_ns = own->member[rank].offset_ns,
                                        .true_offset_ns = true_offset_ns(own, rank, now(own))};
    uint64_t word_ns;

    if (!own->at_ns)
        return heard;
    heard.at_ns = own->at_ns + (uint64_t)heard.offset_ns;
    word_ns = own->heard_ns + (uint64_t)heard.true_offset_ns;
    heard.begin_ns = (heard.at_ns > word_ns ? heard.at_ns : word_ns) + rank_of(own, rank)->late_ns;
    return heard;
}

/* --- the hooks ------------------------------------------------------------------------------ */

static int start(struct team *team, bool ready, uint64_t in_ns, uint64_t *at_ns)
{
    struct scripted *own = (struct scripted *)team;
    const uint64_t before_ns = now(own);
    const int code = enter(own, TEAM_CALL_START, READY_BYTES, &ready);

    *at_ns = own->at_ns = own->script->seen->at_ns = 0;
    if (code)
        return code;
    spend(own, 1);
    if (ready)
        *at_ns = own->at_ns = now(own) + in_ns + team_pause_ns(now(own) - before_ns);
    spend(own, 1);
    own->script->seen->at_ns = own->at_ns;
    own->heard_ns = now(own);
    return 0;
}

static int broadcast(struct team *team, void *data, size_t bytes)
{
    struct scripted *own = (struct scripted *)team;
    const int code = enter(own, TEAM_CALL_BROADCAST, bytes, NULL);

    if (code)
        return code;
    own->order = mem_grow(own->order, &own->order_room, bytes, 1);
    if (bytes)
        memcpy(own->order, data, bytes);
    own->order_bytes = bytes;
    if (own->script->hear)
        own->script->hear(own->script->arg, data, bytes);
    spend(own, 1);
    return 0;
}

static int gather(struct team *team, const void *mine, size_t bytes, void *all)
{
    struct scripted *own = (struct scripted *)team;
    const int code = enter(own, TEAM_CALL_GATHER, bytes, NULL);

    if (code)
        return code;
    if (bytes)
        memcpy(all, mine, bytes);
    for (uint32_t r = 1; r < team->size; r++) {
        const struct team_scripted_heard heard = heard_by(own, r);
        own->script->say(own->script->arg, &heard, (char *)all + r * bytes, bytes);
    }
    spend(own, 1);
    return 0;
}

static int add(struct team *team, uint64_t *values, size_t count)
{
    struct scripted *own = (struct scripted *)team;
    const int code = enter(own, TEAM_CALL_ADD, count * sizeof(*values), NULL);

    if (code)
        return code;
    for (uint32_t r = 1; own->script->add && r < team->size; r++) {
        const struct team_scripted_heard heard = heard_by(own, r);
        own->script->add(own->script->arg, &heard, values, count);
    }
    spend(own, 1);
    return 0;
}

static int synchronise(struct team *team)
{
    struct scripted *own = (struct scripted *)team;
    const int code = enter(own, TEAM_CALL_SYNCHRONISE, 0, NULL);

    if (code)
        return code;
    spend(own, ASK_TRIPS * (team->size - 1));
    exchange_clocks(own);
    return 0;
}

static void beat(struct team *team)
{
    ((struct scripted *)team)->script->seen->beats++;
}

static void leave(struct team *team, enum status status)
{
    struct scripted *own = (struct scripted *)team;

    own->script->seen->left = true;
    own->script->seen->left_with = status;
    free(own->member);
    free(own->order);
    free(own);
}

/* --- making one ----------------------------------------------------------------------------- */

static void make_members(struct scripted *own)
{
    const uint32_t per_host = own->script->ranks_per_host ? own->script->ranks_per_host : 1;

    own->member = mem_calloc(own->team.size, sizeof(*own->member));
    for (uint32_t r = 0; r < own->team.size; r++) {
        own->member[r].host_index = r / per_host;
        snprintf(own->member[r].host, sizeof(own->member[r].host), "host%u", r / per_host);
        if (r == 0)
            continue;
        if (rank_of(own, r)->rtt_ns > own->rtt_ns)
            own->rtt_ns = rank_of(own, r)->rtt_ns;
    }
    own->team.member = own->member;
    own->team.host_count = own->member[own->team.size - 1].host_index + 1;
}

struct team *team_scripted(const struct team_script *script)
{
    struct scripted *own = mem_calloc(1, sizeof(*own));

    own->team = (struct team){.name = "scripted",
                              .size = script->size,
                              .stop = script->stop,
                              .patience_ns = 60 * NS_PER_S,
                              .start = start,
                              .broadcast = broadcast,
                              .gather = gather,
                              .add = add,
                              .synchronise = synchronise,
                              .beat = beat,
                              .leave = leave};
    own->script = script;
    own->made_ns = now(own);
    make_members(own);
    exchange_clocks(own);
    memset(script->seen, 0, sizeof(*script->seen));
    return &own->team;
}
