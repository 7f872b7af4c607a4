/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options_check.h - refuses options that contradict each other,
 * or that nothing of the run takes. */
#ifndef CLI_OPTIONS_CHECK_H
#define CLI_OPTIONS_CHECK_H

#include "cli/options.h"
#include "cli/targets.h"

/* whole: not one of several sets of axes, which may leave to another what takes an option.
 * engine_given: of each engine of engine_table, the name of an option of it that was given, or
 * NULL.  Returns 0 or -1 (STATUS_USAGE: what
 * contradicts what, and the way out). */
int options_check(const struct request *request, bool whole, const char *const *engine_given,
                  const struct targets_given *driver_given, struct error *err);

/* The ending of a file's name with its point, which a letter follows; "" where it has none. */
const char *options_ending(const char *name);

#endif
