/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_writer.h - one HTTP/1.1 request as bytes to send: the header, formatted once, and the pieces
 * of the body in place. Independent of the connection. */
#ifndef NET_HTTP_WRITER_H
#define NET_HTTP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "net/http.h"

#define HTTP_WRITER_PIECES 4
#define HTTP_RECORD_BYTES  ((size_t)16 << 10) /* largest TLS record */

struct http_writer {
    char *front; /* the header, followed by the start of the body if joins was set */
    size_t front_room, front_bytes, head_bytes;
    uint64_t at, end; /* sent so far, and in all: header and body */
};

/* Hot. host: of the URL, for the Host line; target: the URL after the host. joins: copies as much
 * of the body into the front as fits into one TLS record, so that it leaves in one packet with the
 * header. The request must not change until all is sent. */
void http_writer_begin(struct http_writer *writer, const struct http_request *request,
                       const char *host, const char *target, bool joins);
void http_writer_fini(struct http_writer *writer);

/* Hot. The pieces to send next. Returns their number, 0 at the end. */
int http_writer_pieces(const struct http_writer *writer, const struct http_request *request,
                       struct iovec piece[HTTP_WRITER_PIECES]);

/* Bytes of the body sent so far. */
static inline uint64_t http_writer_body_at(const struct http_writer *writer)
{
    return writer->at > writer->head_bytes ? writer->at - writer->head_bytes : 0;
}

#endif
