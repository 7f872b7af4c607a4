/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_head.h - the head of an answer in HTTP/1.1 as it says where the answer ends.  A head that
 * leaves any doubt about that is refused, since what follows would be taken for another answer. */
#ifndef NET_HTTP_HEAD_H
#define NET_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/http.h"

#define HTTP_LINE_BYTES ((size_t)100 << 10) /* of a line, its end included */

enum http_head_result {
    HTTP_HEAD_MORE, /* lines are missing */
    HTTP_HEAD_DONE, /* the empty line was taken */
    HTTP_HEAD_BAD   /* `wrong` says why */
};

struct http_head {
    bool started; /* there was a status line */
    bool has_length, chunked;
    bool closes, keeps; /* Connection: close, keep-alive */
    uint64_t length_bytes;
    const char *wrong; /* in words, when BAD */
};

void http_head_begin(struct http_head *head);

/* Hot.  Takes the whole lines that data begins with, up to the empty one, and keeps in the answer
 * what http_field.h keeps.  *used_bytes: of the lines; what is left is the beginning of a line, or,
 * when DONE, what follows the head. */
enum http_head_result http_head_take(struct http_head *head, struct http_answer *answer,
                                     const char *data, size_t bytes, size_t *used_bytes);

/* The same of the lines behind the last chunk, of which nothing is kept. */
enum http_head_result http_head_take_trailer(struct http_head *head, const char *data, size_t bytes,
                                             size_t *used_bytes);

/* Hot.  The line that data begins with: its length with the end, 0 when that has not come, -1 with
 * head->wrong set when it cannot be one: too long, an end without CR, CR or NUL within. */
long http_head_line(struct http_head *head, const char *data, size_t bytes);

/* It cannot be known by its length where the answer ends: neither chunks nor Content-Length. */
static inline bool http_head_is_open(const struct http_head *head)
{
    return !head->chunked && !head->has_length;
}

/* The connection can be used again when the answer has ended. */
static inline bool http_head_keeps(const struct http_head *head, unsigned version)
{
    return !head->closes && (version >= 11 || (head->keeps && !head->chunked));
}

#endif
