/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help.h - prints --help, --version and iosweep help from the tables. Functions with err return 0,
 * or -1 with err if standard output cannot be written. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/command.h"
#include "report/columns/columns.h"

/* All options of the sweep, targets and engines; ends with NULL. */
const struct option_row *const *help_rows(void);

/* At most one screen: 24 lines of 80 columns. */
int help_print(FILE *stream, struct error *err);

/* Explains a word: a topic, or the name of an option (with or without dashes), option value,
 * command, target, engine, column or note; otherwise lists where it is mentioned. program: argv[0].
 * Refuses a word that occurs nowhere (STATUS_USAGE). */
int help_topic(FILE *stream, const char *program, const char *word, struct error *err);
/* Whether help_topic explains that name. */
bool help_knows(const char *word);
/* Stores the names of topics in display order; returns their number. */
#define HELP_TOPIC_NAME 40
#define HELP_TOPICS     40
unsigned help_topics(char (*names)[HELP_TOPIC_NAME]);

int help_print_version(FILE *stream, struct error *err);
void help_print_command(FILE *stream, const void *command);

/* Parts of these texts. help_print_row prints one option as a line; help_print_grouped prints those
 * that targets with these capabilities accept, with a heading where the group differs from
 * *group. */
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
/* On a terminal in groups; otherwise in column order, one per line: name, unit, meaning and group,
 * separated by tabs. */
void help_print_columns(FILE *stream);
void help_print_column(FILE *stream, const void *column);
/* Prints the name of the group as heading. */
void help_print_column_group(FILE *stream, const void *name);
void help_print_column_default(FILE *stream, const void *unused);
/* Flushes the stream. */
int help_flush(FILE *stream, struct error *err);

#endif
