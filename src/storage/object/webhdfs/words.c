/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.c - describes failures and gives advice. Messages of servers are Java stack traces, whose
 * first line is used; tokens in it are cut out. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "storage/object/web/answer.h"
#include "storage/object/web/secret.h"
#include "storage/object/webhdfs/json.h"

/* The first prefix of the code matches; words: replace the server's message. */
static const struct known {
    const char *code, *words, *advice;
} known[] = {
    {"NotWebHDFS", "no WebHDFS answers there",
     "give the port of the NameNode's web pages (9870), or --webhdfs.base of a gateway"},
    {"UnexpectedStatus", "not a status that WebHDFS sends",
     "is this the HTTP address of a NameNode, of HttpFS or of Knox?"},
    {"BrokenJSON", "the reply is not what WebHDFS sends",
     "is this the HTTP address of a NameNode, of HttpFS or of Knox?"},
    {"NoLocation", "the reply does not say where the data go",
     "is this the HTTP address of a NameNode, of HttpFS or of Knox?"},
    {"BadLocation", "the reply redirects to an address not allowed: not a host, or without TLS",
     "check dfs.datanode.http.address and dfs.http.policy of the cluster"},
    {"Redirected", "unexpected redirect",
     "is this the HTTP address of a NameNode, of HttpFS or of Knox?"},
    {"WrongLength", "the reply has the wrong length", NULL},
    {"TooLong", "the server sent more than requested; the rest was not read", NULL},
    {"NoFile", "this is a directory, not a file", NULL},
    {"Refused", "the file system refused: no such file, or the new name exists", NULL},
    {"StandbyException", "this NameNode is on standby", "name the other NameNode in the target"},
    {"SafeModeException", "the NameNode is in safe mode, in which nothing is written",
     "wait until it leaves it, or see hdfs dfsadmin -safemode get"},
    {"AccessControlException", NULL, "use another --webhdfs.user, or another path"},
    {"AuthorizationException", NULL, "use another --webhdfs.user, or another path"},
    {"AlreadyBeingCreatedException", NULL,
     "another client is writing to it; try again when it is closed"},
    {"RecoveryInProgressException", NULL,
     "an upload was cut off; HDFS closes the file within minutes"},
    {"InvalidToken", NULL, "get a new delegation token"},
};

static const struct known *known_of(const struct object_verdict *verdict)
{
    for (size_t i = 0; verdict->code[0] != '\0' && i < sizeof(known) / sizeof(*known); i++)
        if (strncmp(verdict->code, known[i].code, strlen(known[i].code)) == 0)
            return &known[i];
    return NULL;
}

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
static const char *host_of(const char *url, char *text, size_t room)
{
    const char *host = strstr(url, "://");
    char raw[300];

    host = host ? host + 3 : url;
    (void)snprintf(raw, sizeof(raw), "%.*s", (int)strcspn(host, "/?"), host);
    return error_printable(raw, text, room);
}

static const char *network_reason(const struct webhdfs_slot *slot, int errnum, char *text,
                                  size_t room)
{
    const struct http_answer *http = slot->answer;

    error_printable(slot->unstarted || !http->reason[0] ? strerror(errnum) : http->reason, text,
                    room);
    secret_redact(text);
    return text;
}

/* By far the most frequent failure of WebHDFS: the DataNode's name cannot be resolved here. */
static void explain_datanode(const struct webhdfs_slot *slot, int errnum, char *text, size_t room)
{
    char host[160], reason[200];

    host_of(slot->url, host, sizeof(host));
    network_reason(slot, errnum, reason, sizeof(reason));
    (void)snprintf(text, room, "the NameNode redirects to %s, which %s: %s", host,
                   errnum == EHOSTUNREACH ? "cannot be found from here"
                   : errnum == ETIMEDOUT  ? "does not answer"
                                          : "cannot be reached",
                   reason);
}

static void explain_where(const struct webhdfs_slot *slot, const char *reason, char *text,
                          size_t room)
{
    char host[160];

    host_of(slot->url, host, sizeof(host));
    (void)snprintf(text, room, "the NameNode redirects to %s: %s", host, reason);
}

static bool is_of_datanode(const struct webhdfs_slot *slot, int errnum)
{
    return slot->step == WEBHDFS_TRANSFER &&
           (errnum == EHOSTUNREACH || errnum == ECONNREFUSED || errnum == ENETUNREACH ||
            (errnum == ETIMEDOUT && slot->answer->times.send_ns == 0));
}

static const char *advise_certificate(const char *reason)
{
    if (strstr(reason, "does not match") || strstr(reason, "subject name"))
        return "use the name in the certificate, and give its address with --webhdfs.connect";
    if (strstr(reason, "self-signed") || strstr(reason, "self signed") || strstr(reason, "issuer"))
        return "name the certificate of its issuer with --ca-file";
    return NULL;
}

