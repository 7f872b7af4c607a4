/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* meet.h - the ranks of a team meet before anything is touched: they must be the same program with
 * the same command line, and what is drawn by lot is drawn by rank 0. */
#ifndef CLI_MEET_H
#define CLI_MEET_H

#include "base/error.h"
#include "cli/options.h"
#include "report/facts/cards.h"
#include "run/plan.h"
#include "run/team.h"

/* A process of a team of several says who it is in its messages, and nothing else but errors. */
void meet_quietly(const struct team *team);

/* err: what is wrong with the command line, here; collective all the same.  Settings get rank,
 * ranks and what rank 0 has drawn.  Returns 0 when all ranks go on; else -1 (err,
 * or team->told). */
int meet(struct team *team, struct request *request, struct error *err);

/* All ranks have the same rows before them.  err: why this rank has none.  Returns as meet does. */
int meet_plan(struct team *team, const struct plan *plan, struct error *err);

/* Once the facts are read: rank 0 gets those of each host.  Returns 0 or -1. */
int meet_facts(struct team *team, struct facts *facts, struct error *err);

/* Waits for all; nobody is waited for when the team is lost.  False: not all have come. */
bool meet_barrier(struct team *team);

#endif
