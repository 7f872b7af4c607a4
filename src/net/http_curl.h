/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_curl.h - one thread's libcurl multi handle, which makes connections; this code notifies it
 * which sockets are ready. Settings of its handles, Kerberos, and its failures in words. The only
 * file that includes libcurl's header. */
#ifndef NET_HTTP_CURL_H
#define NET_HTTP_CURL_H

#include <stdbool.h>
#include <stdint.h>

#include <curl/curl.h>

#include "net/http.h"
#include "net/http_poll.h"

struct http_multi {
    CURLM *multi;
    const struct http_config *config;
    struct http_poll *poll;
    struct curl_slist *places; /* http_config.connect_to */
    size_t buffer_bytes;
    bool timer_set;
    uint64_t timer_ns; /* when libcurl wants to be called; 0: now */
    bool called;       /* libcurl was called since its messages were read */
};

/* Returns 0 or -1 (no memory, or libcurl cannot be initialised). idle_most: limit of idle
 * connections that are kept. */
int http_multi_init(struct http_multi *multi, const struct http_config *config,
                    struct http_poll *poll, uint32_t idle_most);
void http_multi_fini(struct http_multi *multi); /* closes connections; fine when all is 0 */

/* Sets the options common to all connections. */
void http_multi_set(const struct http_multi *multi, CURL *easy);

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

/* Cold. Records why libcurl could not make the connection. said: its text, or "". socket_errno: of
 * a socket that could not be opened, or 0. */
void http_multi_tell_failure(CURL *easy, struct http_answer *answer, CURLcode result,
                             const char *said, int socket_errno);

/* See http_negotiate. */
void http_multi_negotiate(const struct http_multi *multi, const char *url, const volatile int *stop,
                          char cookie[HTTP_COOKIE_BYTES]);

#endif
