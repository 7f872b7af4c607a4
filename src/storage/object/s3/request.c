/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* request.c - turns a call into a signed HTTP request: URL, header lines, framing of the body. One
 * pass over fixed memory of the slot; a request that does not fit is refused. Header lines are
 * written in the order of their names, as signing requires. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "net/encode.h"

#define TRAILER_UNSIGNED "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
#define TRAILER_SIGNED   "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"

/* Limit of an authorization value: header names, access key, region. */
#define AUTHORIZATION_ROOM ((size_t)1024)

/* Properties of each verb in HTTP. */
static const struct {
    const char *method;
    bool of_key;   /* addresses the key, not the bucket */
    bool has_body; /* PUT and POST always have one, possibly empty */
    bool data;     /* ... of user data: payload mode and checksum apply */
    bool xml;      /* ... with a document made here */
    enum http_sink sink;
} kinds[OBJECT_VERB_COUNT] = {
    [OBJECT_PUT] = {"PUT", true, true, true, false, HTTP_COUNT},
    [OBJECT_GET] = {"GET", true, false, false, false, HTTP_COUNT},
    [OBJECT_STAT] = {"HEAD", true, false, false, false, HTTP_COUNT},
    [OBJECT_LIST] = {"GET", false, false, false, false, HTTP_TEXT},
    [OBJECT_COPY] = {"PUT", true, true, false, false, HTTP_TEXT},
    [OBJECT_DELETE] = {"DELETE", true, false, false, false, HTTP_COUNT},
    [OBJECT_DELETE_MANY] = {"POST", false, true, false, true, HTTP_TEXT},
    [OBJECT_UPLOAD_BEGIN] = {"POST", true, true, false, false, HTTP_TEXT},
    [OBJECT_UPLOAD_PART] = {"PUT", true, true, true, false, HTTP_COUNT},
    [OBJECT_UPLOAD_COMPLETE] = {"POST", true, true, false, true, HTTP_TEXT},
    [OBJECT_UPLOAD_ABORT] = {"DELETE", true, false, false, false, HTTP_COUNT},
    [OBJECT_UPLOAD_LIST] = {"GET", false, false, false, false, HTTP_TEXT},
};

struct build {
    const struct s3_service *service;
    const struct object_call *call;
    struct s3_request *request;
    struct text_builder url, text, head, tail; /* of the request */
    size_t path_at, query_at;                  /* in the URL */
    bool many;                                 /* too many headers */
    bool refused;                              /* OpenSSL failed to sign a chunk */
    bool trailer;                              /* the body is framed and followed by its checksum */
    bool unsigned_trailer;
    unsigned header_count;
    struct sigv4_header header[HTTP_HEADERS_MAX];
    char date[SIGV4_DATE_BYTES];
    char checksum[CHECKSUM_TEXT]; /* of the body; "": none */
    char sha256[SIGV4_HEX_BYTES];
    const char *payload_hash; /* NULL: not sent */
};

enum s3_checksum s3_request_checksum(const struct s3_service *service)
{
    const enum s3_checksum wanted = (enum s3_checksum)s3_options_of(&service->base)->checksum;

    if (service->payload == S3_PAYLOAD_TRAILER &&
        (wanted == S3_CHECKSUM_NONE || wanted == S3_CHECKSUM_MD5))
        return S3_CHECKSUM_CRC32;
    return wanted;
}

/* --- target ---------------------------------------------------------------------------------- */

/* "name=value", to be called in alphabetical order. */
static void query_put(struct build *b, const char *name, const char *value)
{
    if (b->url.used > b->query_at)
        text_put(&b->url, "&");
    text_put(&b->url, name);
    text_put(&b->url, "=");
    encode_put_percent(&b->url, value, false);
}

static void query_number(struct build *b, const char *name, uint64_t value)
{
    char text[NUMBER_BYTES];
    query_put(b, name, number_text(value, text));
}

static void put_list_query(struct build *b)
{
    const struct object_call *call = b->call;

    if (call->token)
        query_put(b, "continuation-token", call->token);
    if (call->delimiter)
        query_put(b, "delimiter", call->delimiter);
    query_put(b, "list-type", "2");
    if (call->page > 0)
        query_number(b, "max-keys", call->page);
    query_put(b, "prefix", call->key ? call->key : "");
}

static void put_upload_list_query(struct build *b)
{
    const struct object_call *call = b->call;

    if (call->token)
        query_put(b, "key-marker", call->token);
    if (call->page > 0)
        query_number(b, "max-uploads", call->page);
    query_put(b, "prefix", call->key ? call->key : "");
    if (call->token && call->token_id)
        query_put(b, "upload-id-marker", call->token_id);
    query_put(b, "uploads", "");
}

