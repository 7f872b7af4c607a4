/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* answer.c - see the header. */
#include "base/compat.h"

#include "storage/object/web/web.h"

#include <errno.h>
#include <string.h>

static const struct web_status {
    int status;
    enum object_class class;
    int errnum;
    bool retryable;
    const char *words;
} statuses[] = {
    {301, OBJECT_REDIRECT, EREMCHG, false, "Moved Permanently"},
    {302, OBJECT_REDIRECT, EREMCHG, false, "Found"},
    {303, OBJECT_REDIRECT, EREMCHG, false, "See Other"},
    {307, OBJECT_REDIRECT, EREMCHG, false, "Temporary Redirect"},
    {308, OBJECT_REDIRECT, EREMCHG, false, "Permanent Redirect"},
    {400, OBJECT_CLIENT_ERROR, EINVAL, false, "Bad Request"},
    {401, OBJECT_CLIENT_ERROR, EACCES, false, "Unauthorized"},
    {403, OBJECT_CLIENT_ERROR, EACCES, false, "Forbidden"},
    {404, OBJECT_CLIENT_ERROR, ENOENT, false, "Not Found"},
    {405, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false, "Method Not Allowed"},
    {407, OBJECT_CLIENT_ERROR, EACCES, false, "the proxy requires a login"},
    {408, OBJECT_CLIENT_ERROR, ETIMEDOUT, true, "Request Timeout"},
    {409, OBJECT_CLIENT_ERROR, EINVAL, false, "Conflict"},
    {411, OBJECT_CLIENT_ERROR, EINVAL, false, "Length Required"},
    {412, OBJECT_CLIENT_ERROR, EEXIST, false, "Precondition Failed"},
    {413, OBJECT_CLIENT_ERROR, EINVAL, false, "Content Too Large"},
    {416, OBJECT_CLIENT_ERROR, ERANGE, false, "Range Not Satisfiable"},
    {429, OBJECT_SLOW_DOWN, EBUSY, true, "Too Many Requests"},
    {500, OBJECT_SERVER_ERROR, EREMOTEIO, true, "Internal Server Error"},
    {501, OBJECT_SERVER_ERROR, EOPNOTSUPP, false, "Not Implemented"},
    {502, OBJECT_SERVER_ERROR, EREMOTEIO, true, "Bad Gateway"},
    {503, OBJECT_SERVER_ERROR, EREMOTEIO, true, "Service Unavailable"},
    {504, OBJECT_SERVER_ERROR, EREMOTEIO, true, "Gateway Timeout"},
    {507, OBJECT_SERVER_ERROR, ENOSPC, false, "Insufficient Storage"},
};

/* Of any other status the first digit counts. */
static const struct web_status other_client = {400, OBJECT_CLIENT_ERROR, EINVAL, false, ""};
static const struct web_status other_server = {500, OBJECT_SERVER_ERROR, EREMOTEIO, true, ""};

static const struct web_status *find_status(int status)
{
    for (size_t i = 0; i < COUNT_OF(statuses); i++)
        if (statuses[i].status == status)
            return &statuses[i];
    return status / 100 == 4 ? &other_client : status / 100 == 5 ? &other_server : NULL;
}

void web_judge_done(struct object_verdict *verdict)
{
    verdict->class = OBJECT_DONE;
    verdict->errnum = 0;
    verdict->retryable = verdict->no_place = verdict->is_place = verdict->singly = false;
    verdict->code[0] = '\0';
}

/* Certificate errors, answers that are not HTTP and invalid URLs would recur. */
void web_judge_network(int failure, struct object_verdict *verdict)
{
    verdict->class = OBJECT_NETWORK_ERROR;
    verdict->errnum = -failure;
    verdict->retryable =
        failure != -EINTR && failure != -EPROTO && failure != -EINVAL && failure != -ENOMEM;
}

void web_judge_status(int status, struct object_verdict *verdict)
{
    const struct web_status *found = find_status(status);

    if (!found) {
        object_verdict_broken(verdict, "UnexpectedStatus");
        return;
    }
    verdict->class = found->class;
    verdict->errnum = found->errnum;
    verdict->retryable = found->retryable;
}

void web_judge_body(const struct http_answer *http, uint64_t announced_bytes,
                    struct object_verdict *verdict)
{
    if (http->too_long)
        object_verdict_broken(verdict, "TooLong");
    else if (announced_bytes != UINT64_MAX && http->received_bytes != announced_bytes)
        object_verdict_broken(verdict, "WrongLength");
}

const struct web_meaning *web_meaning_of(const struct web_meaning *row, const char *code,
                                         const char *message)
{
    for (; code[0] != '\0' && row->code; row++)
        if (strncmp(code, row->code, strlen(row->code)) == 0 &&
            (!row->message || strstr(message, row->message)))
            return row;
    return NULL;
}

bool web_judge_code(const struct web_meaning *row, const char *message,
                    struct object_verdict *verdict)
{
    row = web_meaning_of(row, verdict->code, message);
    if (!row || row->class == OBJECT_DONE || row->class == OBJECT_PROTOCOL_ERROR)
        return false;
    verdict->class = row->class;
    verdict->errnum = row->errnum;
    verdict->retryable = row->retryable;
    return true;
}

const char *web_status_words(int status)
{
    const struct web_status *found = find_status(status);

    return found ? found->words : "";
}

bool web_is_code(const char *text)
{
    return text[0] != '\0' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-$")] == '\0';
}

/* With 408 a part of the data may have been appended. */
bool web_is_settled(int failure, int status)
{
    return failure == -ECONNREFUSED || failure == -EHOSTUNREACH || failure == -ENETUNREACH ||
           failure == -EINVAL || failure == -ENOMEM ||
           (failure == 0 && status != 504 && status != 408);
}

bool web_wants_tls(const struct http_answer *http, const char *reason)
{
    if (!http->plain)
        return false;
    if (http->status == 400)
        return strstr(http->text, "HTTPS port") || strstr(http->text, "HTTPS server");
    return http->status == 0 && http->new_connections > 0 &&
           (strstr(reason, "closed without an answer") || strstr(reason, "not an HTTP reply") ||
            strstr(reason, "closed within the head") || strstr(reason, "reset"));
}

const char *web_advise_network(const struct http_answer *http, const char *reason, int errnum,
                               const struct web_advice *own)
{
    if (web_wants_tls(http, reason))
        return own->tls;
    if (strstr(reason, "wrong version number") || strstr(reason, "packet length too long") ||
        strstr(reason, "record overflow"))
        return own->plain;
    if (strstr(reason, "server certificate"))
        return "name the certificate of its issuer with --ca-file";
    if (strstr(reason, "not sent twice"))
        return "the server closes idle connections: use --retries or --reconnect";
    return errnum == ECONNREFUSED ? own->refused : NULL;
}

struct object_times web_times(const struct http_times *first, const struct http_times *last)
{
    return (struct object_times){
        .lookup_ns = first->lookup_ns + last->lookup_ns,
        .connect_ns = first->connect_ns + last->connect_ns,
        .tls_ns = first->tls_ns + last->tls_ns,
        .send_ns = first->total_ns + last->send_ns,
        .first_byte_ns = first->total_ns + last->first_byte_ns,
        .total_ns = first->total_ns + last->total_ns,
        .open_ns = first->total_ns,
    };
}
