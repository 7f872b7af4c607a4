/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* targets.h - targets as the command line has them: the options of their drivers, and words that
 * mean something for some targets only. */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "base/error.h"
#include "cli/options.h"
#include "run/team.h"
#include "storage/storage.h"

/* What is wanted of a target, as far as the command line says it. */
struct target_request targets_request(const struct settings *settings, unsigned target);

/* How targets that are no paths are written, to follow other kinds: ", far://PLACE or null:";
 * with_runs: only those that runs are left in. */
#define TARGETS_FORMS 128
const char *targets_forms(bool with_runs, char text[TARGETS_FORMS]);

/* The only target where nothing is: for engines that move no data. */
const char *const *targets_nowhere(void);

/* Refuses what the drivers of the targets say does not go together.  Returns 0 or -1
 * (STATUS_USAGE). */
int targets_check_options(const struct settings *settings, struct error *err);

/* Refuses --overwrite, --destroy-data and --run-name where no target is of the kind they are for
 * (STATUS_USAGE); looks at the targets, opens nothing.  Returns 0 or -1. */
int targets_check(const struct settings *settings, struct error *err);

/* --- targets_team.c: what the targets are to one rank of a team, which of them it uses, who makes
 * what is used there, whose objects it reads, and what the runs are called --- */

/* To be called once, on every rank, before the targets are looked at.  Fills in what settings know
 * of the team, and with --hosts-per-target leaves the one target of this rank.  Refuses what
 * several ranks cannot do, with the same words on all of them (STATUS_USAGE).  Returns 0 or -1. */
int targets_divide(struct request *request, const struct team *team, struct error *err);

/* The settings as another rank of the team has them; they own nothing. */
struct settings targets_of_rank(const struct request *request, const struct team *team,
                                uint32_t rank);

/* Whether it makes a run in its targets, or none because there is one already,
 * or another rank's. */
bool targets_makes_run(const struct settings *settings, unsigned target);

/* What follows from the team for the request of a target, but for the name of its run. */
void targets_join(const struct settings *settings, unsigned target, struct target_request *request);

/* Which run of a target: the one that this rank makes, writes to or was told to read, or the one
 * that it reads with --share shift. */
enum targets_run { TARGETS_RUN_OWN, TARGETS_RUN_NEXT };

/* What it is called, where the user, or rank 0, has named the run of all: "NAME-rank3",
 * "NAME-shared"; alone NAME.  targets_divide has refused names that are too long for that. */
void targets_run_name(const struct settings *settings, const char *name, enum targets_run run,
                      char text[TARGET_RUN_NAME_MAX + 1]);

/* Whether tests that change nothing read the run of the next rank, once all have made theirs; and
 * the request for it, given that for this rank's own: its run_name is yet to be set. */
bool targets_read_next(const struct settings *settings, unsigned target);
struct target_request targets_request_next(const struct target_request *own);

#endif
