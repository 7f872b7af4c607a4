/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* dryrun.h - what --dry-run prints: files, bytes, rows and time of a plan, without touching
 * anything. */
#ifndef CLI_DRYRUN_H
#define CLI_DRYRUN_H

#include <stdio.h>

#include "base/error.h"
#include "run/plan.h"

/* Returns STATUS_OK, or another status with err filled. */
enum status dryrun_print(FILE *stream, const struct settings *settings,
                         struct target *const *targets, const struct plan *plan, struct error *err);

#endif
