/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_writer.h - one request in HTTP/1.1 as the bytes that are sent: the head, put together once,
 * and the pieces of the body where they lie.  Knows no connection. */
#ifndef NET_HTTP_WRITER_H
#define NET_HTTP_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "net/http.h"

#define HTTP_WRITER_PIECES 4
#define HTTP_RECORD_BYTES  ((size_t)16 << 10) /* of TLS */

struct http_writer {
    char *front; /* the head, and a beginning of the body when that was asked for */
    size_t front_room, front_bytes, head_bytes;
    uint64_t at, end; /* sent so far, and in all: of the head and the body */
};

/* Hot.  host: of the URL, for the line that is written unless the request has one; target: what of
 * the URL follows it.  joins: the front takes as much of the body as one record of TLS holds, so
 * that it leaves in one packet with the head.  The request must not change until all is sent. */
void http_writer_begin(struct http_writer *writer, const struct http_request *request,
                       const char *host, const char *target, bool joins);
void http_writer_fini(struct http_writer *writer);

/* Hot.  What is to be sent next.  Returns the number of pieces, 0 at the end. */
int http_writer_pieces(const struct http_writer *writer, const struct http_request *request,
                       struct iovec piece[HTTP_WRITER_PIECES]);

/* Of the body, that have been sent. */
static inline uint64_t http_writer_body_at(const struct http_writer *writer)
{
    return writer->at > writer->head_bytes ? writer->at - writer->head_bytes : 0;
}

#endif
