/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* targets.h - targets as given on the command line: the options of their drivers, and options that
 * apply to some targets only. */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "base/error.h"
#include "cli/options.h"
#include "run/team.h"
#include "storage/storage.h"

/* The request for a target, as far as the command line determines it. */
struct target_request targets_request(const struct settings *settings, unsigned target);

/* Refuses combinations that the drivers of the targets reject. Returns 0 or -1 (STATUS_USAGE). */
int targets_check_options(const struct settings *settings, struct error *err);

/* Refuses --overwrite, --destroy-data and --run-name if they apply to no target (STATUS_USAGE);
 * examines the targets without opening them. Returns 0 or -1. */
int targets_check(const struct settings *settings, struct error *err);

/* Whether a target is an existing file or device. */
bool targets_is_file(const char *target);

/* --- targets_team.c: how one rank of a team uses the targets: which of them, which rank creates
 * the objects, whose objects it reads, and the names of the runs --- */

/* Call once, on every rank, before the targets are examined. Sets the members of settings about the
 * team, and with --hosts-per-target keeps only this rank's target. Refuses what several ranks
 * cannot do, with the same message on all ranks (STATUS_USAGE). Returns 0 or -1. */
int targets_divide(struct request *request, const struct team *team, struct error *err);

/* Completes the request for a target from the team, except for the name of its run. */
void targets_join(const struct settings *settings, unsigned target, struct target_request *request);

/* Which run of a target: the one that this rank creates, writes or was requested to read, the one
 * that it reads with --share shift, or the common name, from which those of all ranks derive. */
enum targets_run { TARGETS_RUN_OWN, TARGETS_RUN_NEXT, TARGETS_RUN_COMMON };

/* The name of this rank's run, derived from the common name chosen by the user or rank 0:
 * "NAME-rank3", "NAME-shared"; NAME without a team. targets_divide has refused names that are too
 * long for that. */
void targets_run_name(const struct settings *settings, const char *name, enum targets_run run,
                      char text[TARGET_RUN_NAME_MAX + 1]);

/* Whether tests that change nothing read the run of the next rank, once all ranks have created
 * theirs; and the request for that run, derived from this rank's own: the caller sets its
 * run_name. */
bool targets_read_next(const struct settings *settings, unsigned target);
struct target_request targets_request_next(const struct target_request *own);

#endif
