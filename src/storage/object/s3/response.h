/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* response.h - what an answer of S3 means, and the documents that are sent and come. */
#ifndef STORAGE_OBJECT_S3_RESPONSE_H
#define STORAGE_OBJECT_S3_RESPONSE_H

#include "net/http.h"
#include "storage/object/protocol.h"
#include "storage/object/s3/options.h"

/* Hot when class is OBJECT_DONE (a few comparisons), else cold.  Of documents only beginning and
 * end are looked at here; s3_page_read and s3_delete_read see the rest. */
void s3_judge(const struct object_call *call, const struct http_answer *answer,
              struct object_verdict *verdict);

/* Of a failure: the server has not seen the request, or will not do it again. */
bool s3_is_settled(const struct http_answer *answer);

/* The pause that a server asks for before a request is sent again (Retry-After in seconds);
 * 0: none, or not one that can be meant. */
uint64_t s3_asked_pause_ns(const struct http_answer *answer);

/* The failure in words, one line: "HTTP 403 AccessDenied: Access Denied (request ID)"; without
 * secrets. Adds what can be done about well-known codes (SignatureDoesNotMatch, InvalidAccessKeyId,
 * AuthorizationHeaderMalformed, NoSuchBucket, RequestTimeTooSkewed ...) when advice is not NULL.
 * Returns text. */
char *s3_explain(const struct http_answer *answer, const struct object_verdict *verdict, char *text,
                 size_t room, const char **advice);

/* Reads an answer to OBJECT_LIST.  visit and err MAY be NULL; nothing is allocated.  Returns 0, -1
 * broken XML (also keys that are too long, and more to come without a token), or what visit
 * returned. */
int s3_page_read(const struct http_answer *answer, struct object_page *page, object_visit visit,
                 void *arg, struct error *err);

/* Reads an answer to OBJECT_UPLOAD_LIST.  False: broken XML. */
bool s3_uploads_read(const struct http_answer *answer, struct object_uploads *uploads);

/* XML of DeleteObjects into text; returns its length or 0 (does not fit). */
size_t s3_delete_xml(const char *const *key, size_t count, char *text, size_t room);
/* Failures in an answer to it: their number, the first one's code in code; -1: broken XML.  That a
 * key is not there is none. */
int s3_delete_read(const struct http_answer *answer, char *code, size_t room);

/* XML of CompleteMultipartUpload, written part by part from the answers to UPLOAD_PART (etag, and
 * the checksum when one was asked for: AWS wants it back): begins with used 0, ends with answer
 * NULL. Returns the new length, or 0 when it does not fit or the answer has no etag. */
size_t s3_complete_xml(enum s3_checksum checksum, unsigned part, const struct http_answer *answer,
                       char *text, size_t used, size_t room);

#endif
