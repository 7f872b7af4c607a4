/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team.c - all ranks of a team continue, or none does, and rank 0 reports why; and computations on
 * hosts, clocks and waits. */
#include "base/compat.h"

#include "run/team.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"

#define PAUSE_SHARE    8u
#define PAUSE_LEAST_NS UINT64_C(20000)
#define PAUSE_MOST_NS  UINT64_C(4000000)
#define NAMED_MOST     3u /* maximum of ranks named for the same error */

struct team *team_alone(void)
{
    static const struct team_member self = {.host = ""};
    static struct team alone = {.name = "alone", .size = 1, .host_count = 1, .member = &self};

    return &alone;
}

/* --- agreement --- */

int team_explain(struct team *team, int code, struct error *err)
{
    const struct team_loss *loss = &team->loss;
    char who[160];

    if (code != -EPIPE || !team->lost) {
        if (code == -EINTR) /* a signal, which is not an error */
            return -1;
        return error_set(err, STATUS_PARTIAL, -code, "the ranks of the team cannot be reached",
                         NULL);
    }
    team->told = team->rank != 0 && loss->rank != 0;
    snprintf(who, sizeof(who), "%u (%s)", loss->rank, loss->host);
    error_set(err, STATUS_PARTIAL, 0, "the team has lost rank", who);
    return error_explain(err, "%s", loss->why);
}

static bool is_same_error(const struct error *a, const struct error *b)
{
    return a->errnum == b->errnum && strcmp(a->action, b->action) == 0 &&
           strcmp(a->object, b->object) == 0 && strcmp(a->reason, b->reason) == 0 &&
           strcmp(a->advice, b->advice) == 0;
}

/* On rank 0: the first error becomes that of the run, others are printed; each once, with the ranks
 * that report it unless all do: "rank 2 (nas3): ...", "ranks 1 (nas2), 2 (nas3): ...". */
static void judge_errors(const struct team *team, const struct error *all, struct error *err)
{
    *err = ERROR_INIT;
    for (uint32_t r = 0; r < team->size; r++) {
        struct error own = all[r];
        char who[200] = "", line[1400];
        uint32_t first = 0, count = 0;

        while (!is_same_error(&all[first], &own))
            first++;
        if (!error_is_set(&own) || first < r)
            continue;
        for (uint32_t other = r; other < team->size; other++)
            if (is_same_error(&all[other], &own) && count++ < NAMED_MOST)
                text_add(who, sizeof(who), ", ", "%u (%s)", other, team->member[other].host);
        if (count > NAMED_MOST)
            text_add(who, sizeof(who), " ", "and %u more", count - NAMED_MOST);
        if (count < team->size)
            snprintf(own.action, sizeof(own.action), "%s %.60s: %.80s",
                     count > 1 ? "ranks" : "rank", who, all[r].action);
        if (!error_is_set(err))
            *err = own;
        else
            log_error("%s", error_format(&own, line, sizeof(line)));
    }
}

int team_agree(struct team *team, struct error *err)
{
    const struct error mine = *err;
    struct error *all = NULL;
    int32_t verdict = STATUS_OK;
    int code;

    if (team->size == 1)
        return error_is_set(err) ? -1 : 0;
    if (team->rank == 0)
        all = mem_calloc(team->size, sizeof(*all));
    code = team->gather(team, &mine, sizeof(mine), all);
    if (code == 0 && team->rank == 0) {
        judge_errors(team, all, err);
        verdict = (int32_t)err->status;
    }
    free(all);
    if (code == 0)
        code = team->broadcast(team, &verdict, sizeof(verdict));
    if (code < 0)
        return error_is_set(err) ? -1 : team_explain(team, code, err);
    if (verdict == STATUS_OK)
        return 0;
    if (team->rank != 0) {
        team->told = true;
        *err = ERROR_INIT;
        error_set(err, (enum status)verdict, 0, "the team cannot go on", NULL);
    }
    return -1;
}

/* --- computations --- */

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
