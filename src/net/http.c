/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http.c - concurrent requests (see http.h): this code sends them and parses their answers
 * (http_exchange.h) on connections that libcurl has made. Both wait for their sockets in one set
 * (http_poll.h).
 *
 * A request is sent once. If a pooled connection turns out to be closed before any byte of the
 * answer, the request fails and the caller may repeat it, because each request sent is counted, may
 * be charged, and is part of a latency. An idle connection that was closed is normally noticed
 * before it is used, and replaced. Redirects are not followed. DNS results are cached for a minute
 * and TLS sessions are resumed, also with `reconnect`, as any client does. */
#include "base/compat.h"

#include "net/http.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/http_exchange.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define EVENTS_MAX 64
/* Limit of idle connections that libcurl made for this code. */
#define MULTI_CONNECTIONS(slots) (3 * (slots) + 2)
#define NS_PER_MS                UINT64_C(1000000)
#define LOOK_NS_MAX              (1000 * NS_PER_MS) /* between checks for progress */
#define LOOK_NS_MIN              (10 * NS_PER_MS)

enum http_phase { IDLE, UNDER_WAY, DONE };

struct slot {
    struct http_exchange exchange; /* first */
    enum http_phase phase;
    bool answered; /* some request was */
};

struct http {
    struct http_poll poll;
    struct http_multi multi;
    struct http_pool pool;
    struct http_config config;
    char *ca_file;
    uint64_t look_ns; /* time of the last check on requests */
    uint32_t under_way;
    uint32_t *done; /* ring of slots that http_wait has yet to return */
    uint32_t done_first, done_count;
    struct slot slot[];
};

/* ---- life ---- */

void http_negotiate(const struct http *http, const char *url, const volatile int *stop,
                    char cookie[HTTP_COOKIE_BYTES])
{
    http_multi_negotiate(&http->multi, url, stop, cookie);
}

int http_create(const struct http_config *config, struct http **out, struct error *err)
{
    const int fd = config->ca_file ? open(config->ca_file, O_RDONLY | O_CLOEXEC) : -1;
    struct http *http;

    if (config->ca_file && fd < 0) {
        error_set(err, STATUS_TARGET, errno, "cannot read certificates in", config->ca_file);
        return error_advise(err, "name a readable file in PEM form");
    }
    if (fd >= 0)
        close(fd);
    http = mem_calloc(1, sizeof(*http) + config->slots * sizeof(http->slot[0]));
    http->config = *config;
    http->ca_file = config->ca_file ? mem_strdup(config->ca_file) : NULL;
    http->config.ca_file = http->ca_file;
    http->done = mem_calloc(config->slots, sizeof(*http->done));
    http->look_ns = clock_monotonic_ns();
    if (http_multi_init(&http->multi, &http->config, &http->poll,
                        MULTI_CONNECTIONS(config->slots)) < 0) {
        http_destroy(http);
        return error_set(err, STATUS_TARGET, ENOMEM, "cannot set up", http_library());
    }
    http_pool_init(&http->pool, &http->config, &http->poll, &http->multi);
    for (uint32_t i = 0; i < config->slots; i++) {
        http->slot[i].exchange.transfer.answer.text = "";
        http_transfer_reset(&http->slot[i].exchange.transfer.answer);
        http->slot[i].exchange.pool = &http->pool;
    }
    *out = http;
    return 0;
}

void http_destroy(struct http *http)
{
    if (!http)
        return;
    for (uint32_t i = 0; i < http->config.slots; i++)
        http_exchange_fini(&http->slot[i].exchange);
    http_pool_fini(&http->pool);
    http_multi_fini(&http->multi);
    http_poll_fini(&http->poll);
    free(http->done);
    free(http->ca_file);
    free(http);
}

/* ---- requests: hot ---- */

