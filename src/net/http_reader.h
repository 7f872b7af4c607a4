/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_reader.h - one request in progress, and the parser of its HTTP/1.1 answer from bytes in
 * pieces of any size: preceding answers of status 1xx, header, body by length, in chunks or up to
 * the end of the connection, trailer. Data go where the request directs. An answer whose end is in
 * doubt is refused, since the bytes after it could be mistaken for another answer. Independent of
 * libcurl and of the connection. */
#ifndef NET_HTTP_READER_H
#define NET_HTTP_READER_H

#include "net/http.h"

#define HTTP_LINE_BYTES ((size_t)100 << 10) /* limit of a line, including its end */

struct http_transfer {
    struct http_request request;
    struct http_answer answer;
    uint64_t begun_ns;                              /* start time */
    uint64_t steps;                                 /* counts every send and receive */
    uint64_t seen_steps, seen_sent_bytes, still_ns; /* at the last check; time without any since */
    uint64_t lasted_ns;                             /* since the start, at the last check */
    uint64_t head_bytes;                            /* of the answer, up to HTTP_HEAD_BYTES */
    char *text;                                     /* grows as needed and is kept */
    size_t text_room;
};

/* Resets the answer to no status and no fields. */
void http_transfer_reset(struct http_answer *answer);

/* Hot. Begins a new request: no answer yet. */
void http_transfer_begin(struct http_transfer *transfer, const struct http_request *request);
void http_transfer_fini(struct http_transfer *transfer);

/* Records why there is no complete answer: "WHAT: WORDS". */
#define HTTP_NO_ANSWER "connection closed without an answer"
void http_transfer_fail(struct http_answer *answer, int errnum, const char *what,
                        const char *words);

/* Checks for progress since the last check, passed_ns ago; sent_bytes: of the body, as far as
 * known. Returns for how long nothing has moved. */
uint64_t http_transfer_still(struct http_transfer *transfer, uint64_t sent_bytes,
                             uint64_t passed_ns);

/* The time limit of the whole request, given what has moved so far. */
uint64_t http_transfer_most_ns(const struct http_transfer *transfer, uint64_t sent_bytes,
                               uint64_t timeout_ns);

enum http_reader_result {
    HTTP_READER_MORE,
    HTTP_READER_DONE, /* complete */
    HTTP_READER_CUT,  /* the body exceeds its limit, as recorded in the answer */
    HTTP_READER_BAD   /* malformed: see head.wrong */
};

struct http_reader {
    enum {
        HTTP_READ_HEAD,
        HTTP_READ_LENGTH, /* a body of left_bytes */
        HTTP_READ_OPEN,   /* a body up to the end of the connection */
        HTTP_READ_CHUNK_SIZE,
        HTTP_READ_CHUNK,
        HTTP_READ_CHUNK_END,
        HTTP_READ_TRAILER,
        HTTP_READ_DONE
    } phase;
    struct http_head {
        bool started; /* a status line was parsed */
        bool has_length, chunked;
        bool closes, keeps; /* Connection: close, keep-alive */
        uint64_t length_bytes;
        const char *wrong; /* the reason, if BAD */
    } head;
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

/* To be called when the connection has ended. Returns whether this completes the answer. */
bool http_reader_end(struct http_reader *reader);

/* Whether the connection can be reused after the complete answer. */
bool http_reader_keeps(const struct http_reader *reader, const struct http_transfer *transfer);

#endif
