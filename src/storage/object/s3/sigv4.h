/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* sigv4.h - AWS Signature Version 4 for S3 in the Authorization header. Formula: "Authenticating
 * Requests (AWS Signature Version 4)" of the Amazon S3 API reference. HMAC-SHA-256 by OpenSSL's
 * EVP_MAC, fetched once; the derived key is kept for the day. One signer per thread. */
#ifndef STORAGE_OBJECT_S3_SIGV4_H
#define STORAGE_OBJECT_S3_SIGV4_H

#include <stddef.h>
#include <time.h>

#include "base/error.h"
#include "net/encode.h"
#include "storage/object/s3/credentials.h"

#define SIGV4_HEX_BYTES    65 /* SHA-256 as text with terminator */
#define SIGV4_DATE_BYTES   17 /* "20130524T000000Z" with terminator */
#define SIGV4_EMPTY_SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SIGV4_UNSIGNED     "UNSIGNED-PAYLOAD"

struct sigv4_header {
    const char *name;  /* lower case */
    const char *value; /* trimmed, without repeated blanks */
};

struct sigv4_request {
    const char *method;
    const char *path;  /* encoded, with the leading slash */
    const char *query; /* encoded, sorted by name and value, "name=value&name=" or "" */
    /* sorted by name; all are signed; must include host, x-amz-content-sha256 and x-amz-date */
    const struct sigv4_header *header;
    unsigned header_count;
    const char *payload_hash; /* the value of x-amz-content-sha256 */
};

struct sigv4;

/* The credentials must outlive the signer. Returns 0 or -1 (OpenSSL failed: STATUS_TARGET). */
int sigv4_create(const struct s3_credentials *credentials, const char *region, struct sigv4 **out,
                 struct error *err);

void sigv4_destroy(struct sigv4 *signer); /* cleanses the keys; NULL is fine */

/* Formats a time as "YYYYMMDDTHHMMSSZ" (UTC). */
void sigv4_date(time_t now, char date[SIGV4_DATE_BYTES]);

/* Hot. Appends the value of the Authorization header; date as in x-amz-date. The bare signature
 * is kept for sigv4_chunk. Returns 0 or -1 (does not fit). */
int sigv4_sign(struct sigv4 *signer, const struct sigv4_request *request, const char *date,
               struct text_builder *out);

/* Hot. Signs the chunks of a signed aws-chunked body and its trailer; each signature is derived
 * from the previous one, the first from sigv4_sign's. data: of the chunk; trailer:
 * "name:value\n". */
int sigv4_chunk(struct sigv4 *signer, const void *data, size_t bytes,
                char signature[SIGV4_HEX_BYTES]);
int sigv4_trailer(struct sigv4 *signer, const char *trailer, char signature[SIGV4_HEX_BYTES]);

#endif