static void put_done(struct http *http, struct http_exchange *exchange)
{
    struct slot *slot = (struct slot *)exchange;
    uint32_t last = http->done_first + http->done_count;

    if (last >= http->config.slots)
        last -= http->config.slots;
    slot->answered = slot->answered || slot->exchange.transfer.answer.failure == 0;
    slot->phase = DONE;
    http->done[last] = (uint32_t)(slot - http->slot);
    http->done_count++;
}

static bool is_sound(const struct http_request *request)
{
    return request->header_count <= HTTP_HEADERS_MAX && strlen(request->url) >= 8 &&
           strlen(request->method) < HTTP_METHOD_BYTES &&
           request->head_bytes <= request->body_bytes &&
           request->tail_bytes <= request->body_bytes - request->head_bytes;
}

int http_begin(struct http *http, uint32_t index, const struct http_request *request)
{
    struct http_host *host;
    struct slot *slot;
    const char *target = NULL;
    bool over;

    if (UNLIKELY(index >= http->config.slots))
        return -EINVAL;
    slot = &http->slot[index];
    if (UNLIKELY(slot->phase != IDLE))
        return -EBUSY;
    if (UNLIKELY(!is_sound(request)))
        return -EINVAL;
    host = http_pool_host(&http->pool, request->url, &target);
    if (UNLIKELY(!host))
        return -EINVAL;
    http_transfer_begin(&slot->exchange.transfer, request);
    slot->exchange.transfer.answer.plain = !host->tls && !slot->answered;
    over = http_exchange_begin(&slot->exchange, host, target);
    slot->phase = UNDER_WAY;
    http->under_way++;
    if (UNLIKELY(over))
        put_done(http, &slot->exchange);
    return 0;
}

static unsigned take_done(struct http *http, uint32_t *index, unsigned max)
{
    unsigned taken = 0;

    while (taken < max && http->done_count > 0) {
        const uint32_t done = http->done[http->done_first];

        if (++http->done_first == http->config.slots)
            http->done_first = 0;
        http->done_count--;
        http->under_way--;
        http->slot[done].phase = IDLE;
        index[taken++] = done;
    }
    return taken;
}

/* Handles the connections that libcurl has made, or has failed to make. */
static void collect(struct http *http)
{
    CURLcode result;
    CURL *easy;

    while ((easy = http_multi_ended(&http->multi, &result)) != NULL) {
        struct http_exchange *over;
        char *owner = NULL;

        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &owner);
        over = http_exchange_connected((struct http_connection *)(void *)owner, result);
        if (over)
            put_done(http, over);
    }
}

/* ---- requests without progress ---- */

static uint64_t look_interval_ns(const struct http *http)
{
    const uint64_t interval_ns = http->config.timeout_ns / 4;

    if (interval_ns < LOOK_NS_MIN)
        return LOOK_NS_MIN;
    return interval_ns < LOOK_NS_MAX ? interval_ns : LOOK_NS_MAX;
}

/* Time between two calls does not count against the server: what it sent meanwhile may still be
 * unread. */
static void look_at_requests(struct http *http, uint64_t now_ns)
{
    const uint64_t interval_ns = look_interval_ns(http);
    uint64_t passed_ns = now_ns - http->look_ns;

    http->look_ns = now_ns;
    if (passed_ns > 2 * interval_ns)
        passed_ns = 2 * interval_ns;
    for (uint32_t i = 0; i < http->config.slots; i++) {
        struct slot *slot = &http->slot[i];
        uint64_t still_ns, sent_bytes;

        if (slot->phase != UNDER_WAY)
            continue;
        sent_bytes = http_writer_body_at(&slot->exchange.writer);
        still_ns = http_transfer_still(&slot->exchange.transfer, sent_bytes, passed_ns);
        if (still_ns < http->config.timeout_ns &&
            slot->exchange.transfer.lasted_ns < http_transfer_most_ns(&slot->exchange.transfer,
                                                                      sent_bytes,
                                                                      http->config.timeout_ns))
            continue;
        http_exchange_time_out(&slot->exchange, still_ns < http->config.timeout_ns ? 0 : still_ns);
        put_done(http, &slot->exchange);
    }
}

