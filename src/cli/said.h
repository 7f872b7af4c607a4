/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* said.h - words become options: those of the command line, for the sweep and every command, and of
 * option files (@FILE), by tables of option rows. Later options win, and the command line overrides
 * all files. */
#ifndef CLI_SAID_H
#define CLI_SAID_H

#include <stdio.h>

#include "base/error.h"
#include "cli/options.h"

/* --- parser.c: words become options and operands ---
 *
 * Options and operands may come in any order; "--" ends the options. A long option can be shortened
 * to an unambiguous prefix, and takes its value as --name=VALUE or --name VALUE; letters can share
 * a dash, and the last one takes its value as -xVALUE or -x VALUE. */

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
    const char *word;                    /* the value; NULL: takes none */
    const struct option_file_line *line; /* NULL: the command line */
};

struct said { /* options and operands of a command line and of option files */
    struct said_option *option;
    const char **operand;
    unsigned count, operand_count;
    unsigned
        typed; /* the first ones, which win over those of files: later lines over earlier ones */
    unsigned parts;                  /* that lines of files define */
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

/* --- optionfile.c: option files become lines of words ---
 *
 * Words are separated by blanks. Quotes (' or ") include blanks in a word; there is no other
 * quoting. A word that begins with # starts a comment up to the end of the line. The first line
 * with a word applies to all parts of the run, each further line defines a part. */

#define OPTIONFILE_BYTES_MAX 65536u
#define OPTIONFILE_LINES_MAX 256u /* with words */

/* Reads the file that "@NAME" refers to: the file at that path or, if there is none and NAME
 * contains no '/', the shipped file of that name; shipped: only that. program: argv[0]. Errors
 * (STATUS_USAGE) report file and line but none of its words, which may be secret. Returns 0, or -1
 * with nothing to free. */
int optionfile_read(const char *name, bool shipped, const char *program, struct option_file *file,
                    struct error *err);
/* The same for a text instead of the contents of a file. */
int optionfile_parse(const char *name, const char *text, struct option_file *file,
                     struct error *err);
void optionfile_free(struct option_file *file);
/* Prefixes an error with file and line. Returns -1. */
int optionfile_name_line(const struct option_file_line *line, struct error *err);
/* Prints a line for each shipped file: its name and purpose. Returns 0 or -1. */
int optionfile_list(FILE *stream, const char *program, struct error *err);

/* --- said.c: options are applied ---
 *
 * An option of a file is dropped if it contradicts a later one or no target accepts it: a file
 * serves more than one command line. */

/* Adds the options of the first lines of files, then those of further lines, each of which defines
 * a part and accepts only options of axes. Errors name file and line, but no word that could be
 * secret. */
int said_take_files(struct parser *parser, struct option_file *files, unsigned count,
                    struct said *said, struct error *err);

/* Whether an option was typed. */
bool said_typed(const struct said *said, const char *name);

/* Stores the options of a part, 0 if there is only one, in the request, whose targets are already
 * set. Adds options of files that no target accepts to unused ("--x, --y"), each once. */
int said_apply(const struct said *said, unsigned part, struct request *request, char **unused,
               struct error *err);

/* Refuses options that no target accepts, and options of engines that no part uses. Returns 0 or -1
 * (STATUS_USAGE). */
int said_check(const struct said *said, const struct settings *settings, struct error *err);

/* The command line as stored in results, so that a run can be repeated: the words of argv quoted
 * for a shell, the program without its directory. Values of secret options, and passwords in
 * addresses, become ***. said: as parsed from argv by parser_take. Caller frees. */
char *said_repeat(int argc, char **argv, const struct said *said);

#endif
