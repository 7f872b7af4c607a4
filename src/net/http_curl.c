/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_curl.c - what libcurl does here (see http_curl.h). */
#include "base/compat.h"

#include "net/http_curl.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/text.h"
#include "net/http_reader.h"
#include "os/socket.h"

#define BUFFER_LEAST    ((size_t)16 << 10)
#define BUFFER_MOST     ((size_t)512 << 10)
#define CONNECT_MS_MOST 2000000000L
#define NS_PER_MS       UINT64_C(1000000)
#define NS_PER_US       UINT64_C(1000)

/* ---- the library ---- */

static struct {
    char name[96];
    bool ready, negotiates;
} library;

/* libcurl before 7.84 does not lock its own initialisation. */
static void start_library(void)
{
    const curl_version_info_data *info;

    library.ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    info = curl_version_info(CURLVERSION_NOW);
    library.negotiates = info->features & CURL_VERSION_SPNEGO;
    snprintf(library.name, sizeof(library.name), "libcurl %s%s%s", info->version,
             info->ssl_version ? " " : "", info->ssl_version ? info->ssl_version : "");
}

const char *http_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, start_library);
    return library.name;
}

bool http_negotiates(void)
{
    (void)http_library();
    return library.negotiates;
}

bool http_date_read(const char *text, int64_t *seconds)
{
    const bool whole = strlen(text) == 29 && strcmp(text + 25, " GMT") == 0;

    *seconds = whole ? (int64_t)curl_getdate(text, NULL) : -1;
    return *seconds >= 0;
}

/* ---- the multi handle ---- */

static int want_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *unused)
{
    struct http_multi *multi = arg;
    unsigned wanted = 0;

    (void)easy, (void)unused;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
        wanted |= HTTP_POLL_READ;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
        wanted |= HTTP_POLL_WRITE;
    http_poll_want(multi->poll, (int)fd, wanted);
    return 0;
}

static int want_timer(CURLM *handle, long timeout_ms, void *arg)
{
    struct http_multi *multi = arg;

    (void)handle;
    multi->timer_set = timeout_ms >= 0;
    multi->timer_ns = timeout_ms > 0 ? clock_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS : 0;
    return 0;
}

int http_multi_init(struct http_multi *multi, const struct http_config *config,
                    struct http_poll *poll, uint32_t idle_most)
{
    (void)http_library();
    *multi = (struct http_multi){.multi = library.ready ? curl_multi_init() : NULL,
                                 .config = config,
                                 .poll = poll,
                                 .buffer_bytes = BUFFER_LEAST};
    if (!multi->multi)
        return -1;
    while (multi->buffer_bytes < config->transfer_bytes && multi->buffer_bytes < BUFFER_MOST)
        multi->buffer_bytes *= 2;
    for (const char *const *to = config->connect_to; to && *to; to++) {
        struct curl_slist *longer = curl_slist_append(multi->places, *to);
        if (!longer)
            return -1;
        multi->places = longer;
    }
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
    curl_slist_free_all(multi->places);
    *multi = (struct http_multi){.multi = NULL};
}

void http_multi_set(const struct http_multi *multi, CURL *easy)
{
    const struct http_config *config = multi->config;

#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    /* also for plain HTTP, so that the same requests are sent with and without a proxy */
    curl_easy_setopt(easy, CURLOPT_HTTPPROXYTUNNEL, 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)multi->buffer_bytes);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)multi->buffer_bytes);
    curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, config->insecure ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, config->insecure ? 0L : 2L);
    if (config->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file);
    else if (os_keeps_certificates)
        curl_easy_setopt(easy, CURLOPT_SSL_OPTIONS, (long)CURLSSLOPT_NATIVE_CA);
    if (multi->places)
        curl_easy_setopt(easy, CURLOPT_CONNECT_TO, multi->places);
    /* http.c ends requests without progress, connected or not; libcurl's own connection timeout, 5
     * minutes by default, must not come first. */
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS_MOST);
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
                             (event->ready & HTTP_POLL_READ ? CURL_CSELECT_IN : 0) |
                                 (event->ready & HTTP_POLL_WRITE ? CURL_CSELECT_OUT : 0),
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

/* ---- failures ---- */

/* Translation of libcurl's codes; others: EIO with libcurl's text. */
static const struct failure {
    CURLcode code;
    bool ask_system; /* the errno of the system call is more precise, if there is one */
    int errnum;
    const char *words;
} failures[] = {
    {CURLE_COULDNT_RESOLVE_HOST, false, EHOSTUNREACH, "server name not found"},
    {CURLE_COULDNT_RESOLVE_PROXY, false, EHOSTUNREACH, "proxy name not found"},
    {CURLE_COULDNT_CONNECT, true, ECONNREFUSED, "no connection"},
    {CURLE_OPERATION_TIMEDOUT, false, ETIMEDOUT, "timed out"},
    {CURLE_GOT_NOTHING, false, ECONNRESET, HTTP_NO_ANSWER},
    {CURLE_RECV_ERROR, true, ECONNRESET, "connection lost"},
    {CURLE_SEND_ERROR, true, EPIPE, "connection lost while sending"},
    {CURLE_PEER_FAILED_VERIFICATION, false, EPROTO, "server certificate is not accepted"},
    {CURLE_SSL_ISSUER_ERROR, false, EPROTO, "server certificate is not accepted"},
    {CURLE_SSL_CACERT_BADFILE, false, EPROTO, "certificate file cannot be used"},
    {CURLE_SSL_CONNECT_ERROR, true, EPROTO, "TLS failed"},
    {CURLE_WEIRD_SERVER_REPLY, false, EPROTO, "not an HTTP reply"},
    {CURLE_UNSUPPORTED_PROTOCOL, false, EPROTO, "not an HTTP reply"},
    {CURLE_URL_MALFORMAT, false, EINVAL, "no URL"},
    {CURLE_OUT_OF_MEMORY, false, ENOMEM, "out of memory"},
};