/* ---- waiting ---- */

/* How long to wait for the sockets alone, from now_ns on: until a timer of this code or of libcurl,
 * or until_ns. */
static uint64_t pause_ns(const struct http *http, uint64_t now_ns, uint64_t until_ns)
{
    uint64_t next_ns = until_ns;

    if (http->pool.again_count > 0)
        return 0;
    if (http->multi.timer_set && http->multi.timer_ns < next_ns)
        next_ns = http->multi.timer_ns;
    if (http->config.timeout_ns > 0 && http->under_way > 0 &&
        http->look_ns + look_interval_ns(http) < next_ns)
        next_ns = http->look_ns + look_interval_ns(http);
    return next_ns == UINT64_MAX ? next_ns : next_ns > now_ns ? next_ns - now_ns : 0;
}

static void take_event(struct http *http, struct http_connection *connection, unsigned ready)
{
    struct http_exchange *over = http_exchange_ready(connection, ready);

    if (over)
        put_done(http, over);
}

/* Continues with connections for which libcurl holds more data than one turn processed. */
static COLD void take_again(struct http *http)
{
    const struct http_pool *pool = &http->pool;

    for (uint32_t i = 0; i < pool->count && pool->again_count > 0; i++)
        if (pool->connection[i].again)
            take_event(http, &pool->connection[i], HTTP_POLL_READ);
}

static int run_once(struct http *http, uint64_t wait_ns)
{
    struct http_poll_event event[EVENTS_MAX];
    const int count = http_poll_wait(&http->poll, wait_ns, event, EVENTS_MAX);

    for (int i = 0; i < count; i++) {
        struct http_connection *connection = http_pool_of(&http->pool, event[i].fd);

        if (connection)
            take_event(http, connection, event[i].ready);
        else
            http_multi_ready(&http->multi, &event[i]);
    }
    if (UNLIKELY(http->pool.again_count > 0))
        take_again(http);
    return count < 0 ? count : 0;
}

int http_wait(struct http *http, uint64_t wait_ns, uint32_t *index, unsigned max)
{
    uint64_t now_ns = 0, until_ns = wait_ns;

    if (http->under_way == 0 && wait_ns == UINT64_MAX)
        return 0;
    for (bool first = true;; first = false) {
        int result;
        unsigned taken;

        collect(http);
        taken = take_done(http, index, max);
        if (taken > 0)
            return (int)taken;
        if (!first && wait_ns == 0)
            return 0;
        now_ns = clock_monotonic_ns();
        if (first && wait_ns != UINT64_MAX)
            until_ns = wait_ns < UINT64_MAX - now_ns ? now_ns + wait_ns : UINT64_MAX;
        if (!first && now_ns >= until_ns)
            return 0;
        result = run_once(http, pause_ns(http, now_ns, until_ns));
        if (result < 0)
            return result == -EINTR ? 0 : result;
        now_ns = http->multi.timer_set && http->multi.timer_ns > 0 ? clock_monotonic_ns() : now_ns;
        if (http->multi.timer_set && http->multi.timer_ns <= now_ns)
            http_multi_run_timer(&http->multi);
        if (UNLIKELY(http->config.timeout_ns > 0 &&
                     now_ns - http->look_ns >= look_interval_ns(http)))
            look_at_requests(http, now_ns);
    }
}

const struct http_answer *http_answer(const struct http *http, uint32_t index)
{
    return &http->slot[index].exchange.transfer.answer;
}

/* ---- cold ---- */

void http_cancel(struct http *http, uint32_t index)
{
    struct slot *slot = &http->slot[index];
    struct http_answer *answer = &slot->exchange.transfer.answer;

    if (slot->phase != UNDER_WAY)
        return;
    http_exchange_drop(&slot->exchange);
    answer->failure = -EINTR;
    (void)snprintf(answer->reason, sizeof(answer->reason), "stopped");
    put_done(http, &slot->exchange);
}
