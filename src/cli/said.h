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
#include "cli/targets.h"

/* of a row, for the parser; others: index of the engine, or ... */
#define SAID_OWNER_REQUEST (-1)
#define SAID_OWNER_DRIVERS SETTINGS_ENGINES_MAX /* ... from here on as targets.h has it */

struct said_option {
    const struct option_row *row;
    unsigned part; /* of the run that it is for; 0: for all of them */
    int owner;
    const char *word;               /* NULL: takes none */
    const struct option_file *file; /* NULL: the command line */
    const struct option_file_line *line;
    unsigned place; /* later ones win */
};

struct said { /* of a whole run */
    struct said_option *option;
    unsigned count, parts;
};

/* Adds what the words of argv say.  On the command line, where *command becomes something else than
 * a sweep, it ends there, at once: `-version` and `-help` of old mean -v and -h.  Targets stand
 * from argv[optind] on.  Returns 0 or -1. */
int said_take(struct parser *parser, int argc, char **argv, struct said *said, enum action *command,
              struct error *err);

/* Adds what the first line of a file says for all parts (part 0), or a further one for the part
 * that it makes, in which only options of axes may be.  Errors name file and line, and no word that
 * could be a secret. */
int said_take_line(struct parser *parser, const struct option_file *file,
                   const struct option_file_line *line, unsigned part, unsigned place,
                   struct said *said, struct error *err);

/* Whether an option was typed, or stands in a file. */
bool said_holds(const struct said *said, const char *name, bool typed);

struct said_given {                           /* options of engines and drivers that were given */
    const char *engine[SETTINGS_ENGINES_MAX]; /* the name of one; NULL: none */
    struct targets_given drivers;
};

/* Fills fields of the request, which has its targets already, with what was said for a part, or
 * with part 0 for the run; and given, which is zeroed.  Options of files that no target takes go to
 * unused
 * ("--x, --y"), without doubles. */
int said_apply(const struct said *said, unsigned part, struct request *request,
               struct said_given *given, char **unused, struct error *err);

/* The command line as results keep it, so that a run can be repeated: the words of argv as a shell
 * takes them, the program without its directory.  The words of secret options, and passwords in
 * addresses, are ***.  said: what said_take has made of argv.  To free. */
char *said_repeat(int argc, char **argv, const struct said *said);

void said_free(struct said *said);

#endif
