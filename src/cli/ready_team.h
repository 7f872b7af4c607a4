/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ready_team.h - what rank 0 does at the end for runs of other ranks. */
#ifndef CLI_READY_TEAM_H
#define CLI_READY_TEAM_H

#include "cli/ready.h"

/* Kept runs of all ranks: says how to remove them. */
void ready_tell_kept(const struct ready *ready);

/* On rank 0, when all others have left their targets, or (met: false) some may be gone: what a rank
 * that is lost has made is removed where it can be seen from here, and so is what nobody holds any
 * more; else, and where that fails, says what removes it. */
void ready_remove_lost(struct ready *ready, bool met);

#endif
