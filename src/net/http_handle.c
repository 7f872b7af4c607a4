/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_handle.c - libcurl easy handles (see http_handle.h): set up for each request, whose outcome
 * becomes errno and text. */
#include "base/compat.h"

#include "net/http_handle.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "net/http_failure.h"
#include "net/http_host.h"
#include "os/socket.h"

#define BUFFER_LEAST    ((size_t)16 << 10)
#define BUFFER_MOST     ((size_t)512 << 10)
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

/* ---- callbacks ---- */

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

static size_t fetch_body(char *buffer, size_t size, size_t count, void *arg)
{
    struct http_handle *handle = arg;
    struct iovec piece[HTTP_WRITER_PIECES];
    const int pieces = http_writer_pieces(&handle->body, &handle->transfer->request, piece);
    size_t filled = 0;

    handle->transfer->steps++;
    for (int i = 0; i < pieces && filled < size * count; i++) {
        const size_t room = size * count - filled;
        const size_t bytes = piece[i].iov_len < room ? piece[i].iov_len : room;

        memcpy(buffer + filled, piece[i].iov_base, bytes);
        filled += bytes;
    }
    handle->body.at += filled;
    return filled;
}

/* Called when the body has to be sent again. */
static int seek_body(void *arg, curl_off_t offset, int origin)
{
    struct http_handle *handle = arg;

    if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > handle->body.end)
        return CURL_SEEKFUNC_FAIL;
    handle->body.at = (uint64_t)offset;
    return CURL_SEEKFUNC_OK;
}

static size_t take_body(char *data, size_t size, size_t count, void *arg)
{
    return http_transfer_take(arg, data, size * count) ? size * count : 0;
}

/* libcurl has judged the line: what is wrong with its framing here does not matter. */
static size_t take_line(char *line, size_t size, size_t count, void *arg)
{
    struct http_handle *handle = arg;
    struct http_transfer *transfer = handle->transfer;
    const char *end = memchr(line, '\r', size * count);

    transfer->steps++;
    transfer->head_bytes += size * count;
    if (transfer->head_bytes > HTTP_HEAD_BYTES)
        return 0;
    if (size * count >= 5 && memcmp(line, "HTTP/", 5) == 0) {
        http_head_begin(&handle->head);
        transfer->answer.times.first_byte_ns = clock_monotonic_ns() - transfer->begun_ns;
    }
    (void)http_head_field(&handle->head, &transfer->answer, line,
                          end ? (size_t)(end - line) : size * count);
    return size * count;
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

/* ---- what all connections have in common ---- */

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
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
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

/* ---- a request ---- */

/* Header lines: the request's, and a name without a value for each that libcurl would add by
 * itself. Returns 0 or -1 (no memory). */
static int set_lines(struct http_handle *handle, const struct http_request *request)
{
    static const char *const own[] = {
        "Accept:", "Expect:", ("User-Agent: iosweep/" PACKAGE_VERSION)};
    const unsigned count = request->header_count;

    curl_slist_free_all(handle->lines);
    handle->lines = NULL;
    for (unsigned i = 0; i < count + sizeof(own) / sizeof(*own); i++) {
        const char *line = i < count ? request->header[i] : own[i - count];
        struct curl_slist *longer;
        bool given = false;

        for (unsigned k = 0; i >= count && k < count; k++)
            given = given || http_writer_is_field(request->header[k], line, strcspn(line, ":") + 1);
        if (given)
            continue;
        longer = curl_slist_append(handle->lines, line);
        if (!longer)
            return -1;
        handle->lines = longer;
    }
    curl_easy_setopt(handle->easy, CURLOPT_HTTPHEADER, handle->lines);
    return 0;
}

/* Uses the user's ticket; libcurl requires a user name, which may be empty. */
static void set_negotiation(struct http_handle *handle)
{
    curl_easy_setopt(handle->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_NEGOTIATE);
    curl_easy_setopt(handle->easy, CURLOPT_USERPWD, ":");
    curl_easy_setopt(handle->easy, CURLOPT_DEBUGFUNCTION, take_word);
    curl_easy_setopt(handle->easy, CURLOPT_DEBUGDATA, handle);
    curl_easy_setopt(handle->easy, CURLOPT_VERBOSE, 1L);
}

static void set_callbacks(struct http_handle *handle)
{
    CURL *easy = handle->easy;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, handle);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, handle->transfer->answer.reason);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, handle->transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_line);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, handle);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, fetch_body);
    curl_easy_setopt(easy, CURLOPT_READDATA, handle);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek_body);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, handle);
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_sending);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, handle);
#endif
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, handle);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, handle->poll);
}

