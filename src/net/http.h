/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http.h - HTTP/1.1 requests, many at a time.  libcurl, which only src/net knows, connects; what
 * goes over a connection is ours.
 *
 * One struct http per thread, made once: a fixed number of slots, and the connections they share,
 * to any servers; no more than two for each slot stay open while idle.  A request is begun in a
 * free slot and is done when http_wait names the slot; then its answer can be read until the slot
 * is used again.  In the steady state nothing is allocated by us. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct http_config {
    uint32_t slots;
    const char *ca_file; /* PEM; NULL: the library's */
    bool insecure;       /* certificates are not verified */
    bool reconnect;      /* each request on a new connection, closed after it */
    bool by_library;     /* libcurl makes all requests as a whole: for tests */
    /* without progress, and of connecting; four times so long, and a second for each 4 KiB that
     * moved, for a request in all; 0: none */
    uint64_t timeout_ns;
    size_t transfer_bytes; /* of the largest bodies: sizes the library's buffers */
    /* MAY be NULL: where connections go in place of the host of the URL, which Host and
     * certificates go by all the same: "HOST:PORT:ADDR:PORT" each, empty: any, or the same; ended
     * by NULL. */
    const char *const *connect_to;
    void *places;             /* the same for the library: http_create's own */
    const volatile int *stop; /* not 0: http_perform gives up; MAY be NULL */
    /* MAY be NULL: called by http_perform now and then while it waits, at most every 50 ms. */
    void (*waiting)(void *arg, uint64_t waited_ns);
    void *waiting_arg;
};

enum http_sink {
    HTTP_COUNT, /* the body of a success is counted and dropped as it comes: no copy */
    HTTP_INTO,  /* ... goes to `into`; nothing is read beyond into_bytes */
    HTTP_TEXT   /* ... goes to the slot's text (as that of any other status always does) */
};

#define HTTP_HEADERS_MAX  24
#define HTTP_METHOD_BYTES 16
#define HTTP_TEXT_BYTES   ((size_t)1 << 20)   /* a page of 1000 keys; more is cut and said */
#define HTTP_HEAD_BYTES   ((size_t)256 << 10) /* of an answer, those of status 1xx included */

struct http_request {   /* what it points to must not change until the request is done */
    const char *method; /* "GET", "HEAD", "PUT", "POST", "DELETE" */
    /* complete, encoded; sent as it is (no normalisation of paths) */
    const char *url;
    const char *header[HTTP_HEADERS_MAX]; /* whole lines without their end: "Host: x" */
    unsigned header_count;
    bool negotiate;      /* SPNEGO: with the Kerberos ticket of the user, through the library */
    bool has_body;       /* PUT, POST: then body_bytes of it, perhaps 0 */
    uint64_t body_bytes; /* of head, body and tail together: the Content-Length */
    /* sent one after the other (framing of aws-chunked); head and tail may be NULL */
    const void *body_head, *body, *body_tail;
    size_t head_bytes, tail_bytes;
    enum http_sink sink;
    void *into; /* HTTP_INTO */
    uint64_t into_bytes;
    /* Of the body of a success: what goes beyond is not read; 0: any, of HTTP_TEXT as many as
     * HTTP_TEXT_BYTES. */
    uint64_t most_bytes;
};

/* A moment when a request has passed a step; from its beginning, in ns (the library counts in
 * microseconds).  On a connection that is reused the first three are equal to 0. */
struct http_times {
    uint64_t lookup_ns, connect_ns, tls_ns; /* name known, TCP up, TLS up (0 without) */
    uint64_t send_ns;                       /* just before the request is sent */
    uint64_t first_byte_ns;                 /* the first byte of the answer's headers is there */
    uint64_t total_ns;
};

#define HTTP_FIELD_BYTES    128
#define HTTP_LOCATION_BYTES 8192
#define HTTP_COOKIE_BYTES   1024
struct http_answer {
    int failure;              /* 0, or -errno: there is no complete answer */
    char reason[256];         /* in words, when failure; of a 401, why Kerberos had no ticket */
    int status;               /* HTTP, 0 without */
    unsigned version;         /* 10, 11 */
    unsigned new_connections; /* that this request opened: 0 or 1 */
    uint64_t received_bytes;  /* of the body */
    uint64_t sent_bytes;      /* of the body */
    /* more than most_bytes, into_bytes or HTTP_TEXT_BYTES came: cut off there, and the connection
     * is closed */
    bool too_long;
    bool plain;       /* without TLS, and no request of this slot had an answer before */
    const char *text; /* HTTP_TEXT or an error's body, terminated; "" without; the slot's memory */
    size_t text_bytes;
    uint64_t content_length; /* as announced; UINT64_MAX: not announced */
    /* Values of header fields, cut to size, "" when absent. */
    char etag[HTTP_FIELD_BYTES], content_range[HTTP_FIELD_BYTES], date[HTTP_FIELD_BYTES];
    char modified[HTTP_FIELD_BYTES];   /* Last-Modified */
    char region[HTTP_FIELD_BYTES];     /* x-amz-bucket-region */
    char request_id[HTTP_FIELD_BYTES]; /* x-amz-request-id */
    char checksum[HTTP_FIELD_BYTES];   /* x-amz-checksum-*: "crc32c=VALUE", no ...-type */
    char retry_after[32];
    /* "" also when it would not fit: a part of it is of no use */
    char location[HTTP_LOCATION_BYTES];
    char cookie[HTTP_COOKIE_BYTES]; /* Set-Cookie: NAME=VALUE of the first */
    struct http_times times;
};

struct http;

/* SPNEGO is built into the library. */
bool http_negotiates(void);

/* Name and version of the library: "libcurl 8.14.1 OpenSSL/3.5.1".  A constant string. */
const char *http_library(void);

/* On the thread that will use it.  Proxies are taken from the environment as the library does.
 * Returns 0 or -1 (STATUS_TARGET; a CA file that cannot be read). */
int http_create(const struct http_config *config, struct http **out, struct error *err);
void http_destroy(struct http *http); /* NULL is fine; requests under way are dropped */

/* Hot.  Begins a request in a free slot (< slots).  Returns 0, or -errno when it cannot be begun:
 * then there is no answer to wait for. */
int http_begin(struct http *http, uint32_t slot, const struct http_request *request);

/* Hot.  Waits until a request is done, at most wait_ns (0: only looks, UINT64_MAX: for ever), and
 * gives up to `max` slots.  Returns their number, 0 after the time or a signal, or -errno when it
 * cannot go on. */
int http_wait(struct http *http, uint64_t wait_ns, uint32_t *slot, unsigned max);

/* Hot.  Of a slot whose request is done; valid until the next http_begin there. */
const struct http_answer *http_answer(const struct http *http, uint32_t slot);

/* Cold: one request in slot 0 with nothing else under way, waited for.  Returns its answer, whose
 * failure is -EINTR when config.stop was raised. */
const struct http_answer *http_perform(struct http *http, const struct http_request *request);

#endif
