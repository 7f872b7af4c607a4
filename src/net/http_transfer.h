/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_transfer.h - one request and its answer while bytes move: what is sent comes from
 * the request's pieces, what arrives goes where the request says.  Knows no library; the functions
 * have the shape in which libcurl calls them. */
#ifndef NET_HTTP_TRANSFER_H
#define NET_HTTP_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "net/http.h"

#define HTTP_LINES_MAX (HTTP_HEADERS_MAX + 4)

struct http_transfer {
    struct http_request request;
    struct http_answer answer;
    uint64_t body_at;                               /* sent next */
    uint64_t begun_ns;                              /* the clock at the beginning */
    uint64_t first_byte_ns;                         /* since then: of requests with a body */
    uint64_t steps;                                 /* anything came or went */
    uint64_t seen_steps, seen_sent_bytes, still_ns; /* at the last look; without any since then */
    uint64_t lasted_ns;                             /* since the beginning, at the last look */
    /* of the answer; more than HTTP_HEAD_BYTES end it */
    uint64_t head_bytes;
    char *text; /* grows to what is needed and stays */
    size_t text_room;
};

/* Hot.  A new request: no answer yet. */
void http_transfer_begin(struct http_transfer *transfer, const struct http_request *request);
void http_transfer_fini(struct http_transfer *transfer);

/* Hot.  The lines of the head: the request's, and a name without a value for each that libcurl
 * would add by itself.  Returns their number, at least 1. */
unsigned http_transfer_lines(const struct http_request *request, const char *line[HTTP_LINES_MAX]);

/* Hot.  Bytes of the answer's body (arg: the transfer).  Takes all of them, or, when it gets longer
 * than it may be, not all: that ends the request. */
size_t http_transfer_take(char *data, size_t size, size_t count, void *arg);
/* Hot.  One line of its head.  Takes nothing, which ends the request, when the head is too long. */
size_t http_transfer_header(char *line, size_t size, size_t count, void *arg);
/* Hot.  Fills the buffer with what is sent next of the body: head, body, tail.  0 at the end. */
size_t http_transfer_fetch(char *buffer, size_t size, size_t count, void *arg);

/* Looks whether anything has moved since the last look, passed_ns ago; sent_bytes: of the body, as
 * far as known.  Returns for how long nothing has. */
uint64_t http_transfer_still(struct http_transfer *transfer, uint64_t sent_bytes,
                             uint64_t passed_ns);

/* How long the request may last in all, by what has moved so far. */
uint64_t http_transfer_most_ns(const struct http_transfer *transfer, uint64_t sent_bytes,
                               uint64_t timeout_ns);

#endif
