/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_contract.h - what every team has to do (run/team.h), whatever its ranks are: asked in the
 * same words of all teams.  Nothing here depends on how fast a team is.
 *
 * Each rank that is a process calls these functions, at the same time.  Where ranks are simulated
 * rank 0 calls them, and the simulated ones say what team_contract_say and
 * team_contract_add say. */
#ifndef TESTS_SUPPORT_TEAM_CONTRACT_H
#define TESTS_SUPPORT_TEAM_CONTRACT_H

#include "base/clock.h"
#include "run/team.h"

/* All that a rank has been told so far. */
struct team_contract_heard {
    uint32_t rank;
    const void *data; /* the last broadcast */
    size_t bytes;
    uint64_t at_ns;    /* the moment of the last start by its own clock; 0: none */
    int64_t offset_ns; /* its clock less that of rank 0, as it knows it */
};

/* What a rank gives to be gathered after that: `bytes` of them, and to be added: to *values. */
void team_contract_say(const struct team_contract_heard *heard, void *out, size_t bytes);
void team_contract_add(const struct team_contract_heard *heard, uint64_t *values, size_t count);

/* The start, counted from 1, in which the last rank is not ready. */
#define TEAM_CONTRACT_NOT_READY 2u

#define TEAM_CONTRACT_FAULT_BYTES 256u

/* A team that has just been joined and loses nobody; `clock` is that of this rank.  offset_ns (MAY
 * be NULL: they are not known): by how much the clock of each rank is truly ahead of that of rank
 * 0.  Returns 0, or -1 with what is wrong in `fault`; the team is not left. */
int team_contract(struct team *team, const struct clock *clock, const int64_t *offset_ns,
                  char fault[TEAM_CONTRACT_FAULT_BYTES]);

/* A team that has lost `rank`, after a hook has returned -EPIPE for that; `why`: what is said of
 * it, or a part of that. */
int team_contract_lost(struct team *team, const struct clock *clock, uint32_t rank, const char *why,
                       char fault[TEAM_CONTRACT_FAULT_BYTES]);

#endif
