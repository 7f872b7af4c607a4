/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_handle.h - one handle of libcurl and what it is set to, for a request that the library makes
 * as a whole. */
#ifndef NET_HTTP_HANDLE_H
#define NET_HTTP_HANDLE_H

#include <stdbool.h>

#include "net/http.h"
#include "net/http_multi.h"
#include "net/http_poll.h"
#include "net/http_transfer.h"

enum http_shape { /* which kind of request the handle is set to */
                  HTTP_SHAPE_NONE,
                  HTTP_SHAPE_GET,
                  HTTP_SHAPE_HEAD,
                  /* the body is one piece of memory and goes out with the head */
                  HTTP_SHAPE_INLINE,
                  HTTP_SHAPE_STREAM /* the body is fetched piece by piece */
};

struct http_handle {
    enum http_use use; /* first */
    CURL *easy;        /* NULL: not set up yet */
    struct http_poll *poll;
    const struct http_config *config;
    enum http_shape shape;
    bool negotiates;                /* it is set to do so */
    char no_ticket[160];            /* ... and why there was nothing to show; "" */
    char method[HTTP_METHOD_BYTES]; /* it is set to; "" at first */
    int socket_errno;               /* of the request, when no socket could be made; else 0 */
    unsigned sendings;              /* of the request: it may leave once */
    bool resending;                 /* it was to leave a second time, and did not */
    struct http_transfer *transfer;
    struct curl_slist node[HTTP_LINES_MAX]; /* the list of lines: no allocation per request */
};

/* Initialises the library once in a process. */
struct http_facts {
    char name[96]; /* "libcurl 8.14.1 OpenSSL/3.5.1" */
    bool ready, negotiates;
};
const struct http_facts *http_handle_library(void);

/* What all connections have in common. */
void http_handle_transport(CURL *easy, const struct http_config *config);
size_t http_handle_buffer_bytes(const struct http_config *config);

/* Sets a handle up for the requests of one thread.  Its callbacks get the handle as arg, except the
 * one that closes sockets: it gets the poll set, since a connection outlives the request that
 * opened it.  config, poll and transfer must outlive the handle.  Returns 0 or -1 (no memory). */
int http_handle_init(struct http_handle *handle, const struct http_config *config,
                     struct http_poll *poll, struct http_transfer *transfer);
void http_handle_fini(struct http_handle *handle); /* fine when all is 0 */

/* Hot.  Sets what differs from the handle's last request; the transfer has begun.  Returns 0 or
 * -ENOMEM. */
int http_handle_prepare(struct http_handle *handle, const struct http_request *request);

/* Hot when result is CURLE_OK.  The request is over: fills what of the answer is known now. */
void http_handle_finish(struct http_handle *handle, CURLcode result);

/* Cold.  Ends as failed, in words, because nothing moved for still_ns, or (0) because it lasts too
 * long although something does. */
void http_handle_time_out(struct http_handle *handle, uint64_t still_ns);

/* Bytes of the body that have been sent so far. */
uint64_t http_handle_sent(const struct http_handle *handle);

/* http_config.connect_to as the library wants it, in *places.  Returns 0 or -1 (no memory). */
int http_handle_make_places(const char *const *connect_to, void **places);
void http_handle_free_places(void *places); /* NULL is fine */

#endif
