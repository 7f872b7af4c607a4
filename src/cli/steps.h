/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.h - the value of --tests: a list of steps. */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include "base/error.h"

/* Fills settings.tests of the request that `block` is.  Returns 0 or -1 (STATUS_USAGE); then they are
 * what they were. */
int steps_parse(void *block, const char *word, struct error *err);

#endif
