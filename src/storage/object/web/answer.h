/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* answer.h - what answers by HTTP mean in all protocols that use it. */
#ifndef STORAGE_OBJECT_WEB_ANSWER_H
#define STORAGE_OBJECT_WEB_ANSWER_H

#include "net/http.h"
#include "storage/object/protocol.h"

/* The verdict on a call that has succeeded as far as is known. */
void web_judge_done(struct object_verdict *verdict);

/* ... without an answer; failure: -errno. */
void web_judge_network(int failure, struct object_verdict *verdict);

/* ... refused with this status, by its meaning in HTTP; a status that is no refusal: the code
 * "UnexpectedStatus". */
void web_judge_status(int status, struct object_verdict *verdict);

/* ... that brought a body of a length announced (UINT64_MAX: none was). */
void web_judge_body(const struct http_answer *http, uint64_t announced_bytes,
                    struct object_verdict *verdict);

/* "Not Found"; "" for a status without words. */
const char *web_status_words(int status);

/* Whether all characters of a code from an answer may be shown: letters, digits, ".", "_", "-" and
 * "$". False for "". */
bool web_is_code(const char *text);

/* For a failure: whether the service has not received the request or is done with it. failure:
 * -errno, 0: there is an answer. */
bool web_is_settled(int failure, int status);

/* Whether plain HTTP was sent to a server that speaks TLS, which closes the connection, sends an
 * alert, or answers with text. reason: of a request without an answer. */
bool web_wants_tls(const struct http_answer *http, const char *reason);

/* Whether TLS was tried with a server that speaks plain HTTP. */
bool web_wants_plain(const char *reason);

/* Advice on a connection that was closed before the answer, or NULL. */
const char *web_closing_advice(const char *reason);

/* Sums of two requests in a row, the times of the second counted from the first one's beginning;
 * all of `first` is 0 where there was one request. */
struct object_times web_times(const struct http_times *first, const struct http_times *last);

#endif
