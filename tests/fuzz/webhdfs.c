/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* webhdfs.c - what a NameNode, or whoever answers in its place, may send: part of parsers.c. */
#include "base/compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/parsers.h"
#include "storage/object/webhdfs/protocol.h"

/* Nesting is as it is told, and texts lie in the document. */
static void scan(const char *document, size_t bytes)
{
    enum json_event event;
    struct json_scan json;
    unsigned depth = 0;
    char text[100];

    json_begin(&json, document, bytes);
    while ((event = json_next(&json)) != JSON_ERROR && event != JSON_END) {
        depth += event == JSON_OPEN ? 1 : 0;
        depth -= event == JSON_CLOSE ? 1 : 0;
        need(json.depth == depth && depth <= JSON_DEPTH_MAX);
        if (event != JSON_VALUE)
            continue;
        need(json.text >= document && json.text + json.text_bytes <= document + bytes);
        if (json_text(&json, text, sizeof(text)) >= 0)
            need(json.string && strlen(text) <= json.text_bytes);
    }
    need(event == JSON_ERROR || depth == 0);
}

static int visit(void *arg, const struct object_listed *listed, struct error *err)
{
    uint64_t *keys = arg;

    (void)err;
    need(strncmp(listed->key, "d/", 2) == 0 && strlen(listed->key) < OBJECT_KEY_BYTES &&
         !strstr(listed->key, "//"));
    need(!listed->rolled_up || listed->key[strlen(listed->key) - 1] == '/');
    ++*keys;
    return 0;
}

static void read_list(const struct object_answer *answer)
{
    static struct object_page page;
    struct error err = ERROR_INIT;
    uint64_t keys = 0;
    const int code = webhdfs_protocol.list(answer, &page, visit, &keys, &err);

    need(code == 0 || (code == -1 && error_is_set(&err)));
    if (code != 0)
        return;
    need(keys <= page.keys && (!page.more || page.token[0]));
    need(!page.more || strncmp(page.token, "d/", 2) == 0);
}

/* A URL that is gone to is one. */
static void follow(struct webhdfs_slot *slot, struct http_answer *http)
{
    char url[HTTP_LOCATION_BYTES];

    slot->step = WEBHDFS_ASK;
    slot->strange = false;
    http->status = 307;
    memcpy(url, http->location, sizeof(url));
    if (!webhdfs_request_next(slot, http))
        return;
    need(slot->step == WEBHDFS_TRANSFER && strcmp(slot->url, url) == 0);
    need(strncasecmp(url, "http", 4) == 0 && !strpbrk(url, " \t\r\n#"));
    need(!memchr(url, '@',
                 strcspn(strstr(url, "://") + 3, "/") + (size_t)(strstr(url, "://") - url)));
}

void fuzz_webhdfs(const char *text, size_t bytes)
{
    static const int status[] = {200, 201, 403, 404, 307, 500};
    static const enum object_verb verbs[] = {OBJECT_PUT,  OBJECT_GET,    OBJECT_STAT,
                                             OBJECT_LIST, OBJECT_DELETE, OBJECT_APPEND};
    static struct http_answer http;
    static struct webhdfs_slot slot;
    static struct webhdfs_options options;
    struct webhdfs_service service = {.base.options = &options.store,
                                      .authority = (char *)(uintptr_t) "h:1",
                                      .identity = (char *)(uintptr_t) ""};
    struct object_call call = {.key = "d/"};
    struct object_answer answer = {.detail = &slot};
    struct error why;

    scan(text, bytes);
    memset(&http, 0, sizeof(http));
    http.text = text;
    http.text_bytes = bytes;
    snprintf(http.location, sizeof(http.location), "%s", text);
    slot = (struct webhdfs_slot){.service = &service, .call = &call, .answer = &http};
    for (unsigned i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        for (unsigned k = 0; k < sizeof(status) / sizeof(*status); k++) {
            call.verb = verbs[i];
            http.status = status[k];
            slot.step = k & 1 ? WEBHDFS_ASK : WEBHDFS_TRANSFER;
            webhdfs_judge(&slot, &answer);
            need((answer.verdict.class == OBJECT_DONE) <=
                 (answer.verdict.errnum == 0 || answer.verdict.errnum == ENOENT));
            why = (struct error){.status = STATUS_TARGET};
            webhdfs_protocol.explain(&answer, &why);
            need(!strpbrk(why.reason, "\r\n\033") && !strpbrk(why.advice, "\r\n\033"));
            if (call.verb == OBJECT_LIST && answer.verdict.class == OBJECT_DONE)
                read_list(&answer);
        }
    call.verb = OBJECT_GET;
    follow(&slot, &http);
}