int http_handle_prepare(struct http_handle *handle, const struct http_config *config,
                        struct http_poll *poll, struct http_transfer *transfer)
{
    const struct http_request *request = &transfer->request;

    if (handle->easy)
        curl_easy_reset(handle->easy);
    else
        handle->easy = curl_easy_init();
    if (!handle->easy)
        return -ENOMEM;
    handle->use = HTTP_USE_REQUEST;
    handle->transfer = transfer;
    handle->poll = poll;
    handle->body = (struct http_writer){.end = request->has_body ? request->body_bytes : 0};
    handle->socket_errno = 0;
    handle->sendings = 0;
    handle->no_ticket[0] = '\0';
    handle->resending = false;
    set_callbacks(handle);
    http_handle_transport(handle->easy, config);
    curl_easy_setopt(handle->easy, CURLOPT_PATH_AS_IS, 1L);
    if (request->negotiate)
        set_negotiation(handle);
    if (request->has_body) {
        curl_easy_setopt(handle->easy, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(handle->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_bytes);
    } else if (strcmp(request->method, "HEAD") == 0) {
        curl_easy_setopt(handle->easy, CURLOPT_NOBODY, 1L);
    }
    curl_easy_setopt(handle->easy, CURLOPT_CUSTOMREQUEST, request->method);
    return set_lines(handle, request) == 0 &&
                   curl_easy_setopt(handle->easy, CURLOPT_URL, request->url) == CURLE_OK
               ? 0
               : -ENOMEM;
}

void http_handle_fini(struct http_handle *handle)
{
    curl_easy_cleanup(handle->easy); /* NULL is fine */
    curl_slist_free_all(handle->lines);
    handle->easy = NULL;
    handle->lines = NULL;
}

/* ---- its end ---- */

uint64_t http_handle_sent(const struct http_handle *handle)
{
    curl_off_t sent_bytes = 0;

    curl_easy_getinfo(handle->easy, CURLINFO_SIZE_UPLOAD_T, &sent_bytes);
    return sent_bytes > 0 ? (uint64_t)sent_bytes : 0;
}

/* No time may be later than its successor: libcurl counts microseconds and, after a second attempt,
 * sums the times of both. */
static void read_facts(struct http_handle *handle)
{
    struct http_answer *answer = &handle->transfer->answer;
    struct http_times *times = &answer->times;

    if (handle->transfer->request.has_body)
        answer->sent_bytes = http_handle_sent(handle);
    times->total_ns = clock_monotonic_ns() - handle->transfer->begun_ns;
    times->send_ns =
        http_multi_time_ns(handle->easy, CURLINFO_PRETRANSFER_TIME_T,
                           times->first_byte_ns ? times->first_byte_ns : times->total_ns);
    http_multi_tell_connecting(handle->easy, answer,
                               times->send_ns ? times->send_ns : times->total_ns);
    if (!answer->new_connections)
        times->lookup_ns = times->connect_ns = times->tls_ns = 0;
}

/* libcurl reports a header line that it does not store as "out of memory". */
static bool is_head_long(const struct http_handle *handle, CURLcode result)
{
    return handle->transfer->head_bytes > HTTP_HEAD_BYTES ||
           (result == CURLE_OUT_OF_MEMORY && handle->transfer->head_bytes > 0);
}

static void tell_failure(struct http_handle *handle, CURLcode result)
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
    if (result != CURLE_OK && !cut)
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
