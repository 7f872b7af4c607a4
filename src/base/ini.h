/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ini.h - reads lines of [SECTION] and NAME = VALUE where they stand: nothing is copied, so that a
 * secret in them exists once, and no line is too long.
 *
 * As in the files of the AWS tools: '=' or ':' ends a name; blanks around names and values do not
 * count; '#' and ';' begin a comment at the start of a line or after a blank, but not where a value
 * begins; an indented line belongs to the pair above it, as a pair within its value. */
#ifndef BASE_INI_H
#define BASE_INI_H

#include <stdbool.h>
#include <stddef.h>

struct ini_span { /* of the text; not terminated */
    const char *text;
    size_t bytes;
};

/* Begins as {.at = TEXT}, a terminated text, which has to stay. */
struct ini {
    const char *at;          /* the rest */
    unsigned line;           /* of what was read last, from 1 on */
    struct ini_span section; /* of the pair; NULL before the first one */
    struct ini_span parent;  /* name of the pair that an indented one belongs to; NULL: of none */
    struct ini_span name, value;
    struct ini_span above; /* inside: the name of the last pair that is not indented */
};

enum ini_found {
    INI_PAIR,
    INI_END,
    INI_BROKEN /* `line` is neither a section nor a pair */
};

/* Reads on to the next pair.  Indented lines that are no pairs are passed over. */
enum ini_found ini_next(struct ini *ini);

/* The span is that word; letters of ASCII in either case. */
bool ini_is(struct ini_span span, const char *word);

#endif