static void put_query(struct build *b)
{
    switch (b->call->verb) {
    case OBJECT_LIST:
        put_list_query(b);
        break;
    case OBJECT_UPLOAD_LIST:
        put_upload_list_query(b);
        break;
    case OBJECT_DELETE_MANY:
        query_put(b, "delete", "");
        break;
    case OBJECT_UPLOAD_BEGIN:
        query_put(b, "uploads", "");
        break;
    case OBJECT_UPLOAD_PART:
        query_number(b, "partNumber", b->call->part);
        query_put(b, "uploadId", b->call->upload_id);
        break;
    case OBJECT_UPLOAD_COMPLETE:
    case OBJECT_UPLOAD_ABORT:
        query_put(b, "uploadId", b->call->upload_id);
        break;
    default:
        break;
    }
}

/* Path and query are terminated separately until they are signed; join_url joins them. */
static void put_url(struct build *b)
{
    const struct s3_address *address = &b->service->address;

    text_put(&b->url, address->https ? "https://" : "http://");
    text_put(&b->url, address->authority);
    b->path_at = b->url.used;
    text_put(&b->url, address->path);
    if (kinds[b->call->verb].of_key)
        encode_put_percent(&b->url, b->call->key, true);
    text_put(&b->url, "?");
    if (b->url.full)
        return;
    b->query_at = b->url.used;
    b->request->url[b->query_at - 1] = '\0';
    put_query(b);
}

static void join_url(struct build *b)
{
    if (b->request->url[b->query_at] != '\0')
        b->request->url[b->query_at - 1] = '?';
    b->request->http.url = b->request->url;
}

/* --- headers --------------------------------------------------------------------------------- */

static void header_begin(struct build *b, const char *name)
{
    b->many = b->many || b->header_count == HTTP_HEADERS_MAX - 1; /* one is for authorization */
    if (b->many)
        return;
    b->request->http.header[b->request->http.header_count] = b->text.text + b->text.used;
    text_put(&b->text, name);
    text_put(&b->text, ": ");
    b->header[b->header_count].name = name;
    b->header[b->header_count].value = b->text.text + b->text.used;
}

static void header_end(struct build *b)
{
    text_put_bytes(&b->text, "", 1); /* the terminator */
    if (!b->text.full && !b->many) {
        b->header_count++;
        b->request->http.header_count++;
    }
}

static void header_put(struct build *b, const char *name, const char *value)
{
    header_begin(b, name);
    text_put(&b->text, value);
    header_end(b);
}

/* "/BUCKET/KEY", encoded: the server decodes it once. */
static void put_copy_source(struct build *b)
{
    header_begin(b, "x-amz-copy-source");
    text_put(&b->text, "/");
    text_put(&b->text, b->service->address.bucket);
    text_put(&b->text, "/");
    encode_put_percent(&b->text, b->call->source_key, true);
    header_end(b);
}

static void put_range(struct build *b)
{
    header_begin(b, "range");
    text_put(&b->text, "bytes=");
    encode_put_number(&b->text, b->call->offset_bytes);
    text_put(&b->text, "-");
    encode_put_number(&b->text, b->call->offset_bytes + b->call->range_bytes - 1);
    header_end(b);
}

/* The value of x-amz-checksum-algorithm; NULL: not supported by it. */
static const char *const algorithm_name[S3_CHECKSUM_COUNT] = {
    [S3_CHECKSUM_CRC32] = "CRC32",
    [S3_CHECKSUM_CRC32C] = "CRC32C",
    [S3_CHECKSUM_CRC64NVME] = "CRC64NVME",
};

/* Headers that sort before x-amz-checksum-*. */
static void put_plain_headers(struct build *b, enum s3_checksum checksum)
{
    if (b->trailer)
        header_put(b, "content-encoding", "aws-chunked");
    if (checksum == S3_CHECKSUM_MD5 && b->checksum[0])
        header_put(b, checksum_header(checksum), b->checksum);
    if (kinds[b->call->verb].xml)
        header_put(b, "content-type", "application/xml");
    /* signed here, sent with the URL */
    b->header[b->header_count++] = (struct sigv4_header){"host", b->service->address.authority};
    if (b->call->verb == OBJECT_PUT && b->call->only_if_absent)
        header_put(b, "if-none-match", "*");
    if (b->call->verb == OBJECT_GET && b->call->ranged)
        put_range(b);
}

