/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ini.h - parses lines of [SECTION] and NAME = VALUE in place: nothing is copied, so that a secret
 * exists in memory once, and line length is unlimited.
 *
 * Syntax as in the files of the AWS tools: '=' or ':' ends a name; blanks around names and values
 * are ignored; '#' and ';' begin a comment at the start of a line or after a blank, but not at the
 * start of a value; an indented line belongs to the pair above it, as a pair nested in its
 * value. */
#ifndef STORAGE_OBJECT_S3_INI_H
#define STORAGE_OBJECT_S3_INI_H

#include <stdbool.h>
#include <stddef.h>

struct ini_span { /* of the text; not terminated */
    const char *text;
    size_t bytes;
};

/* Initialise with {.at = TEXT}, a terminated text that must stay valid. */
struct ini {
    const char *at;          /* the remaining text */
    unsigned line;           /* of the last item read, from 1 */
    struct ini_span section; /* of the pair; NULL before the first section */
    struct ini_span parent;  /* name of the pair that contains an indented one; NULL: none */
    struct ini_span name, value;
    struct ini_span above; /* internal: name of the last pair that is not indented */
};

enum ini_found {
    INI_PAIR,
    INI_END,
    INI_BROKEN /* `line` is neither a section nor a pair */
};

/* Advances to the next pair. Skips indented lines that are not pairs. */
enum ini_found ini_next(struct ini *ini);

/* Whether the span equals that word, ignoring ASCII case. */
bool ini_is(struct ini_span span, const char *word);

#endif
