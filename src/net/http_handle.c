/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_handle.c - libcurl easy handles (see http_handle.h): set up once; a request then changes
 * only what differs from the handle's previous one, and its outcome becomes errno and text.
 *
 * Small bodies are passed as what libcurl calls POST fields, whatever the method: these are sent in
 * one packet with the header. */
#include "base/compat.h"

#include "net/http_handle.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/http_failure.h"
#include "net/http_host.h"
#include "os/socket.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define NS_PER_US       1000u
#define BUFFER_LEAST    ((size_t)16 << 10)
#define BUFFER_MOST     ((size_t)512 << 10)
#define INLINE_MOST     ((uint64_t)32 << 10) /* limit of bodies sent with the header */
#define CONNECT_MS_MOST 2000000000L

/* ---- libcurl ---- */

static struct http_facts facts;

/* libcurl before 7.84 does not lock its own initialisation. */
static void start_library(void)
{
    const curl_version_info_data *info;

    facts.ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    info = curl_version_info(CURLVERSION_NOW);
    facts.negotiates = info->features & CURL_VERSION_SPNEGO;
    snprintf(facts.name, sizeof(facts.name), "libcurl %s%s%s", info->version,
             info->ssl_version ? " " : "", info->ssl_version ? info->ssl_version : "");
}

const struct http_facts *http_handle_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, start_library);
    return &facts;
}

/* ---- callbacks besides the functions of http_transfer.h ---- */

/* Called before a request is sent. libcurl (Curl_retry_request) sends it again if a reused
 * connection ends without a byte of an answer; refusing this call ends the request. */
#if LIBCURL_VERSION_NUM >= 0x075000
static int before_sending(void *arg, char *to, char *from, int to_port, int from_port)
{
    struct http_handle *handle = arg;

    (void)to, (void)from, (void)to_port, (void)from_port;
    handle->resending = handle->sendings++ > 0;
    return handle->resending ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}
#endif

/* Whether part of the request was sent already. */
static bool has_left(const struct http_handle *handle)
{
    long bytes = 0;

    curl_easy_getinfo(handle->easy, CURLINFO_REQUEST_SIZE, &bytes);
    return handle->sendings > 0 || bytes > 0;
}

/* Called when the body has to be sent again. */
static int seek_body(void *arg, curl_off_t offset, int origin)
{
    struct http_transfer *transfer = arg;

    if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > transfer->request.body_bytes)
        return CURL_SEEKFUNC_FAIL;
    transfer->body_at = (uint64_t)offset;
    return CURL_SEEKFUNC_OK;
}

static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct http_handle *handle = arg;
    int fd;

    (void)purpose;
    if (has_left(handle)) { /* the connection would be for a retry */
        handle->resending = true;
        return CURL_SOCKET_BAD;
    }
    fd = os_socket_open(address->family, address->socktype, address->protocol);
    if (fd < 0) {
        handle->socket_errno = errno;
        return CURL_SOCKET_BAD;
    }
    handle->socket_errno = 0; /* another address of the server could be tried */
    handle->transfer->steps++;
    http_poll_opened(handle->poll, fd);
    return (curl_socket_t)fd;
}

static int close_socket(void *arg, curl_socket_t fd)
{
    http_poll_closed(arg, (int)fd);
    return os_socket_close((int)fd);
}

/* Called with libcurl's trace, the only source of the reason why Kerberos has no ticket:
 * "gss_CALL() failed: " and the reason, where CALL depends on libcurl's version. The rest is
 * discarded, since it contains secrets. */
static int take_word(CURL *easy, curl_infotype type, char *text, size_t bytes, void *arg)
{
    static const char failed[] = "() failed: ";
    struct http_handle *handle = arg;
    char words[256];
    const char *reason;
    size_t length;

    (void)easy;
    if (type != CURLINFO_TEXT || bytes < 4 || memcmp(text, "gss_", 4) != 0)
        return 0;
    snprintf(words, sizeof(words), "%.*s", (int)(bytes < sizeof(words) ? bytes : sizeof(words) - 1),
             text);
    reason = strstr(words, failed);
    if (!reason)
        return 0;
    snprintf(handle->no_ticket, sizeof(handle->no_ticket), "%s", reason + strlen(failed));
    length = strcspn(handle->no_ticket, "\r\n");
    while (length > 0 && strchr(" .", handle->no_ticket[length - 1]))
        length--;
    handle->no_ticket[length] = '\0';
    return 0;
}

/* ---- set up once ---- */

size_t http_handle_buffer_bytes(const struct http_config *config)
{
    size_t bytes = BUFFER_LEAST;

    while (bytes < config->transfer_bytes && bytes < BUFFER_MOST)
        bytes *= 2;
    return bytes;
}

