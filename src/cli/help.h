/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.h - texts for --help, --version, --list-engines and --list-columns, made from the tables.
 * All return 0, or -1 with err when standard output cannot be written. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "base/error.h"
#include "cli/command.h"

int help_print(FILE *stream, struct error *err);
int help_print_version(FILE *stream, struct error *err);
int help_print_engines(FILE *stream, struct error *err);
/* program: as it was started (argv[0]). */
int help_print_presets(FILE *stream, const char *program, struct error *err);
/* To a terminal in groups; else in the order of the columns, one a line: name, unit, meaning and
 * group with tabs between. */
int help_print_columns(FILE *stream, struct error *err);
/* `common`: the rows that all commands have. */
int help_print_command(FILE *stream, const struct command *command, const struct option_row *common,
                       struct error *err);

#endif