static void put_headers(struct build *b, enum s3_checksum checksum)
{
    const enum object_verb kind = b->call->verb;
    const bool anonymous = b->service->credentials.anonymous;
    char text[NUMBER_BYTES];

    put_plain_headers(b, checksum);
    if (kind == OBJECT_UPLOAD_BEGIN && algorithm_name[checksum])
        header_put(b, "x-amz-checksum-algorithm", algorithm_name[checksum]);
    if (checksum != S3_CHECKSUM_MD5 && b->checksum[0] && !b->trailer)
        header_put(b, checksum_header(checksum), b->checksum);
    if ((kind == OBJECT_GET || kind == OBJECT_STAT) && b->call->want_checksum)
        header_put(b, "x-amz-checksum-mode", "ENABLED");
    if (b->payload_hash)
        header_put(b, "x-amz-content-sha256", b->payload_hash);
    if (kind == OBJECT_COPY)
        put_copy_source(b);
    if (!anonymous)
        header_put(b, "x-amz-date", b->date);
    if (b->trailer)
        header_put(b, "x-amz-decoded-content-length", number_text(b->call->body_bytes, text));
    if (!anonymous && b->service->credentials.session_token)
        header_put(b, "x-amz-security-token", b->service->credentials.session_token);
    if (b->trailer)
        header_put(b, "x-amz-trailer", checksum_header(checksum));
}

/* --- body ------------------------------------------------------------------------------------ */

static int hash_body(struct build *b)
{
    uint8_t digest[CHECKSUM_SHA256];

    if (b->call->body_bytes == 0) {
        b->payload_hash = SIGV4_EMPTY_SHA256;
        return 0;
    }
    if (checksum_sha256(b->call->body, (size_t)b->call->body_bytes, digest) != 0)
        return -EIO;
    b->payload_hash = encode_hex(digest, sizeof(digest), b->sha256);
    return 0;
}

/* Sets trailer and payload_hash. */
static int choose_payload(struct build *b)
{
    const bool anonymous = b->service->credentials.anonymous;
    const bool data = kinds[b->call->verb].data, xml = kinds[b->call->verb].xml;

    b->trailer = data && b->service->payload == S3_PAYLOAD_TRAILER;
    if (b->trailer) {
        b->unsigned_trailer = b->service->address.https || anonymous;
        b->payload_hash = b->unsigned_trailer ? TRAILER_UNSIGNED : TRAILER_SIGNED;
        return 0;
    }
    if (anonymous) /* unsigned requests need not declare their body */
        return 0;
    if (xml || (data && b->service->payload == S3_PAYLOAD_SIGNED))
        return hash_body(b);
    b->payload_hash = data && b->call->body_bytes > 0 ? SIGV4_UNSIGNED : SIGV4_EMPTY_SHA256;
    return 0;
}

/* The checksum of this body: that of the options for data; DeleteObjects always has one, MD5
 * because all services support it, unless system policy forbids MD5. */
static int sum_body(struct build *b, enum s3_checksum *checksum)
{
    const size_t bytes = (size_t)b->call->body_bytes;

    *checksum = s3_request_checksum(b->service);
    if (b->call->verb == OBJECT_DELETE_MANY) {
        *checksum = S3_CHECKSUM_MD5;
        if (checksum_text(*checksum, b->call->body, bytes, b->checksum) == 0)
            return 0;
        *checksum = S3_CHECKSUM_CRC32;
    } else if (!kinds[b->call->verb].data || *checksum == S3_CHECKSUM_NONE) {
        return 0;
    }
    return checksum_text(*checksum, b->call->body, bytes, b->checksum) == 0 ? 0 : -EIO;
}

/* Appends ";chunk-signature=..." of a chunk. */
static void put_chunk_signature(struct build *b, struct sigv4 *signer, const void *data,
                                size_t bytes, struct text_builder *out)
{
    char signature[SIGV4_HEX_BYTES] = "";

    if (b->unsigned_trailer)
        return;
    b->refused = b->refused || sigv4_chunk(signer, false, data, bytes, signature) != 0;
    text_put(out, ";chunk-signature=");
    text_put(out, signature);
}

/* The size before the only chunk; an empty body has none. */
static void put_head(struct build *b, struct sigv4 *signer)
{
    char size[20];

    (void)snprintf(size, sizeof(size), "%" PRIx64, b->call->body_bytes);
    text_put(&b->head, size);
    put_chunk_signature(b, signer, b->call->body, (size_t)b->call->body_bytes, &b->head);
    text_put(&b->head, "\r\n");
}

