/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_library.c - libcurl's name, settings and Kerberos (see http_library.h). */
#include "base/compat.h"

#include "net/http_library.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/mem.h"
#include "base/text.h"
#include "net/http_head.h"
#include "net/http_host.h"
#include "os/socket.h"

#define BUFFER_LEAST    ((size_t)16 << 10)
#define BUFFER_MOST     ((size_t)512 << 10)
#define CONNECT_MS_MOST 2000000000L
#define NS_PER_MS       UINT64_C(1000000)

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

const struct http_facts *http_library_facts(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, start_library);
    return &facts;
}

bool http_date_read(const char *text, int64_t *seconds)
{
    const bool whole = strlen(text) == 29 && strcmp(text + 25, " GMT") == 0;

    *seconds = whole ? (int64_t)curl_getdate(text, NULL) : -1;
    return *seconds >= 0;
}

/* ---- what all connections have in common ---- */

size_t http_library_buffer_bytes(const struct http_config *config)
{
    size_t bytes = BUFFER_LEAST;

    while (bytes < config->transfer_bytes && bytes < BUFFER_MOST)
        bytes *= 2;
    return bytes;
}

/* Without a name in the environment libcurl need not look for a proxy with each connection. */
void http_library_set(CURL *easy, const struct http_config *config)
{
    const size_t buffer = http_library_buffer_bytes(config);

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
    if (!http_host_proxied(NULL)) {
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    }
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)buffer);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)buffer);
    curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
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

int http_library_make_places(const char *const *connect_to, void **places)
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

void http_library_free_places(void *places)
{
    curl_slist_free_all(places);
}

/* ---- Kerberos ---- */

struct negotiation {
    struct http_session *session;
    const volatile int *stop;
    struct http_head head;
    struct http_answer answer; /* its fields */
    size_t bytes;              /* of all that was received */
};

/* More than any answer has is not read to its end. */
static size_t count_bytes(struct negotiation *negotiation, size_t bytes)
{
    negotiation->bytes += bytes;
    return negotiation->bytes <= HTTP_HEAD_BYTES ? bytes : 0;
}

/* libcurl has judged the line: what is wrong with it here does not matter. */
static size_t take_line(char *line, size_t size, size_t count, void *arg)
{
    struct negotiation *negotiation = arg;
    const char *end = memchr(line, '\r', size * count);

    if (size * count >= 5 && memcmp(line, "HTTP/", 5) == 0)
        http_head_begin(&negotiation->head);
    (void)http_head_field(&negotiation->head, &negotiation->answer, line,
                          end ? (size_t)(end - line) : size * count);
    return count_bytes(negotiation, size * count);
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

/* Called with libcurl's trace, the only source of the reason why Kerberos has no ticket:
 * "gss_CALL() failed: " and the reason, where CALL depends on libcurl's version. The rest is
 * discarded, since it contains secrets. */
static int take_word(CURL *easy, curl_infotype type, char *text, size_t bytes, void *arg)
{
    static const char failed[] = "() failed: ";
    struct negotiation *negotiation = arg;
    char words[256], *reason;
    size_t length;

    (void)easy;
    if (type != CURLINFO_TEXT || bytes < 4 || memcmp(text, "gss_", 4) != 0)
        return 0;
    snprintf(words, sizeof(words), "%.*s", (int)(bytes < sizeof(words) ? bytes : sizeof(words) - 1),
             text);
    reason = strstr(words, failed);
    if (!reason)
        return 0;
    reason += strlen(failed);
    length = strcspn(reason, "\r\n");
    while (length > 0 && strchr(" .", reason[length - 1]))
        length--;
    reason[length] = '\0';
    text_copy(negotiation->session->no_ticket, sizeof(negotiation->session->no_ticket), reason);
    return 0;
}

/* Uses the user's ticket; libcurl requires a user name, which may be empty. */
void http_library_negotiate(const struct http_config *config, const char *url,
                            const volatile int *stop, struct http_session *session)
{
    const uint64_t timeout_ms = config->timeout_ns / NS_PER_MS;
    struct negotiation *negotiation = mem_calloc(1, sizeof(*negotiation));
    CURL *easy = curl_easy_init();

    *session = (struct http_session){.status = 0};
    negotiation->session = session;
    negotiation->stop = stop;
    if (easy) {
        http_library_set(easy, config);
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_NEGOTIATE);
        curl_easy_setopt(easy, CURLOPT_USERPWD, ":");
        curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, take_word);
        curl_easy_setopt(easy, CURLOPT_DEBUGDATA, negotiation);
        curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
        curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_line);
        curl_easy_setopt(easy, CURLOPT_HEADERDATA, negotiation);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop_body);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, negotiation);
        curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, see_stop);
        curl_easy_setopt(easy, CURLOPT_XFERINFODATA, negotiation);
        curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
        curl_easy_setopt(easy, CURLOPT_USERAGENT, "iosweep/" PACKAGE_VERSION);
        curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
        if (timeout_ms < (uint64_t)CONNECT_MS_MOST)
            curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)timeout_ms); /* 0: none */
        curl_easy_setopt(easy, CURLOPT_URL, url);
        if (curl_easy_perform(easy) == CURLE_OK)
            session->status = negotiation->answer.status;
        if (session->status >= 200 && session->status < 300)
            text_copy(session->cookie, sizeof(session->cookie), negotiation->answer.cookie);
        curl_easy_cleanup(easy);
    }
    free(negotiation);
}
