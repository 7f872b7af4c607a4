/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command.h - what `iosweep WORD ...` does beside sweeping: one const struct per command, at the
 * end of cli/command_WORD.c, and its line in the table of command.c. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/error.h"
#include "base/option.h"

struct command {
    const char *name;      /* the word after iosweep */
    const char *arguments; /* "FILE..." */
    const char *summary;   /* one line, no full stop */
    /* a paragraph or two for `iosweep WORD --help`, ends with a newline */
    const char *details;
    /* Beside those by which targets are reached; NULL: its words are not options of this program.
     */
    const struct option_row *options;
    /* argv: of main.  Results to standard output or to where its options say; messages by base/log.
     * Returns the exit status; an error is also put into err, which main prints. */
    enum status (*run)(int argc, char **argv, struct error *err);
};

extern const struct command *const command_table[]; /* ended by NULL */

/* The command whose name is the first argument, or NULL: then it is a sweep. */
const struct command *command_find(int argc, char **argv);

/* A path in the tree in which the program was built, or where it was installed and moved: beside
 * src/ or bin/, in which the file of this program is, however it was called (program: argv[0]).  To
 * be freed; NULL: it is in neither. */
char *command_beside(const char *program, const char *built, const char *installed);

#endif
