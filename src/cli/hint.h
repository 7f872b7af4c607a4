/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint.h - guesses what the user meant: words of similar spelling, and the equivalents of words
 * from other programs. */
#ifndef CLI_HINT_H
#define CLI_HINT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/option.h"

#define HINT_TEXT 300

/* The number of omitted, inserted, transposed or wrong letters between b and the first a_length
 * letters of a. HINT_FAR if more than allowed: one for words of two letters or more, two from six
 * letters on, and one more for each further four. */
#define HINT_FAR UINT_MAX
unsigned hint_distance(const char *a, size_t a_length, const char *b);

/* The candidate name that is most similar to a word: */
#define HINT_LETTERS 40u /* longer words match nothing */
struct hint_near {
    const char *word;
    size_t length;
    char name[HINT_LETTERS + 1]; /* "": none is similar */
    unsigned distance;
};
struct hint_near hint_near(const char *word, size_t length);
/* Adds a candidate. True: it is more similar than all before. */
bool hint_offer(struct hint_near *near, const char *name);
/* Offers all names in a directory except those of backup files. */
void hint_offer_entries(struct hint_near *near, const char *directory);
/* Whether it is named like an editor's backup: "name~", "#name#". */
bool hint_is_backup(const char *name);

/* The equivalent ("--depth") of an option of fio, dd, ioping, ..., given without its dashes; or
 * NULL. */
const char *hint_foreign_option(const char *name, size_t length);

/* Whether such an equivalent is a single option that takes a value: "--depth". */
bool hint_takes_value(const char *meant);
/* The verb to print before it: "use ", or "" if the user needs no replacement. */
const char *hint_verb(const char *meant);
/* Whether the sweep has an option of that name, given without its dashes. */
bool hint_is_option(const char *name, size_t length);

/* Which command accepts the option of that name (without dashes): "iosweep [TARGET]" or "iosweep
 * COMMAND", or NULL. Valid until the next call. */
const char *hint_owner(const char *name, size_t length);

/* Prefixes the advice of an error about a value of that option with a guess at the intended value,
 * if there is one. */
void hint_value(const struct option_row *row, struct error *err);
/* The same for an error about the name of a column. */
void hint_column(struct error *err);

/* Whether a regular file begins like results of iosweep: CSV, JSON or an HTML report. */
bool hint_is_results(const char *path);

/* Suggests a file with a similar name for a file that does not exist. Text and return value as for
 * hint_target. */
const char *hint_file(const char *path, char text[HINT_TEXT]);

/* Stores advice on a target that does not exist in text, or "" if there is none. Returns text. */
const char *hint_target(const char *target, char text[HINT_TEXT]);

#endif
