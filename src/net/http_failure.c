/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_failure.c - descriptions of failed requests (see http_failure.h). */
#include "base/compat.h"

#include "net/http_failure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "os/socket.h"

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

void http_failure_set(struct http_answer *answer, int errnum, const char *what, const char *words)
{
    answer->failure = -errnum;
    snprintf(answer->reason, sizeof(answer->reason), "%s: %.200s", what, words);
}

void http_failure_of_library(struct http_answer *answer, const struct http_connection *connection,
                             CURLcode result)
{
    const int socket_errno = connection->socket_errno;
    struct failure failure = {result, false, EIO, "failed"};
    char words[sizeof(answer->reason)];
    long system_errno = 0;

    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
        if (failures[i].code == result)
            failure = failures[i];
    curl_easy_getinfo(connection->easy, CURLINFO_OS_ERRNO, &system_errno);
    system_errno = os_socket_errno(system_errno);
    if (failure.ask_system && is_network_error(system_errno))
        failure.errnum = (int)system_errno;
    if (failure.ask_system && socket_errno) { /* which libcurl does not know */
        failure.errnum = socket_errno;
        snprintf(words, sizeof(words), "%s%s", strerror(socket_errno),
                 socket_errno == EMFILE ? "; raise ulimit -n" : "");
    } else {
        text_copy(words, sizeof(words),
                  connection->said[0] ? connection->said : curl_easy_strerror(result));
    }
    if (failure.errnum == ECONNREFUSED)
        failure.words = "connection refused";
    http_failure_set(answer, failure.errnum, failure.words, words);
}

void http_failure_of_time(struct http_transfer *transfer, uint64_t still_ns)
{
    struct http_answer *answer = &transfer->answer;
    const double still_s = (double)still_ns / 1e9;

    answer->failure = -ETIMEDOUT;
    if (still_ns == 0)
        snprintf(answer->reason, sizeof(answer->reason),
                 "timed out: not complete after %.1f s, %" PRIu64 " bytes sent, %" PRIu64
                 " received",
                 (double)transfer->lasted_ns / 1e9, answer->sent_bytes, answer->received_bytes);
    else if (answer->times.send_ns == 0)
        snprintf(answer->reason, sizeof(answer->reason), "timed out: no connection for %.1f s",
                 still_s);
    else if (answer->status == 0)
        snprintf(answer->reason, sizeof(answer->reason),
                 "timed out: no reply for %.1f s after %" PRIu64 " bytes sent", still_s,
                 answer->sent_bytes);
    else
        snprintf(answer->reason, sizeof(answer->reason),
                 "timed out: no progress for %.1f s after %" PRIu64 " bytes received", still_s,
                 answer->received_bytes);
}
