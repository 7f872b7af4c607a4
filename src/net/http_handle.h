/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_handle.h - a libcurl easy handle and its settings, for a request that libcurl handles as a
 * whole. */
#ifndef NET_HTTP_HANDLE_H
#define NET_HTTP_HANDLE_H

#include <stdbool.h>

#include "net/http.h"
#include "net/http_multi.h"
#include "net/http_poll.h"
#include "net/http_transfer.h"

enum http_shape { /* the kind of request the handle is set to */
                  HTTP_SHAPE_NONE,
                  HTTP_SHAPE_GET,
                  HTTP_SHAPE_HEAD,
                  /* the body is in one piece of memory and is sent with the header */
                  HTTP_SHAPE_INLINE,
                  HTTP_SHAPE_STREAM /* the body is read through a callback */
};

struct http_handle {
    enum http_use use; /* first */
    CURL *easy;        /* NULL: not set up yet */
    struct http_poll *poll;
    const struct http_config *config;
    enum http_shape shape;
    bool negotiates;                /* set to negotiate */
    char no_ticket[160];            /* ... and why there was no ticket; "" */
    char method[HTTP_METHOD_BYTES]; /* currently set; "" at first */
    int socket_errno;               /* of the request, if no socket could be created; else 0 */
    unsigned sendings;              /* of the request: it may be sent once */
    bool resending;                 /* libcurl tried to send it a second time and was stopped */
    struct http_transfer *transfer;
    struct curl_slist node[HTTP_LINES_MAX]; /* the header list: no allocation per request */
};

/* Initialises libcurl once per process. */
struct http_facts {
    char name[96]; /* "libcurl 8.14.1 OpenSSL/3.5.1" */
    bool ready, negotiates;
};
const struct http_facts *http_handle_library(void);

/* Sets the options common to all connections. */
void http_handle_transport(CURL *easy, const struct http_config *config);
size_t http_handle_buffer_bytes(const struct http_config *config);

/* Prepares a handle for the requests of one thread. Its callbacks get the handle as arg, except the
 * one that closes sockets: that gets the poll set, since a connection outlives the request that
 * opened it. config, poll and transfer must outlive the handle. Returns 0 or -1 (no memory). */
int http_handle_init(struct http_handle *handle, const struct http_config *config,
                     struct http_poll *poll, struct http_transfer *transfer);
void http_handle_fini(struct http_handle *handle); /* fine when all is 0 */

/* Hot. Sets what differs from the handle's previous request; the transfer has begun. Returns 0 or
 * -ENOMEM. */
int http_handle_prepare(struct http_handle *handle, const struct http_request *request);

/* Hot when result is CURLE_OK. Fills in the answer of a request that has ended. */
void http_handle_finish(struct http_handle *handle, CURLcode result);

/* Cold. Ends the request as failed, because nothing moved for still_ns, or (0) because it took too
 * long although data moved. */
void http_handle_time_out(struct http_handle *handle, uint64_t still_ns);

/* Bytes of the body sent so far. */
uint64_t http_handle_sent(const struct http_handle *handle);

/* Converts http_config.connect_to for libcurl into *places. Returns 0 or -1 (no memory). */
int http_handle_make_places(const char *const *connect_to, void **places);
void http_handle_free_places(void *places); /* NULL is fine */

#endif
