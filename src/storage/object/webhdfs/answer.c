/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* answer.c - interprets answers of WebHDFS: success or class of failure. Statuses are unspecific
 * (any Java IOException is a 403), so the exception's class is decisive; and refusals can have
 * status 200. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "storage/object/web/answer.h"
#include "storage/object/webhdfs/json.h"

#define NOT_WEBHDFS "NotWebHDFS"

/* ---- meaning of exceptions ---- */

/* The first match counts: class and, unless NULL, a part of the message. */
static const struct meaning {
    const char *exception, *message;
    enum object_class class;
    int errnum;
    bool retryable;
} meanings[] = {
    {"FileNotFoundException", NULL, OBJECT_CLIENT_ERROR, ENOENT, false},
    {"FileAlreadyExistsException", NULL, OBJECT_CLIENT_ERROR, EEXIST, false},
    {"AccessControlException", NULL, OBJECT_CLIENT_ERROR, EACCES, false},
    {"AuthorizationException", NULL, OBJECT_CLIENT_ERROR, EACCES, false},
    {"AuthenticationException", NULL, OBJECT_CLIENT_ERROR, EACCES, false},
    {"SecurityException", NULL, OBJECT_CLIENT_ERROR, EACCES, false},
    {"InvalidToken", NULL, OBJECT_CLIENT_ERROR, EACCES, false},
    /* another client holds the lease, or did until a moment ago */
    {"AlreadyBeingCreatedException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true},
    {"RecoveryInProgressException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true},
    {"LeaseExpiredException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true},
    {"NotReplicatedYetException", NULL, OBJECT_CLIENT_ERROR, EBUSY, true},
    {"SafeModeException", NULL, OBJECT_SERVER_ERROR, EROFS, true},
    {"StandbyException", NULL, OBJECT_REDIRECT, EREMCHG, false},
    {"RetriableException", NULL, OBJECT_SERVER_ERROR, EREMOTEIO, true},
    {"QuotaExceeded", NULL, OBJECT_CLIENT_ERROR, EDQUOT, false},
    {"NSQuotaExceeded", NULL, OBJECT_CLIENT_ERROR, EDQUOT, false},
    {"DSQuotaExceeded", NULL, OBJECT_CLIENT_ERROR, EDQUOT, false},
    {"PathIsNotEmptyDirectoryException", NULL, OBJECT_CLIENT_ERROR, ENOTEMPTY, false},
    {"ParentNotDirectoryException", NULL, OBJECT_CLIENT_ERROR, ENOTDIR, false},
    {"InvalidPathException", NULL, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false}, /* invalid names */
    {"IllegalArgumentException", "not a valid DFS filename", OBJECT_CLIENT_ERROR, EOPNOTSUPP,
     false}, /* ... through HttpFS */
    {"IllegalArgumentException", NULL, OBJECT_CLIENT_ERROR, EINVAL, false},
    {"UnsupportedOperationException", NULL, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false},
    {"IOException", "out of the range", OBJECT_CLIENT_ERROR, ERANGE, false},
    {"IOException", "could only be written to", OBJECT_SERVER_ERROR, ENOSPC, true},
    {"IOException", "Failed to find datanode", OBJECT_SERVER_ERROR, ENOSPC, true},
};

static bool class_by_exception(const struct http_answer *http, struct object_verdict *verdict)
{
    char message[512];

    if (json_find(http->text, http->text_bytes, "RemoteException", "message", message,
                  sizeof(message)) < 0)
        message[0] = '\0';
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
        const struct meaning *meaning = &meanings[i];

        if (strncmp(verdict->code, meaning->exception, strlen(meaning->exception)) != 0 ||
            (meaning->message && !strstr(message, meaning->message)))
            continue;
        verdict->class = meaning->class;
        verdict->errnum = meaning->errnum;
        verdict->retryable = meaning->retryable;
        return true;
    }
    return false;
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
            (void)snprintf(verdict->code, sizeof(verdict->code), NOT_WEBHDFS);
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

/* A missing directory lists as empty, as in any store. */
static bool is_empty_list(const struct webhdfs_slot *slot, const struct object_verdict *verdict)
{
    return slot->call->verb == OBJECT_LIST && verdict->errnum == ENOENT && !verdict->no_place;
}

void webhdfs_judge(const struct webhdfs_slot *slot, struct object_verdict *verdict)
{
    const struct http_answer *http = slot->answer;

    web_judge_done(verdict);
    if (slot->unstarted != 0 || http->failure != 0) {
        web_judge_network(slot->unstarted ? slot->unstarted : http->failure, verdict);
    } else if (slot->strange) {
        object_verdict_broken(verdict, http->status == 307 && http->location[0] ? "BadLocation"
                                                                                : "NoLocation");
    } else if (http->status >= 200 && http->status < 300) {
        judge_success(slot, verdict);
    } else {
        judge_failure(http, verdict);
        if (is_empty_list(slot, verdict))
            verdict->class = OBJECT_DONE;
    }
}

/* ---- further properties ---- */

/* The NameNode's redirect itself changes nothing. */
bool webhdfs_is_settled(const struct webhdfs_slot *slot)
{
    const bool moves = slot->call->verb == OBJECT_PUT || slot->call->verb == OBJECT_APPEND;

    return (moves && slot->step == WEBHDFS_ASK) || slot->unstarted ||
           web_is_settled(slot->answer->failure, slot->answer->status);
}

enum object_condition webhdfs_condition(const struct object_call *call,
                                        const struct object_verdict *verdict)
{
    return call->only_if_absent && verdict->errnum == EEXIST ? OBJECT_CONDITION_UNMET
                                                             : OBJECT_CONDITION_NONE;
}

int64_t webhdfs_age_s(const struct http_answer *http)
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
