/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command.h - what `iosweep WORD ...` does beside sweeping: one const struct per command, at the
 * end of cli/command_WORD.c, and its line in the table of command.c.  Options of a command are rows
 * like those of the sweep; parser, help, and the checks of man pages and completions read them. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/option.h"
#include "cli/targets.h"
#include "run/settings.h"

/* Rows of target drivers by which targets are reached, as given. */
struct command_reach {
    void *options[SETTINGS_DRIVERS_MAX]; /* see targets_make_options */
    struct targets_given given;
};

struct command {
    const char *name;      /* the word after iosweep */
    const char *arguments; /* "FILE..." */
    const char *summary;   /* one line, no full stop */
    /* a paragraph or two for `iosweep WORD --help`, ends with a newline */
    const char *details;
    const struct option_row *options; /* fields of the block; ended by name NULL */
    /* The command takes all words as they are, also those with dashes; the block is the argv of
     * main. */
    bool raw;
    /* Of commands whose options are rows: the block begins with a struct command_reach. */
    size_t block_bytes;
    const char *needs; /* "the target of the run": what is missing with too few arguments */
    unsigned arguments_min;
    /* Results to standard output or to where its options say; messages by base/log.  Returns the
     * exit status; an error is also put into err, which main prints. */
    enum status (*run)(const void *block, const char *const *arguments, unsigned count,
                       struct error *err);
};

extern const struct command *const command_table[]; /* ended by NULL */

/* Those that each command has beside its own: help, quiet, verbose. */
extern const struct option_row command_common_options[];

/* The command whose name is the first argument, or NULL: then it is a sweep. */
const struct command *command_find(int argc, char **argv);

/* A path in the tree in which the program was built, or where it was installed and moved: beside
 * src/ or bin/, in which the file of this program is, however it was called (program: argv[0]).  To
 * be freed; NULL: it is in neither. */
char *command_beside(const char *program, const char *built, const char *installed);

/* Parses what follows the word and runs the command.  Returns the exit status. */
enum status command_run(const struct command *command, int argc, char **argv, struct error *err);

#endif
