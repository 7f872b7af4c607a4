/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_head.h - parses the header of an HTTP/1.1 answer: fields of interest, and where the answer
 * ends. A header that leaves this in doubt is refused, since the bytes after it could be mistaken
 * for another answer. */
#ifndef NET_HTTP_HEAD_H
#define NET_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/http.h"

#define HTTP_LINE_BYTES ((size_t)100 << 10) /* limit of a line, including its end */

enum http_head_result {
    HTTP_HEAD_MORE, /* more lines are needed */
    HTTP_HEAD_DONE, /* the empty line was parsed */
    HTTP_HEAD_BAD   /* malformed: see `wrong` */
};

struct http_head {
    bool started; /* a status line was parsed */
    bool has_length, chunked;
    bool closes, keeps; /* Connection: close, keep-alive */
    uint64_t length_bytes;
    const char *wrong; /* the reason, if BAD */
};

void http_head_begin(struct http_head *head);

/* Resets the answer to no status and no fields. */
void http_head_reset(struct http_answer *answer);

/* Hot. Parses one line without its end; it need not be terminated. The first one is a status line,
 * which starts a new answer. Returns false with head->wrong set if it is malformed. */
bool http_head_field(struct http_head *head, struct http_answer *answer, const char *line,
                     size_t bytes);

/* Hot. Parses the complete lines at the start of data, up to the empty one, and stores in the
 * answer status and fields. *used_bytes: length of those lines; the rest is an incomplete
 * line or, if DONE, what follows the header. answer NULL: these are the lines after the last chunk,
 * of which nothing is stored. */
enum http_head_result http_head_take(struct http_head *head, struct http_answer *answer,
                                     const char *data, size_t bytes, size_t *used_bytes);

/* Hot. Length of the line at the start of data, including its end; 0 if it is incomplete; -1 with
 * head->wrong set if it is malformed: too long, an end without CR, CR or NUL inside. */
long http_head_line(struct http_head *head, const char *data, size_t bytes);

/* Whether only the end of the connection ends the answer: neither chunked nor Content-Length. */
static inline bool http_head_is_open(const struct http_head *head)
{
    return !head->chunked && !head->has_length;
}

/* Whether the connection can be reused after the answer. */
static inline bool http_head_keeps(const struct http_head *head, unsigned version)
{
    return !head->closes && (version >= 11 || (head->keeps && !head->chunked));
}

#endif
