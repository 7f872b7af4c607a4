/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help.h - prints --help, --version and iosweep help on standard output from the tables. Functions
 * with err return 0, or -1 with err if standard output cannot be written. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/command.h"

/* At most one screen: 24 lines of 80 columns. */
int help_print(struct error *err);

/* Explains a word: a topic, or the name of an option (with or without dashes), option value,
 * command, target, engine, column or note. program: argv[0]. Refuses any other (STATUS_USAGE). */
int help_topic(const char *program, const char *word, struct error *err);
/* Whether help_topic explains that name. */
bool help_knows(const char *word);
/* The name of the topic of index i, in display order; NULL after the last. */
const char *help_topic_at(unsigned i);

int help_print_version(struct error *err);
/* command: a struct command. */
void help_print_command(const void *command);
/* Flushes standard output. */
int help_flush(struct error *err);

#endif
