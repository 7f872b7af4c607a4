/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help.h - texts for --help, --version and iosweep help, made from the tables.  Those with err
 * return 0, or -1 with err when standard output cannot be written. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/command.h"
#include "report/columns/columns.h"

/* All options, of the sweep, of targets and of engines; ended by NULL. */
const struct option_row *const *help_rows(void);

/* One screen: 24 lines of 80 columns at most. */
int help_print(FILE *stream, struct error *err);

/* All there is to a word: a topic, or the name of an option (with or without dashes), value of an
 * option, command, target, engine, column or note of a row; else where it is mentioned.  program:
 * as it was started (argv[0]).  A word that is nowhere is refused (STATUS_USAGE). */
int help_topic(FILE *stream, const char *program, const char *word, struct error *err);
/* Whether something has that name. */
bool help_knows(const char *word);
/* The names of topics, in the order in which they are shown.  Returns how many. */
#define HELP_TOPIC_NAME 40
#define HELP_TOPICS     40
unsigned help_topics(char (*names)[HELP_TOPIC_NAME]);

int help_print_version(FILE *stream, struct error *err);
void help_print_command(FILE *stream, const void *command);

/* Parts of these texts.  Of options: a line;
 * with a heading where another group begins than *group, of those that targets with these
 * capabilities take. */
void help_print_row(FILE *stream, const void *option_row);
void help_print_grouped(FILE *stream, const struct option_row *rows, unsigned capabilities,
                        const char **group);
void help_print_paragraph(FILE *stream, const char *text);
void help_print_targets(FILE *stream);
void help_print_commands(FILE *stream);
void help_print_numbers(FILE *stream);
void help_print_status(FILE *stream);
void help_print_all(FILE *stream);
void help_print_engines(FILE *stream);
void help_print_engine(FILE *stream, const void *engine);
/* To a terminal in groups; else in the order of the columns, one a line: name, unit, meaning and
 * group with tabs between. */
void help_print_columns(FILE *stream);
void help_print_column(FILE *stream, const void *column);
/* With its name as heading. */
void help_print_column_group(FILE *stream, const void *name);
void help_print_column_default(FILE *stream, const void *unused);
/* Writes what is in the stream's buffer. */
int help_flush(FILE *stream, struct error *err);

#endif
