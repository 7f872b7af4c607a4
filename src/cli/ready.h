/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ready.h - the stages of a sweep around measuring: checks, opens and fills the targets, decides
 * what is swept (without tests that no target allows, in sizes that exist), prints --dry-run, and
 * reports the outcome at the end. */
#ifndef CLI_READY_H
#define CLI_READY_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/options.h"
#include "cli/targets.h"
#include "report/facts/facts.h"
#include "run/plan.h"
#include "run/sweep.h"
#include "storage/storage.h"

struct ready_target {
    struct target_request request;
    char run_name[TARGET_RUN_NAME_MAX + 1];
    struct target_request next_request; /* --share shift: used by ready_join */
    char next_name[TARGET_RUN_NAME_MAX + 1];
};

struct ready {
    const struct request *request;
    struct team *team;               /* of one or more ranks */
    const struct settings *settings; /* of the request */
    struct plan_known known;
    struct units_list sizes; /* measured by any part */
    struct ready_target *each;
    struct target **targets; /* NULL: not open */
    unsigned target_count;
    uint64_t end_ns;    /* --max-time: latest end of measuring (clock_monotonic); 0: no limit */
    bool removed, left; /* what became of this run's objects */
    bool apart;         /* not all ranks reached the end: they may have left objects */
    bool refused;       /* a target could not remove them; already reported */
    bool looked;        /* all ranks have examined all targets: see ready_look */
    bool opened;        /* all ranks have opened what they create */
    bool announced;     /* the announcement of what is measured was printed */
};

/* Stores the name of a run of a target, from that given by the user or a random one. */
void ready_name_run(const struct ready *ready, unsigned target, enum targets_run run,
                    char name[TARGET_RUN_NAME_MAX + 1]);

/* Refuses what is known to fail before anything is opened. Call ready_close in either case, as
 * after ready_open. Returns 0 or -1. */
int ready_check(struct ready *ready, const struct request *request, struct team *team,
                struct error *err);

/* Examines all targets before anything is created in any of them: the last one may be mistyped.
 * Returns 0 or -1. */
int ready_look(struct ready *ready, struct error *err);

/* Creates and fills the objects of this rank, and opens existing ones. Returns 0, or -1 with err,
 * which is not set if a signal ended it. */
int ready_open(struct ready *ready, struct facts *facts, struct error *err);

/* Opens what other ranks of the team have created, once all are ready; then decides what is swept,
 * and reads the facts about targets and machine, for a dry run only those of targets that it
 * examines. Returns 0 or -1. */
int ready_join(struct ready *ready, struct facts *facts, struct error *err);

/* Collective: adds up the counters of all ranks on rank 0, which reports them. Returns 0, or a
 * -errno of the team. */
int ready_add_counters(const struct ready *ready);

/* Prints the drivers' summaries of the sweep or dry run. */
void ready_summarise(const struct ready *ready);

/* Closes what ready_join opened: once all ranks have, its creator can remove it. */
void ready_leave(struct ready *ready, struct error *err);

/* Removes what this run created, unless it is kept. status: how the sweep ended; a failed removal
 * does not hide it. */
void ready_close(struct ready *ready, enum status status, struct error *err);

/* On rank 0, after all others have left their targets, or (met: false) some may be gone: prints how
 * to remove the kept runs of all ranks, or what a lost rank may have left. */
void ready_tell_left(struct ready *ready, bool met);

/* --- dryrun.c --- */

/* Prints --dry-run on standard output: files, bytes, rows and time of a plan. Returns STATUS_OK, or
 * another status with err filled. */
enum status dryrun_print(const struct ready *ready, const struct plan *plan, struct error *err);

/* Prints one sentence on stderr before a run: what it measures, where, what it writes there and how
 * long it takes. */
void dryrun_announce(const struct settings *settings, struct target *const *targets,
                     const struct plan *plan);

/* --- ending.c --- */

/* The status of a completed sweep; reports what failed, was wrong or was left out. */
enum status ending_of(const struct sweep_outcome *outcome, const struct ready *ready);

/* The status of the whole run, after everything is closed; leaves in err only what is still to be
 * reported. */
enum status ending_status(enum status status, const struct ready *ready, struct error *err);

#endif
