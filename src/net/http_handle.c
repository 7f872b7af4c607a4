/* SPDX-License-Identifier: GPL-2.0-or-later */
/* http_handle.c - handles of libcurl (see http_handle.h): set up once; then a request changes only
 * what differs from the handle's last one, and its outcome is put into errno and words.
 *
 * Small bodies are given as what libcurl calls POST fields, whatever the method is: these go out
 * together with the head, in one packet. */
#include "base/compat.h"

#include "net/http_handle.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http_field.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define NS_PER_US       1000u
#define BUFFER_LEAST    ((size_t)16 << 10)
#define BUFFER_MOST     ((size_t)512 << 10)
#define INLINE_MOST     ((uint64_t)32 << 10) /* bodies sent together with the head */
#define CONNECT_MS_MOST 2000000000L

/* ---- the library ---- */

static struct http_facts facts;

/* libcurl before 7.84 does not lock its own initialisation. */
static void start_library(void)
{
    const curl_version_info_data *info;

    facts.ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    info = curl_version_info(CURLVERSION_NOW);
    facts.http2 = info->features & CURL_VERSION_HTTP2;
    /* 7.88.0 and 7.88.1 begin HTTP/2 once more on a connection that speaks it already. */
    facts.loses_http2 = info->version_num >> 8 == 0x0758;
    snprintf(facts.name, sizeof(facts.name), "libcurl %s%s%s", info->version,
             info->ssl_version ? " " : "", info->ssl_version ? info->ssl_version : "");
}

const struct http_facts *http_handle_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, start_library);
    return &facts;
}

/* ---- what libcurl calls beside the functions of http_transfer.h ---- */

/* The request is about to leave.  Curl_retry_request in libcurl has it leave again when a
 * connection that was used before ends without a byte of an answer; to refuse this call ends the
 * request. */
#if LIBCURL_VERSION_NUM >= 0x075000
static int before_sending(void *arg, char *to, char *from, int to_port, int from_port)
{
    struct http_handle *handle = arg;

    (void)to, (void)from, (void)to_port, (void)from_port;
    handle->resending = handle->sendings++ > 0;
    return handle->resending ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}
#endif

/* Some of the request has left already. */
static bool has_left(const struct http_handle *handle)
{
    long bytes = 0;

    curl_easy_getinfo(handle->easy, CURLINFO_REQUEST_SIZE, &bytes);
    return handle->sendings > 0 || bytes > 0;
}

/* When the body has to be sent again. */
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
    if (has_left(handle)) { /* the connection would be for sending it again */
        handle->resending = true;
        return CURL_SOCKET_BAD;
    }
    fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd < 0) {
        handle->socket_errno = errno;
        return CURL_SOCKET_BAD;
    }
    handle->socket_errno = 0; /* one of the server's addresses can be tried */
    handle->transfer.steps++;
    http_poll_opened(handle->poll, fd);
    return fd;
}

static int close_socket(void *arg, curl_socket_t fd)
{
    http_poll_closed(arg, fd);
    return close(fd);
}

/* ---- set up once ---- */

static bool proxies_in_environment(void)
{
    static const char *const name[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                       "ALL_PROXY"};

    for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
        if (getenv(name[i]))
            return true;
    return false;
}

static size_t buffer_bytes(const struct http_config *config)
{
    size_t bytes = BUFFER_LEAST;

    while (bytes < config->transfer_bytes && bytes < BUFFER_MOST)
        bytes *= 2;
    return bytes;
}

/* Without a name in the environment libcurl need not look for it with each request. */
static void set_transport(CURL *easy, const struct http_config *config)
{
    const size_t buffer = buffer_bytes(config);

#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    if (!proxies_in_environment()) {
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
    /* Requests without progress are ended by http.c, whether connected or not; libcurl's
     * own limit of connecting, 5 minutes unless it is set, must not come before. */
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS_MOST);
}

int http_handle_init(struct http_handle *handle, const struct http_config *config,
                     struct http_poll *poll)
{
    CURL *easy = curl_easy_init();

