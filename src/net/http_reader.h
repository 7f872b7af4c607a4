/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_reader.h - one answer in HTTP/1.1 from the bytes in which it comes, however they are cut:
 * answers of status 1xx before it, head, body by length, in chunks or up to the end of the
 * connection, trailers.  What the answer says goes into the transfer.  Knows no connection. */
#ifndef NET_HTTP_READER_H
#define NET_HTTP_READER_H

#include "net/http_head.h"
#include "net/http_transfer.h"

enum http_reader_phase {
    HTTP_READ_HEAD,
    HTTP_READ_LENGTH, /* a body of left_bytes */
    HTTP_READ_OPEN,   /* a body up to the end of the connection */
    HTTP_READ_CHUNK_SIZE,
    HTTP_READ_CHUNK,
    HTTP_READ_CHUNK_END,
    HTTP_READ_TRAILER,
    HTTP_READ_DONE
};

enum http_reader_result {
    HTTP_READER_MORE,
    HTTP_READER_DONE, /* complete */
    HTTP_READER_CUT,  /* the body gets longer than it may be: the answer says so */
    HTTP_READER_BAD   /* not an answer: head.wrong says why */
};

struct http_reader {
    enum http_reader_phase phase;
    struct http_head head;
    uint64_t left_bytes; /* of the body, or of the chunk */
    bool no_body;        /* what was asked for by HEAD has none */
};

/* Hot.  For the answer to transfer->request. */
void http_reader_begin(struct http_reader *reader, const struct http_transfer *transfer);

/* Hot.  Takes bytes as they came.  *used_bytes: how many; those that are left when more are needed
 * are the beginning of a line, shorter than HTTP_LINE_BYTES, and are to be given again in front of
 * what comes next; behind a complete answer they are none of it. */
enum http_reader_result http_reader_take(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes, size_t *used_bytes);

/* Hot.  Where the next bytes of the body may be put at once, and how many: then http_reader_put is
 * called in place of http_reader_take.  0: nowhere. */
size_t http_reader_room(const struct http_reader *reader, const struct http_transfer *transfer,
                        void **into);
enum http_reader_result http_reader_put(struct http_reader *reader, struct http_transfer *transfer,
                                        size_t bytes);

/* The answer has begun and may be shown: its last head is complete. */
static inline bool http_reader_is_headed(const struct http_reader *reader)
{
    return reader->phase != HTTP_READ_HEAD;
}

/* The connection has ended.  True: so has the answer. */
bool http_reader_end(struct http_reader *reader);

/* The answer is complete: the connection can be used again. */
bool http_reader_keeps(const struct http_reader *reader, const struct http_transfer *transfer);

#endif
