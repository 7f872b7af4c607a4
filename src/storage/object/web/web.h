/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* web.h - what all protocols by HTTP share: the meaning of answers, files with secrets. */
#ifndef STORAGE_OBJECT_WEB_WEB_H
#define STORAGE_OBJECT_WEB_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "net/http.h"
#include "storage/object/protocol.h"

/* ---- answer.c ---- */

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

/* What the code of a failure means: the service's, or one of ours. */
struct web_meaning {
    const char *code;    /* beginning of the code; NULL: the end of the table */
    const char *message; /* part of the service's message; NULL: any */
    /* OBJECT_DONE: as the status says; OBJECT_PROTOCOL_ERROR: a code that no service sends */
    enum object_class class;
    int errnum;
    bool retryable;
    const char *words, *advice; /* or NULL; words take the place of the message */
};

/* The first row that applies to a code and message; NULL: none. */
const struct web_meaning *web_meaning_of(const struct web_meaning *row, const char *code,
                                         const char *message);

/* The verdict on a code that the service sent.  False: only the status says what it means. */
bool web_judge_code(const struct web_meaning *row, const char *message,
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

/* Advice on a request without an answer, or NULL; reason: its words. */
struct web_advice {
    const char *tls, *plain; /* the server speaks this, and the other was tried */
    const char *refused;
};
const char *web_advise_network(const struct http_answer *http, const char *reason, int errnum,
                               const struct web_advice *own);

/* Sums of two requests in a row, the times of the second counted from the first one's beginning;
 * all of `first` is 0 where there was one request. */
struct object_times web_times(const struct http_times *first, const struct http_times *last);

/* ---- secret.c: reads files with secrets, and keeps them from leaking ---- */

#define SECRET_MOST 2048

/* Reads a file into text (most_bytes + 2 bytes), terminated, of which no other copy is left.
 * Returns its bytes, most_bytes + 1 if there are more, or -errno. *shared: other users can read it.
 */
ssize_t secret_read_file(const char *path, char *text, size_t most_bytes, bool *shared);

/* Reads a secret from a file (first line) or, if file is NULL, from an environment variable; NULL:
 * none. what: "token", for messages. Disables core dumps of the process from then on. Returns 0, or
 * -1 (STATUS_TARGET). */
int secret_read(const char *file, const char *variable, const char *what, char **out,
                struct error *err);

void secret_wipe(void *memory, size_t bytes);
void secret_free(char *secret); /* wipes; NULL is fine */

/* Replaces the value of a token that a server repeats in its text by "...", in place. */
void secret_redact(char *text);

#endif