    if (!easy)
        return -1;
    handle->easy = easy;
    handle->poll = poll;
    handle->config = config;
    handle->transfer.answer.text = "";
    http_field_reset(&handle->transfer.answer);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, handle);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, handle->transfer.answer.reason);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, http_transfer_take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &handle->transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, http_transfer_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &handle->transfer);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, http_transfer_fetch);
    curl_easy_setopt(easy, CURLOPT_READDATA, &handle->transfer);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek_body);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, &handle->transfer);
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
    set_transport(easy, config);
    return 0;
}

void http_handle_fini(struct http_handle *handle)
{
    curl_easy_cleanup(handle->easy); /* NULL is fine */
    handle->easy = NULL;
    http_transfer_fini(&handle->transfer);
}

/* ---- set for each request ---- */

static void list_lines(struct http_handle *handle, const struct http_request *request)
{
    const char *line[HTTP_LINES_MAX];
    const unsigned count = http_transfer_lines(request, line);

    for (unsigned i = 0; i < count; i++) {
        handle->node[i].data = (char *)(uintptr_t)line[i]; /* it is only read */
        handle->node[i].next = &handle->node[i + 1];
    }
    handle->node[count - 1].next = NULL;
}

static COLD void set_shape(struct http_handle *handle, enum http_shape shape)
{
    CURL *easy = handle->easy;

    /* With POST fields of an earlier request libcurl would not rewind a body that is streamed. */
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

/* HTTP/2 is negotiated within TLS.  Without TLS, it is either known to be spoken or not spoken; to
 * say so lets all connections open at once instead of waiting for the first one's answer. */
static COLD void set_version(struct http_handle *handle, bool tls)
{
    const enum http_version version = handle->config->version;
    long value = tls ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1;

    if (version == HTTP_VERSION_1_1 || !facts.http2)
        value = CURL_HTTP_VERSION_1_1;
    else if (version == HTTP_VERSION_2)
        value = tls ? CURL_HTTP_VERSION_2_0 : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
    curl_easy_setopt(handle->easy, CURLOPT_HTTP_VERSION, value);
    handle->tls = tls;
}

static enum http_shape shape_of(const struct http_request *request)
{
    if (!request->has_body)
        return strcmp(request->method, "HEAD") == 0 ? HTTP_SHAPE_HEAD : HTTP_SHAPE_GET;
    if (request->head_bytes == 0 && request->tail_bytes == 0 && request->body_bytes <= INLINE_MOST)
        return HTTP_SHAPE_INLINE;
    return HTTP_SHAPE_STREAM;
}

static bool is_http2_lost(const struct http_handle *handle, bool tls)
{
    return facts.loses_http2 && !tls && handle->config->version == HTTP_VERSION_2 &&
           !handle->config->reconnect;
}

static COLD int refuse_http2(struct http_handle *handle)
{
    struct http_answer *answer = &handle->transfer.answer;

    snprintf(answer->reason, sizeof(answer->reason),
             "%s cannot keep connections for HTTP/2 without TLS; use https or HTTP/1.1",
             facts.name);
    answer->failure = -EOPNOTSUPP;
    return answer->failure;
}

int http_handle_prepare(struct http_handle *handle, const struct http_request *request)
{
    const enum http_shape shape = shape_of(request);
    bool tls;

    if (UNLIKELY(request->header_count > HTTP_HEADERS_MAX || strlen(request->url) < 8 ||
                 strlen(request->method) >= sizeof(handle->method) ||
                 request->head_bytes > request->body_bytes ||
                 request->tail_bytes > request->body_bytes - request->head_bytes))
        return -EINVAL;
    tls = (request->url[4] | 0x20) == 's'; /* http:// or https:// */
    http_transfer_begin(&handle->transfer, request);
    handle->transfer.answer.plain = !tls && !handle->answered;
    handle->socket_errno = 0;
    handle->sendings = 0;
    handle->resending = false;
    list_lines(handle, request);
    if (UNLIKELY(is_http2_lost(handle, tls)))
        return refuse_http2(handle);
    if (UNLIKELY(handle->shape == HTTP_SHAPE_NONE || handle->tls != tls))
        set_version(handle, tls);
    if (UNLIKELY(handle->shape != shape))
        set_shape(handle, shape);
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

/* ---- the request is over ---- */

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

/* On a reused connection, libcurl reports the moments before the request as 0 or as a few
 * microseconds, depending on its version; after a second attempt it adds up those of both.  No
 * moment may lie behind the next one. */
static void read_times(struct http_handle *handle)
{
    struct http_times *times = &handle->transfer.answer.times;
    CURL *easy = handle->easy;

    times->total_ns = time_ns(easy, CURLINFO_TOTAL_TIME_T);
    times->send_ns = time_ns(easy, CURLINFO_PRETRANSFER_TIME_T);
    times->first_byte_ns = handle->transfer.request.has_body
                               ? handle->transfer.first_byte_ns
                               : time_ns(easy, CURLINFO_STARTTRANSFER_TIME_T);
    not_after(&times->first_byte_ns, times->total_ns);
    not_after(&times->send_ns, times->first_byte_ns ? times->first_byte_ns : times->total_ns);
    if (handle->transfer.answer.new_connections == 0)
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
    struct http_answer *answer = &handle->transfer.answer;
    long connections = 0;

    curl_easy_getinfo(handle->easy, CURLINFO_NUM_CONNECTS, &connections);
    answer->new_connections = connections > 0;
    if (handle->transfer.request.has_body)
        answer->sent_bytes = http_handle_sent(handle);
    read_times(handle);
}

/* What a failure of libcurl is to us; other codes: EIO with its own words. */
static const struct failure {
    CURLcode code;
    bool ask_system; /* the error of the system call, if there was one, is more precise */
    int errnum;
    const char *words;
} failures[] = {
    {CURLE_COULDNT_RESOLVE_HOST, false, EHOSTUNREACH, "name of the server not found"},
    {CURLE_COULDNT_RESOLVE_PROXY, false, EHOSTUNREACH, "name of the proxy not found"},
    {CURLE_COULDNT_CONNECT, true, ECONNREFUSED, "no connection"},
    {CURLE_OPERATION_TIMEDOUT, false, ETIMEDOUT, "timed out"},
    {CURLE_GOT_NOTHING, false, ECONNRESET, "connection closed without an answer"},
    {CURLE_RECV_ERROR, true, ECONNRESET, "connection lost"},
    {CURLE_SEND_ERROR, true, EPIPE, "connection lost while sending"},
    {CURLE_PARTIAL_FILE, false, EPIPE, "body cut off"},
    {CURLE_HTTP2, false, ECONNRESET, "HTTP/2 connection broken"},
    {CURLE_HTTP2_STREAM, false, ECONNRESET, "HTTP/2 request cut off"},
    {CURLE_PEER_FAILED_VERIFICATION, false, EPROTO, "certificate of the server is not accepted"},
    {CURLE_SSL_ISSUER_ERROR, false, EPROTO, "certificate of the server is not accepted"},
    {CURLE_SSL_CACERT_BADFILE, false, EPROTO, "certificate file cannot be used"},
    {CURLE_SSL_CONNECT_ERROR, true, EPROTO, "TLS failed"},
    {CURLE_WEIRD_SERVER_REPLY, false, EPROTO, "not an answer in HTTP"},
    {CURLE_UNSUPPORTED_PROTOCOL, false, EPROTO, "not an answer in HTTP"},
    {CURLE_BAD_CONTENT_ENCODING, false, EPROTO, "body not readable"},
    {CURLE_URL_MALFORMAT, false, EINVAL, "no URL"},
    {CURLE_OUT_OF_MEMORY, false, ENOMEM, "no memory"},
};

/* Ended by us, or by a limit of libcurl that has no code of its own. */
static const struct failure resent = {CURLE_GOT_NOTHING, false, ECONNRESET,
                                      "connection closed without an answer"};
static const struct failure long_head = {CURLE_WRITE_ERROR, false, EPROTO, "not an answer in HTTP"};

/* A line of a head that libcurl does not keep is "out of memory" to it. */
static bool is_head_long(const struct http_handle *handle, CURLcode result)
{
    return handle->transfer.head_bytes > HTTP_HEAD_BYTES ||
           (result == CURLE_OUT_OF_MEMORY && handle->transfer.head_bytes > 0);
}

static bool is_network_error(long errnum)
{
    static const int known[] = {ECONNREFUSED, ECONNRESET,    EPIPE,  ETIMEDOUT,    EHOSTUNREACH,
                                ENETUNREACH,  EADDRNOTAVAIL, EMFILE, ECONNABORTED, ENFILE};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (errnum == known[i])
            return true;
    return false;
}

static COLD void tell_failure(struct http_handle *handle, CURLcode result)
{
    struct http_answer *answer = &handle->transfer.answer;
    struct failure failure = {result, false, EIO, "failed"};
    char words[sizeof(answer->reason)];
    long system_errno = 0;

    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
        if (failures[i].code == result)
            failure = failures[i];
    if (handle->resending)
        failure = resent;
    else if (is_head_long(handle, result))
        failure = long_head;
    curl_easy_getinfo(handle->easy, CURLINFO_OS_ERRNO, &system_errno);
    if (failure.ask_system && handle->socket_errno)
        failure.errnum = handle->socket_errno;
    else if (failure.ask_system && is_network_error(system_errno))
        failure.errnum = (int)system_errno;
    answer->failure = -failure.errnum;
    if (failure.ask_system && handle->socket_errno) /* of which libcurl knows nothing */
        snprintf(words, sizeof(words), "%s%s", strerror(handle->socket_errno),
                 handle->socket_errno == EMFILE ? "; raise ulimit -n" : "");
    else
        snprintf(words, sizeof(words), "%s",
                 handle->resending ? "a kept connection; the request is not sent twice"
                 : failure.code == long_head.code ? "its head is too long"
                 : answer->reason[0]              ? answer->reason
                                                  : curl_easy_strerror(result));
    if (failure.errnum == ECONNREFUSED) {
        failure.words = "connection refused";
        if (strstr(words, "reset")) /* of the connection that this one was to replace */
            snprintf(words, sizeof(words), "%s", curl_easy_strerror(result));
    }
    snprintf(answer->reason, sizeof(answer->reason), "%s: %.200s", failure.words, words);
}

void http_handle_finish(struct http_handle *handle, CURLcode result)
{
    const bool cut = result == CURLE_WRITE_ERROR && handle->transfer.answer.too_long;

    read_facts(handle);
    handle->answered = handle->answered || result == CURLE_OK;
    if (UNLIKELY(result != CURLE_OK && !cut))
        tell_failure(handle, result);
    else
        handle->transfer.answer.reason[0] = '\0'; /* words about what libcurl got over by itself */
}

void http_handle_time_out(struct http_handle *handle, uint64_t still_ns)
{
    struct http_answer *answer = &handle->transfer.answer;
    const double still_s = (double)still_ns / 1e9;

    read_facts(handle);
    answer->failure = -ETIMEDOUT;
    if (still_ns == 0)
        snprintf(
            answer->reason, sizeof(answer->reason),
            "timed out: not complete after %.1f s, %" PRIu64 " bytes sent, %" PRIu64 " received",
            (double)handle->transfer.lasted_ns / 1e9, answer->sent_bytes, answer->received_bytes);
    else if (answer->times.send_ns == 0)
        snprintf(answer->reason, sizeof(answer->reason), "timed out: no connection for %.1f s",
                 still_s);
    else if (answer->status == 0)
        snprintf(answer->reason, sizeof(answer->reason),
                 "timed out: no answer for %.1f s after %" PRIu64 " bytes sent", still_s,
                 answer->sent_bytes);
    else
        snprintf(answer->reason, sizeof(answer->reason),
                 "timed out: no progress for %.1f s after %" PRIu64 " bytes received", still_s,
                 answer->received_bytes);
}
