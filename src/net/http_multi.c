/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_multi.c - libcurl's multi handle (see http_multi.h). */
#include "base/compat.h"

#include "net/http_multi.h"

#include <errno.h>

#include "base/clock.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

static int want_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *unused)
{
    struct http_multi *multi = arg;
    unsigned wanted = 0;

    (void)easy, (void)unused;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
        wanted |= OS_SOCKET_READ;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
        wanted |= OS_SOCKET_WRITE;
    return http_poll_want(multi->poll, (int)fd, wanted) < 0 ? -1 : 0;
}

static int want_timer(CURLM *handle, long timeout_ms, void *arg)
{
    struct http_multi *multi = arg;

    (void)handle;
    multi->timer_set = timeout_ms >= 0;
    multi->timer_ns = timeout_ms > 0 ? clock_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS : 0;
    return 0;
}

int http_multi_init(struct http_multi *multi, struct http_poll *poll, uint32_t idle_most)
{
    *multi = (struct http_multi){.multi = curl_multi_init(), .poll = poll};
    if (!multi->multi)
        return -1;
    curl_multi_setopt(multi->multi, CURLMOPT_SOCKETFUNCTION, want_socket);
    curl_multi_setopt(multi->multi, CURLMOPT_SOCKETDATA, multi);
    curl_multi_setopt(multi->multi, CURLMOPT_TIMERFUNCTION, want_timer);
    curl_multi_setopt(multi->multi, CURLMOPT_TIMERDATA, multi);
    curl_multi_setopt(multi->multi, CURLMOPT_MAXCONNECTS, (long)idle_most);
    return 0;
}

void http_multi_fini(struct http_multi *multi)
{
    curl_multi_cleanup(multi->multi); /* NULL is fine */
    multi->multi = NULL;
}

int http_multi_add(struct http_multi *multi, CURL *easy)
{
    if (curl_multi_add_handle(multi->multi, easy) != CURLM_OK)
        return -ENOMEM;
    multi->called = true;
    if (multi->timer_set && multi->timer_ns == 0)
        http_multi_run_timer(multi);
    return 0;
}

void http_multi_remove(struct http_multi *multi, CURL *easy)
{
    curl_multi_remove_handle(multi->multi, easy);
    multi->called = true; /* other transfers may have waited for it */
}

void http_multi_ready(struct http_multi *multi, const struct http_poll_event *event)
{
    int running;

    multi->called = true;
    curl_multi_socket_action(multi->multi, (curl_socket_t)event->fd,
                             (event->ready & OS_SOCKET_READ ? CURL_CSELECT_IN : 0) |
                                 (event->ready & OS_SOCKET_WRITE ? CURL_CSELECT_OUT : 0),
                             &running);
}

void http_multi_run_timer(struct http_multi *multi)
{
    int running;

    multi->called = true;
    multi->timer_set = false;
    curl_multi_socket_action(multi->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

CURL *http_multi_ended(struct http_multi *multi, CURLcode *result)
{
    CURLMsg *message;
    int left;

    if (!multi->called)
        return NULL;
    while ((message = curl_multi_info_read(multi->multi, &left)) != NULL)
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    multi->called = false;
    return NULL;
}

static uint64_t measured_ns(CURL *easy, CURLINFO which, uint64_t most_ns)
{
    curl_off_t time_us = 0;
    uint64_t ns;

    curl_easy_getinfo(easy, which, &time_us);
    ns = time_us > 0 ? (uint64_t)time_us * NS_PER_US : 0;
    return ns < most_ns ? ns : most_ns;
}

void http_multi_tell_connecting(CURL *easy, struct http_answer *answer, uint64_t most_ns)
{
    long connections = 0;

    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connections);
    answer->new_connections = connections > 0;
    answer->times.lookup_ns = measured_ns(easy, CURLINFO_NAMELOOKUP_TIME_T, most_ns);
    answer->times.connect_ns = measured_ns(easy, CURLINFO_CONNECT_TIME_T, most_ns);
    answer->times.tls_ns = measured_ns(easy, CURLINFO_APPCONNECT_TIME_T, most_ns);
}
