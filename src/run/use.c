/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* use.c - see use.h. Reads usage before and after each part: the rows of a part are measured in
 * turns, and other load affects all of them alike. */
#include "base/compat.h"

#include "run/use.h"

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

void use_add_ranks(const struct use_watch *watch, uint64_t cpu_ns, struct run_use *use)
{
    const double share = watch->all.all_ns > 0 ? (double)cpu_ns / (double)watch->all.all_ns : 0;

    if (use->shares.count == 0)
        return;
    use->shares.own += share;
    use->shares.others = less(use->shares.others, share);
    use->others_most = less(use->others_most, share);
}

void use_free(struct use_watch *watch)
{
    processors_free(&watch->before);
    processors_free(&watch->after);
}
