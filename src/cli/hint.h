/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint.h - what was probably meant: words that are spelled nearly so, and words of other
 * programs for the same thing. */
#ifndef CLI_HINT_H
#define CLI_HINT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/option.h"

#define HINT_TEXT 300

/* By how many letters left out, put in, exchanged with a neighbour, or wrong b and the first
 * a_length letters of a differ.  HINT_FAR where these are more than few: one from two letters on,
 * two from six on, and one more for each four more. */
#define HINT_FAR UINT_MAX
unsigned hint_distance(const char *a, size_t a_length, const char *b);

/* The nearest of the names that a word may have been meant to be: */
#define HINT_LETTERS 40u /* longer words are near to nothing */
struct hint_near {
    const char *word;
    size_t length;
    char name[HINT_LETTERS + 1]; /* ""; none is near */
    unsigned distance;
};
struct hint_near hint_near(const char *word, size_t length);
/* near: one of those.  True: it is nearer than those before. */
bool hint_offer(struct hint_near *near, const char *name);
/* Offers all names in a directory but those of backup files. */
void hint_offer_entries(struct hint_near *near, const char *directory);
/* As editors call what they keep of a file: "name~", "#name#". */
bool hint_is_backup(const char *name);

/* The option here for an option, without its dashes, of fio, dd, ioping, ... : "--depth",
 * or NULL. */
const char *hint_foreign_option(const char *name, size_t length);

/* Whether such an option is one word, which a value can follow: "--depth". */
bool hint_takes_value(const char *meant);
/* The verb before it: "use " or, if nothing is needed in its place, "". */
const char *hint_verb(const char *meant);
/* Whether that, without its dashes, is an option of the sweep. */
bool hint_is_option(const char *name, size_t length);

/* Who takes the option of that name, without its dashes: "iosweep [TARGET]" or "iosweep COMMAND",
 * or NULL.  Valid until the next call. */
const char *hint_owner(const char *name, size_t length);

/* Puts into an error about a value of that option, in front of its advice, what was meant; nothing
 * when there is no idea. */
void hint_value(const struct option_row *row, struct error *err);
/* The same of an error about the name of a column. */
void hint_column(struct error *err);

/* Whether a regular file begins as results of iosweep do: CSV, JSON, or a report
 * in HTML. */
bool hint_is_results(const char *path);

/* What was meant by a file that does not exist: one near by whose name is much alike.  As
 * hint_target. */
const char *hint_file(const char *path, char text[HINT_TEXT]);

/* What was meant by a target that does not exist: an advice in text, or "" when there is no idea.
 * Returns text. */
const char *hint_target(const char *target, char text[HINT_TEXT]);

#endif
