/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_failure.h - records in the answer why a request failed: -errno and text. All cold. */
#ifndef NET_HTTP_FAILURE_H
#define NET_HTTP_FAILURE_H

#include "net/http_pool.h"
#include "net/http_transfer.h"

/* libcurl could not make the connection. */
void http_failure_of_library(struct http_answer *answer, const struct http_connection *connection,
                             CURLcode result);

/* "WHAT: WORDS" */
void http_failure_set(struct http_answer *answer, int errnum, const char *what, const char *words);

/* Nothing moved for still_ns, or (0) it took too long although data moved. */
void http_failure_of_time(struct http_transfer *transfer, uint64_t still_ns);

/* A reused connection was closed before the first byte of an answer. */
#define HTTP_NO_ANSWER "connection closed without an answer"
#define HTTP_NOT_TWICE "a kept connection; the request is not sent twice"

#endif
