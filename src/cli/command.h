/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command.h - the subcommands `iosweep WORD ...`. Each is a const struct, as at the end
 * of cli/command_clean.c, and a line in the table of command.c. */
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
    /* In addition to the options for access to targets; NULL: the command parses its words
     * itself. */
    const struct option_row *options;
    /* argv: of main. Writes results to standard output or where its options direct them, and
     * messages by base/log. Returns the exit status; stores an error in err, which main prints. */
    enum status (*run)(int argc, char **argv, struct error *err);
};

extern const struct command *const command_table[]; /* ended by NULL */

/* The command whose name is the first argument, or NULL: the program sweeps. */
const struct command *command_find(int argc, char **argv);

/* A path in the build tree or, even if it was moved, the installed tree: beside src/ or bin/, the
 * directory of the program file, however it was invoked (program: argv[0]). Caller frees; NULL: in
 * neither tree. */
char *command_beside(const char *program, const char *built, const char *installed);

#endif
