/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help_asked.h - what the files of help_topic share: the word that somebody asks about.  Internal
 * to them. */
#ifndef CLI_HELP_ASKED_H
#define CLI_HELP_ASKED_H

#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/words.h"

#define HELP_LETTERS 3 /* that a word needs to be looked for inside others */

struct asked {
    FILE *stream;
    const char *program, *word; /* as typed */
    char *name;                 /* without dashes at its beginning and a value at its end */
    unsigned answers;
    struct error *err;
};

/* All options, of the sweep, of targets and of engines; ended by NULL. */
const struct option_row *const *help_rows(void);

/* How many of its word's letters to show: of one that others begin with, not the colon. */
static inline int help_note_letters(const struct help_word *note)
{
    const size_t length = strlen(note->word);

    return (int)length - (note->word[length - 1] == ':');
}

/* What a note means and what to do about it, in lines of the width of help. */
void help_print_note(FILE *stream, const struct help_word *note);

/* Whether a name begins with a word, where case and what stands between words do not matter; whole:
 * and ends with it. */
bool help_begins(const char *name, const char *word, bool whole);
/* Begins another answer, apart from the one before. */
void help_answer(struct asked *asked, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What mentions the word, which is the name of nothing. */
void help_search(struct asked *asked);
/* There is nothing: which name is near (STATUS_USAGE).  Returns -1. */
int help_refuse(const struct asked *asked);

#endif
