/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ending.h - how a sweep ended: what is said of it, and the exit status. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

#include "base/error.h"
#include "cli/ready.h"
#include "run/sweep.h"

/* Of a sweep that went through: says what failed, what was wrong and what was left out. */
enum status ending_of(const struct sweep_outcome *outcome, const struct ready *ready);

/* Of the whole run, after everything is closed; err keeps only what is to be told yet. */
enum status ending_status(enum status status, const struct ready *ready, struct error *err);

#endif
