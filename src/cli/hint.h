/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hint.h - what somebody probably meant: words that are spelled nearly so, and words of other
 * programs for the same thing. */
#ifndef CLI_HINT_H
#define CLI_HINT_H

#include <stdbool.h>
#include <stddef.h>

#define HINT_TEXT 200

/* True when b and the first a_length letters of a differ by few letters left out, put in, exchanged
 * with a neighbour, or wrong: one from two letters on, two from six on, and one more for each four
 * more.  *distance: how many, if true. */
bool hint_is_near(const char *a, size_t a_length, const char *b, unsigned *distance);

/* The option here for an option, without its dashes, of fio, dd, ioping, ... : "--depth", or NULL.
 */
const char *hint_foreign_option(const char *name, size_t length);

/* What was meant by the name of an engine that there is not, or NULL. */
const char *hint_engine(const char *name);

/* What was meant by a target that does not exist: an advice in text, or "" when there is no idea.
 * Returns text. */
const char *hint_target(const char *target, char text[HINT_TEXT]);

#endif
