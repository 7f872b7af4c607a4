/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint.h - guesses what the user meant: words of similar spelling, and the equivalents of words
 * from other programs. */
#ifndef CLI_HINT_H
#define CLI_HINT_H

#include <stddef.h>

#include "base/error.h"
#include "base/option.h"

#define HINT_TEXT 300

/* The verb to print before the equivalent of a foreign option: "use ", or "" if the user needs no
 * replacement. */
const char *hint_verb(const char *meant);

/* Which command accepts the option of that name (without dashes): "iosweep [TARGET]" or "iosweep
 * COMMAND", or NULL. Valid until the next call. */
const char *hint_owner(const char *name, size_t length);

/* Prefixes the advice of an error about a value of that option with a guess at the intended value,
 * if there is one. */
void hint_value(const struct option_row *row, struct error *err);
/* The same for an error about the name of a column. */
void hint_column(struct error *err);

/* Stores advice on a target that does not exist in text: which option, command or other target was
 * meant; "" if there is none. Returns text. */
const char *hint_target(const char *target, char text[HINT_TEXT]);

#endif
