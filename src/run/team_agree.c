/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_agree.c - all ranks continue, or none does, and rank 0 reports why. */
#include "base/compat.h"

#include "run/team_work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"

#define NAMED_MOST 3u /* maximum of ranks named for the same error */

int team_explain(struct team *team, int code, struct error *err)
{
    struct team_loss loss;
    char who[160];

    if (code != -EPIPE || !team->lost(team, &loss)) {
        if (code == -EINTR) /* a signal, which is not an error */
            return -1;
        return error_set(err, STATUS_PARTIAL, -code, "the ranks of the team cannot be reached",
                         NULL);
    }
    team->told = team->rank != 0 && loss.rank != 0;
    snprintf(who, sizeof(who), "%u (%s)", loss.rank, loss.host);
    error_set(err, STATUS_PARTIAL, 0, "the team has lost rank", who);
    return error_explain(err, "%s", loss.why);
}

static bool same(const struct error *a, const struct error *b)
{
    char one[1024], other[1024];

    if (!error_is_set(a) || !error_is_set(b))
        return false;
    return strcmp(error_format(a, one, sizeof(one)), error_format(b, other, sizeof(other))) == 0;
}

/* Lists all ranks with the same error as that one: "rank 2 (nas3)", "ranks 1 (nas2), 2 (nas3)". */
static void name_ranks(const struct team *team, const struct error *all, uint32_t rank, char *text,
                       size_t room)
{
    uint32_t count = 0, named = 0;

    text[0] = '\0';
    for (uint32_t r = rank; r < team->size; r++) {
        if (!same(&all[r], &all[rank]))
            continue;
        if (count++ < NAMED_MOST) {
            text_add(text, room, named++ ? ", " : "", "%u (%s)", r, team->member[r].host);
        }
    }
    if (count > NAMED_MOST)
        text_add(text, room, " ", "and %u more", count - NAMED_MOST);
}

/* Counts those of the first ranks with the same error as that one. */
static uint32_t saying(const struct error *all, uint32_t count, uint32_t rank)
{
    uint32_t same_ones = 0;

    for (uint32_t r = 0; r < count; r++)
        same_ones += same(&all[r], &all[rank]);
    return same_ones;
}

/* On rank 0: the first error becomes that of the run, others are printed. */
static void judge(const struct team *team, const struct error *all, struct error *err)
{
    *err = ERROR_INIT;
    for (uint32_t r = 0; r < team->size; r++) {
        struct error own = all[r];
        char who[200];

        if (!error_is_set(&own) || saying(all, r, r))
            continue;
        if (saying(all, team->size, r) < team->size) { /* otherwise as without a team */
            name_ranks(team, all, r, who, sizeof(who));
            snprintf(own.action, sizeof(own.action), "%s %.60s: %.80s",
                     saying(all, team->size, r) > 1 ? "ranks" : "rank", who, all[r].action);
        }
        if (!error_is_set(err)) {
            *err = own;
        } else {
            char line[1400];
            log_error("%s", error_format(&own, line, sizeof(line)));
        }
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
        judge(team, all, err);
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