/* Without a name in the environment libcurl need not look for a proxy with each request. */
void http_handle_transport(CURL *easy, const struct http_config *config)
{
    const size_t buffer = http_handle_buffer_bytes(config);

#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    if (!http_host_proxied(NULL)) {
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    }
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)buffer);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)buffer);
    curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, config->reconnect ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, config->reconnect ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, config->reconnect ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, config->insecure ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, config->insecure ? 0L : 2L);
    if (config->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file);
    else if (os_keeps_certificates)
        curl_easy_setopt(easy, CURLOPT_SSL_OPTIONS, (long)CURLSSLOPT_NATIVE_CA);
    if (config->places)
        curl_easy_setopt(easy, CURLOPT_CONNECT_TO, config->places);
    /* http.c ends requests without progress, connected or not; libcurl's own connection timeout, 5
     * minutes by default, must not come first. */
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS_MOST);
}

int http_handle_make_places(const char *const *connect_to, void **places)
{
    struct curl_slist *list = NULL;

    for (; connect_to && *connect_to; connect_to++) {
        struct curl_slist *longer = curl_slist_append(list, *connect_to);
        if (!longer) {
            curl_slist_free_all(list);
            return -1;
        }
        list = longer;
    }
    *places = list;
    return 0;
}

void http_handle_free_places(void *places)
{
    curl_slist_free_all(places);
}

int http_handle_init(struct http_handle *handle, const struct http_config *config,
                     struct http_poll *poll, struct http_transfer *transfer)
{
    CURL *easy = curl_easy_init();

    if (!easy)
        return -1;
    handle->use = HTTP_USE_REQUEST;
    handle->easy = easy;
    handle->transfer = transfer;
    handle->poll = poll;
    handle->config = config;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, handle);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, handle->transfer->answer.reason);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, http_transfer_take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, handle->transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, http_transfer_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, handle->transfer);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, http_transfer_fetch);
    curl_easy_setopt(easy, CURLOPT_READDATA, handle->transfer);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek_body);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, handle->transfer);
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_sending);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, handle);
#endif
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, handle);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, poll);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    http_handle_transport(easy, config);
    return 0;
}

void http_handle_fini(struct http_handle *handle)
{
    curl_easy_cleanup(handle->easy); /* NULL is fine */
    handle->easy = NULL;
}

/* ---- set for each request ---- */

static void list_lines(struct http_handle *handle, const struct http_request *request)
{
    const char *line[HTTP_LINES_MAX];
    const unsigned count = http_transfer_lines(request, line);

    for (unsigned i = 0; i < count; i++) {
        handle->node[i].data = (char *)(uintptr_t)line[i]; /* never written */
        handle->node[i].next = &handle->node[i + 1];
    }
    handle->node[count - 1].next = NULL;
}

static COLD void set_shape(struct http_handle *handle, enum http_shape shape)
{
    CURL *easy = handle->easy;

    /* With POST fields of an earlier request libcurl would not rewind a streamed body. */
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, NULL);
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L); /* ends UPLOAD, POST and NOBODY */
    if (shape == HTTP_SHAPE_HEAD)
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    else if (shape == HTTP_SHAPE_INLINE)
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
    else if (shape == HTTP_SHAPE_STREAM)
        curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, &handle->node[0]);
    handle->shape = shape;
}

static COLD void set_method(struct http_handle *handle, const char *method)
{
    snprintf(handle->method, sizeof(handle->method), "%s", method);
    curl_easy_setopt(handle->easy, CURLOPT_CUSTOMREQUEST, handle->method);
}

/* Uses the user's ticket; libcurl requires a user name, which may be empty. */
static COLD void set_negotiation(struct http_handle *handle, bool negotiate)
{
    curl_easy_setopt(handle->easy, CURLOPT_HTTPAUTH,
                     (long)(negotiate ? CURLAUTH_NEGOTIATE : CURLAUTH_BASIC));
    curl_easy_setopt(handle->easy, CURLOPT_USERPWD, negotiate ? ":" : NULL);
    curl_easy_setopt(handle->easy, CURLOPT_DEBUGFUNCTION, take_word);
    curl_easy_setopt(handle->easy, CURLOPT_DEBUGDATA, handle);
    curl_easy_setopt(handle->easy, CURLOPT_VERBOSE, negotiate ? 1L : 0L);
    handle->negotiates = negotiate;
}

static enum http_shape shape_of(const struct http_request *request)
{
    if (!request->has_body)
        return strcmp(request->method, "HEAD") == 0 ? HTTP_SHAPE_HEAD : HTTP_SHAPE_GET;
    if (request->head_bytes == 0 && request->tail_bytes == 0 && request->body_bytes <= INLINE_MOST)
        return HTTP_SHAPE_INLINE;
    return HTTP_SHAPE_STREAM;
}

