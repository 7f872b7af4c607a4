/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http.h - concurrent HTTP/1.1 requests. libcurl, which only src/net uses, makes the connections;
 * this code sends and parses everything on them.
 *
 * There is one struct http per thread, created once, with a fixed number of slots and the
 * connections that they share, to any servers; at most two idle connections per slot are kept. A
 * request is begun in a free slot and is done when http_wait returns that slot; its answer stays
 * readable until the slot is reused. In the steady state this code allocates nothing. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct http_config {
    uint32_t slots;
    const char *ca_file; /* PEM; NULL: libcurl's default */
    bool insecure;       /* certificates are not verified */
    bool reconnect;      /* each request on a new connection, closed afterwards */
    /* limit without progress, and for connecting; the limit for a whole request is four times this
     * plus a second for each 4 KiB moved; 0: none */
    uint64_t timeout_ns;
    size_t transfer_bytes; /* of the largest bodies: sizes libcurl's buffers */
    /* MAY be NULL: connections go to ADDR instead of the host of the URL, which Host and
     * certificates still use: "HOST:PORT:ADDR:PORT" each; an empty HOST or PORT matches any, an
     * empty ADDR or PORT keeps it; ended by NULL. */
    const char *const *connect_to;
};

enum http_sink {
    HTTP_COUNT, /* the body of a success is counted and dropped without copying */
    HTTP_INTO,  /* ... goes to `into`; nothing is read beyond into_bytes */
    HTTP_TEXT   /* ... goes to the slot's text (as the body of any other status always does) */
};

#define HTTP_HEADERS_MAX  24
#define HTTP_METHOD_BYTES 16
#define HTTP_TEXT_BYTES   ((size_t)1 << 20)   /* a page of 1000 keys; more is cut and reported */
#define HTTP_HEAD_BYTES   ((size_t)256 << 10) /* of an answer, those of status 1xx included */

struct http_request {   /* what it points to must not change until the request is done */
    const char *method; /* "GET", "HEAD", "PUT", "POST", "DELETE" */
    /* complete and encoded; sent unchanged (paths are not normalised) */
    const char *url;
    const char *header[HTTP_HEADERS_MAX]; /* whole lines without line ends: "Date: x" */
    unsigned header_count;
    bool has_body;       /* PUT, POST: body_bytes of it, possibly 0 */
    uint64_t body_bytes; /* of head, body and tail together: the Content-Length */
    /* sent in this order (aws-chunked framing); head and tail may be NULL */
    const void *body_head, *body, *body_tail;
    size_t head_bytes, tail_bytes;
    enum http_sink sink;
    void *into; /* HTTP_INTO */
    uint64_t into_bytes;
    /* Limit for the body of a success, beyond which nothing is read; 0: none, but HTTP_TEXT stops
     * at HTTP_TEXT_BYTES. */
    uint64_t most_bytes;
};

/* When the request reached each step, in ns since its beginning (libcurl counts microseconds). On a
 * reused connection the first three are 0. */
struct http_times {
    uint64_t lookup_ns, connect_ns, tls_ns; /* name resolved, TCP up, TLS up (0 without) */
    uint64_t send_ns;                       /* just before the request is sent */
    uint64_t first_byte_ns;                 /* first byte of the answer's header received */
    uint64_t total_ns;
};

#define HTTP_FIELD_BYTES    128
#define HTTP_LOCATION_BYTES 8192
#define HTTP_COOKIE_BYTES   1024
struct http_answer {
    int failure;              /* 0, or -errno: there is no complete answer */
    char reason[256];         /* description, if failure */
    int status;               /* HTTP, 0 without */
    unsigned version;         /* 10, 11 */
    unsigned new_connections; /* opened for this request: 0 or 1 */
    uint64_t received_bytes;  /* of the body */
    uint64_t sent_bytes;      /* of the body */
    /* the body exceeded most_bytes, into_bytes or HTTP_TEXT_BYTES: it was cut there and the
     * connection closed */
    bool too_long;
    bool plain;       /* without TLS, and the slot's first answer */
    const char *text; /* HTTP_TEXT or an error's body, terminated; else ""; in the slot's memory */
    size_t text_bytes;
    uint64_t content_length; /* as announced; UINT64_MAX: absent */
    /* Values of header fields, truncated to fit, "" if absent. */
    char etag[HTTP_FIELD_BYTES], content_range[HTTP_FIELD_BYTES], date[HTTP_FIELD_BYTES];
    char modified[HTTP_FIELD_BYTES];   /* Last-Modified */
    char region[HTTP_FIELD_BYTES];     /* x-amz-bucket-region */
    char request_id[HTTP_FIELD_BYTES]; /* x-amz-request-id */
    char checksum[HTTP_FIELD_BYTES];   /* x-amz-checksum-*: "crc32c=VALUE", no ...-type */
    char retry_after[32];
    /* "" also if it does not fit: a part of it is useless */
    char location[HTTP_LOCATION_BYTES];
    char cookie[HTTP_COOKIE_BYTES]; /* first Set-Cookie: NAME=VALUE */
    struct http_times times;
};

/* Whether libcurl has SPNEGO. */
bool http_negotiates(void);

struct http;

/* Cold. GETs a URL with the user's Kerberos ticket (SPNEGO), for the cookie that replaces the
 * ticket in further requests: NAME=VALUE, set by an answer of 2xx; "": none. Waits for the answer,
 * at most http_config.timeout_ns, and until *stop (MAY be NULL) is not 0. */
void http_negotiate(const struct http *http, const char *url, const volatile int *stop,
                    char cookie[HTTP_COOKIE_BYTES]);

/* Seconds since 1970 of "Fri, 24 May 2013 00:00:00 GMT" (RFC 9110, 5.6.7). False: no date. */
bool http_date_read(const char *text, int64_t *seconds);

/* libcurl's name and version: "libcurl 8.14.1 OpenSSL/3.5.1". A constant string. */
const char *http_library(void);

/* To be called on the thread that uses it. Proxies are taken from the environment as libcurl does.
 * Returns 0 or -1 (STATUS_TARGET; a CA file that cannot be read). */
int http_create(const struct http_config *config, struct http **out, struct error *err);
void http_destroy(struct http *http); /* NULL is fine; aborts requests in flight */

/* Hot. Begins a request in a free slot (< slots). Returns 0, or -errno if it could not be begun;
 * then no answer follows. */
int http_begin(struct http *http, uint32_t slot, const struct http_request *request);

/* Hot. Waits until a request is done, at most wait_ns (0: poll only, UINT64_MAX: for ever), and
 * returns up to `max` slots in slot[]. Returns their number, 0 after a timeout or a signal, or
 * -errno if it cannot go on. */
int http_wait(struct http *http, uint64_t wait_ns, uint32_t *slot, unsigned max);

/* Hot. The answer in a slot whose request is done; valid until the next http_begin there. */
const struct http_answer *http_answer(const struct http *http, uint32_t slot);

/* Cold. Ends the request in a slot, if there is one, with failure -EINTR: http_wait returns it. */
void http_cancel(struct http *http, uint32_t slot);

#endif
