/* SPDX-License-Identifier: GPL-2.0-or-later */
/* use.c - see use.h.  One look before and one after each part: the rows of a part are measured in
 * turns, and what others do meanwhile hits all of them alike. */
#include "base/compat.h"

#include "run/use.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/team.h"

void use_begin(struct use_watch *watch)
{
    processors_look("", &watch->before);
}

void use_end(struct use_watch *watch)
{
    struct processors_sum part = {.count = 0};
    struct processor_shares shares;

    processors_look("", &watch->after);
    processors_add(&watch->all, &watch->before, &watch->after);
    processors_add(&part, &watch->before, &watch->after);
    processors_share(&part, &shares);
    if (part.all_ns >= USE_PART_NS && shares.others > watch->others_most)
        watch->others_most = shares.others;
}

void use_share(const struct use_watch *watch, struct run_use *use)
{
    processors_share(&watch->all, &use->shares);
    use->others_most =
        use->shares.others > watch->others_most ? use->shares.others : watch->others_most;
}

static double less(double share, double taken)
{
    return share > taken ? share - taken : 0;
}

int use_gather(struct team *team, struct run_use *use)
{
    const double own = use->shares.count > 0 ? use->shares.own : 0;
    double *all = team->rank == 0 ? mem_calloc(team->size, sizeof(*all)) : NULL, beside = 0;
    int code = 0;

    if (team->size > 1)
        code = team->gather(team, &own, sizeof(own), all);
    for (uint32_t rank = 1; code == 0 && all && rank < team->size; rank++)
        if (team->member[rank].host_index == team->member[0].host_index)
            beside += all[rank];
    free(all);
    if (use->shares.count == 0 || beside <= 0)
        return code;
    use->shares.own += beside;
    use->shares.others = less(use->shares.others, beside);
    use->others_most = less(use->others_most, beside);
    return code;
}

void use_free(struct use_watch *watch)
{
    processors_free(&watch->before);
    processors_free(&watch->after);
}
