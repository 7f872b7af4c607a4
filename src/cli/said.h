/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* said.h - options as they were said, on the command line and in option files, before they are
 * applied: what comes later wins, and the command line over all files.
 *
 * An option of a file gives way to one of a later place that it would contradict, and is left out
 * where no target takes it: a file is written for more than one command line. */
#ifndef CLI_SAID_H
#define CLI_SAID_H

#include "base/error.h"
#include "cli/options.h"
#include "cli/parser.h"

/* Adds what the first line of a file says for all parts (part 0), or a further one for the part
 * that it makes, in which only options of axes may be.  Errors name file and line, and no word that
 * could be a secret. */
int said_take_line(struct parser *parser, const struct option_file *file,
                   const struct option_file_line *line, unsigned part, unsigned place,
                   struct said *said, struct error *err);

/* Whether an option was typed, or stands in a file. */
bool said_holds(const struct said *said, const char *name, bool typed);

/* Fills fields of the request, which has its targets already, with what was said for a part, or
 * with part 0 for the run.  Options of files that no target takes go to unused ("--x, --y"),
 * without doubles. */
int said_apply(const struct said *said, unsigned part, struct request *request, char **unused,
               struct error *err);

/* Refuses options that no target takes, and of engines that no target of the part uses.  Returns 0
 * or -1 (STATUS_USAGE). */
int said_check(const struct said *said, unsigned part, const struct settings *settings,
               struct error *err);

/* The command line as results keep it, so that a run can be repeated: the words of argv as a shell
 * takes them, the program without its directory.  The words of secret options, and passwords in
 * addresses, are ***.  said: what parser_take has made of argv.  To free. */
char *said_repeat(int argc, char **argv, const struct said *said);

#endif
