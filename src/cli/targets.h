/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets.h - words of the command line that mean something for some targets only. */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "base/error.h"
#include "run/settings.h"

/* Refuses --overwrite, --destroy-data and --run-name where no target is of the kind they are for
 * (STATUS_USAGE); looks at the targets, opens nothing.  Returns 0 or -1. */
int targets_check(const struct settings *settings, struct error *err);

#endif
