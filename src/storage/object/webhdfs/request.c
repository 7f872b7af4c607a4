/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* request.c - turns calls into HTTP requests: to the NameNode, and to where it redirects. One pass
 * over fixed memory of the slot; a request that does not fit is refused. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "net/encode.h"

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

void webhdfs_request_know(struct webhdfs_slot *slot, const char *cookie)
{
    if (cookie[0] && !slot->cookie[0])
        (void)snprintf(slot->cookie, sizeof(slot->cookie), WEBHDFS_COOKIE_FIELD "%s", cookie);
}

int webhdfs_request_make(const struct webhdfs_service *service, const struct object_call *call,
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
    text_put(&b, service->address.endpoint);
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
    webhdfs_request_know(slot, cookie);
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
    const char *authority = slot->service->address.authority;
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
    slot->strange = !is_usable(answer->location, slot->service->address.https);
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
