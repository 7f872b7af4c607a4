/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* optionfile.h - option files: @FILE on the command line. This file splits them into lines of
 * words; cli/said interprets the words.
 *
 * Words are separated by blanks. Quotes (' or ") include blanks in a word; there is no other
 * quoting. A word that begins with # starts a comment up to the end of the line. The first line
 * with a word applies to all parts of the run, each further line defines a part. */
#ifndef CLI_OPTIONFILE_H
#define CLI_OPTIONFILE_H

#include <stdio.h>

#include "base/error.h"
#include "run/settings.h"

#define OPTIONFILE_BYTES_MAX 65536u
#define OPTIONFILE_LINES_MAX 256u /* with words */

/* Reads the file that "@NAME" refers to: the file at that path or, if there is none and NAME
 * contains no '/', the shipped file of that name. Errors (STATUS_USAGE) report file and line but
 * none of its words, which may be secret. Returns 0, or -1 with nothing to free. */
int optionfile_read(const char *name, const char *program, struct option_file *file,
                    struct error *err);
/* The same for a text instead of the contents of a file. */
int optionfile_parse(const char *name, const char *text, struct option_file *file,
                     struct error *err);
/* The shipped @quick, ignoring a file "quick" in the current directory. */
int optionfile_quick(const char *program, struct option_file *file, struct error *err);
void optionfile_free(struct option_file *file);

/* Prints a line for each shipped file: its name and purpose. program: argv[0]. Returns 0 or -1. */
int optionfile_list(FILE *stream, const char *program, struct error *err);

#endif
