/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* link.c - one thread's connections to WebHDFS: HTTP, and in each slot a call as one or two
 * requests, to the NameNode and to where it redirects; the second begins as soon as the first one
 * is answered. Requests are made in one pass over fixed memory of the slot; one that does not fit
 * is refused. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/encode.h"
#include "storage/object/web/web.h"

#define COOKIE_FIELD "Cookie: "
#define COOKIE       "hadoop.auth="
#define SESSION      "KNOXSESSIONID="

/* Properties of each verb. */
static const struct kind {
    const char *method, *operation;
    bool moves; /* the user's data, in a second request */
    enum http_sink sink;
} kinds[OBJECT_VERB_COUNT] = {
    [OBJECT_PUT] = {"PUT", "CREATE", true, HTTP_TEXT},
    [OBJECT_GET] = {"GET", "OPEN", true, HTTP_COUNT},
    [OBJECT_STAT] = {"GET", "GETFILESTATUS", false, HTTP_TEXT},
    [OBJECT_LIST] = {"GET", "LISTSTATUS_BATCH", false, HTTP_TEXT},
    [OBJECT_DELETE] = {"DELETE", "DELETE&recursive=false", false, HTTP_TEXT},
    [OBJECT_RENAME] = {"PUT", "RENAME", false, HTTP_TEXT},
    [OBJECT_APPEND] = {"POST", "APPEND", true, HTTP_TEXT},
};

/* ---- the URL ---- */

static void put_encoded(struct text_builder *b, const char *text, size_t bytes, bool path)
{
    char piece[OBJECT_KEY_BYTES];

    b->full = b->full || bytes >= sizeof(piece);
    if (b->full)
        return;
    memcpy(piece, text, bytes);
    piece[bytes] = '\0';
    encode_put_percent(b, piece, path);
}

