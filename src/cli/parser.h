/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parser.h - parses words into options and operands by tables of option rows, for the sweep, option
 * files and every command.
 *
 * Options and operands may come in any order; "--" ends the options. A long option can be shortened
 * to an unambiguous prefix, and takes its value as --name=VALUE or --name VALUE; letters can share
 * a dash, and the last one takes its value as -xVALUE or -x VALUE. */
#ifndef CLI_PARSER_H
#define CLI_PARSER_H

#include "base/error.h"
#include "cli/options.h"

struct parser_option { /* a known option */
    const struct option_row *row;
    const struct options_table *table;
};

struct parser {
    const char *help; /* command that lists all options, for messages */
    struct parser_option *option;
    unsigned count;
    bool secretive; /* messages show at most the name of an unknown word */
};

struct said_option { /* an option as given by the user */
    const struct option_row *row;
    const struct options_table *table;
    const char *word;               /* the value; NULL: takes none */
    unsigned part;                  /* of the run that it applies to; 0: all parts */
    unsigned place;                 /* later ones win; UINT_MAX: the command line */
    const struct option_file *file; /* NULL: the command line */
    const struct option_file_line *line;
};

struct said { /* options and operands of a command line and of option files */
    struct said_option *option;
    const char **operand;
    unsigned count, operand_count, parts;
    const struct said_option *ended; /* --help or --version, which ends parsing, ... */
    const char *next;                /* ... and the word after it, or NULL */
};

void parser_add(struct parser *parser, const struct options_table *table);
/* Adds the options and operands after argv[0]; the strings must outlive *said. `-version` and
 * `-help` mean -v and -h, as they used to. Returns 0 or -1 (STATUS_USAGE: unknown, ambiguous or
 * without its argument; the message names similar ones). */
int parser_take(const struct parser *parser, int argc, char **argv, struct said *said,
                struct error *err);
void parser_free(struct parser *parser);
void said_free(struct said *said);

#endif
