/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* utf8.h - UTF-8 validation. File names are bytes; text formats need to know which of them are
 * valid characters. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* Length in bytes of the valid UTF-8 sequence at the terminated string s (RFC 3629: no surrogates,
 * nothing overlong); 0 if invalid. The terminator counts as a sequence of 1. */
unsigned utf8_length(const char *s);

/* The same, but 0 also for characters that control a terminal: C0, delete, C1, marks that change
 * the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), and line
 * and paragraph separators (U+2028, U+2029). */
unsigned utf8_printable_length(const char *s);

/* Writes the character with that code point; returns its length, 0 if there is none: NUL,
 * surrogates, beyond U+10FFFF. */
unsigned utf8_put(uint32_t code, char out[4]);

/* Whether the user's locale, according to the environment, uses UTF-8. */
bool utf8_wanted(void);

#endif
