/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* steps.h - the value of --tests, a list of steps with their stops, and that of --max-errors. */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include "base/error.h"

/* Fill settings.tests, settings.repetitions with per_thread, and settings.max_errors and what else
 * limits failed operations, of the request that `block` is.  Return 0 or -1 (STATUS_USAGE); then
 * they are what they were. */
int steps_parse(void *block, const char *word, struct error *err);
int stops_parse_repetitions(void *block, const char *word, struct error *err);
int stops_parse_errors(void *block, const char *word, struct error *err);

#endif
