/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_exchange.h - a request that we send and an answer that we read ourselves, in HTTP/1.1, on a
 * connection of http_pool.h.  A request leaves once: it is sent on another connection only as long
 * as no byte of it has left. */
#ifndef NET_HTTP_EXCHANGE_H
#define NET_HTTP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/http_multi.h"
#include "net/http_pool.h"
#include "net/http_reader.h"
#include "net/http_transfer.h"
#include "net/http_writer.h"

struct http_exchange { /* one per slot */
    struct http_wire *wire;
    struct http_transfer *transfer;
    struct http_connection *connection; /* while it is under way */
    struct http_writer writer;
    struct http_reader reader;
    bool kept;     /* the connection was used before */
    bool heard;    /* something has come */
    bool answered; /* the answer is complete, the request not sent yet */
    bool gave_up;  /* the rest of the body is not sent: the answer says no */
};

struct http_wire { /* one per thread */
    struct http_pool pool;
    char *buffer; /* what comes and has no place yet */
    size_t buffer_bytes;
};

void http_wire_init(struct http_wire *wire, const struct http_config *config,
                    struct http_poll *poll, struct http_multi *multi);
void http_wire_fini(struct http_wire *wire); /* after its exchanges; fine when all is 0 */

void http_exchange_init(struct http_exchange *exchange, struct http_wire *wire,
                        struct http_transfer *transfer);
void http_exchange_fini(struct http_exchange *exchange); /* drops it; fine when all is 0 */

/* Hot.  Begins transfer->request; target: what follows the host in the URL.  Returns true when it
 * is over already: it has failed. */
bool http_exchange_begin(struct http_exchange *exchange, struct http_host *host,
                         const char *target);

/* The library has made, or not made, the connection.  Returns the exchange when it is over. */
struct http_exchange *http_exchange_connected(struct http_connection *connection, CURLcode result);

/* Hot.  A connection of ours is ready.  Returns the exchange when it is over, complete or failed;
 * else NULL. */
struct http_exchange *http_exchange_ready(struct http_connection *connection, unsigned ready);

/* Ends it without an answer, and its connection. */
void http_exchange_drop(struct http_exchange *exchange);
/* ... in words, because nothing moved for still_ns, or (0) because it lasts too long. */
void http_exchange_time_out(struct http_exchange *exchange, uint64_t still_ns);

/* Of the body, that have been sent so far. */
static inline uint64_t http_exchange_sent(const struct http_exchange *exchange)
{
    return http_writer_body_at(&exchange->writer);
}

#endif
