/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_transfer.h - one request and its answer in progress: data received go where the request
 * directs. Independent of libcurl. */
#ifndef NET_HTTP_TRANSFER_H
#define NET_HTTP_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "net/http.h"

struct http_transfer {
    struct http_request request;
    struct http_answer answer;
    uint64_t begun_ns;                              /* start time */
    uint64_t steps;                                 /* counts every send and receive */
    uint64_t seen_steps, seen_sent_bytes, still_ns; /* at the last check; time without any since */
    uint64_t lasted_ns;                             /* since the start, at the last check */
    /* of the answer's header, limited to HTTP_HEAD_BYTES */
    uint64_t head_bytes;
    char *text; /* grows as needed and is kept */
    size_t text_room;
};

/* Hot. Begins a new request: no answer yet. */
void http_transfer_begin(struct http_transfer *transfer, const struct http_request *request);
void http_transfer_fini(struct http_transfer *transfer);

/* Hot. Takes bytes of the answer's body. Returns false if the body exceeds its limit, which ends
 * the request. */
bool http_transfer_take(struct http_transfer *transfer, const char *data, size_t bytes);

/* Checks for progress since the last check, passed_ns ago; sent_bytes: of the body, as far as
 * known. Returns for how long nothing has moved. */
uint64_t http_transfer_still(struct http_transfer *transfer, uint64_t sent_bytes,
                             uint64_t passed_ns);

/* The time limit of the whole request, given what has moved so far. */
uint64_t http_transfer_most_ns(const struct http_transfer *transfer, uint64_t sent_bytes,
                               uint64_t timeout_ns);

#endif
