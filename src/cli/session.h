/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.h - the stages between a parsed command line and an exit status: targets, output files,
 * sinks, sweep, clean-up.  main.c calls them in order. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "base/error.h"
#include "cli/options.h"

/* Runs the sweep that the request asks for (or its dry run) and removes what it made.  Returns the
 * exit status for what happened; errors that ended it are in err. */
enum status session_sweep(const struct request *request, struct error *err);

#endif
