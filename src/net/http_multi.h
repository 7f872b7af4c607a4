/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_multi.h - one thread's libcurl multi handle, which makes connections. This code notifies it
 * which sockets are ready. The only file that includes libcurl's header. */
#ifndef NET_HTTP_MULTI_H
#define NET_HTTP_MULTI_H

#include <stdbool.h>
#include <stdint.h>

#include <curl/curl.h>

#include "net/http.h"
#include "net/http_poll.h"

struct http_multi {
    CURLM *multi;
    struct http_poll *poll;
    bool timer_set;
    uint64_t timer_ns; /* when libcurl wants to be called; 0: now */
    bool called;       /* libcurl was called since its messages were read */
};

/* Returns 0 or -1 (no memory). idle_most: limit of idle connections that are kept. */
int http_multi_init(struct http_multi *multi, struct http_poll *poll, uint32_t idle_most);
void http_multi_fini(struct http_multi *multi); /* closes connections; fine when all is 0 */

/* Starts the handle's transfer, at once if possible. Returns 0 or -ENOMEM. */
int http_multi_add(struct http_multi *multi, CURL *easy);
void http_multi_remove(struct http_multi *multi, CURL *easy);

void http_multi_ready(struct http_multi *multi, const struct http_poll_event *event);
void http_multi_run_timer(struct http_multi *multi);

/* The next handle that has ended; it stays added. NULL: no more. */
CURL *http_multi_ended(struct http_multi *multi, CURLcode *result);

/* Cold. The times that libcurl has measured until the connection was up, each at most most_ns, and
 * whether it is a new one. */
void http_multi_tell_connecting(CURL *easy, struct http_answer *answer, uint64_t most_ns);

#endif