static const char *explain_network(const struct webhdfs_slot *slot, int errnum, char *text,
                                   size_t room)
{
    char host[160], reason[200];

    if (is_of_datanode(slot, errnum)) {
        explain_datanode(slot, errnum, text, room);
        return errnum == ECONNREFUSED
                   ? "is it running? give its address with --webhdfs.connect "
                     "HOST:PORT=ADDR:PORT"
                   : "give its address with --webhdfs.connect HOST:PORT=ADDR:PORT";
    }
    if (slot->step == WEBHDFS_TRANSFER)
        (void)snprintf(text, room, "redirected to %s: %s", host_of(slot->url, host, sizeof(host)),
                       network_reason(slot, errnum, reason, sizeof(reason)));
    else
        (void)snprintf(text, room, "%s", network_reason(slot, errnum, reason, sizeof(reason)));
    if (web_wants_tls(slot->answer, reason))
        return "does the server speak TLS there? try swebhdfs://";
    if (strstr(reason, "server certificate")) {
        if (slot->step == WEBHDFS_TRANSFER)
            explain_where(slot, reason, text, room);
        return advise_certificate(reason);
    }
    if (errnum == ECONNREFUSED)
        return "is the NameNode running, is this the port of its web pages (9870, with TLS 9871)?";
    return web_wants_plain(reason) ? "does the server speak TLS there? try webhdfs://"
                                   : web_closing_advice(reason);
}

static void explain_answer(const struct webhdfs_slot *slot, const struct object_verdict *verdict,
                           const struct known *row, char *text, size_t room)
{
    const bool own = verdict->class == OBJECT_PROTOCOL_ERROR || verdict->no_place;
    char message[200];

    if (slot->answer->status == 0) { /* nothing was sent */
        (void)snprintf(text, room, "WebHDFS has no such request: %s", verdict->code);
        return;
    }
    read_message(slot->answer, message, sizeof(message));
    if (row && row->words)
        (void)snprintf(text, room, "HTTP %d%s%s: %s", slot->answer->status, own ? "" : " ",
                       own ? "" : verdict->code, row->words);
    else
        (void)snprintf(text, room, "HTTP %d%s%s%s%s", slot->answer->status,
                       verdict->code[0] ? " " : "", verdict->code, message[0] ? ": " : "", message);
}

static bool has_token(const struct webhdfs_slot *slot)
{
    return strncmp(slot->service->identity, "&delegation=", 12) == 0;
}

/* The user is unknown or not accepted: explains by the kind of identity presented. */
static const char *explain_unknown(const struct webhdfs_slot *slot, char *text, size_t room)
{
    const struct webhdfs_service *service = slot->service;
    char reason[200];

    if (webhdfs_options_of(&service->base)->negotiate) {
        error_printable(slot->no_ticket, reason, sizeof(reason));
        if (reason[0]) {
            (void)snprintf(text, room, "HTTP 401: %s", reason);
            return strstr(reason, "not found in Kerberos database")
                       ? "write the host as in the service's principal HTTP/HOST"
                   : strstr(reason, "no Kerberos ticket") ? "get one with kinit; klist lists yours"
                                                          : NULL;
        }
        return "the ticket is not accepted: is HTTP/HOST of this target a principal of the "
               "service?";
    }
    if (service->authorization)
        return "wrong user or password";
    if (has_token(slot))
        return "get a new delegation token";
    return "the service requires authentication: --webhdfs.negotiate with a ticket (kinit), a "
           "token or a password";
}

char *webhdfs_explain(const struct object_answer *answer, char *text, size_t room,
                      const char **advice)
{
    const struct webhdfs_slot *slot = answer->detail;
    const struct object_verdict *verdict = &answer->verdict;
    const struct known *row = known_of(verdict);
    const char *what_to_do = row ? row->advice : NULL;

    if (room == 0)
        return text;
    if (verdict->class == OBJECT_NETWORK_ERROR) {
        what_to_do = explain_network(slot, verdict->errnum, text, room);
    } else {
        explain_answer(slot, verdict, row, text, room);
        if (strcmp(verdict->code, "SecurityException") == 0 && has_token(slot))
            what_to_do = "get a new delegation token";
        if (slot->answer->status == 401)
            what_to_do = explain_unknown(slot, text, room);
    }
    if (advice)
        *advice = what_to_do;
    return text;
}

bool webhdfs_advise(const struct object_answer *answer, struct error *err)
{
    const struct webhdfs_slot *slot = answer->detail;
    char host[160];

    if (answer->verdict.class != OBJECT_NETWORK_ERROR ||
        !is_of_datanode(slot, answer->verdict.errnum))
        return false;
    host_of(slot->url, host, sizeof(host));
    (void)error_advise(err, "%sgive its address: --webhdfs.connect %s=ADDRESS:PORT",
                       answer->verdict.errnum == ECONNREFUSED ? "is it running? " : "", host);
    return true;
}
