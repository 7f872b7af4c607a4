/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* said.h - options as given on the command line and in option files, before they are applied: later
 * ones win, and the command line overrides all files.
 *
 * An option of a file is dropped if it contradicts a later one or no target accepts it: a file
 * serves more than one command line. */
#ifndef CLI_SAID_H
#define CLI_SAID_H

#include "base/error.h"
#include "cli/options.h"
#include "cli/parser.h"

/* Adds the options of a file's first line to all parts (part 0), or those of a further line to the
 * part that it defines, which accepts only options of axes. Errors name file and line, but no word
 * that could be secret. */
int said_take_line(struct parser *parser, const struct option_file *file,
                   const struct option_file_line *line, unsigned part, unsigned place,
                   struct said *said, struct error *err);

/* Whether an option was typed, or is in a file. */
bool said_holds(const struct said *said, const char *name, bool typed);

/* Stores the options of a part, or with part 0 of the run, in the request, whose targets are
 * already set. Adds options of files that no target accepts to unused ("--x, --y"), each once. */
int said_apply(const struct said *said, unsigned part, struct request *request, char **unused,
               struct error *err);

/* Refuses options that no target accepts, and options of engines that no target of the part uses.
 * Returns 0 or -1 (STATUS_USAGE). */
int said_check(const struct said *said, unsigned part, const struct settings *settings,
               struct error *err);

/* The command line as stored in results, so that a run can be repeated: the words of argv quoted
 * for a shell, the program without its directory. Values of secret options, and passwords in
 * addresses, become ***. said: as parsed from argv by parser_take. Caller frees. */
char *said_repeat(int argc, char **argv, const struct said *said);

#endif