/* The final chunk and the trailer. */
static void put_tail(struct build *b, struct sigv4 *signer, enum s3_checksum checksum)
{
    char line[64], signature[SIGV4_HEX_BYTES] = "";

    text_put(&b->tail, b->call->body_bytes > 0 ? "\r\n0" : "0");
    put_chunk_signature(b, signer, "", 0, &b->tail);
    text_put(&b->tail, "\r\n");
    (void)snprintf(line, sizeof(line), "%s:%s\n", checksum_header(checksum), b->checksum);
    text_put_bytes(&b->tail, line, strlen(line) - 1);
    text_put(&b->tail, "\r\n");
    if (!b->unsigned_trailer) {
        b->refused = b->refused || sigv4_chunk(signer, true, line, strlen(line), signature) != 0;
        text_put(&b->tail, "x-amz-trailer-signature:");
        text_put(&b->tail, signature);
        text_put(&b->tail, "\r\n");
    }
    text_put(&b->tail, "\r\n");
}

static int put_body(struct build *b, struct sigv4 *signer, enum s3_checksum checksum)
{
    struct http_request *http = &b->request->http;

    http->has_body = kinds[b->call->verb].has_body;
    if (kinds[b->call->verb].data || kinds[b->call->verb].xml) {
        http->body = b->call->body;
        http->body_bytes = b->call->body_bytes;
    }
    if (!b->trailer)
        return 0;
    if (b->call->body_bytes > 0) {
        put_head(b, signer);
        http->head_bytes = b->head.used;
        http->body_head = b->head.text;
    }
    put_tail(b, signer, checksum);
    http->tail_bytes = b->tail.used;
    http->body_tail = b->tail.text;
    http->body_bytes += http->head_bytes + http->tail_bytes;
    return b->refused ? -EIO : 0;
}

/* --- the request ---------------------------------------------------------------------------- */

static int sign(struct build *b, struct sigv4 *signer)
{
    const struct sigv4_request request = {
        .method = kinds[b->call->verb].method,
        .path = b->request->url + b->path_at,
        .query = b->request->url + b->query_at,
        .header = b->header,
        .header_count = b->header_count,
        .payload_hash = b->payload_hash,
    };

    b->request->http.header[b->request->http.header_count++] = b->text.text + b->text.used;
    text_put(&b->text, "authorization: ");
    if (b->text.full || b->text.room - b->text.used < AUTHORIZATION_ROOM)
        return -ENAMETOOLONG;
    return sigv4_sign(signer, &request, b->date, &b->text) < 0 ? -EIO : 0;
}

int s3_request_make(const struct s3_service *service, struct sigv4 *signer,
                    const struct object_call *call, time_t now, struct s3_request *request)
{
    struct build b = {.service = service,
                      .call = call,
                      .request = request,
                      .url = {.text = request->url, .room = sizeof(request->url)},
                      .text = {.text = request->text, .room = sizeof(request->text)},
                      .head = {.text = request->head, .room = sizeof(request->head)},
                      .tail = {.text = request->tail, .room = sizeof(request->tail)}};
    enum s3_checksum checksum;
    int result;

    if (!kinds[call->verb].method ||
        (call->verb == OBJECT_GET && call->ranged && call->range_bytes == 0))
        return -EINVAL; /* not expressible as a request */
    request->http =
        (struct http_request){.method = kinds[call->verb].method, .sink = kinds[call->verb].sink};
    if (call->verb == OBJECT_GET && call->into) {
        request->http.sink = HTTP_INTO;
        request->http.into = call->into;
        request->http.into_bytes = call->into_bytes;
    }
    /* Cuts off longer bodies, which would be charged. */
    request->http.most_bytes = call->verb == OBJECT_GET ? call->range_bytes : HTTP_TEXT_BYTES;
    sigv4_date(now, b.date);
    put_url(&b);
    result = sum_body(&b, &checksum);
    result = result == 0 ? choose_payload(&b) : result;
    if (result != 0)
        return result;
    put_headers(&b, checksum);
    if (b.url.full || b.text.full || b.many)
        return -ENAMETOOLONG;
    result = service->credentials.anonymous ? 0 : sign(&b, signer);
    result = result == 0 ? put_body(&b, signer, checksum) : result;
    if (result != 0 || b.head.full || b.tail.full)
        return result != 0 ? result : -ENAMETOOLONG;
    join_url(&b);
    return 0;
}
