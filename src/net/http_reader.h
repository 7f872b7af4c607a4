/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_reader.h - parses one HTTP/1.1 answer from bytes in pieces of any size: preceding answers of
 * status 1xx, header, body by length, in chunks or up to the end of the connection, trailer. Stores
 * the result in the transfer. Independent of the connection. */
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
    HTTP_READER_CUT,  /* the body exceeds its limit, as recorded in the answer */
    HTTP_READER_BAD   /* malformed: see head.wrong */
};

struct http_reader {
    enum http_reader_phase phase;
    struct http_head head;
    uint64_t left_bytes; /* of the body or chunk */
    bool no_body;        /* answers to HEAD have none */
};

/* Hot. Prepares for the answer to transfer->request. */
void http_reader_begin(struct http_reader *reader, const struct http_transfer *transfer);

/* Hot. Parses received bytes. *used_bytes: how many were consumed. If more are needed, the rest is
 * an incomplete line shorter than HTTP_LINE_BYTES, which the caller passes again in front of the
 * next bytes; after a complete answer the rest is not part of it. */
enum http_reader_result http_reader_take(struct http_reader *reader, struct http_transfer *transfer,
                                         const char *data, size_t bytes, size_t *used_bytes);

/* Hot. Where the next bytes of the body can be received directly, and how many; the caller then
 * calls http_reader_put instead of http_reader_take. 0: nowhere. */
size_t http_reader_room(const struct http_reader *reader, const struct http_transfer *transfer,
                        void **into);
enum http_reader_result http_reader_put(struct http_reader *reader, struct http_transfer *transfer,
                                        size_t bytes);

/* Whether the final header is complete, so that the answer's fields are valid. */
static inline bool http_reader_is_headed(const struct http_reader *reader)
{
    return reader->phase != HTTP_READ_HEAD;
}

/* To be called when the connection has ended. Returns whether this completes the answer. */
bool http_reader_end(struct http_reader *reader);

/* Whether the connection can be reused after the complete answer. */
bool http_reader_keeps(const struct http_reader *reader, const struct http_transfer *transfer);

#endif
