/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ready.h - a sweep from its targets to its status: they are checked, opened and filled, what is
 * swept of them is settled (without tests that no target allows, in sizes of what is there), shown
 * by --dry-run, and told of at the end. */
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
    struct target_request next_request; /* --share shift: see ready_join */
    char next_name[TARGET_RUN_NAME_MAX + 1];
};

struct ready {
    const struct request *request;
    struct team *team;         /* alone or not */
    struct settings *settings; /* of the request; what depends on the targets, ready_join settles */
    struct units_list sizes;   /* that any line measures */
    struct ready_target *each;
    struct target **targets; /* NULL: not open */
    unsigned target_count;
    uint64_t end_ns;    /* --max-time: when measuring has to end (clock_monotonic); 0: any time */
    bool removed, left; /* what this run made, in the end */
    bool apart;         /* not all ranks came to the end: they may have left something */
    bool refused;       /* a target could not be rid of it; said already */
    bool looked;        /* all ranks have looked at all targets: see ready_look, */
    bool opened;        /* and all have opened what they make */
    bool announced;     /* what is going to be measured was said */
};

/* What the run of a target is called, by the user or by lot, the same on all ranks.  settings:
 * those of this rank or of another one. */
void ready_name_run(const struct ready *ready, const struct settings *settings, unsigned target,
                    enum targets_run run, char name[TARGET_RUN_NAME_MAX + 1]);

/* Refuses what can be known to fail before anything is opened.  To be closed in either case, as
 * after ready_open.  Returns 0 or -1. */
int ready_check(struct ready *ready, struct request *request, struct team *team, struct error *err);

/* Looks at all targets before anything is made in any of them: the last one may be a typing error.
 * Returns 0 or -1. */
int ready_look(struct ready *ready, struct error *err);

/* Opens and fills what this rank makes, and what is there already.  0; or -1 with err, which is not
 * set when a signal ended it. */
int ready_open(struct ready *ready, struct facts *facts, struct error *err);

/* Opens what other ranks of the team have made, once all of them are that far; then settles what is
 * swept, and reads the facts about targets and machine, for a dry run only as far as it looks at
 * them.  Returns 0 or -1. */
int ready_join(struct ready *ready, struct facts *facts, struct error *err);

/* On all ranks of a team: what rank 0 says of it then is about all of them.  0, or a -errno of the
 * team. */
int ready_add_counters(const struct ready *ready);

/* What the drivers have to say of the sweep, or of the dry run. */
void ready_summarise(const struct ready *ready);

/* Closes what ready_join has opened: then, once all ranks have,
 * it can be removed by who made it. */
void ready_leave(struct ready *ready, struct error *err);

/* Removes what was made, unless it is kept.  status: how the sweep ended; that something cannot be
 * removed does not hide it. */
void ready_close(struct ready *ready, enum status status, struct error *err);

/* --- ready_team.c: what rank 0 does at the end for runs of other ranks --- */

/* Kept runs of all ranks: says how to remove them. */
void ready_tell_kept(const struct ready *ready);

/* On rank 0, when all others have left their targets, or (met: false) some may be gone: what a rank
 * that is lost has made is removed where it can be seen from here, and so are runs that no process
 * holds; else, and where that fails, the message names the command that removes it. */
void ready_remove_lost(struct ready *ready, bool met);

/* --- dryrun.c --- */

/* What --dry-run prints: files, bytes, rows and time of a plan.  Returns STATUS_OK, or another
 * status with err filled. */
enum status dryrun_print(FILE *stream, const struct ready *ready, const struct plan *plan,
                         struct error *err);

/* dryrun.c: One sentence on stderr before a run: what it measures, where, what it writes there and
 * how long it takes. */
void dryrun_announce(const struct settings *settings, struct target *const *targets,
                     const struct plan *plan);

/* --- ending.c --- */

/* Of a sweep that went through: says what failed, what was wrong and what was left out. */
enum status ending_of(const struct sweep_outcome *outcome, const struct ready *ready);

/* Of the whole run, after everything is closed; err keeps only what is to be told yet. */
enum status ending_status(enum status status, const struct ready *ready, struct error *err);

#endif
