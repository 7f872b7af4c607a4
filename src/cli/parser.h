/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parser.h - from words to options and operands, by tables of option rows, for the sweep, for files
 * of options and for every command.
 *
 * Options and operands may come in any order; "--" ends the options.  A long option can be
 * shortened to what no other begins with, and takes its value as --name=VALUE or --name VALUE;
 * letters can share a dash, and the last takes its value as -xVALUE or -x VALUE. */
#ifndef CLI_PARSER_H
#define CLI_PARSER_H

#include "base/error.h"
#include "cli/options.h"

struct parser_option { /* what an option can be */
    const struct option_row *row;
    const struct options_table *table;
};

struct parser {
    const char *help; /* where all options are listed, for messages */
    struct parser_option *option;
    unsigned count;
    bool secretive; /* of words that are no option messages show the name at most */
};

struct said_option { /* an option as it was said */
    const struct option_row *row;
    const struct options_table *table;
    const char *word;               /* NULL: takes none */
    unsigned part;                  /* of the run that it is for; 0: for all of them */
    unsigned place;                 /* later ones win; UINT_MAX: the command line */
    const struct option_file *file; /* NULL: the command line */
    const struct option_file_line *line;
};

struct said { /* by the words of a command line, and of option files */
    struct said_option *option;
    const char **operand;
    unsigned count, operand_count, parts;
    const struct said_option *ended; /* --help or --version, which ends the words at once, ... */
    const char *next;                /* ... and the word after it, or NULL */
};

void parser_add(struct parser *parser, const struct options_table *table);
/* Adds what the words behind argv[0], which must outlive it, say.  `-version` and `-help` of old
 * mean -v and -h.  Returns 0 or -1 (STATUS_USAGE: unknown, ambiguous, without its argument; names
 * similar ones). */
int parser_take(const struct parser *parser, int argc, char **argv, struct said *said,
                struct error *err);
void parser_free(struct parser *parser);
void said_free(struct said *said);

#endif
