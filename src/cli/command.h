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

#include "analysis/record_print.h"
#include "analysis/results/results.h"
#include "base/error.h"
#include "base/option.h"
#include "cli/replace.h"
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
    const struct option_row *options; /* fields of the block; ended by long_name NULL */
    /* All words are arguments, also those with dashes; the block is the word that the program was
     * started by (argv[0]). */
    bool raw;
    /* A report of several runs that is the only argument stands for all of them,
     * FILE#1 to FILE#N. */
    bool takes_runs;
    bool reaches_targets; /* the block begins with a struct command_reach */
    size_t block_bytes;
    void (*init)(void *block); /* MAY: what no row says; the block has the defaults of the rows */
    const char *needs;         /* "a file of results": what is missing with too few arguments */
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

/* Parses what follows the word and runs the command.  Returns the exit status. */
enum status command_run(const struct command *command, int argc, char **argv, struct error *err);

/* Where a command writes: a file that appears under its name only when it is complete, or standard
 * output when name is NULL or "-".  One of the files that are read is refused (STATUS_USAGE).
 * command_output_close with keep false leaves what stood there.  Both return 0 or -1 with err. */
struct command_output {
    FILE *stream;
    const char *name; /* NULL: standard output */
    struct replace replace;
};
int command_output_open(const char *name, const char *const *inputs, unsigned count,
                        struct command_output *output, struct error *err);
int command_output_close(struct command_output *output, bool keep, struct error *err);

/* How a table looks there. */
struct text_look command_look(const struct command_output *output);

/* Refuses standard input as two of the files.  Returns 0 or -1 (STATUS_USAGE). */
int command_check_streams(const char *const *names, unsigned count, struct error *err);

/* Whether two names are of one file; false where one of them is of none. */
bool command_same_file(const char *a, const char *b);

/* Of commands that write a table, CSV or JSON, and number their formats in this order: their rows
 * --output and --format, and the format.  Without --format: a table where the output, named as
 * above, is a terminal, else CSV. */
extern const char *const command_formats[];
unsigned command_format(const char *name, bool given, unsigned format);
/* clang-format off */
#define COMMAND_OUTPUT_ROWS(type)                                                                  \
    {'o', "output", "FILE", OPTION_STRING, offsetof(type, output), OPTION_NONE, 0, 0, NULL, NULL,  \
     NULL, "write results to FILE [standard output]", "Output", NULL, 0},                          \
    {0, "format", "NAME", OPTION_CHOICE, offsetof(type, format), offsetof(type, format_given),     \
     0, 0, command_formats, NULL,                                                                  \
     NULL, "table (on a terminal), csv (else), json", "Output", NULL, 0}
/* clang-format on */

/* Warns of rows with figures whose measuring was cut short. */
void command_say_incomplete(const struct results *results);

#endif