static bool is_network_error(long errnum)
{
    static const int known[] = {ECONNREFUSED, ECONNRESET,    EPIPE,  ETIMEDOUT,    EHOSTUNREACH,
                                ENETUNREACH,  EADDRNOTAVAIL, EMFILE, ECONNABORTED, ENFILE};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (errnum == known[i])
            return true;
    return false;
}

void http_multi_tell_failure(CURL *easy, struct http_answer *answer, CURLcode result,
                             const char *said, int socket_errno)
{
    struct failure failure = {result, false, EIO, "failed"};
    char words[sizeof(answer->reason)];
    long system_errno = 0;

    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
        if (failures[i].code == result)
            failure = failures[i];
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &system_errno);
    system_errno = os_socket_errno(system_errno);
    if (failure.ask_system && is_network_error(system_errno))
        failure.errnum = (int)system_errno;
    if (failure.ask_system && socket_errno) { /* which libcurl does not know */
        failure.errnum = socket_errno;
        snprintf(words, sizeof(words), "%s%s", strerror(socket_errno),
                 socket_errno == EMFILE ? "; raise ulimit -n" : "");
    } else {
        text_copy(words, sizeof(words), said[0] ? said : curl_easy_strerror(result));
    }
    if (failure.errnum == ECONNREFUSED)
        failure.words = "connection refused";
    http_transfer_fail(answer, failure.errnum, failure.words, words);
}

/* ---- Kerberos ---- */

struct negotiation {
    const volatile int *stop;
    char *cookie;
    size_t bytes; /* of all that was received */
};

/* More than any answer has is not read to its end. */
static size_t count_bytes(struct negotiation *negotiation, size_t bytes)
{
    negotiation->bytes += bytes;
    return negotiation->bytes <= HTTP_HEAD_BYTES ? bytes : 0;
}

/* Takes the first Set-Cookie of each answer, up to a semicolon; nothing if it does not fit. */
static size_t take_line(char *line, size_t size, size_t count, void *arg)
{
    static const char name[] = "set-cookie:";
    const size_t name_bytes = sizeof(name) - 1, bytes = size * count;
    struct negotiation *negotiation = arg;

    if (bytes >= 5 && memcmp(line, "HTTP/", 5) == 0)
        negotiation->cookie[0] = '\0';
    if (bytes > name_bytes && strncasecmp(line, name, name_bytes) == 0 && !negotiation->cookie[0]) {
        const char *at = line + name_bytes, *const end = line + bytes, *last;

        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        for (last = at; last < end && *last != ';' && *last != '\r' && *last != '\n';)
            last++;
        if (last - at < HTTP_COOKIE_BYTES)
            snprintf(negotiation->cookie, HTTP_COOKIE_BYTES, "%.*s", (int)(last - at), at);
    }
    return count_bytes(negotiation, bytes);
}

static size_t drop_body(char *data, size_t size, size_t count, void *arg)
{
    (void)data;
    return count_bytes(arg, size * count);
}

/* Called once a second or more often; not 0 ends the request. */
static int see_stop(void *arg, curl_off_t to_receive, curl_off_t received, curl_off_t to_send,
                    curl_off_t sent)
{
    const struct negotiation *negotiation = arg;

    (void)to_receive, (void)received, (void)to_send, (void)sent;
    return negotiation->stop && flag_read(negotiation->stop) != 0;
}

/* Uses the user's ticket; libcurl requires a user name, which may be empty. */
void http_multi_negotiate(const struct http_multi *multi, const char *url, const volatile int *stop,
                          char cookie[HTTP_COOKIE_BYTES])
{
    const uint64_t timeout_ms = multi->config->timeout_ns / NS_PER_MS;
    struct negotiation negotiation = {.stop = stop, .cookie = cookie};
    CURL *easy = curl_easy_init();
    long status = 0;

    cookie[0] = '\0';
    if (easy) {
        http_multi_set(multi, easy);
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_NEGOTIATE);
        curl_easy_setopt(easy, CURLOPT_USERPWD, ":");
        curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_line);
        curl_easy_setopt(easy, CURLOPT_HEADERDATA, &negotiation);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop_body);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &negotiation);
        curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, see_stop);
        curl_easy_setopt(easy, CURLOPT_XFERINFODATA, &negotiation);
        curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
        curl_easy_setopt(easy, CURLOPT_USERAGENT, "iosweep/" PACKAGE_VERSION);
        curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
        if (timeout_ms < (uint64_t)CONNECT_MS_MOST)
            curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)timeout_ms); /* 0: none */
        curl_easy_setopt(easy, CURLOPT_URL, url);
        if (curl_easy_perform(easy) == CURLE_OK)
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_cleanup(easy);
    }
    if (status < 200 || status > 299)
        cookie[0] = '\0';
}
