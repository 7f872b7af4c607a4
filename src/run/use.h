/* SPDX-License-Identifier: GPL-2.0-or-later */
/* use.h - what the processors did while rows were measured, without what lay between. */
#ifndef RUN_USE_H
#define RUN_USE_H

#include "os/processors.h"

struct team;

/* Less processor time than this is too little to judge a part by. */
#define USE_PART_NS INT64_C(500000000)

struct run_use {
    struct processor_shares shares;
    double others_most; /* of a part, whose rows were measured in turns; at least those of all */
};

struct use_watch { /* zeroed at first */
    struct processors before, after;
    struct processors_sum all;
    double others_most;
};

/* A part begins, and has ended. */
void use_begin(struct use_watch *watch);
void use_end(struct use_watch *watch);
void use_share(const struct use_watch *watch, struct run_use *use);

/* Collective, after use_share: what the other ranks on the host of rank 0 used is no use by other
 * programs there, but by the run.  0, or a -errno of the team. */
int use_gather(struct team *team, struct run_use *use);
void use_free(struct use_watch *watch);

#endif
