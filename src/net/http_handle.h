/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_handle.h - a libcurl easy handle and its settings, for a request that libcurl handles as a
 * whole. */
#ifndef NET_HTTP_HANDLE_H
#define NET_HTTP_HANDLE_H

#include <stdbool.h>

#include "net/http.h"
#include "net/http_head.h"
#include "net/http_multi.h"
#include "net/http_poll.h"
#include "net/http_transfer.h"
#include "net/http_writer.h"

struct http_handle {
    enum http_use use; /* first */
    CURL *easy;        /* NULL: none was needed yet */
    struct http_transfer *transfer;
    struct http_poll *poll;
    struct http_head head;
    struct http_writer body;  /* without a header, which libcurl writes */
    struct curl_slist *lines; /* owned: of the header */
    char no_ticket[160];      /* why there was no ticket to negotiate with; "" */
    int socket_errno;         /* of the request, if no socket could be created; else 0 */
    unsigned sendings;        /* of the request: it may be sent once */
    bool resending;           /* libcurl tried to send it a second time and was stopped */
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

/* Sets the handle up for transfer->request, which has begun. Its callbacks get the handle as arg,
 * except the one that closes sockets: that gets the poll set, since a connection outlives the
 * request that opened it. poll and transfer must outlive the handle. Returns 0 or -ENOMEM. */
int http_handle_prepare(struct http_handle *handle, const struct http_config *config,
                        struct http_poll *poll, struct http_transfer *transfer);
void http_handle_fini(struct http_handle *handle); /* fine when all is 0 */

/* Fills in the answer of a request that has ended. */
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
