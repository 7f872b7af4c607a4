/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* link.c - one thread's connections to WebHDFS: HTTP, and in each slot one or two requests; the
 * second begins as soon as the first one is answered. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "storage/object/web/answer.h"
#include "storage/object/web/secret.h"

#define COOKIE  "hadoop.auth="
#define SESSION "KNOXSESSIONID="

struct webhdfs_link {
    struct object_link base; /* first */
    struct http *http;
    uint32_t slots;
    const volatile int *stop; /* MAY be NULL */
    struct webhdfs_slot *slot;
    /* authenticates further requests, as in any HTTP client */
    char cookie[HTTP_COOKIE_BYTES];
    char no_ticket[200];         /* why there is none for the user's Kerberos ticket; "" */
    struct object_answer answer; /* the most recently requested one */
    struct http_answer none;     /* for a call that was not sent */
};

static struct webhdfs_link *link_of(struct object_link *link)
{
    return (struct webhdfs_link *)link;
}

/* ---- making ---- */

void webhdfs_disconnect(struct object_link *base)
{
    struct webhdfs_link *link = link_of(base);

    if (!link)
        return;
    http_destroy(link->http); /* first, since it sends from the slots */
    secret_wipe(link->slot, link->slots * sizeof(*link->slot));
    secret_wipe(link->cookie, sizeof(link->cookie));
    free(link->slot);
    free(link);
}

int webhdfs_connect(struct object_service *base, const struct object_link_config *wanted,
                    struct object_link **out, struct error *err)
{
    const struct webhdfs_options *options = webhdfs_options_of(base);
    const struct http_config config = {
        .slots = wanted->slots,
        .ca_file = options->store.ca_file,
        .insecure = options->store.insecure,
        .reconnect = wanted->reconnect,
        .timeout_ns = base->options->timeout_ns,
        .transfer_bytes = (size_t)wanted->transfer_bytes,
        .connect_to = (const char *const *)webhdfs_service_of(base)->places,
    };
    struct webhdfs_link *link = mem_calloc(1, sizeof(*link));

    *out = NULL;
    link->base.service = base;
    link->slots = wanted->slots;
    link->stop = wanted->stop;
    link->slot = mem_calloc(wanted->slots, sizeof(*link->slot));
    link->none.text = "";
    if (http_create(&config, &link->http, err) != 0) {
        webhdfs_disconnect(&link->base);
        return -1;
    }
    *out = &link->base;
    return 0;
}

/* ---- calls ---- */

static bool begins(const char *cookie, const char *name, size_t bytes)
{
    return strncmp(cookie, name, bytes) == 0 && strlen(cookie) > bytes + 2 && cookie[bytes] != ';';
}

/* Presents the ticket once, for a cookie: presenting it with each request would cost more than the
 * rest of the request. Without a cookie, requests are refused as the service sees fit. */
static COLD void negotiate(struct webhdfs_link *link)
{
    const struct webhdfs_service *service = webhdfs_service_of(link->base.service);
    char *url = mem_printf("%s?op=GETHOMEDIRECTORY", service->address.endpoint);
    struct http_session session;

    (void)object_request_count(link->base.service, OBJECT_STAT, true);
    http_negotiate(link->http, url, link->stop, &session);
    link->no_ticket[0] = '\0';
    if (begins(session.cookie, COOKIE, sizeof(COOKIE) - 1))
        memcpy(link->cookie, session.cookie, sizeof(link->cookie));
    else if (session.no_ticket[0])
        (void)snprintf(link->no_ticket, sizeof(link->no_ticket), "no Kerberos ticket: %s",
                       session.no_ticket);
    else if (session.status >= 200 && session.status < 300)
        (void)snprintf(link->no_ticket, sizeof(link->no_ticket),
                       "the service accepts the Kerberos ticket, but sets no cookie " COOKIE);
    secret_wipe(session.cookie, sizeof(session.cookie));
    free(url);
}

int webhdfs_begin(struct object_link *base, uint32_t index, const struct object_call *call)
{
    struct webhdfs_link *link = link_of(base);
    const struct object_service *service = base->service;
    struct webhdfs_slot *slot = &link->slot[index];
    int code;

    if (__builtin_expect(link->cookie[0] == '\0' && webhdfs_options_of(service)->negotiate, 0))
        negotiate(link);
    slot->renewed = slot->renews;
    slot->renews = false;
    slot->no_ticket = link->no_ticket;
    code = webhdfs_request_make(webhdfs_service_of(service), call, link->cookie, slot);
    return __builtin_expect(code < 0, 0) ? code : http_begin(link->http, index, &slot->http);
}

void webhdfs_cancel(struct object_link *base, uint32_t slot, const struct object_call *call,
                    uint64_t stopped_ns)
{
    (void)call, (void)stopped_ns;
    http_cancel(link_of(base)->http, slot);
}

