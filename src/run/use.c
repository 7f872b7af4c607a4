/* SPDX-License-Identifier: GPL-2.0-or-later */
/* use.c - see use.h.  One look before and one after each part: the rows of a part are measured in
 * turns, and what others do meanwhile hits all of them alike. */
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

void use_free(struct use_watch *watch)
{
    processors_free(&watch->before);
    processors_free(&watch->after);
}
