/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* meet.h - synchronises the ranks of a team before anything is touched: they must run the same
 * program with the same command line, and rank 0 makes all random choices. */
#ifndef CLI_MEET_H
#define CLI_MEET_H

#include "base/error.h"
#include "cli/options.h"
#include "report/facts/facts.h"
#include "run/plan.h"
#include "run/team.h"

/* In a team of several ranks, a process identifies itself in its messages and prints only
 * errors. */
void meet_quietly(const struct team *team);

/* err: the command line's error on this rank, or none; the call is collective in either case.
 * Stores rank, ranks and the random choices of rank 0 in the settings. Returns 0 if all ranks
 * continue, else -1 (err, or team->told). */
int meet(struct team *team, struct request *request, struct error *err);

/* Checks that all ranks have planned the same rows. err: why this rank has no plan. Returns as meet
 * does. */
int meet_plan(struct team *team, const struct plan *plan, struct error *err);

/* After the facts are read: sends those of each host to rank 0. Returns 0 or -1. */
int meet_facts(struct team *team, struct facts *facts, struct error *err);

/* Waits for all ranks, but not after a rank was lost. False: not all ranks arrived. */
bool meet_barrier(struct team *team);

#endif
