/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* units_parts.h - shared by the parsers of units.c and units_time.c: words as tokens, so that lists
 * need no copies, and digits. Internal to them. */
#ifndef BASE_UNITS_PARTS_H
#define BASE_UNITS_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

struct token {
    const char *text;
    size_t length;
};

static inline struct token token_of(const char *word)
{
    return (struct token){.text = word, .length = strlen(word)};
}

static inline bool token_is(struct token token, const char *word)
{
    return token.length == strlen(word) && memcmp(token.text, word, token.length) == 0;
}

/* Records an error about a token (STATUS_USAGE); a colon separates the word from the sentence.
 * Returns -1. */
int token_refuse(struct error *err, const char *action, struct token word);
/* The same with advice (printf style). */
#define token_advise(err, action, word, ...) \
    (token_refuse(err, action, word), error_advise(err, __VA_ARGS__))

enum digits { DIGITS_OK, DIGITS_NONE, DIGITS_OVERFLOW };

/* Takes the digits at the front of *rest. Takes all of them even after an overflow, so that too
 * many digits followed by junk are reported as junk. */
enum digits token_digits(struct token *rest, uint64_t *number);

/* Takes ".DIGITS" at the front of *rest, if present. False for a point without digits. */
bool token_fraction(struct token *rest, struct token *digits);

#endif