/* Whether a byte continues a UTF-8 character. */
static bool is_continued(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t webhdfs_list_place(const struct object_call *call, const char **path, const char **after,
                          size_t *after_bytes)
{
    const char *from = call->token ? call->token : call->key ? call->key : "";
    const char *slash = strrchr(from, '/');
    const size_t bytes = slash ? (size_t)(slash + 1 - from) : 0;

    *path = from;
    *after = from + bytes;
    *after_bytes = strlen(*after);
    /* Names that begin with the last part of a prefix sort after the same part without its last
     * character. */
    while (!call->token && *after_bytes > 0 && is_continued((*after)[--*after_bytes]))
        continue;
    if (*after_bytes == 0)
        *after = NULL;
    return bytes;
}

static void put_path(struct text_builder *b, const struct object_call *call)
{
    const char *path = call->key ? call->key : "", *after;
    size_t bytes = strlen(path), unused;

    if (call->verb == OBJECT_LIST)
        bytes = webhdfs_list_place(call, &path, &after, &unused);
    if (bytes > 0 && path[bytes - 1] == '/') /* a directory */
        bytes--;
    put_encoded(b, path, bytes, true);
}

static void put_parameters(struct text_builder *b, const struct webhdfs_service *service,
                           const struct object_call *call)
{
    const char *path, *after;
    size_t after_bytes;

    switch (call->verb) {
    case OBJECT_PUT:
        text_put(b, call->only_if_absent ? "&overwrite=false" : "&overwrite=true");
        text_put(b, service->created);
        break;
    case OBJECT_GET:
        if (call->ranged) {
            text_put(b, "&offset=");
            encode_put_number(b, call->offset_bytes);
            text_put(b, "&length=");
            encode_put_number(b, call->range_bytes);
        }
        break;
    case OBJECT_RENAME:
        text_put(b, "&destination=/");
        put_encoded(b, call->key, strlen(call->key), true);
        break;
    case OBJECT_LIST:
        (void)webhdfs_list_place(call, &path, &after, &after_bytes);
        if (!after)
            break;
        text_put(b, "&startAfter=");
        put_encoded(b, after, after_bytes, false);
        break;
    default:
        break;
    }
}

/* ---- the request ---- */

static void put_header(struct http_request *http, const char *line)
{
    http->header[http->header_count++] = line;
}

static void put_headers(struct webhdfs_slot *slot)
{
    put_header(&slot->http, "X-XSRF-HEADER: iosweep"); /* required by requests that change
                                                        * something */
    if (slot->http.has_body)
        put_header(&slot->http, "Content-Type: application/octet-stream");
}

/* For the service itself only, so that no other host gets its cookie or password. */
static void put_identity(struct webhdfs_slot *slot)
{
    if (slot->service->authorization)
        put_header(&slot->http, slot->service->authorization);
    if (slot->cookie[0])
        put_header(&slot->http, slot->cookie);
}

/* Directs received data to their destination, limited to what was requested. */
static void put_sink(struct webhdfs_slot *slot)
{
    const struct object_call *call = slot->call;

    slot->http.sink = kinds[call->verb].sink;
    if (call->verb == OBJECT_LIST)
        slot->http.most_bytes = WEBHDFS_LIST_BYTES;
    if (call->verb != OBJECT_GET)
        return;
    slot->http.most_bytes = call->range_bytes;
    if (!call->into)
        return;
    slot->http.sink = HTTP_INTO;
    slot->http.into = call->into;
    slot->http.into_bytes = call->into_bytes;
}

/* cookie: "NAME=VALUE" received from the service, or "". */
static void put_cookie(struct webhdfs_slot *slot, const char *cookie)
{
    if (cookie[0] && !slot->cookie[0])
        (void)snprintf(slot->cookie, sizeof(slot->cookie), COOKIE_FIELD "%s", cookie);
}

/* Makes the first request of a call. Returns 0 or -errno. */
static int make_request(const struct webhdfs_service *service, const struct object_call *call,
                        const char *cookie, struct webhdfs_slot *slot)
{
    const struct kind *kind = &kinds[call->verb];
    struct text_builder b = {.text = slot->url, .room = sizeof(slot->url)};
    struct object_call moved;

    if (!kind->method)
        return -EOPNOTSUPP;
    slot->service = service;
    slot->call = call;
    slot->step = WEBHDFS_ASK;
    slot->strange = false;
    slot->unstarted = 0;
    slot->connections = 0;
    memset(&slot->first, 0, sizeof(slot->first));
    memset(&slot->http, 0, sizeof(slot->http));
    text_put(&b, service->endpoint);
    if (call->verb == OBJECT_RENAME) { /* the path has the old name */
        moved = *call;
        moved.key = call->source_key;
        put_path(&b, &moved);
    } else {
        put_path(&b, call);
    }
    text_put(&b, "?op=");
    text_put(&b, kind->operation);
    put_parameters(&b, service, call);
    text_put(&b, service->identity);
    if (b.full)
        return -ENAMETOOLONG;
    slot->cookie[0] = '\0';
    put_cookie(slot, cookie);
    slot->http.method = kind->method;
    slot->http.url = slot->url;
    slot->http.has_body = strcmp(kind->method, "PUT") == 0 || strcmp(kind->method, "POST") == 0;
    put_headers(slot);
    put_identity(slot);
    put_sink(slot);
    return 0;
}

/* ---- redirects of the NameNode ---- */

#define IN_HOST "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"

/* Whether it is an http:// or https:// URL without a user, of valid characters, that does not
 * downgrade from TLS to plain HTTP. */
static bool is_usable(const char *location, bool https)
{
    const bool tls = strncasecmp(location, "https://", 8) == 0;
    const char *host = location + (tls ? 8 : 7), *end = host;
    size_t digits;

    if ((!tls && strncasecmp(location, "http://", 7) != 0) || (https && !tls))
        return false;
    for (const char *at = host; *at; at++)
        if ((unsigned char)*at <= ' ' || (unsigned char)*at >= 127 || *at == '#')
            return false;
    if (*host == '[') {
        end += 1 + strspn(host + 1, "0123456789abcdefABCDEF:.");
        end += *end == ']' ? 1 : 0;
    } else {
        end += strspn(host, IN_HOST);
    }
    if (end == host || (*host == '[' && end[-1] != ']'))
        return false;
    digits = *end == ':' ? strspn(end + 1, "0123456789") : 0;
    return *end == ':' ? digits > 0 && digits <= 5 && end[1 + digits] == '/' : *end == '/';
}

/* Whether it has the service's host and port: HttpFS redirects to itself. */
static bool is_service(const struct webhdfs_slot *slot, const char *location)
{
    const char *authority = slot->service->authority;
    const char *host = strstr(location, "://") + 3;

    return strncasecmp(host, authority, strlen(authority)) == 0 && host[strlen(authority)] == '/';
}

bool webhdfs_request_next(struct webhdfs_slot *slot, const struct http_answer *answer)
{
    const struct object_call *call = slot->call;

    if (slot->step != WEBHDFS_ASK || answer->failure != 0 || !kinds[call->verb].moves)
        return false;
    if (answer->status != 307) { /* data may be received, but not sent, without a redirect */
        slot->strange = call->verb != OBJECT_GET && answer->status >= 200 && answer->status < 300;
        return false;
    }
    slot->strange = !is_usable(answer->location, slot->service->https);
    if (slot->strange)
        return false;
    slot->step = WEBHDFS_TRANSFER;
    slot->first = answer->times;
    slot->connections = answer->new_connections;
    memcpy(slot->url, answer->location, strlen(answer->location) + 1);
    slot->http.header_count = 0;
    slot->http.body = call->body;
    slot->http.body_bytes = slot->http.has_body ? call->body_bytes : 0;
    put_headers(slot);
    if (is_service(slot, slot->url))
        put_identity(slot);
    return true;
}

/* ---- the link ---- */

struct webhdfs_link {
    struct object_link base; /* first */
    struct http *http;
    uint32_t slots;
    const volatile int *stop; /* MAY be NULL */
    struct webhdfs_slot *slot;
    /* authenticates further requests, as in any HTTP client */
    char cookie[HTTP_COOKIE_BYTES];
    struct object_answer answer; /* the most recently requested one */
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
    char *url =
        mem_printf("%s?op=GETHOMEDIRECTORY", webhdfs_service_of(link->base.service)->endpoint);

    (void)object_request_count(link->base.service, OBJECT_STAT, true);
    http_negotiate(link->http, url, link->stop, link->cookie);
    if (!begins(link->cookie, COOKIE, sizeof(COOKIE) - 1))
        secret_wipe(link->cookie, sizeof(link->cookie));
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
    code = make_request(webhdfs_service_of(service), call, link->cookie, slot);
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
    put_cookie(slot, link->cookie);
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
    if (strcmp(slot->cookie + sizeof(COOKIE_FIELD) - 1, link->cookie) == 0)
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

    answer->sent_bytes = slot->answer->sent_bytes;
    answer->received_bytes = data ? slot->answer->received_bytes : 0;
    answer->new_connections = slot->connections;
    if (!slot->unstarted)
        answer->new_connections += slot->answer->new_connections;
    answer->unsent = each - (slot->step == WEBHDFS_TRANSFER && !slot->unstarted ? 2 : 1);
    answer->again = slot->renews;
    answer->pause_ns = 0;
    answer->etag = answer->upload_id = "";
    answer->times = web_times(&slot->first, &slot->answer->times);
    answer->version = "http/1.1";
    answer->detail = slot;
    webhdfs_judge(slot, answer);
    return answer;
}
