/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_failure.h - what a request failed of: as -errno and in words, in its answer.  All cold. */
#ifndef NET_HTTP_FAILURE_H
#define NET_HTTP_FAILURE_H

#include <stdbool.h>

#include "net/http_multi.h"
#include "net/http_transfer.h"

struct http_failed { /* as libcurl says it */
    CURL *easy;
    CURLcode result;
    const char *said; /* its own words, "" without; not those of the answer */
    int socket_errno; /* why no socket could be made; 0: it could */
    bool resending;   /* it would have sent the request a second time */
    bool head_long;   /* the head was longer than may be */
};
void http_failure_of_library(struct http_answer *answer, const struct http_failed *failed);

/* "WHAT: WORDS" */
void http_failure_set(struct http_answer *answer, int errnum, const char *what, const char *words);

/* Nothing moved for still_ns, or (0) it lasts too long although something does. */
void http_failure_of_time(struct http_transfer *transfer, uint64_t still_ns);

/* A connection that was used before has ended, and no byte of an answer came. */
#define HTTP_NO_ANSWER "connection closed without an answer"
#define HTTP_NOT_TWICE "a kept connection; the request is not sent twice"

#endif
