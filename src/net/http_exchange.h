/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_exchange.h - one HTTP/1.1 request and its answer on a connection of http_pool.h, without
 * libcurl. A request is sent once: it moves to another connection only if none of its bytes has
 * been sent. */
#ifndef NET_HTTP_EXCHANGE_H
#define NET_HTTP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/http_pool.h"
#include "net/http_reader.h"

/* The request as bytes to send: the header, formatted once, and the pieces of the body in place.
 * Independent of the connection. */
#define HTTP_WRITER_PIECES 4
struct http_writer {
    char *front; /* the header, followed by the start of the body if joins was set */
    size_t front_room, front_bytes, head_bytes;
    uint64_t at, end; /* sent so far, and in all: header and body */
};

struct http_exchange { /* one per slot */
    struct http_pool *pool;
    struct http_transfer transfer;
    struct http_connection *connection; /* while in flight */
    struct http_writer writer;
    struct http_reader reader;
    bool kept;    /* the connection was used before */
    bool heard;   /* some bytes were received */
    bool gave_up; /* the rest of the body is not sent, because the answer is an error */
};

void http_exchange_fini(struct http_exchange *exchange); /* aborts it; fine when all is 0 */

/* Hot. Begins transfer.request; target: the URL after the host. Returns true if it has already
 * failed. */
bool http_exchange_begin(struct http_exchange *exchange, struct http_host *host,
                         const char *target);

/* Called with libcurl's result of connecting. Returns the exchange if it has ended. */
struct http_exchange *http_exchange_connected(struct http_connection *connection, CURLcode result);

/* Hot. Handles a ready connection. Returns the exchange if it has ended, complete or failed; else
 * NULL. */
struct http_exchange *http_exchange_ready(struct http_connection *connection, unsigned ready);

/* Aborts the exchange without an answer and closes its connection. */
void http_exchange_drop(struct http_exchange *exchange);
/* ... as failed, because nothing moved for still_ns, or (0) because it took too long. */
void http_exchange_time_out(struct http_exchange *exchange, uint64_t still_ns);

/* Hot. host: of the URL, for the Host line; target: the URL after the host. joins: copies as much
 * of the body into the front as fits into one TLS record, so that it leaves in one packet with the
 * header. The request must not change until all is sent. */
void http_writer_begin(struct http_writer *writer, const struct http_request *request,
                       const char *host, const char *target, bool joins);

/* Hot. The pieces to send next. Returns their number, 0 at the end. */
int http_writer_pieces(const struct http_writer *writer, const struct http_request *request,
                       struct iovec piece[HTTP_WRITER_PIECES]);

/* Bytes of the body sent so far. */
static inline uint64_t http_writer_body_at(const struct http_writer *writer)
{
    return writer->at > writer->head_bytes ? writer->at - writer->head_bytes : 0;
}

#endif
