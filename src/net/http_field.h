/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_field.h - parses the header of an answer line by line: status and fields of interest. */
#ifndef NET_HTTP_FIELD_H
#define NET_HTTP_FIELD_H

#include <stddef.h>
#include <strings.h>

#include "net/http.h"

/* Resets the answer to no status and no fields. */
void http_field_reset(struct http_answer *answer);

/* Hot. Parses one line, with or without its line end; it need not be terminated. Ignores lines that
 * it does not recognise; a status line starts a new answer (100, then 200). Returns true for a
 * status line. */
bool http_field_take(struct http_answer *answer, const char *line, size_t bytes);

static inline bool http_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether the line is that field. name: with its colon, `bytes` long. */
static inline bool http_is_field(const char *line, const char *name, size_t bytes)
{
    return strncasecmp(line, name, bytes) == 0;
}

#endif
