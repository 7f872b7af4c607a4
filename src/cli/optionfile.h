/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* optionfile.h - files of options: @FILE on the command line.  Here they become lines of words;
 * what the words mean is decided in cli/said.
 *
 * Words are separated by blanks.  Between ' and ', or " and ", blanks belong to the word; there is
 * no other way to quote.  A word that begins with # begins a comment, which ends with the line. The
 * first line with a word is what all have in common, each further one a part of the run. */
#ifndef CLI_OPTIONFILE_H
#define CLI_OPTIONFILE_H

#include <stdio.h>

#include "base/error.h"
#include "run/settings.h"

#define OPTIONFILE_BYTES_MAX 65536u
#define OPTIONFILE_LINES_MAX 256u /* with words */

/* Reads the file that "@NAME" means: the one of that path, or, where there is none and NAME has no
 * '/', the one that is shipped under that name.  Errors name file and line and show no word of it,
 * which could be a secret (STATUS_USAGE).  Returns 0, or -1 with nothing to free. */
int optionfile_read(const char *name, const char *program, struct option_file *file,
                    struct error *err);
/* The same of a text, as if a file had held it. */
int optionfile_parse(const char *name, const char *text, struct option_file *file,
                     struct error *err);
/* The shipped @quick, whatever file of that name is here. */
int optionfile_quick(const char *program, struct option_file *file, struct error *err);
void optionfile_free(struct option_file *file);

/* A line for each file that is shipped: its name and what it stands for.  program: as it was
 * started (argv[0]).  Returns 0 or -1. */
int optionfile_list(FILE *stream, const char *program, struct error *err);

#endif
