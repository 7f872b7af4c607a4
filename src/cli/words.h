/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.h - words of users who have not read the manuals: explanations, the equivalents of words of
 * other programs, and similar words. The texts are src/results/iosweep_results/notes.txt,
 * words.txt, foreign.txt and pages.txt, compiled in. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/option.h"

struct help_word {
    /* names separated by |, the first of which is shown; of a note: one that ends with a colon
     * matches as a prefix; of foreign.txt after its kind */
    const char *word;
    const char *meaning; /* sentences, or lines of a page */
    /* a sentence; "": nothing to do; in words.txt related words, separated by ", " */
    const char *advice;
};

/* Each ends with word NULL. Notes: those that affect the meaning of a row most first. */
extern const struct help_word words_of_notes[], words_of_words[], words_of_foreign[],
    words_of_pages[];

/* Whether one of the names separated by | is that name; blanks, - and _ are equal, and case matters
 * for single letters only. */
bool words_is_called(const char *names, const char *name, size_t length);

/* The equivalent of a word of other programs ("bs": "--sizes"), or NULL. kind: see foreign.txt. */
const char *words_foreign(const char *kind, const char *name, size_t length);
/* The verb to print before the equivalent of a foreign option: "use ", or "" if the user needs no
 * replacement. */
const char *words_verb(const char *meant);

/* The name that is most similar to a word: one that begins with it, or one with few wrong letters:
 * one for words of two letters or more, two from six letters on, one more for each further four. */
#define WORDS_LETTERS 40u /* longer words are similar to none */
struct words_near {
    const char *word;
    size_t length;
    char name[WORDS_LETTERS + 1]; /* "": none is similar */
    unsigned distance;            /* that another name must be below */
};
struct words_near words_near(const char *word, size_t length);
/* Offers names separated by |. */
void words_offer(struct words_near *near, const char *names);

/* Which command accepts the option of that name (without dashes): "iosweep [TARGET]" or "iosweep
 * COMMAND", or NULL. Valid until the next call. */
const char *words_owner(const char *name, size_t length);

/* Prefixes the advice of an error about a value of that option, or the name of a column, with a
 * guess at what was meant, if there is one. */
void words_hint_value(const struct option_row *row, struct error *err);
void words_hint_column(struct error *err);

/* Stores advice on a target that does not exist in text: which option, command or other target was
 * meant; "" if there is none. Returns text. */
#define WORDS_TEXT 300
const char *words_hint_target(const char *target, char text[WORDS_TEXT]);

#endif