int http_handle_prepare(struct http_handle *handle, const struct http_request *request)
{
    const enum http_shape shape = shape_of(request);

    handle->socket_errno = 0;
    handle->sendings = 0;
    handle->no_ticket[0] = '\0';
    handle->resending = false;
    list_lines(handle, request);
    if (UNLIKELY(handle->shape != shape))
        set_shape(handle, shape);
    if (UNLIKELY(handle->negotiates != request->negotiate))
        set_negotiation(handle, request->negotiate);
    if (UNLIKELY(strcmp(handle->method, request->method) != 0))
        set_method(handle, request->method);
    if (shape == HTTP_SHAPE_INLINE) {
        curl_easy_setopt(handle->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)request->body_bytes);
        curl_easy_setopt(handle->easy, CURLOPT_POSTFIELDS,
                         request->body_bytes ? request->body : "");
    } else if (shape == HTTP_SHAPE_STREAM) {
        curl_easy_setopt(handle->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_bytes);
    }
    return curl_easy_setopt(handle->easy, CURLOPT_URL, request->url) == CURLE_OK ? 0 : -ENOMEM;
}

/* ---- the end of a request ---- */

static inline uint64_t time_ns(CURL *easy, CURLINFO which)
{
    curl_off_t time_us = 0;

    curl_easy_getinfo(easy, which, &time_us);
    return time_us > 0 ? (uint64_t)time_us * NS_PER_US : 0;
}

static inline void not_after(uint64_t *moment, uint64_t later)
{
    if (*moment > later)
        *moment = later;
}

/* On a reused connection, libcurl reports the times before the request as 0 or a few microseconds,
 * depending on its version; after a second attempt it sums those of both. No time may be later than
 * its successor. */
static void read_times(struct http_handle *handle)
{
    struct http_times *times = &handle->transfer->answer.times;
    CURL *easy = handle->easy;

    times->total_ns = time_ns(easy, CURLINFO_TOTAL_TIME_T);
    times->send_ns = time_ns(easy, CURLINFO_PRETRANSFER_TIME_T);
    times->first_byte_ns = handle->transfer->request.has_body
                               ? handle->transfer->first_byte_ns
                               : time_ns(easy, CURLINFO_STARTTRANSFER_TIME_T);
    not_after(&times->first_byte_ns, times->total_ns);
    not_after(&times->send_ns, times->first_byte_ns ? times->first_byte_ns : times->total_ns);
    if (handle->transfer->answer.new_connections == 0)
        return;
    times->lookup_ns = time_ns(easy, CURLINFO_NAMELOOKUP_TIME_T);
    times->connect_ns = time_ns(easy, CURLINFO_CONNECT_TIME_T);
    times->tls_ns = time_ns(easy, CURLINFO_APPCONNECT_TIME_T);
    if (times->send_ns > 0)
        not_after(&times->tls_ns, times->send_ns);
}

uint64_t http_handle_sent(const struct http_handle *handle)
{
    curl_off_t sent_bytes = 0;

    curl_easy_getinfo(handle->easy, CURLINFO_SIZE_UPLOAD_T, &sent_bytes);
    return sent_bytes > 0 ? (uint64_t)sent_bytes : 0;
}

static void read_facts(struct http_handle *handle)
{
    struct http_answer *answer = &handle->transfer->answer;
    long connections = 0;

    curl_easy_getinfo(handle->easy, CURLINFO_NUM_CONNECTS, &connections);
    answer->new_connections = connections > 0;
    if (handle->transfer->request.has_body)
        answer->sent_bytes = http_handle_sent(handle);
    read_times(handle);
}

/* libcurl reports a header line that it does not store as "out of memory". */
static bool is_head_long(const struct http_handle *handle, CURLcode result)
{
    return handle->transfer->head_bytes > HTTP_HEAD_BYTES ||
           (result == CURLE_OUT_OF_MEMORY && handle->transfer->head_bytes > 0);
}

static COLD void tell_failure(struct http_handle *handle, CURLcode result)
{
    char said[CURL_ERROR_SIZE];
    const struct http_failed failed = {
        .easy = handle->easy,
        .result = result,
        .said = said,
        .socket_errno = handle->socket_errno,
        .resending = handle->resending,
        .head_long = is_head_long(handle, result),
    };

    snprintf(said, sizeof(said), "%s", handle->transfer->answer.reason);
    http_failure_of_library(&handle->transfer->answer, &failed);
}

void http_handle_finish(struct http_handle *handle, CURLcode result)
{
    const bool cut = result == CURLE_WRITE_ERROR && handle->transfer->answer.too_long;

    read_facts(handle);
    if (UNLIKELY(result != CURLE_OK && !cut))
        tell_failure(handle, result);
    else /* not text about errors that libcurl recovered from */
        snprintf(handle->transfer->answer.reason, sizeof(handle->transfer->answer.reason), "%s",
                 handle->transfer->answer.status == 401 ? handle->no_ticket : "");
}

void http_handle_time_out(struct http_handle *handle, uint64_t still_ns)
{
    read_facts(handle);
    http_failure_of_time(handle->transfer, still_ns);
}
