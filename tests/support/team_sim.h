/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_sim.h - a whole sweep (sweep_run) of a team on a clock that nobody waits for.  Rank 0 is the
 * real one, with the scripted engine of unit/fake.h; what the other ranks of the scripted team
 * report is computed from how long their operations take, which is known.  So what comes out can be
 * compared with what is true.
 *
 * One at a time in a process, as the scripted engine.  Each rank has one thread, and one operation
 * in flight; reads only. */
#ifndef TESTS_SUPPORT_TEAM_SIM_H
#define TESTS_SUPPORT_TEAM_SIM_H

#include "run/plan.h"
#include "run/sweep.h"
#include "run/team_work.h"
#include "support/team_scripted.h"
#include "unit/fake.h"

/* What a rank has to say when something is wrong with it: in the slice (counted from 1, those of
 * all rows together, the first ones that only calibrate too) ... */
struct team_sim_trouble {
    uint32_t rank;
    unsigned slice;  /* 0: never */
    uint64_t failed; /* ... so many operations fail, or */
    /* ... it cannot begin, for this reason, and the others do not either; NULL: it can */
    const char *unready;
    int signum; /* it has got this signal, and says so; 0: none */
};

struct team_sim {
    /* To be set after team_sim_init. */
    struct team_script script; /* but for its clock, its callbacks and what it has seen */
    struct settings settings;
    const double *op_ns; /* an operation of each rank takes so long ... */
    /* ... times this in a slice: called for each rank of each slice in their order; NULL: 1 */
    double (*noise)(void *arg, uint32_t rank);
    void *noise_arg;
    struct team_sim_trouble trouble;
    /* MAY be NULL: is given each row as sinks are. */
    void (*row)(void *arg, const struct result *result);
    void *row_arg;

    /* What came of it. */
    struct sweep_outcome outcome;
    struct error err;
    struct team_scripted_seen seen;
    unsigned slices;

    /* Private. */
    struct plan plan;
    double *slice_op_ns; /* of each rank, in the slice under way */
    uint64_t begun_ns;   /* the moment of that slice; 0: none */
    struct team_order order;
    struct team_scripted_event *events; /* those of the test, and one for what is in trouble */
    uint64_t *kept;                     /* operations of each cell and rank that are in its row */
};

/* `size` ranks whose operations take op_ns each, 100 us away; rows of one size, by default one. */
void team_sim_init(struct team_sim *sim, uint32_t size, const double *op_ns);

/* Plans and runs the sweep.  Returns what sweep_run does. */
int team_sim_run(struct team_sim *sim);

#endif