/* Keeps only the cookie of Hadoop's own authentication, and Knox's, which saves a password check
 * and a session per request; and only from the service itself. */
static bool is_kept(const struct webhdfs_link *link, const char *cookie)
{
    return begins(cookie, COOKIE, sizeof(COOKIE) - 1) ||
           (webhdfs_service_of(link->base.service)->authorization &&
            begins(cookie, SESSION, sizeof(SESSION) - 1));
}

static void keep_cookie(struct webhdfs_link *link, struct webhdfs_slot *slot,
                        const struct http_answer *http)
{
    if (!is_kept(link, http->cookie))
        return;
    memcpy(link->cookie, http->cookie, strlen(http->cookie) + 1);
    webhdfs_request_know(slot, link->cookie);
}

/* Cookies expire after some hours; then the ticket must be presented again. A refused request had
 * no data yet and is worth one retry, with another cookie. */
static COLD void see_refusal(struct webhdfs_link *link, struct webhdfs_slot *slot,
                             const struct http_answer *http)
{
    if (http->failure != 0 || slot->cookie[0] == '\0' ||
        !webhdfs_options_of(link->base.service)->negotiate)
        return;
    slot->renews = !slot->renewed;
    if (strcmp(slot->cookie + sizeof(WEBHDFS_COOKIE_FIELD) - 1, link->cookie) == 0)
        link->cookie[0] = '\0'; /* no thread has a newer one */
}

/* Handles the answer to the first request. A refusal contains nothing worth keeping. */
static void see_first(struct webhdfs_link *link, struct webhdfs_slot *slot,
                      const struct http_answer *http)
{
    if (__builtin_expect(http->status == 401, 0))
        see_refusal(link, slot, http);
    else if (__builtin_expect(http->cookie[0] != '\0', 0))
        keep_cookie(link, slot, http);
}

/* Handles a completed request. True: the call is complete, too. */
static bool is_over(struct webhdfs_link *link, uint32_t index)
{
    struct webhdfs_slot *slot = &link->slot[index];
    const struct http_answer *http = http_answer(link->http, index);

    slot->answer = http;
    if (slot->step == WEBHDFS_ASK)
        see_first(link, slot, http);
    if (!webhdfs_request_next(slot, http))
        return true;
    slot->unstarted = http_begin(link->http, index, &slot->http);
    return slot->unstarted != 0;
}

int webhdfs_wait(struct object_link *base, uint64_t wait_ns, uint32_t *done, unsigned max)
{
    struct webhdfs_link *link = link_of(base);
    uint64_t until_ns = 0;

    for (;;) {
        const int got = http_wait(link->http, wait_ns, done, max);
        int over = 0;

        for (int i = 0; i < got; i++)
            if (is_over(link, done[i]))
                done[over++] = done[i];
        if (got <= 0 || over > 0)
            return got < 0 ? got : over;
        if (wait_ns == 0 || wait_ns == UINT64_MAX)
            continue; /* a second request begun now may be complete as well */
        if (until_ns == 0)
            until_ns = clock_monotonic_ns() + wait_ns;
        else if (clock_monotonic_ns() >= until_ns)
            return 0;
    }
}

/* ---- answers ---- */

const struct object_answer *webhdfs_answer(struct object_link *base, uint32_t index,
                                           const struct object_call *call)
{
    struct webhdfs_link *link = link_of(base);
    const struct webhdfs_slot *slot = &link->slot[index];
    struct object_answer *answer = &link->answer;
    const unsigned each = object_requests_each(base->service, call->verb);
    const bool data = call->verb == OBJECT_GET || call->verb == OBJECT_LIST;

    webhdfs_judge(slot, &answer->verdict);
    answer->sent_bytes = slot->answer->sent_bytes;
    answer->received_bytes = data ? slot->answer->received_bytes : 0;
    answer->new_connections = slot->connections;
    if (!slot->unstarted)
        answer->new_connections += slot->answer->new_connections;
    answer->unsent = each - (slot->step == WEBHDFS_TRANSFER && !slot->unstarted ? 2 : 1);
    answer->settled = true;
    answer->again = slot->renews;
    answer->pause_ns = 0;
    answer->condition = OBJECT_CONDITION_NONE;
    answer->etag = answer->upload_id = "";
    answer->age_s = call->want_age ? webhdfs_age_s(slot->answer) : -1;
    answer->times = web_times(&slot->first, &slot->answer->times);
    answer->version = "http/1.1";
    answer->detail = slot;
    if (__builtin_expect(answer->verdict.class != OBJECT_DONE, 0)) {
        answer->settled = webhdfs_is_settled(slot);
        answer->condition = webhdfs_condition(slot->call, &answer->verdict);
    }
    return answer;
}
