/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.h - words and their meaning, for those who have not read the manuals: the lines of
 * src/results/iosweep_results/notes.txt, words.txt and foreign.txt, compiled in. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define WORDS_NAME 40

struct help_word {
    const char *word;    /* of a note: one that ends with a colon stands for all that begin so;
                          * else names with | between, the first of which is the one to show */
    const char *meaning; /* sentences */
    const char *advice;  /* a sentence, "": there is nothing to do; of words.txt what else to ask
                          * about, with ", " between */
};

/* Note of index i, those that change more of what a row means first; NULL behind the last. */
const struct help_word *words_note(size_t i);

/* Word of index i of tables, verdicts, findings and reports; NULL behind the last. */
const struct help_word *words_at(size_t i);

/* Puts the first of names, with | between, into name; returns those that follow. */
const char *words_take_name(const char *names, char name[WORDS_NAME]);
/* Whether one of them is that name, where - may be _ and case matters of single letters only. */
bool words_is_called(const char *names, const char *name, size_t length);

/* What is meant here by a word of other programs ("bs": "--sizes"), or NULL.  kind: see
 * foreign.txt. */
const char *words_foreign(const char *kind, const char *name, size_t length);

/* What is meant by a target of other programs, in which words such as HOST have become the parts of
 * the target where it shows them: they are printable and contain no password.  Returns false where
 * no line is about it. */
bool words_target(const char *target, char *text, size_t size);

#endif
