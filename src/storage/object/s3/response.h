/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* response.h - interprets the answers of S3, and reads and writes its XML documents. */
#ifndef STORAGE_OBJECT_S3_RESPONSE_H
#define STORAGE_OBJECT_S3_RESPONSE_H

#include "net/http.h"
#include "storage/object/protocol.h"
#include "storage/object/s3/options.h"

/* Hot when class is OBJECT_DONE (a few comparisons), else cold. Checks only beginning and end of
 * documents; s3_page_read and s3_delete_read parse the rest. */
void s3_judge(const struct object_call *call, const struct http_answer *answer,
              struct object_verdict *verdict);

/* The delay before a retry that the server requests (Retry-After in seconds); 0: none, or an
 * implausible one. */
uint64_t s3_asked_pause_ns(const struct http_answer *answer);

/* Describes the failure in one line: "HTTP 403 AccessDenied: Access Denied (request ID)", without
 * secrets. Sets *advice (unless NULL) for well-known codes (SignatureDoesNotMatch,
 * InvalidAccessKeyId, AuthorizationHeaderMalformed, NoSuchBucket, RequestTimeTooSkewed ...).
 * Returns text. */
char *s3_explain(const struct object_answer *answer, char *text, size_t room, const char **advice);

/* Parses an answer to OBJECT_LIST. visit and err MAY be NULL; nothing is allocated. Returns 0, -1
 * for broken XML (also keys that are too long, and a truncated list without a token), or what visit
 * returned. */
int s3_page_read(const struct object_answer *answer, struct object_page *page, object_visit visit,
                 void *arg, struct error *err);

/* Parses an answer to OBJECT_UPLOAD_LIST. False: broken XML. */
bool s3_uploads_read(const struct object_answer *answer, struct object_uploads *uploads);

/* Writes the XML of DeleteObjects to text; returns its length or 0 (does not fit). */
size_t s3_delete_xml(const char *const *key, size_t count, char *text, size_t room);
/* The number of failures in an answer to it, with the first one's code in `code`; -1: broken XML. A
 * missing key is not a failure. */
int s3_delete_read(const struct object_answer *answer, char *code, size_t room);

/* Writes the XML of CompleteMultipartUpload part by part from the answers to UPLOAD_PART (etag, and
 * the checksum if one was used: AWS requires it): begins with used 0, ends with answer NULL.
 * Returns the new length, or 0 if it does not fit or the answer has no etag. */
size_t s3_complete_xml(enum s3_checksum checksum, unsigned part, const struct http_answer *answer,
                       char *text, size_t used, size_t room);

#endif
