/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.h - explanations of words, for users who have not read the manuals: the lines of
 * src/results/iosweep_results/notes.txt, words.txt and foreign.txt, compiled in; and similar
 * words. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define WORDS_NAME 40

struct help_word {
    /* of a note: one that ends with a colon matches as a prefix; otherwise names separated by |,
     * the first of which is shown */
    const char *word;
    const char *meaning; /* sentences */
    /* a sentence; "": nothing to do; in words.txt related words, separated by ", " */
    const char *advice;
};

/* Note of index i, those that affect the meaning of a row most first; NULL after the last. */
const struct help_word *words_note(size_t i);

/* Word of index i of tables, verdicts, findings and reports; NULL after the last. */
const struct help_word *words_at(size_t i);

/* Copies the first of the names separated by | to name; returns the rest. */
const char *words_take_name(const char *names, char name[WORDS_NAME]);

/* Whether one of them is that name; blanks, - and _ are equal, and case matters for single letters
 * only. */
bool words_is_called(const char *names, const char *name, size_t length);

/* The equivalent of a word of other programs ("bs": "--sizes"), or NULL. kind: see foreign.txt. */
const char *words_foreign(const char *kind, const char *name, size_t length);

/* The equivalent of a target of other programs, with words such as HOST replaced by the printable
 * parts of the target, which contain no password. Returns false if no line matches. */
bool words_target(const char *target, char *text, size_t size);

/* The name that is most similar to a word: one that begins with it, or one with few wrong letters:
 * one for words of two letters or more, two from six letters on, one more for each further four. */
struct words_near {
    const char *word;
    size_t length;
    const char *name;  /* NULL: none is similar */
    unsigned distance; /* that another name must be below */
};
struct words_near words_near(const char *word, size_t length);
/* Offers a name, which must outlive *near. */
void words_offer(struct words_near *near, const char *name);

#endif
