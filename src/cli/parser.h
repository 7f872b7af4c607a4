/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parser.h - getopt_long from tables of option rows, for the sweep and for every command. */
#ifndef CLI_PARSER_H
#define CLI_PARSER_H

#include "base/error.h"
#include "base/option.h"

struct parser_entry { /* what an option on the command line stands for */
    const struct option_row *row;
    int owner; /* as given to parser_add: whose block it fills */
};

struct parser {
    const char *help; /* where all options are listed, for messages */
    struct parser_entry *entries;
    struct option *long_options;
    char *short_options;
    unsigned count;
    bool secretive; /* of words that are no option messages show the name at most */
};

void parser_init(struct parser *parser, const char *help);
/* Rows end with name NULL. */
void parser_add(struct parser *parser, const struct option_row *rows, int owner);
/* The next option: 1 with *entry and its word in optarg; 0 at the end, the other arguments stand
 * from argv[optind] on; -1 with err (STATUS_USAGE: unknown, ambiguous, without its argument; names
 * similar ones).  A parser goes over one argv once. */
int parser_next(struct parser *parser, int argc, char **argv, const struct parser_entry **entry,
                struct error *err);
/* Before going over another argv.  secretive: it comes from where secrets might be. */
void parser_restart(struct parser *parser, bool secretive);
void parser_free(struct parser *parser);

#endif
