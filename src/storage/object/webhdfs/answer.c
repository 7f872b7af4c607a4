/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* answer.c - interprets answers of WebHDFS: success or class of failure, in words. Statuses are
 * unspecific (any Java IOException is a 403), so the exception's class is decisive; and refusals
 * can have status 200. Messages of servers are Java stack traces, whose first line is used; tokens
 * in it are cut out. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "storage/object/web/web.h"

#define OURS       OBJECT_PROTOCOL_ERROR, 0, false
#define IS_IT      "is this the HTTP address of a NameNode, of HttpFS or of Knox?"
#define OTHER_USER "use another --webhdfs.user, or another path"

/* ---- meaning of codes and exceptions ---- */

static const struct web_meaning meanings[] = {
    {"NotWebHDFS", NULL, OURS, "no WebHDFS answers there",
     "give the port of the NameNode's web pages (9870), or --webhdfs.base of a gateway"},
    {"UnexpectedStatus", NULL, OURS, "not a status that WebHDFS sends", IS_IT},
    {"BrokenJSON", NULL, OURS, "the reply is not what WebHDFS sends", IS_IT},
    {"NoLocation", NULL, OURS, "the reply does not say where the data go", IS_IT},
    {"BadLocation", NULL, OURS,
     "the reply redirects to an address not allowed: not a host, or without TLS",
     "check dfs.datanode.http.address and dfs.http.policy of the cluster"},
    {"Redirected", NULL, OURS, "unexpected redirect", IS_IT},
    {"WrongLength", NULL, OURS, "the reply has the wrong length", NULL},
    {"TooLong", NULL, OURS, "the server sent more than requested; the rest was not read", NULL},
    {"NoFile", NULL, OURS, "this is a directory, not a file", NULL},
    {"Refused", NULL, OURS, "the file system refused: no such file, or the new name exists", NULL},
    {"FileNotFoundException", NULL, OBJECT_CLIENT_ERROR, ENOENT, false, NULL, NULL},
    {"FileAlreadyExistsException", NULL, OBJECT_CLIENT_ERROR, EEXIST, false, NULL, NULL},
    {"AccessControlException", NULL, OBJECT_CLIENT_ERROR, EACCES, false, NULL, OTHER_USER},
    {"AuthorizationException", NULL, OBJECT_CLIENT_ERROR, EACCES, false, NULL, OTHER_USER},
    {"AuthenticationException", NULL, OBJECT_CLIENT_ERROR, EACCES, false, NULL, NULL},
    {"SecurityException", NULL, OBJECT_CLIENT_ERROR, EACCES, false, NULL, NULL},
    {"InvalidToken", NULL, OBJECT_CLIENT_ERROR, EACCES, false, NULL, "get a new delegation token"},
    /* another client holds the lease, or did until a moment ago */
    {"AlreadyBeingCreatedException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true, NULL,
     "another client is writing to it; try again when it is closed"},
    {"RecoveryInProgressException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true, NULL,
     "an upload was cut off; HDFS closes the file within minutes"},
    {"LeaseExpiredException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true, NULL, NULL},
    {"NotReplicatedYetException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true, NULL, NULL},
    {"SafeModeException", NULL, OBJECT_SERVER_ERROR, EROFS, true,
     "the NameNode is in safe mode, in which nothing is written",
     "wait until it leaves it, or see hdfs dfsadmin -safemode get"},
    {"StandbyException", NULL, OBJECT_REDIRECT, EREMCHG, false, "this NameNode is on standby",
     "name the other NameNode in the target"},
    {"RetriableException", NULL, OBJECT_SERVER_ERROR, EREMOTEIO, true, NULL, NULL},
    {"QuotaExceeded", NULL, OBJECT_CLIENT_ERROR, EDQUOT, false, NULL, NULL},
    {"NSQuotaExceeded", NULL, OBJECT_CLIENT_ERROR, EDQUOT, false, NULL, NULL},
    {"DSQuotaExceeded", NULL, OBJECT_CLIENT_ERROR, EDQUOT, false, NULL, NULL},
    {"PathIsNotEmptyDirectoryException", NULL, OBJECT_CLIENT_ERROR, ENOTEMPTY, false, NULL, NULL},
    {"ParentNotDirectoryException", NULL, OBJECT_CLIENT_ERROR, ENOTDIR, false, NULL, NULL},
    /* invalid names */
    {"InvalidPathException", NULL, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false, NULL, NULL},
    /* ... through HttpFS */
    {"IllegalArgumentException", "not a valid DFS filename", OBJECT_CLIENT_ERROR, EOPNOTSUPP, false,
     NULL, NULL},
    {"IllegalArgumentException", NULL, OBJECT_CLIENT_ERROR, EINVAL, false, NULL, NULL},
    {"UnsupportedOperationException", NULL, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false, NULL, NULL},
    {"IOException", "out of the range", OBJECT_CLIENT_ERROR, ERANGE, false, NULL, NULL},
    {"IOException", "could only be written to", OBJECT_SERVER_ERROR, ENOSPC, true, NULL, NULL},
    {"IOException", "Failed to find datanode", OBJECT_SERVER_ERROR, ENOSPC, true, NULL, NULL},
    {.code = NULL},
};

static bool class_by_exception(const struct http_answer *http, struct object_verdict *verdict)
{
    char message[512];

    if (json_find(http->text, http->text_bytes, "RemoteException", "message", message,
                  sizeof(message)) < 0)
        message[0] = '\0';
    return web_judge_code(meanings, message, verdict);
}

/* HttpFS notices that a range begins beyond the end only when it starts sending, and reports it on
 * an HTML page. */
static bool is_beyond_end(const struct http_answer *http)
{
    return strstr(http->text, "EOFException: Premature EOF from inputStream "
                              "after skipping");
}

static void judge_status(int status, struct object_verdict *verdict)
{
    web_judge_status(status, verdict);
    if (verdict->class == OBJECT_REDIRECT)
        (void)snprintf(verdict->code, sizeof(verdict->code), "Redirected");
}

/* Exceptions not in the table are server errors, whatever their status: WebHDFS answers any
 * IOException with 403. */
static void judge_failure(const struct http_answer *http, struct object_verdict *verdict)
{
    if (json_find(http->text, http->text_bytes, "RemoteException", "exception", verdict->code,
                  sizeof(verdict->code)) < 0 ||
        !web_is_code(verdict->code)) {
        verdict->code[0] = '\0';
        judge_status(http->status, verdict);
        if (http->status == 500 && is_beyond_end(http)) {
            verdict->class = OBJECT_CLIENT_ERROR;
            verdict->errnum = ERANGE;
            verdict->retryable = false;
            (void)snprintf(verdict->code, sizeof(verdict->code), "EOFException");
        }
        /* servers that do not provide WebHDFS answer this for any path */
        if (http->status == 404) {
            verdict->no_place = true;
            (void)snprintf(verdict->code, sizeof(verdict->code), "NotWebHDFS");
        }
    } else if (!class_by_exception(http, verdict)) {
        judge_status(http->status, verdict);
        if (http->status == 403) {
            verdict->class = OBJECT_SERVER_ERROR;
            verdict->errnum = EREMOTEIO;
            verdict->retryable = true;
        }
    }
}

/* ---- answers of status 2xx ---- */

static void judge_get(const struct http_answer *http, struct object_verdict *verdict)
{
    if (http->status != 200)
        object_verdict_broken(verdict, "UnexpectedStatus");
    else
        web_judge_body(http, http->content_length, verdict);
}

/* {"FileStatus":{"length":6, ... "type":"FILE"}}: a directory is not an object. */
static void judge_file(const struct http_answer *http, struct object_verdict *verdict)
{
    char type[16];

    if (json_find(http->text, http->text_bytes, "FileStatus", "type", type, sizeof(type)) < 0) {
        object_verdict_broken(verdict, "BrokenJSON");
    } else if (strcmp(type, "FILE") != 0) {
        verdict->class = OBJECT_CLIENT_ERROR;
        verdict->errnum = ENOENT;
        verdict->is_place = true;
        (void)snprintf(verdict->code, sizeof(verdict->code), "NoFile");
    }
}

/* {"boolean":true}. For a removal, false means that the file does not exist; for a rename, also
 * that the new name exists. */
static void judge_boolean(const struct http_answer *http, struct object_verdict *verdict)
{
    enum json_event event;
    struct json_scan json;
    bool done, said = false;

    json_begin(&json, http->text, http->text_bytes);
    while ((event = json_next(&json)) != JSON_END && event != JSON_ERROR)
        if (event == JSON_VALUE && json.depth == 1 && json_is(&json.name[1], "boolean"))
            said = json_bool(&json, &done);
    if (event == JSON_ERROR || !said) {
        object_verdict_broken(verdict, "BrokenJSON");
    } else if (!done) {
        verdict->class = OBJECT_CLIENT_ERROR;
        verdict->errnum = ENOENT;
        (void)snprintf(verdict->code, sizeof(verdict->code), "Refused");
    }
}

static void judge_success(const struct webhdfs_slot *slot, struct object_verdict *verdict)
{
    const struct http_answer *http = slot->answer;

    switch (slot->call->verb) {
    case OBJECT_GET:
        judge_get(http, verdict);
        return;
    case OBJECT_STAT:
        judge_file(http, verdict);
        return;
    case OBJECT_DELETE:
    case OBJECT_RENAME:
        judge_boolean(http, verdict);
        return;
    case OBJECT_LIST:
        if (http->too_long)
            object_verdict_broken(verdict, "TooLong");
        return; /* webhdfs_list checks the rest */
    default:
        if (http->status != (slot->call->verb == OBJECT_PUT ? 201 : 200))
            object_verdict_broken(verdict, "UnexpectedStatus");
    }
}

/* Seconds since the file was changed, by the service's clock; from an answer to STAT. -1: unknown.
 */
static int64_t age_of(const struct http_answer *http)
{
    uint64_t modified_ms = 0;
    enum json_event event;
    struct json_scan json;
    int64_t now_s, modified_s;

    if (!http_date_read(http->date, &now_s))
        return -1;
    json_begin(&json, http->text, http->text_bytes);
    while ((event = json_next(&json)) != JSON_END && event != JSON_ERROR)
        if (event == JSON_VALUE && json.depth == 2 && json_is(&json.name[1], "FileStatus") &&
            json_is(&json.name[2], "modificationTime") && !json_number(&json, &modified_ms))
            return -1;
    modified_s = (int64_t)(modified_ms / 1000);
    if (event == JSON_ERROR || modified_s == 0)
        return -1;
    return now_s > modified_s ? now_s - modified_s : 0;
}

void webhdfs_judge(const struct webhdfs_slot *slot, struct object_answer *answer)
{
    const struct http_answer *http = slot->answer;
    const struct object_call *call = slot->call;
    struct object_verdict *verdict = &answer->verdict;

    web_judge_done(verdict);
    answer->settled = true;
    answer->condition = OBJECT_CONDITION_NONE;
    answer->age_s = call->want_age ? age_of(http) : -1;
    if (slot->unstarted != 0 || http->failure != 0) {
        web_judge_network(slot->unstarted ? slot->unstarted : http->failure, verdict);
    } else if (slot->strange) {
        object_verdict_broken(verdict, http->status == 307 && http->location[0] ? "BadLocation"
                                                                                : "NoLocation");
    } else if (http->status >= 200 && http->status < 300) {
        judge_success(slot, verdict);
    } else {
        judge_failure(http, verdict);
        /* a missing directory lists as empty, as in any store */
        if (call->verb == OBJECT_LIST && verdict->errnum == ENOENT && !verdict->no_place)
            verdict->class = OBJECT_DONE;
    }
    if (__builtin_expect(verdict->class == OBJECT_DONE, 1))
        return;
    /* the NameNode's redirect itself changes nothing */
    answer->settled =
        slot->unstarted || web_is_settled(http->failure, http->status) ||
        (slot->step == WEBHDFS_ASK && (call->verb == OBJECT_PUT || call->verb == OBJECT_APPEND));
    if (call->only_if_absent && verdict->errnum == EEXIST)
        answer->condition = OBJECT_CONDITION_UNMET;
}

/* ---- in words ---- */

/* The first line of the server's message, or "". */
static void read_message(const struct http_answer *http, char *text, size_t room)
{
    char message[4096];

    text[0] = '\0';
    if (json_find(http->text, http->text_bytes, "RemoteException", "message", message,
                  sizeof(message)) < 0)
        return;
    message[strcspn(message, "\r\n")] = '\0';
    secret_redact(message);
    error_printable(message, text, room);
}

/* The host that the second request was sent to: "datanode1:9864". */
static const char *host_of(const struct webhdfs_slot *slot, char *text, size_t room)
{
    const char *host = strstr(slot->url, "://");
    char raw[300];

    host = host ? host + 3 : slot->url;
    (void)snprintf(raw, sizeof(raw), "%.*s", (int)strcspn(host, "/?"), host);
    return error_printable(raw, text, room);
}

/* By far the most frequent failure of WebHDFS: a DataNode's name cannot be resolved here. */
static bool is_of_datanode(const struct webhdfs_slot *slot, int errnum)
{
    return slot->step == WEBHDFS_TRANSFER &&
           (errnum == EHOSTUNREACH || errnum == ECONNREFUSED || errnum == ENETUNREACH ||
            (errnum == ETIMEDOUT && slot->answer->times.send_ns == 0));
}

static void explain_network(const struct webhdfs_slot *slot, int errnum, struct error *err)
{
    static const struct web_advice own = {
        .tls = "does the server speak TLS there? try swebhdfs://",
        .plain = "does the server speak TLS there? try webhdfs://",
        .refused =
            "is the NameNode running, is this the port of its web pages (9870, with TLS 9871)?",
    };
    const char *said = slot->unstarted ? "" : slot->answer->reason;
    char host[160], reason[200];
    const char *advice;

    error_printable(said[0] ? said : strerror(errnum), reason, sizeof(reason));
    secret_redact(reason);
    (void)host_of(slot, host, sizeof(host));
    if (slot->step == WEBHDFS_TRANSFER)
        error_explain(err, "the NameNode redirects to %s%s: %s", host,
                      is_of_datanode(slot, errnum) ? ", which cannot be reached from here" : "",
                      reason);
    else
        error_explain(err, "%s", reason);
    advice = web_advise_network(slot->answer, reason, errnum, &own);
    if (is_of_datanode(slot, errnum))
        error_advise(err, "%sgive its address: --webhdfs.connect %s=ADDRESS:PORT",
                     errnum == ECONNREFUSED ? "is it running? " : "", host);
    else if (strstr(reason, "does not match") || strstr(reason, "subject name"))
        error_advise(err, "use the name in the certificate, and give its address with "
                          "--webhdfs.connect");
    else if (advice)
        error_advise(err, "%s", advice);
}

static void explain_answer(const struct webhdfs_slot *slot, const struct object_verdict *verdict,
                           const char *words, struct error *err)
{
    const bool own = verdict->class == OBJECT_PROTOCOL_ERROR || verdict->no_place;
    char message[200];

    read_message(slot->answer, message, sizeof(message));
    words = words ? words : message;
    error_explain(err, "HTTP %d%s%s%s%s", slot->answer->status, verdict->code[0] && !own ? " " : "",
                  own ? "" : verdict->code, words[0] ? ": " : "", words);
}

/* The user is unknown or not accepted: by the kind of identity presented. */
static const char *advise_user(const struct webhdfs_service *service)
{
    if (webhdfs_options_of(&service->base)->negotiate)
        return "is there a Kerberos ticket (klist, kinit), and is HTTP/HOST of this target a "
               "principal of the service?";
    if (service->authorization)
        return "wrong user or password";
    if (strncmp(service->identity, "&delegation=", 12) == 0)
        return "get a new delegation token";
    return "the service requires authentication: --webhdfs.negotiate with a ticket (kinit), a "
           "token or a password";
}

void webhdfs_explain(const struct object_answer *answer, struct error *err)
{
    const struct webhdfs_slot *slot = answer->detail;
    const struct object_verdict *verdict = &answer->verdict;
    const struct web_meaning *row = web_meaning_of(meanings, verdict->code, "");

    if (verdict->class == OBJECT_NETWORK_ERROR) {
        explain_network(slot, verdict->errnum, err);
        return;
    }
    explain_answer(slot, verdict, row ? row->words : NULL, err);
    if (slot->answer->status == 401 || (strcmp(verdict->code, "SecurityException") == 0 &&
                                        strncmp(slot->service->identity, "&delegation=", 12) == 0))
        error_advise(err, "%s", advise_user(slot->service));
    else if (row && row->advice)
        error_advise(err, "%s", row->advice);
}
