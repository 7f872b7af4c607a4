/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ready_team.h - what rank 0 does at the end for runs of other ranks. */
#ifndef CLI_READY_TEAM_H
#define CLI_READY_TEAM_H

#include "cli/ready.h"

/* Kept runs of all ranks: says how to remove them. */
void ready_tell_kept(const struct ready *ready);

/* What a rank that is lost has made is removed where it can be seen from here; else, and where that
 * fails, says what removes it on its host.  On rank 0, when all others have left their targets. */
void ready_remove_lost(const struct ready *ready);

#endif
